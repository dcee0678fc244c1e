package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/internal/testkit/database"
	"github.com/varve-archive/varve/internal/testkit/redistest"
	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// varve runs the program to its end, and returns all that it said.
func varve(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(binary, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("varve %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// refused runs the program, which is to fail with a sentence.
func refused(t *testing.T, says string, args ...string) {
	t.Helper()
	out, err := exec.Command(binary, args...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), says) {
		t.Errorf("varve %s: %v, want %q\n%s", strings.Join(args, " "), err, says, out)
	}
}

// A backup in a bucket is restored into a folder, and into a database that is empty.
func TestBackupsInABucket(t *testing.T) {
	s3test.OnEach(t, func(t *testing.T, s *s3test.Server) {
		s.Make("kept")
		dir := t.TempDir()
		folder := func(name string) string { return filepath.Join(dir, name) }
		if err := os.Mkdir(folder("warcs"), 0o755); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			a := (&archive{}).page(fmt.Sprintf("http://page%d.example/", i), "20100101000000", "page")
			put(t, folder(fmt.Sprintf("warcs/%d.warc.gz", i)), a.bytes())
		}
		varve(t, "index", "--data", folder("one"), folder("warcs"))
		want := varve(t, "cdx", "--data", folder("one"))
		backup := []string{"backup", "--data", folder("one"), "--s3-endpoint", s.URL, "s3://kept/of varve/100%"}
		if said := varve(t, backup...); !strings.Contains(said, "1 of them new") {
			t.Error(said)
		}
		if said := varve(t, backup...); !strings.Contains(said, "0 of them new") {
			t.Error(said)
		}
		restore := func(more ...string) []string {
			return append([]string{"restore", "--s3-endpoint", s.URL, "s3://kept/of varve/100%"}, more...)
		}
		varve(t, restore("--data", folder("two"))...)
		if got := varve(t, "cdx", "--data", folder("two")); got != want {
			t.Errorf("restored into a folder:\n%s\nwant\n%s", got, want)
		}
		db := database.Start(t).Database()
		varve(t, restore("--data", folder("three"), "--index", db)...)
		if got := varve(t, "cdx", "--index", db, "--data", folder("three")); got != want {
			t.Errorf("restored into a database:\n%s\nwant\n%s", got, want)
		}
		refused(t, "it has entries already", restore("--data", folder("three"), "--index", db)...)
		refused(t, "no backup", "restore", "--s3-endpoint", s.URL, "--data", folder("four"), "--index", db+"&table=four", "s3://kept/other")
		varve(t, "index", "--index", db+"&table=four", "--data", folder("four"), folder("warcs")) // nothing was begun there
		refused(t, `has no bucket "nowhere"`, "backup", "--data", folder("one"), "--s3-endpoint", s.URL, "s3://nowhere/x")
	})
}

// answersInBucket counts the answers in the WARC files of a bucket, by path.
func answersInBucket(t *testing.T, s *s3test.Server, bucket, prefix string) map[string]int {
	t.Helper()
	dir := t.TempDir()
	for _, key := range s.Keys(bucket, prefix) {
		if strings.HasSuffix(key, ".warc.gz") {
			put(t, filepath.Join(dir, filepath.Base(key)), s.Get(bucket, key))
		}
	}
	return answersIn(t, dir)
}

// leftIn returns the WARC files that are anywhere in a folder.
func leftIn(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.Contains(path, ".warc.gz") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// putAside matches documents of a crawl that began anew.
var putAside = regexp.MustCompile(`/river-\d{14}\.\d{3}\.(csv|jsonl)$`)

// What is crawled into a bucket is there when the crawl ends, with its documents; the index names it there, and nothing stays here.
func TestCrawlIntoABucket(t *testing.T) {
	s3test.OnEach(t, func(t *testing.T, s *s3test.Server) {
		s.Make("crawls")
		site := crawled(t, 20, 0)
		data := filepath.Join(t.TempDir(), "data")
		file := site.file(t, "template:\n  fields:\n    - {name: title, css: h1, type: text}\n")
		args := []string{"crawl", "--data", data, "--s3-endpoint", s.URL, "--warcs", "s3://crawls/of rivers", file}
		stdout, stderr, code := invoke(t, args...)
		if r := reportOf(t, stdout); code != 0 || r.Pages != 20 {
			t.Fatalf("exit %d, %+v: %s", code, r, stderr)
		}
		if diff := cmp.Diff(wantedPages(20), answersInBucket(t, s, "crawls", "of rivers/river-")); diff != "" {
			t.Errorf("captured (-want +got)\n%s", diff)
		}
		if left := leftIn(t, data); left != nil {
			t.Errorf("left here: %q", left)
		}
		if csv := string(s.Get("crawls", "of rivers/river.csv")); strings.Count(csv, "\n") != 21 {
			t.Errorf("documents: %s", csv)
		}
		if files := varve(t, "files", "--data", data); !strings.Contains(files, "s3://crawls/of rivers/river-") {
			t.Errorf("indexed: %s", files)
		}
		if _, stderr, code := invoke(t, args...); code != 0 || site.asked["/0"] != 1 {
			t.Errorf("a second run: exit %d: %s", code, stderr)
		}
		refused(t, "--warcs", "crawl", "--data", data, file) // it goes on where it began
		args[len(args)-2] += "/"                             // the same place
		if _, stderr, code := invoke(t, append(args, "--new")...); code != 0 {
			t.Errorf("anew: exit %d: %s", code, stderr)
		}
		aside := slices.DeleteFunc(s.Keys("crawls", "of rivers/"), func(key string) bool { return !putAside.MatchString(key) })
		if len(aside) != 2 || strings.Count(string(s.Get("crawls", aside[0])), "\n") != 21 {
			t.Errorf("put aside: %q", aside)
		}

		server, err := launch(data, "serve", "--s3-endpoint", s.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := server.stop(); err != nil {
				t.Error(err)
			}
		}()
		a := server.get(t, "/web/2id_/"+site.URL+"/7")
		for a.status/100 == 3 {
			a = server.get(t, strings.TrimPrefix(a.header.Get("Location"), server.url))
		}
		if a.status != 200 || !strings.Contains(a.body, "The gauge 7") {
			t.Errorf("%d %.200q", a.status, a.body)
		}
	})
}

// A crawl that is killed while its bucket comes and goes captures each page once, and moves what it left when it comes back.
func TestKilledCrawlIntoABucketThatGoesAway(t *testing.T) {
	s := s3test.MinIO(t).Make("crawls")
	const pages = 60
	site := crawled(t, pages, 3*time.Millisecond)
	data := filepath.Join(t.TempDir(), "data")
	args := []string{"--data", data, "--s3-endpoint", s.URL, "--warcs", "s3://crawls", site.file(t, "")}
	for range 2 {
		c := startCrawl(t, args...)
		if !site.stillCrawled(t, 10, c.ended, &c.log) {
			t.Fatalf("it ended before it was killed: %s", c.log.String())
		}
		c.kill(t)
	}
	c := startCrawl(t, args...)
	site.stillCrawled(t, 5, c.ended, &c.log)
	s.Kill()
	if err := <-c.ended; err == nil || !strings.Contains(c.log.String(), "until the same command can move") {
		t.Errorf("without a bucket: %v: %s", err, c.log.String())
	}
	if left := leftIn(t, data); len(left) == 0 {
		t.Error("nothing is kept here")
	}
	refused(t, "does not answer", append([]string{"crawl"}, args...)...)
	s.Run()
	for _, path := range leftIn(t, data)[:1] { // as if a process had been killed after it had put it there
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s.Put("crawls", filepath.Base(path), content)
	}
	if r := startCrawl(t, args...).wait(t); r.Pages != pages || r.State != "completed" {
		t.Errorf("%+v", r)
	}
	if left := leftIn(t, data); left != nil {
		t.Errorf("left here: %q", left)
	}
	if diff := cmp.Diff(wantedPages(pages), answersInBucket(t, s, "crawls", "")); diff != "" {
		t.Errorf("captured (-want +got)\n%s", diff)
	}
	indexed := varve(t, "cdx", "--data", data)
	if n := strings.Count(indexed, "\n") - strings.Count(indexed, "/robots.txt "); n != pages+1 { // with the picture
		t.Errorf("%d captures are indexed", n)
	}
}

// Mementos that were fetched into a bucket are not fetched again; an export goes into one too, whole or not at all.
func TestFetchAndExportIntoABucket(t *testing.T) {
	s3test.OnEach(t, func(t *testing.T, s *s3test.Server) {
		s.Make("fetched")
		const page = "http://www.riverbend.example/history.html"
		other := demo(t)
		data := filepath.Join(t.TempDir(), "data")
		args := []string{"--s3-endpoint", s.URL, "--warcs", "s3://fetched/here", other.url + "/web/timemap/link/" + page}
		r, stderr, code := fetchInto(t, data, args...)
		if code != 0 || r.Written == 0 {
			t.Fatalf("exit %d, %+v: %s", code, r, stderr)
		}
		if again, stderr, code := fetchInto(t, data, args...); code != 0 || again.Had != r.Written || again.Written != 0 {
			t.Errorf("a second run: exit %d, %+v: %s", code, again, stderr)
		}
		export := []string{"export", "--data", data, "--s3-endpoint", s.URL, "--output"}
		for _, format := range []string{"warc", "wacz", "cdxj", "jsonl"} {
			here := filepath.Join(t.TempDir(), "out."+format)
			for _, at := range []string{here, "s3://fetched/out/100% +ä." + format} {
				varve(t, append(export, at, "--format", format)...)
			}
			want, err := os.ReadFile(here)
			if got := s.Get("fetched", "out/100% +ä."+format); err != nil || len(got) < len(want)/2 {
				t.Errorf("%s: %d bytes, want about %d, %v", format, len(got), len(want), err)
			}
		}
		refused(t, `has no bucket "nowhere"`, append(export, "s3://nowhere/out.warc.gz")...)
		refused(t, "want s3://BUCKET/KEY", append(export, "s3://fetched")...)
	})
}

// Files that readers hand in are put into a bucket once they are checked, and indexed there.
func TestUploadsIntoABucket(t *testing.T) {
	s3test.OnEach(t, func(t *testing.T, s *s3test.Server) {
		s.Make("given")
		server := start(t, "serve", "--s3-endpoint", s.URL, "--upload-to", "s3://given/by readers")
		content := string(somePage("http://a.example/").bytes())
		for i, want := range []string{"a.warc.gz", "a-2.warc.gz"} {
			if i == 1 {
				content = string(somePage("http://b.example/").bytes())
			}
			d := server.upload(t, "a.warc.gz", content)
			if f := d.Files[0]; f.State != "done" || f.Stored == nil || *f.Stored != want || f.Captures != 1 {
				t.Errorf("%+v", f)
			}
		}
		if d := server.upload(t, "c.warc.gz", content); d.Files[0].SameAs == nil || *d.Files[0].SameAs != "a-2.warc.gz" {
			t.Errorf("the same again: %+v", d.Files[0])
		}
		if keys := s.Keys("given", ""); !slices.Equal(keys, []string{"by readers/web/a-2.warc.gz", "by readers/web/a.warc.gz"}) {
			t.Errorf("there is %q", keys)
		}
		if a := server.get(t, "/web/"+day+"id_/http://b.example/"); a.status != 200 {
			t.Errorf("%d %s", a.status, a.body)
		}
		if left := leftIn(t, server.data); left != nil {
			t.Errorf("left here: %q", left)
		}
	})
}

// What has to be unpacked is unpacked into a bucket once, for all machines, and anew when it is replaced.
func TestUnpackedCopiesInABucket(t *testing.T) {
	s3test.OnEach(t, func(t *testing.T, s *s3test.Server) {
		s.Make("crawls").Make("copies")
		whole := func(text string) []byte {
			records := (&archive{}).page("http://a.example/", day, text).page("http://b.example/", day, text).bytes()
			in, err := gzip.NewReader(bytes.NewReader(records))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			z := gzip.NewWriter(&out)
			if _, err := io.Copy(z, in); err != nil || z.Close() != nil {
				t.Fatal(err)
			}
			return out.Bytes()
		}
		s.Put("crawls", "a b.warc.gz", whole("one"))
		dir := t.TempDir()
		db := database.Start(t).Database()
		index := func(machine string) string {
			return varve(t, "index", "--index", db, "--data", filepath.Join(dir, machine), "--s3-endpoint", s.URL, "--unpack", "s3://copies/of all",
				"s3://crawls")
		}
		if said := index("one"); !strings.Contains(said, "indexed 2 captures") {
			t.Error(said)
		}
		before := s.Keys("copies", "")
		if said := index("two"); strings.Contains(said, "unpacking") || len(before) != 2 {
			t.Errorf("there is %q, and then: %s", before, said)
		}
		served := func() string {
			server := start(t, "serve", "--no-search", "--index", db, "--s3-endpoint", s.URL)
			return server.get(t, "/web/"+day+"id_/http://b.example/").body
		}
		if got := served(); got != "one" {
			t.Errorf("served: %s", got)
		}
		s.Put("crawls", "a b.warc.gz", whole("another"))
		if said := index("three"); !strings.Contains(said, "unpacking") {
			t.Errorf("after it was replaced: %s", said)
		}
		if got := served(); got != "another" {
			t.Errorf("served then: %s", got)
		}
		if after := s.Keys("copies", ""); !slices.Equal(after, before) {
			t.Errorf("there is %q, was %q", after, before)
		}
	})
}

// Two machines crawl a site into one bucket, and one is killed. When it comes back, what it left is moved there: each page is there once.
func TestTwoMachinesCrawlIntoABucket(t *testing.T) {
	s := s3test.MinIO(t).Make("crawls")
	l := newLabyrinth(t, 700, 0)
	at := []string{"--frontier", redistest.Start(t).URL(), "--s3-endpoint", s.URL, "--warcs", "s3://crawls/maze", l.file(t)}
	machine := func() []string { return append([]string{"--data", filepath.Join(t.TempDir(), "data")}, at...) }
	a, b := machine(), machine()
	first, second := startCrawl(t, a...), startCrawl(t, b...)
	eventually(t, "a part of the site is crawled", func() bool { return l.total.Load() > 200 })
	first.kill(t)
	pages := len(l.wanted())
	if r := second.wait(t); r.State != "completed" || r.Pages != pages {
		t.Errorf("%+v", r)
	}
	if r := startCrawl(t, a...).wait(t); r.State != "completed" || r.Pages != pages {
		t.Errorf("when the first comes back: %+v", r)
	}
	got := map[string]int{}
	for path, n := range answersInBucket(t, s, "crawls", "maze/") {
		path, _, _ = strings.Cut(path, "?")
		got[path] += n
	}
	if diff := cmp.Diff(l.wanted(), got); diff != "" {
		t.Errorf("captured (-want +got)\n%s", diff)
	}
	for _, data := range []string{a[1], b[1]} {
		if left := leftIn(t, data); left != nil {
			t.Errorf("left here: %q", left)
		}
	}
}

// What is recorded is in the bucket when the recorder has ended, beside files that are none of its business.
func TestRecordIntoABucket(t *testing.T) {
	s3test.OnEach(t, func(t *testing.T, s *s3test.Server) {
		s.Make("recorded")
		s.Put("recorded", "here/other.warc.gz", somePage("http://other.example/").bytes())
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<p>recorded") }))
		defer site.Close()
		data := filepath.Join(t.TempDir(), "data")
		proxy, stop := recorder(t, data, "--s3-endpoint", s.URL, "--warcs", "s3://recorded/here")
		client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: proxy})}}
		got, err := client.Get(site.URL + "/page")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		if got.Body.Close(); err != nil || string(body) != "<p>recorded" {
			t.Fatalf("%s, %v", body, err)
		}
		stop()
		if answers := answersInBucket(t, s, "recorded", "here/record-"); answers["/page"] != 1 {
			t.Errorf("recorded %v", answers)
		}
		files := varve(t, "files", "--data", data)
		if strings.Count(files, "s3://recorded/here/record-") != 1 || strings.Contains(files, "other") {
			t.Errorf("indexed: %s", files)
		}
	})
}
