package e2e

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pywbFolder writes an installation of pywb with the collections river, which has index lines and rules, and hills.
func pywbFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, content []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, path, content)
	}
	river, hills := &archive{}, &archive{}
	river.page("http://river.example/", "20150101000000", "<title>river</title><p>one")
	river.page("http://river.example/", "20160101000000", "<title>river</title><p>two")
	river.page("http://river.example/secret", "20160101000000", "<p>hidden")
	hills.page("http://river.example/secret", "20170101000000", "<p>shown")
	hills.page("http://hill.example/", "20170101000000", "<p>grass")
	write("collections/river/archive/river.warc.gz", river.bytes())
	write("collections/hills/archive/hills.warc.gz", hills.bytes())
	write("collections/river/metadata.yaml", []byte("title: The River\n"))
	write("collections/river/acl/access.aclj", []byte(`example,river)/secret - {"access": "exclude", "url": "river.example/secret"}`+"\n"))
	write("config.yaml", []byte("collections:\n  all: $all\nframed_replay: true\n"))
	data := filepath.Join(t.TempDir(), "data")
	if _, said, code := invoke(t, "index", "--data", data, filepath.Join(dir, "collections/river/archive")); code != 0 {
		t.Fatal(said)
	}
	lines, said, code := invoke(t, "cdx", "--data", data)
	if code != 0 {
		t.Fatal(said)
	}
	write("collections/river/indexes/autoindex.cdxj", []byte(lines))
	return dir
}

// A pywb installation is served as it stands: pywb's addresses answer as they did there, and nothing is written to it.
func TestPywbIsServedAsItStands(t *testing.T) {
	t.Parallel()
	dir := pywbFolder(t)
	before := snapshot(t, dir)
	s := start(t, "serve", "--pywb", dir)
	tests := []struct {
		path     string
		status   int
		location string // behind the server's address
		has, not string // in the body
	}{
		{path: "/river/20150101000000mp_/http://river.example/", status: 200, has: "<p>one"},
		{path: "/river/20150101000000/http://river.example/", status: 200, has: "<p>one"},
		{path: "/river/20150101000000id_/http://river.example/", status: 200, has: "<title>river</title><p>one"},
		{path: "/river/2015mp_/http://river.example/", status: 302, location: "/river/20150101000000mp_/http://river.example/"},
		{path: "/river/mp_/http://river.example/", status: 302, location: "/river/20160101000000mp_/http://river.example/"},
		{path: "/river/http://river.example/", status: 302, location: "/river/20160101000000/http://river.example/"},
		{path: "/river/*/http://river.example/", status: 200, has: "2015"},
		{path: "/river/2015*/http://river.example/", status: 200, has: "2015"},
		{path: "/river/cdx?url=http://river.example/&output=json", status: 200, has: "20150101000000"},
		{path: "/river/timemap/link/http://river.example/", status: 200, has: `rel="self"`},
		{path: "/river/timemap/cdxj/http://river.example/", status: 200, has: "\n20160101000000 {"},
		{path: "/river/timemap/json/http://river.example/", status: 200, has: "20150101000000"},
		{path: "/collinfo.json", status: 200, has: `"river"`},
		{path: "/river/", status: 200, has: "The River"},
		{path: "/river/cdx?url=http://river.example/*", status: 200, has: "river)/ 2015", not: "secret"},
		{path: "/river/20160101000000mp_/http://river.example/secret", status: 404, not: "hidden"},
		{path: "/hills/20170101000000mp_/http://river.example/secret", status: 200, has: "shown"},
		{path: "/all/20170101000000mp_/http://river.example/secret", status: 404, not: "shown"},
		{path: "/all/20150101000000mp_/http://river.example/", status: 200, has: "<p>one"},
		{path: "/all/2016mp_/http://river.example/", status: 302, location: "/all/20160101000000mp_/http://river.example/"},
		{path: "/all/*/http://hill.example/", status: 200, has: "2017"},
		{path: "/all/cdx?url=http://river.example/*", status: 200, has: "river)/ 2015", not: "secret"},
		{path: "/collinfo.json", status: 200, has: `"all"`},
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, test := range tests {
		resp, err := client.Get(s.url + test.path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		where := strings.TrimPrefix(resp.Header.Get("Location"), s.url)
		if resp.StatusCode != test.status || where != test.location || !strings.Contains(string(body), test.has) ||
			test.not != "" && strings.Contains(string(body), test.not) {
			t.Errorf("%s: %d to %q\n%.600s", test.path, resp.StatusCode, where, body)
		}
	}
	s.awaits(t, "collection river: took over 3 index lines", "collection all: took over 3 index lines",
		"not taken over from pywb: framed_replay")
	if after := snapshot(t, dir); after != before {
		t.Errorf("the installation was\n%s\nand is\n%s", before, after)
	}
}

// awaits waits until the server has said all of some words.
func (s *server) awaits(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		for end := time.Now().Add(patience); !strings.Contains(s.log.String(), w); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("it never said %q:\n%s", w, s.log)
			}
		}
	}
}

// What records tell and index lines do not is known too.
func TestPywbChangesAreKnown(t *testing.T) {
	t.Parallel()
	dir := pywbFolder(t)
	s := start(t, "serve", "--pywb", dir)
	resp, err := http.Get(s.url + "/river/changes/http://river.example/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if strings.Count(string(body), `"kind":"page"`) != 2 { // texts come from records only
		t.Errorf("the changes are %s", body)
	}
}

func TestDataAmongPywbsCollectionsIsRefused(t *testing.T) {
	dir := pywbFolder(t)
	_, said, code := invoke(t, "serve", "--pywb", dir, "--data", filepath.Join(dir, "collections", "data"), "--listen", "127.0.0.1:0")
	if code == 0 || !strings.Contains(said, "lies among pywb's collections") {
		t.Errorf("%d: %s", code, said)
	}
}

// Rules are in force a moment after they were written, as in pywb. Those that can't be read leave the ones before in force.
func TestPywbRulesAreReadAgain(t *testing.T) {
	t.Parallel()
	dir := pywbFolder(t)
	s := start(t, "serve", "--pywb", dir)
	status := func(path string) int {
		resp, err := http.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	becomes := func(path string, want int) {
		t.Helper()
		for end := time.Now().Add(patience); status(path) != want; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s never became %d:\n%s", path, want, s.log)
			}
		}
	}
	const page, secret = "/river/20150101000000mp_/http://river.example/", "/river/20160101000000mp_/http://river.example/secret"
	const elsewhere = "/hills/20170101000000mp_/http://river.example/secret"
	becomes(page, 200)
	becomes(elsewhere, 200)
	rules := filepath.Join(dir, "collections/river/acl/access.aclj")
	put(t, rules, []byte(`example,river)/ - {"access": "block"}`+"\n"))
	becomes(page, 451)
	becomes(secret, 451)
	put(t, rules, []byte(`example,river)/ - {"access": "perhaps"}`+"\n"))
	s.awaits(t, "perhaps")
	if got := status(page); got != 451 {
		t.Errorf("with rules that can't be read: %d", got)
	}
	if err := os.MkdirAll(filepath.Join(dir, "collections/hills/acl"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "collections/hills/acl/new.aclj"), []byte(`example,river)/ - {"access": "exclude"}`+"\n"))
	becomes(elsewhere, 404)
	if err := os.Remove(rules); err != nil {
		t.Fatal(err)
	}
	becomes(secret, 200)
}
