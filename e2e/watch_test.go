package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder is watched. New files must appear in replay without a restart, and changes to a file must be noticed:
// growth, moves, replacement and removal.
func TestWatchedFolder(t *testing.T) {
	t.Parallel()
	first := (&archive{}).page("http://first.example/", "20100101000000", "first")
	s, dir := serve(t, map[string][]byte{
		"first.warc.gz": first.bytes(),
		"stays.warc.gz": (&archive{}).page("http://stays.example/", "20100101000000", "stays").bytes(),
	})
	body := func(uri string) func() string {
		return func() string {
			a, err := s.try("GET", "/web/20100101000000id_/"+uri, "")
			if err != nil || a.status != 200 {
				return ""
			}
			return a.body
		}
	}
	is := func(uri, want string) func() bool { return func() bool { return body(uri)() == want } }
	in := func(name string) string { return filepath.Join(dir, name) }

	if !is("http://first.example/", "first")() {
		t.Fatal("what was there is not served")
	}
	put(t, in("new.warc.gz"), (&archive{}).page("http://new.example/", "20100101000000", "new").bytes())
	eventually(t, "a new file appears", is("http://new.example/", "new"))

	if err := os.Mkdir(in("deeper"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, in("deeper/nested.warc.gz"), (&archive{}).page("http://nested.example/", "20100101000000", "nested").bytes())
	eventually(t, "a file in a new folder appears", is("http://nested.example/", "nested"))

	grow := (&archive{}).page("http://grown.example/", "20100101000000", "grown")
	f, err := os.OpenFile(in("new.warc.gz"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(grow.bytes()); err != nil {
		t.Fatal(err)
	}
	f.Close()
	eventually(t, "what a file grows by appears", is("http://grown.example/", "grown"))

	if err := os.Rename(in("first.warc.gz"), in("deeper/first.warc.gz")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a moved file is found", func() bool {
		return strings.Contains(s.get(t, "/web/cdx?url=http://first.example/").body, "20100101000000") && is("http://first.example/", "first")()
	})

	put(t, in("new.warc.gz"), (&archive{}).page("http://replacement.example/", "20100101000000", "replacement").bytes())
	eventually(t, "a replaced file is read anew", is("http://replacement.example/", "replacement"))
	eventually(t, "what it held before is gone", func() bool { return s.get(t, "/web/cdx?url=http://grown.example/").body == "" })

	if err := os.Remove(in("new.warc.gz")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a removed file is forgotten", func() bool { return s.get(t, "/web/cdx?url=http://replacement.example/").body == "" })
	for _, kept := range []string{"first", "nested", "stays"} {
		if !is("http://"+kept+".example/", kept)() {
			t.Errorf("%s is no longer served", kept)
		}
	}
}
