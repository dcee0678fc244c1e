package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/crawls"
	pagejobs "github.com/varve-archive/varve/replay/pages/jobs"
	"github.com/varve-archive/varve/replay/replaytest"
)

const (
	loopback = replaytest.Loopback
	page     = "http://a.example/"
)

var at, asWindow = replaytest.At, replaytest.AsWindow()

// checked reads crawl files as far as the tests need: a file that has the word wrong is wrong in line 3.
func checked(file string) (string, []string, error) {
	if strings.Contains(file, "wrong") {
		return "", nil, &pagejobs.Fault{Key: "name", Line: 3, Err: errors.New("that is no name")}
	}
	return "river", []string{page}, nil
}

// ordering returns a server over one page that takes orders of crawls.
func ordering(t *testing.T, folder jobs.Folder, shown runs.Folder) http.Handler {
	t.Helper()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{{Date: "20140101000000", URI: page, Status: 200, Body: "<p>a"}}))
	return replaytest.Configured(t, x, func(c *replay.Config) {
		c.Crawls, c.Jobs = &crawls.Config{Folder: shown}, &pagejobs.Config{Folder: folder, Default: "web", Check: checked}
	})
}

// What is filled in wrongly is said beside its field, and nothing is left.
func TestOrderingACrawl(t *testing.T) {
	t.Parallel()
	folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	h := ordering(t, folder, runs.Folder(t.TempDir()))
	post := func(path string, form url.Values, accept string) (int, string, string) {
		w := at(h, "POST", loopback, path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", accept)
		if kept := w.Header().Get("Cache-Control"); w.Code < 400 && kept != "no-store" {
			t.Errorf("POST %s: Cache-Control is %q", path, kept)
		}
		return w.Code, w.Header().Get("Location"), w.Body.String()
	}
	for _, tt := range []struct {
		form  url.Values
		field string
		says  string
	}{
		{url.Values{"seeds": {page}, "max_pages": {"ten"}}, "max_pages", `"ten": want a number`},
		{url.Values{"seeds": {page}, "walltime": {"soon"}}, "walltime", "want a time such as 10m"},
		{url.Values{"seeds": {page}, "template": {"- x"}}, "template", "want fields"},
		{url.Values{"seeds": {page}, "name": {"wrong"}}, "name", "that is no name"},
		{url.Values{"file": {"a: b\nc: d\nname: wrong"}}, "file", "line 3: name: that is no name"},
	} {
		if code, _, said := post("/-/jobs", tt.form, "application/json"); code != 400 ||
			!strings.Contains(strings.ReplaceAll(said, `\`, ""), tt.says) {
			t.Errorf("%v: %d %s", tt.form, code, said)
		}
	}
	for _, form := range []url.Values{{"seeds": {page}, "collection": {"none"}}, {"seeds": {page}, "collection": {"../x"}}} {
		if code, _, _ := post("/-/jobs", form, "text/html"); code != 404 {
			t.Errorf("%v: %d", form, code)
		}
	}
	w := at(h, "POST", loopback, "/-/jobs", "seeds=x&name=wrong&max_pages=7",
		append([]string{"Content-Type", "application/x-www-form-urlencoded"}, asWindow...)...)
	for _, want := range []string{`id="wrong-name"`, "That is no name", `value="7"`, `name="token"`} {
		if w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("the form again: %d, without %s", w.Code, want)
		}
	}
	if all, err := folder.All(); err != nil || len(all) != 0 {
		t.Fatalf("left: %v, %v", all, err)
	}
	good := url.Values{"seeds": {page}, "template": {"each: li\nfields: [{name: a, css: b}]"}, "new": {"1"}}
	code, to, _ := post("/-/jobs", good, "text/html")
	all, err := folder.All()
	if err != nil || len(all) != 1 || code != http.StatusSeeOther || to != "/-/jobs/"+all[0].ID {
		t.Fatalf("%d to %s: %v, %v", code, to, all, err)
	}
	if j := all[0]; !j.New || j.Collection != "web" || !strings.Contains(j.File, "each: li") || !strings.Contains(j.File, "- "+page) {
		t.Errorf("%+v", j)
	}
	said := at(h, "GET", loopback, to, "", asWindow...).Body.String()
	if !strings.Contains(said, "waits") || !strings.Contains(said, "varve crawl --wait") {
		t.Errorf("the page: %s", said)
	}
	if said := at(h, "GET", loopback, to, "").Body.String(); !strings.Contains(said, `"state":"waiting"`) || strings.Contains(said, "each") {
		t.Errorf("as data: %s", said)
	}
	list := at(h, "GET", loopback, "/-/jobs", "").Body.String()
	if !strings.HasPrefix(list, `{"taken":false,"jobs":[{"id":"`+all[0].ID) {
		t.Errorf("all as data: %s", list)
	}
	for path, want := range map[string]string{"/-/jobs": `href="` + to + `"`, "/-/crawls": `href="/-/jobs"`} {
		if shown := at(h, "GET", loopback, path, "", asWindow...).Body.String(); !strings.Contains(shown, want) {
			t.Errorf("%s: no %s in %s", path, want, shown)
		}
	}
	for _, tt := range []struct {
		path, do string
		want     int
	}{{to, "x", 400}, {"/-/jobs/none", "cancel", 404}, {to, "cancel", 200}, {to, "cancel", 409}} {
		if code, _, said := post(tt.path, url.Values{"do": {tt.do}}, "application/json"); code != tt.want {
			t.Errorf("%s %s: %d %s", tt.do, tt.path, code, said)
		}
	}
	if w := at(h, "DELETE", loopback, to, ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", w.Code)
	}
}

func TestWhereNoCrawlIsOrdered(t *testing.T) {
	t.Parallel()
	replaytest.Forbids(t, "/-/jobs", func(c *replay.Config) {
		c.Crawls = &crawls.Config{Folder: runs.Folder(t.TempDir())}
		c.Jobs = &pagejobs.Config{Folder: jobs.Folder(t.TempDir()), Default: "web", Check: checked}
	}, "begins no crawls", "--crawls", "begin crawls")
}

// Nobody orders in vain: a crawl that is complete begins anew, has another seed, or isn't taken.
func TestCompleteCrawlIsNotOrderedAgain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*runs.Run)
		form   url.Values
		want   int
	}{
		"complete":         {func(*runs.Run) {}, url.Values{}, 400},
		"begun anew":       {func(*runs.Run) {}, url.Values{"new": {"1"}}, 201},
		"with a new seed":  {func(r *runs.Run) { r.Settings.Seeds = []string{"http://a.example/other"} }, url.Values{}, 201},
		"ended by a limit": {func(r *runs.Run) { r.Limit = "max_pages" }, url.Values{}, 201},
		"stopped":          {func(r *runs.Run) { r.State = runs.Stopped }, url.Values{}, 201},
	} {
		folder, shown := jobs.Folder(filepath.Join(t.TempDir(), "jobs")), runs.Folder(t.TempDir())
		mine, err := shown.Begin(t.Context(), "river")
		if err != nil {
			t.Fatal(err)
		}
		r := runs.Run{Report: runs.Report{State: runs.Completed}, Collection: "web", Settings: runs.Settings{Seeds: []string{page}}}
		tt.change(&r)
		if err := errors.Join(mine.Write(r), mine.End()); err != nil {
			t.Fatal(err)
		}
		h := ordering(t, folder, shown)
		tt.form.Set("seeds", page)
		w := at(h, "POST", loopback, "/-/jobs", tt.form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
		refused := strings.Contains(w.Body.String(), "name: the crawl of this name is complete")
		if w.Code != tt.want || refused != (tt.want == 400) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

// A job tells what the run of its crawl found that began while it was worked on, and no other run.
func TestAJobHasItsOwnRun(t *testing.T) {
	t.Parallel()
	folder, shown := jobs.Folder(filepath.Join(t.TempDir(), "jobs")), runs.Folder(t.TempDir())
	h := ordering(t, folder, shown)
	for _, coll := range []string{"web", "web", "other"} {
		if _, err := folder.Leave(jobs.Job{Name: "river", Collection: coll, Seeds: []string{page}, File: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	began := func(at time.Time) runs.Stats { return runs.Stats{Started: at, Visited: 1} }
	told := func(j jobs.Job) (got struct {
		Crawl string
		Run   *runs.Stats
	},
	) {
		if err := json.Unmarshal(at(h, "GET", loopback, "/-/jobs/"+j.ID, "").Body.Bytes(), &got); err != nil {
			t.Error(err)
		}
		return got
	}
	mine, err := shown.Begin(t.Context(), "river")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var taken []jobs.Job
	err = folder.Take(ctx, func(_ context.Context, j jobs.Job) error {
		if taken = append(taken, j); len(taken) == 1 {
			return nil
		}
		first, now := taken[0], began(j.Begun)
		if j.Collection == "web" {
			err := mine.Write(runs.Run{
				Report: runs.Report{State: runs.Running, Run: &now}, Collection: "web", Written: j.Begun,
				Runs: []runs.Stats{began(first.Begun.Add(-time.Hour)), began(first.Begun)},
			})
			if got := told(j); err != nil || got.Run == nil || !got.Run.Started.Equal(j.Begun) {
				t.Errorf("%v, the job that runs: %+v", err, got)
			}
			if got := told(first); got.Run == nil || !got.Run.Started.Equal(first.Begun) || got.Crawl != "/-/crawls/river" {
				t.Errorf("the job that is over: %+v", got)
			}
			for j, lives := range map[*jobs.Job]bool{&j: true, &first: false} {
				shows := at(h, "GET", loopback, "/-/jobs/"+j.ID, "", asWindow...).Body.String()
				if strings.Contains(shows, `<meta http-equiv="refresh"`) != lives || strings.Contains(shows, "Last heard of") != lives {
					t.Errorf("a page that is kept up to date, want %v: %s", lives, shows)
				}
			}
			return nil
		}
		if got := told(j); got.Run != nil || got.Crawl != "" {
			t.Errorf("a job for another collection has this crawl: %+v", got)
		}
		stop()
		return nil
	})
	if !errors.Is(err, context.Canceled) || len(taken) != 3 {
		t.Errorf("%d were taken: %v", len(taken), err)
	}
}

// A job that can't be read hides no other, and the log says so.
func TestAJobThatCannotBeRead(t *testing.T) {
	t.Parallel()
	folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	var said logbuffer.Buffer
	_, x := replaytest.Serve(t)
	h := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Crawls = &crawls.Config{Folder: runs.Folder(t.TempDir()), Log: said.Logger()}
		c.Jobs = &pagejobs.Config{Folder: folder, Default: "web", Check: checked}
	})
	for range 2 {
		if _, err := folder.Leave(jobs.Job{Name: "river", Collection: "web", Seeds: []string{page}, File: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, wrong := range []bool{false, true} {
		if files, err := filepath.Glob(filepath.Join(string(folder), "*", "*.json")); wrong && (err != nil || len(files) != 2 ||
			os.WriteFile(files[0], []byte("{"), 0o600) != nil) {
			t.Fatal(files, err)
		}
		var got struct{ Jobs []jobs.Job }
		if err := json.Unmarshal(at(h, "GET", loopback, "/-/jobs", "").Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Jobs) == 2 == wrong || strings.Contains(said.String(), "not every job can be shown") != wrong {
			t.Errorf("one is broken: %t, %d are shown, the log says %q", wrong, len(got.Jobs), &said)
		}
	}
}

// Readers see nothing of a job whose seeds are all excluded, and of another neither the excluded ones nor an error, which may name them.
func TestExcludedSeedsAreInNoJob(t *testing.T) {
	t.Parallel()
	policy := archivetest.Policy(t, `rules: [{url: "http://secret.example/", match: host, access: exclude}]`)
	folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{{Date: "20140101000000", URI: page, Status: 200, Body: "<p>a"}}))
	h := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Archive = replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}, Access: policy})
		c.Crawls, c.Jobs = &crawls.Config{Folder: runs.Folder(t.TempDir())}, &pagejobs.Config{Folder: folder, Default: "web", Check: checked}
	})
	var left []jobs.Job
	for _, seeds := range [][]string{{"http://secret.example/"}, {page, "http://secret.example/"}, {page}, {page}} {
		j, err := folder.Leave(jobs.Job{Name: "river", Collection: "web", Seeds: seeds, File: "x"})
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, j)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := 0
	err := folder.Take(ctx, func(context.Context, jobs.Job) error {
		if done++; done == len(left) {
			stop()
		}
		return errors.New("no answer from the host")
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for i, want := range []struct {
		code  int
		error string
	}{{404, ""}, {200, ""}, {200, "no answer from the host"}, {200, ""}} {
		w := at(h, "GET", loopback, "/-/jobs/"+left[i].ID, "")
		var got jobs.Job
		if err := json.Unmarshal(w.Body.Bytes(), &got); w.Code == 200 && (err != nil || !slices.Equal(got.Seeds, []string{page})) {
			t.Errorf("%q: %v, %q", left[i].Seeds, err, got.Seeds)
		}
		if w.Code != want.code || got.Error != want.error {
			t.Errorf("%q: %d, error %q", left[i].Seeds, w.Code, got.Error)
		}
		for _, accept := range []string{"text/html", "application/json"} {
			all := at(h, "GET", loopback, "/-/jobs", "", "Accept", accept).Body.String()
			if strings.Contains(all, left[i].ID) != (want.code == 200) || strings.Contains(all, "secret.example") {
				t.Errorf("all as %s: %s", accept, all)
			}
		}
		canceled := at(h, "POST", loopback, "/-/jobs/"+left[i].ID, "do=cancel", "Content-Type", "application/x-www-form-urlencoded").Code
		if wants := map[int]int{0: 404, 1: 409, 2: 409, 3: 200}[i]; canceled != wants {
			t.Errorf("%q: canceling answers %d, want %d", left[i].Seeds, canceled, wants)
		}
	}
}
