package fetch_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/gather/fetch"
)

const river = "http://river.example/"

func page(t cdx.Timestamp, said string) kept {
	return kept{
		t, http.StatusOK,
		http.Header{"Content-Type": {"text/html"}, "Server": {"weir/1"}},
		`<html><img src="/fish.png"><a href="/weir">weir</a><p>` + said + `</html>`,
	}
}

// A stored record is what a test compares of one.
type stored struct {
	Kind, URI, Source string
	Time              cdx.Timestamp
	Status            int
	Server, Location  string
	Body              string
	Truncated         string
	Repeats           string // the time of the record that a revisit repeats
}

// run fetches what addresses mean into dir, and returns what could not be had.
func run(t *testing.T, dir string, wanted fetch.Selection, archives []string, addresses ...string) (*fetch.Progress, []error) {
	t.Helper()
	return runUpTo(t, 0, dir, wanted, archives, addresses...)
}

// runUpTo is run with a limit of bytes for each body.
func runUpTo(
	t *testing.T, most int64, dir string, wanted fetch.Selection, archives []string, addresses ...string,
) (*fetch.Progress, []error) {
	t.Helper()
	ctx := t.Context()
	var failures []error
	report := func(err error) { failures = append(failures, err) }
	found, err := fetch.List(ctx, newPlainWeb(), fetch.Question{Addresses: addresses, Archives: archives, Selection: wanted}, report)
	if err != nil {
		t.Fatal(err)
	}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	have, err := fetch.ReadStored(ctx, warc.Local{}, paths, report)
	if err != nil {
		t.Fatal(err)
	}
	out, err := write.New(write.Config{Dir: dir, Name: "fetched", Known: have.Known})
	if err != nil {
		t.Fatal(err)
	}
	job := &fetch.Job{Web: newPlainWeb(), Out: out, Have: have, Report: report, MaxBytes: most}
	if err := job.Run(ctx, found); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return &job.Progress, failures
}

func counted(p *fetch.Progress) string {
	return fmt.Sprintf("%d of %d, had %d, same %d, missing %d", p.Done.Load(), p.All.Load(), p.Had.Load(), p.Same.Load(), p.Missing.Load())
}

// scan yields the records of a file.
func scan(t *testing.T, path string) iter.Seq[*warc.Record] {
	return func(yield func(*warc.Record) bool) {
		f, err := warc.Open(t.Context(), warc.Local{}, path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for rec, err := range warc.Scan(t.Context(), f, path, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(rec) {
				return
			}
		}
	}
}

// read returns the records of answers in dir, by datetime.
func read(t *testing.T, dir string) []stored {
	t.Helper()
	var all []stored
	paths, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	for _, path := range paths {
		for rec := range scan(t, path) {
			if rec.Type != "response" && rec.Type != "revisit" {
				continue
			}
			head, err := warc.ParseHead(rec.Block)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(rec.Block)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, stored{
				rec.Type, rec.TargetURI, rec.Header.Get("WARC-Source-URI"), rec.Date, head.Status,
				head.Header.Get("Server"), head.Header.Get("Location"), string(body), rec.Truncated,
				rec.Header.Get("WARC-Refers-To-Date"),
			})
		}
	}
	slices.SortFunc(all, func(a, b stored) int { return strings.Compare(a.Time.String()+a.Source, b.Time.String()+b.Source) })
	return all
}

func (a *elsewhere) asStored(i int) stored {
	k := a.kept[i]
	return stored{"response", a.uriR, a.urim(i), k.time, k.status, k.head.Get("Server"), k.head.Get("Location"), k.body, "", ""}
}

func TestMementosComeAsTheyWereCaptured(t *testing.T) {
	for name, m := range map[string]manner{
		"Wayback": wayback, "pywb": pywb, "Prefer: raw": prefers, "Prefer as proposed": proposed, "its own pages": own,
	} {
		t.Run(name, func(t *testing.T) {
			a := newElsewhere(t, river, m, page(20100101000000, "high water"),
				kept{20110101000000, http.StatusFound, http.Header{"Location": {"http://river.example/new"}, "Server": {"weir/1"}}, "moved"},
				kept{20120101000000, http.StatusNotFound, http.Header{"Content-Type": {"text/html"}, "Server": {"weir/2"}}, "<p>gone"},
				page(20130101000000, "low water"))
			dir := t.TempDir()
			progress, failures := run(t, dir, fetch.Selection{}, nil, a.timeMap())
			if got := counted(progress); len(failures) > 0 || got != "4 of 4, had 0, same 0, missing 0" || progress.Bytes.Load() == 0 {
				t.Errorf("%s, failures: %v", got, failures)
			}
			want := []stored{a.asStored(0), a.asStored(1), a.asStored(2), a.asStored(3)}
			if diff := cmp.Diff(want, read(t, dir)); diff != "" {
				t.Errorf("stored (-want +got):\n%s", diff)
			}
		})
	}
}

