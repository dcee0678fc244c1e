package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// A set never changes, whatever is derived from it.
func TestAFileSetDoesNotChange(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 3))
	set, want := new(fileSet), map[cdx.FileID]string{}
	type picture struct {
		set  *fileSet
		want map[cdx.FileID]string
	}
	var pictures []picture
	for i := range 2000 {
		switch id := cdx.FileID(1 + r.IntN(900)); {
		case r.IntN(4) == 0:
			set = set.change(id, nil)
			delete(want, id)
		default:
			f := &File{ID: id, Name: fmt.Sprint(i)}
			set = set.change(f.ID, f)
			want[id] = f.Name
		}
		if i%100 == 0 {
			kept := map[cdx.FileID]string{}
			for id, name := range want {
				kept[id] = name
			}
			pictures = append(pictures, picture{set, kept})
		}
	}
	for i, p := range pictures {
		n := 0
		for f := range p.set.all() {
			if n++; p.want[f.ID] != f.Name || p.set.get(f.ID) != f {
				t.Fatalf("picture %d: file %d is %q, want %q", i, f.ID, f.Name, p.want[f.ID])
			}
		}
		if n != len(p.want) || p.set.count != n {
			t.Errorf("picture %d: %d files, counted as %d, want %d", i, n, p.set.count, len(p.want))
		}
	}
	if !slices.IsSortedFunc(slices.Collect(set.all()), func(a, b *File) int { return int(a.ID) - int(b.ID) }) {
		t.Error("files are not in the order of their IDs")
	}
	if set.get(1<<30) != nil || set.get(0) != nil {
		t.Error("a file that is not there was found")
	}
}

// BenchmarkPutFile puts one file among many. x-few is the time divided by that among ten.
func BenchmarkPutFile(b *testing.B) {
	few := 0.0
	for _, n := range []int{10, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			set := new(fileSet)
			for id := range n {
				set = set.change(cdx.FileID(id+1), &File{ID: cdx.FileID(id + 1)})
			}
			b.ResetTimer()
			for range b.N {
				set.change(cdx.FileID(n), &File{ID: cdx.FileID(n)})
			}
			each := float64(b.Elapsed()) / float64(b.N)
			if n == 10 {
				few = each
			}
			b.ReportMetric(each/few, "x-few")
		})
	}
}
