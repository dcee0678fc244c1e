package ingest

import (
	"maps"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// Files that are away are found by their names and how they begin.
func TestLocate(t *testing.T) {
	t.Parallel()
	one, two := file("one", page("a", "alpha")), file("two", page("b", "beta"))
	onEachShelf(t, func(t *testing.T, s shelf) {
		b := newBench(t, s)
		for name, content := range map[string]string{
			"old/moved.warc.gz": one, "old/grown.warc.gz": two, "stays.warc.gz": file("stays"),
			"old/replaced.warc.gz": file("replaced"), "old/cut.warc.gz": file("cut", page("c", "gamma")), "old/lost.warc.gz": file("lost"),
		} {
			s.put(name, content)
		}
		b.run(6)
		s.put("x.cdx", lines("named.warc.gz", "e")) // which says nothing of how the file begins
		b.named("x.cdx")
		s.remove("x.cdx")
		for _, name := range []string{"moved", "grown", "replaced", "cut", "lost"} {
			s.remove("old/" + name + ".warc.gz")
		}
		s.put("new/moved.warc.gz", one)
		s.put("new/grown.warc.gz", two+pack(page("d", "delta")))
		s.put("new/stays.warc.gz", file("stays"))
		s.put("new/replaced.warc.gz", file("another", page("r", "rho"))) // larger, as what has grown is
		s.put("new/cut.warc.gz", file("cut"))
		s.put("new/named.warc.gz", file("named", page("e", "epsilon")))
		generation := b.x.Generation()
		got := Locate(t.Context(), b.config(), []string{s.folder()})
		want := map[cdx.FileID]string{}
		for _, name := range []string{"moved.warc.gz", "grown.warc.gz", "named.warc.gz"} {
			want[b.known(name).ID] = s.folder() + "/new/" + name
		}
		if !maps.Equal(got, want) {
			t.Errorf("found %v, want %v", got, want)
		}
		if b.x.Generation() != generation {
			t.Error("the index was changed")
		}
	})
}