// A body that is as long as may be is whole; of a longer one there is the beginning, and the record says so.
func TestLongBodiesAreCutOff(t *testing.T) {
	whole := page(20100101000000, "high water")
	for most, truncated := range map[int]string{len(whole.body) + 1: "", len(whole.body): "", len(whole.body) - 1: "length", 1: "length"} {
		a := newElsewhere(t, river, wayback, whole)
		dir := t.TempDir()
		if _, failures := runUpTo(t, int64(most), dir, fetch.Selection{}, nil, a.timeMap()); len(failures) > 0 {
			t.Fatal(failures)
		}
		want := a.asStored(0)
		want.Body, want.Truncated = want.Body[:min(most, len(want.Body))], truncated
		if diff := cmp.Diff([]stored{want}, read(t, dir)); diff != "" {
			t.Errorf("up to %d of %d bytes (-want +got):\n%s", most, len(whole.body), diff)
		}
	}
}

// A memento whose payload is stored repeats it, but none repeats the beginning of a payload.
func TestWhatIsCutOffIsNotRepeated(t *testing.T) {
	for most, want := range map[int64]string{1000: "response revisit", 4: "response response"} {
		dir := t.TempDir()
		for _, at := range []cdx.Timestamp{20100101000000, 20110101000000} { // in two runs
			a := newElsewhere(t, river, wayback, page(at, "high water"))
			if _, failures := runUpTo(t, most, dir, fetch.Selection{}, nil, a.timeMap()); len(failures) > 0 {
				t.Fatal(failures)
			}
		}
		var types []string
		for _, s := range read(t, dir) {
			types = append(types, s.Kind)
		}
		if got := strings.Join(types, " "); got != want {
			t.Errorf("up to %d bytes: %s, want %s", most, got, want)
		}
	}
}

func TestASelectionHasItsEnds(t *testing.T) {
	a := newElsewhere(t, river, wayback, page(20100101000000, "one"), page(20110101000000, "two"), page(20120101000000, "three"))
	for want, s := range map[string]fetch.Selection{
		"one two three": {}, "two": {From: 20110101000000, To: 20110101000000}, "two three": {From: 20110101000000},
		"one two": {To: 20110101000000}, "one": {To: 20101231235959}, "three": {From: 20110101000001},
		"": {From: 20110101000001, To: 20111231235959},
	} {
		found, err := fetch.List(t.Context(), newPlainWeb(), fetch.Question{Addresses: []string{a.timeMap()}, Selection: s}, func(error) {})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range found {
			got = append(got, map[cdx.Timestamp]string{20100101000000: "one", 20110101000000: "two", 20120101000000: "three"}[m.Time])
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%+v: %s, want %s", s, all, want)
		}
	}
}

func TestRewrittenMementosAreRefused(t *testing.T) {
	a := newElsewhere(t, river, stubborn, page(20100101000000, "high water"),
		kept{20110101000000, http.StatusOK, http.Header{"Content-Type": {"image/png"}}, "\x89PNG\r\n\x1a\n\x00"})
	dir := t.TempDir()
	progress, failures := run(t, dir, fetch.Selection{}, nil, a.timeMap())
	if len(failures) != 1 || !strings.Contains(failures[0].Error(), "comes rewritten") || progress.Missing.Load() != 1 {
		t.Errorf("failures: %v", failures)
	}
	if got := read(t, dir); len(got) != 1 || got[0].Time != 20110101000000 {
		t.Errorf("stored: %+v, want the picture alone, which no archive rewrites", got)
	}
}

// Pages that say something about archives, or link to one, are not rewritten.
func TestPagesAboutArchivesAreTaken(t *testing.T) {
	a := newElsewhere(t, river, pywb, kept{20100101000000, http.StatusOK, http.Header{"Content-Type": {"text/html"}}, ""})
	a.kept[0].body = `<p>An archive has <a href="` + a.URL + `/web/20090101000000/http://river.example/">this page</a>, see
		<a href="/weir">the weir</a> and <a href="http://lake.example/">the lake</a>.`
	dir := t.TempDir()
	if _, failures := run(t, dir, fetch.Selection{}, nil, a.timeMap()); len(failures) > 0 {
		t.Error(failures)
	}
	if got := read(t, dir); len(got) != 1 || got[0].Body != a.kept[0].body {
		t.Errorf("stored: %+v", got)
	}
}

func TestWhatIsStoredIsNotAskedForAgain(t *testing.T) {
	a := newElsewhere(t, river, wayback,
		page(20100101000000, "high water"), page(20110101000000, "high water"), page(20120101000000, "high water"))
	dir := t.TempDir()
	if p, failures := run(t, dir, fetch.Selection{}, nil, a.timeMap()); counted(p) != "3 of 3, had 0, same 2, missing 0" {
		t.Errorf("%s, failures: %v", counted(p), failures)
	}
	a.wasAsked()
	a.kept = append(a.kept, page(20130101000000, "low water"), page(20140101000000, "high water"))
	if p, failures := run(t, dir, fetch.Selection{}, nil, a.timeMap()); counted(p) != "5 of 5, had 3, same 1, missing 0" {
		t.Errorf("%s, failures: %v", counted(p), failures)
	}
	if asked := a.wasAsked(); len(asked) != 3 { // the TimeMap and two mementos
		t.Errorf("asked for %q", asked)
	}
	var got []string
	for _, s := range read(t, dir) {
		got = append(got, fmt.Sprint(s.Time.String()[:4], " ", s.Kind, " ", s.Repeats))
	}
	want := []string{
		"2010 response ", "2011 revisit 2010-01-01T00:00:00Z", "2012 revisit 2010-01-01T00:00:00Z", "2013 response ",
		"2014 revisit 2010-01-01T00:00:00Z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

// What damage took from a file is asked for again, and nothing else; the damage is named.
func TestDamageIsMadeGood(t *testing.T) {
	pages := []kept{page(20100101000000, "high water"), page(20110101000000, "low water"), page(20120101000000, "no water")}
	a := newElsewhere(t, river, wayback, pages...)
	for name, tt := range map[string]struct {
		harm func(file []byte, at int) []byte // at is the offset of the second memento's record
		want string
	}{
		"in a record": {func(b []byte, at int) []byte {
			return append(b[:at+100:at+100], append(make([]byte, 30), b[at+130:]...)...)
		}, "had 2"},
		"from there on": {func(b []byte, at int) []byte { return b[:at+100] }, "had 1"},
		"between two":   {func(b []byte, at int) []byte { return slices.Concat(b[:at], make([]byte, 500), b[at:]) }, "had 3"},
		"all of it":     {func(b []byte, _ int) []byte { return make([]byte, len(b)) }, "had 0"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			run(t, dir, fetch.Selection{}, nil, a.timeMap())
			paths, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
			file, err := os.ReadFile(paths[0])
			if err != nil {
				t.Fatal(err)
			}
			at := 0
			for _, s := range places(t, paths[0]) {
				if s.source == a.urim(1) && s.kind == "response" {
					at = int(s.at)
				}
			}
			if err := os.WriteFile(paths[0], tt.harm(file, at), 0o600); err != nil {
				t.Fatal(err)
			}
			p, failures := run(t, dir, fetch.Selection{}, nil, a.timeMap())
			if got := counted(p); !strings.HasPrefix(got, "3 of 3, "+tt.want+",") || p.Missing.Load() != 0 || len(failures) == 0 {
				t.Errorf("%s, want %s; reported: %v", got, tt.want, failures)
			}
			if p, _ := run(t, dir, fetch.Selection{}, nil, a.timeMap()); p.Had.Load() != 3 {
				t.Errorf("then %s", counted(p))
			}
		})
	}
}

type placed struct {
	kind, source string
	at           int64
}

// places returns where the records of a file are.
func places(t *testing.T, path string) (all []placed) {
	t.Helper()
	for rec := range scan(t, path) {
		all = append(all, placed{rec.Type, rec.Header.Get("WARC-Source-URI"), rec.Offset})
	}
	return all
}

// A second run may learn of a memento by another TimeMap, which names it by the other scheme or with a modifier.
func TestAMementoIsTheSameByOtherAddresses(t *testing.T) {
	a := newElsewhere(t, river, wayback, page(20100101000000, "high water"))
	dir := t.TempDir()
	run(t, dir, fetch.Selection{}, nil, a.timeMap())
	paths, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	have, err := fetch.ReadStored(t.Context(), warc.Local{}, paths, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	found := []fetch.Found{
		{URIM: strings.Replace(a.urim(0), "http://", "https://", 1), URIR: river, Time: 20100101000000},
		{URIM: strings.Replace(a.urim(0), "0000/", "0000mp_/", 1), URIR: river, Time: 20100101000000},
	}
	job := &fetch.Job{Web: newPlainWeb(), Have: have, Report: func(err error) { t.Error(err) }}
	if err := job.Run(t.Context(), found); err != nil || counted(&job.Progress) != "2 of 2, had 2, same 0, missing 0" {
		t.Errorf("%s, %v", counted(&job.Progress), err)
	}
}

func TestArchivesAreMergedByTime(t *testing.T) {
	one := newElsewhere(t, river, wayback, page(20100101000000, "a"), page(20120101000000, "b"), page(20140101000000, "c"))
	one.perMap = 1
	other := newElsewhere(t, river, pywb, page(20110101000000, "d"), page(20120101000000, "b"), page(20150101000000, "e"))
	archives := []string{one.URL + "/web/timemap/link/", other.URL + "/web/timemap/link/"}
	wanted := fetch.Selection{From: 20110101000000, To: 20141231235959}
	found, err := fetch.List(t.Context(), newPlainWeb(), fetch.Question{Addresses: []string{river}, Archives: archives, Selection: wanted},
		func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		got = append(got, m.URIM)
	}
	same := []string{one.urim(1), other.urim(1)}
	slices.Sort(same)
	want := []string{other.urim(0), same[0], same[1], one.urim(2)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNothingLeadsToATimeMap(t *testing.T) {
	a := newElsewhere(t, river, wayback)
	_, err := fetch.List(t.Context(), newPlainWeb(), fetch.Question{Addresses: []string{a.URL + "/nothing"}}, func(error) {})
	if err == nil || !strings.Contains(err.Error(), "--archive") {
		t.Errorf("error %v, want one that says what to do", err)
	}
}

// A memento that the archive has only at another datetime would be stored as what it is not.
func TestOtherMementosAreLeftOut(t *testing.T) {
	a := newElsewhere(t, river, wayback, page(20100101000000, "high water"))
	found := []fetch.Found{{URIM: a.URL + "/web/20110101000000/" + river, URIR: river, Time: 20110101000000}}
	var failures []error
	have, _ := fetch.ReadStored(t.Context(), warc.Local{}, nil, nil)
	out, err := write.New(write.Config{Dir: t.TempDir(), Name: "fetched"})
	if err != nil {
		t.Fatal(err)
	}
	job := &fetch.Job{Web: newPlainWeb(), Out: out, Have: have, Report: func(err error) { failures = append(failures, err) }}
	if err := job.Run(context.Background(), found); err != nil {
		t.Fatal(err)
	}
	asked := a.wasAsked() // in one form, and where it leads
	if len(failures) != 1 || !strings.Contains(failures[0].Error(), "another memento") || len(asked) != 2 {
		t.Errorf("asked for %q, failures: %v", asked, failures)
	}
}

// What the other archive said about a memento stands beside it.
func TestProvenanceIsKept(t *testing.T) {
	for m, asked := range map[manner]string{wayback: "", prefers: "prefer: raw"} {
		a := newElsewhere(t, river, m, page(20100101000000, "high water"))
		said := provenance(t, a)
		lines := []string{
			"source: " + a.urim(0), "archive-memento-datetime: Fri, 01 Jan 2010 00:00:00 GMT", "server: weir/1", "status: 200 OK", asked,
		}
		if m == wayback {
			lines = append(lines, "archive-x-archive-orig-server: weir/1", "requested: "+a.URL+"/web/20100101000000id_/"+river)
		}
		for _, line := range lines {
			if line != "" && !strings.Contains(said, line+"\r\n") || strings.Contains(said, "prefer: ") != (asked != "") {
				t.Errorf("no %q in\n%s", line, said)
			}
		}
	}
}

// provenance returns what was written beside the memento of an archive.
func provenance(t *testing.T, a *elsewhere) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, fetch.Selection{}, nil, a.timeMap())
	paths, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	f, err := warc.Open(t.Context(), warc.Local{}, paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for rec, err := range warc.Scan(t.Context(), f, paths[0], 0) {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type == "metadata" {
			said, _ := io.ReadAll(bufio.NewReader(rec.Block))
			return string(said)
		}
	}
	t.Fatal("there is no metadata record")
	return ""
}
