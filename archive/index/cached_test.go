package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// seen returns what a name depends on: the captures of its key.
func seen(t *testing.T, x *Index, n CacheName) string {
	t.Helper()
	return seenIn(t, x, cdx.Span{Coll: n.Coll, From: n.Key, Exact: true})
}

func seenIn(t *testing.T, x *Index, span cdx.Span) string {
	t.Helper()
	var out strings.Builder
	for c, err := range x.Captures(t.Context(), span) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, *c)
	}
	return out.String()
}

// cacheSeen caches what a name depends on under that name, with a part for each capture.
func cacheSeen(t *testing.T, x *Index, n CacheName) error {
	t.Helper()
	return x.Cache().Put(t.Context(), &CacheEntry{Name: n, Generation: x.Generation(), Head: []byte(seen(t, x, n)), Parts: partsOf(t, x, n)})
}

// partsOf returns a part for each capture of a name's key, numbered from 1.
func partsOf(t *testing.T, x *Index, n CacheName) (parts []CachePart) {
	t.Helper()
	for c, err := range x.Captures(t.Context(), cdx.Span{Coll: n.Coll, From: n.Key, Exact: true}) {
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, CachePart{uint64(len(parts) + 1), fmt.Append(nil, c.Time)})
	}
	return parts
}

// entryOf returns what is cached under a name, nil if nothing is.
func entryOf(t *testing.T, x *Index, n CacheName) (e *Cached) {
	t.Helper()
	if _, err := x.Cache().Get(t.Context(), n, func(found *Cached) error { e = found; return nil }); err != nil {
		t.Fatal(err)
	}
	return e
}

// found returns the head that is cached under a name and fresh, and the number of its parts.
func found(t *testing.T, x *Index, n CacheName) (head string, parts int, ok bool) {
	t.Helper()
	want := partsOf(t, x, n)
	_, err := x.Cache().Get(t.Context(), n, func(e *Cached) error {
		if ok = e.Fresh(); !ok {
			return nil
		}
		if head = string(e.Head); head == "new" {
			want = []CachePart{{99, want[0].Value}}
		}
		numbers := make([]uint64, len(want))
		for i := range want {
			numbers[i] = want[i].Number
		}
		return e.Parts(numbers, func(i int, value []byte) error {
			if !bytes.Equal(value, want[i].Value) {
				t.Errorf("part %d: %q", numbers[i], value)
			}
			parts++
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return head, parts, ok
}

var (
	ofPage = CacheName{Coll: "web", Key: key, Sort: 0}
	ofOrg  = CacheName{Coll: "web", Key: surt.Of("http://example.org/"), Sort: 2}
)

func TestWhatIsCachedIsStaleOnceItsCapturesChange(t *testing.T) {
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		for name, tt := range map[string]struct {
			change     func(t *testing.T, x *Index)
			page, orgs bool          // whether they are fresh afterwards
			since      cdx.Timestamp // of what is stale
		}{
			"another page of the host": {
				func(t *testing.T, x *Index) { put(t, x, "b", page("http://example.com/b", 20150101)) }, true, true, 0,
			},
			"the page": {
				func(t *testing.T, x *Index) {
					put(t, x, "b", page("http://example.com/", 20150101), page("http://example.com/", 20160101))
				}, false, true, 20150101000000,
			},
			"the page twice": {
				func(t *testing.T, x *Index) {
					put(t, x, "b", page("http://example.com/", 20150101))
					put(t, x, "c", page("http://example.com/", 20120101))
					put(t, x, "d", page("http://example.com/", 20160101))
				}, false, true, 20120101000000,
			},
			"another one's name begins alike": {
				func(t *testing.T, x *Index) { put(t, x, "b", page("http://example.com.example.net/", 20150101)) }, true, true, 0,
			},
			"its file is removed": {func(t *testing.T, x *Index) {
				if err := x.RemoveFiles(t.Context(), fileID(x, "a")); err != nil {
					t.Fatal(err)
				}
			}, false, true, 20140101000000},
			"a revisit finds its original": {func(t *testing.T, x *Index) {
				rev := page("http://example.org/", 20160101)
				rev.Kind = cdx.Revisit
				put(t, x, "r", rev)
				if n, _, err := x.Resolve(t.Context()); n != 1 || err != nil {
					t.Fatal(n, err)
				}
			}, true, false, 20160101000000},
		} {
			t.Run(name, func(t *testing.T) {
				x := open(t)
				put(t, x, "a", page("http://example.com/", 20140101), page("http://example.com/", 20140102))
				put(t, x, "o", page("http://example.org/", 20140101))
				for _, n := range []CacheName{ofPage, ofOrg} {
					if err := cacheSeen(t, x, n); err != nil {
						t.Fatal(err)
					}
				}
				tt.change(t, x)
				for n, want := range map[CacheName]bool{ofPage: tt.page, ofOrg: tt.orgs} {
					head, parts, ok := found(t, x, n)
					if ok != want || ok && (head != seen(t, x, n) || parts == 0) {
						t.Errorf("%v: fresh %t, %d parts", n, ok, parts)
					}
					if e := entryOf(t, x, n); !ok && (e == nil || e.Since() != tt.since) {
						t.Errorf("%v: %+v", n, e)
					}
				}
			})
		}
	})
}

func TestWhatIsReplacedLosesTheOldParts(t *testing.T) {
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		put(t, x, "a", page("http://example.com/", 20140101), page("http://example.com/", 20140102))
		if err := cacheSeen(t, x, ofPage); err != nil {
			t.Fatal(err)
		}
		put(t, x, "b", page("http://example.com/", 20140103))
		before := entryOf(t, x, ofPage)
		entry := CacheEntry{
			Name: ofPage, Before: before, Head: []byte("other"), Parts: []CachePart{{77, []byte("part")}}, Stay: []uint64{1},
		}
		put(t, x, "c", page("http://example.com/", 20140103))
		if err := x.Cache().Put(t.Context(), &entry); !errors.Is(err, ErrNotCached) || entries(t, x, partPrefix) != 2 {
			t.Errorf("after other captures came: %v, %d parts", err, entries(t, x, partPrefix))
		}
		entry.Before = entryOf(t, x, ofPage)
		put(t, x, "d", page("http://example.net/", 20140103)) // which is of no account
		generation := x.Generation()
		if err := x.Cache().Put(t.Context(), &entry); err != nil || x.Generation() != generation {
			t.Fatalf("%v, generation %d after %d", err, x.Generation(), generation)
		}
		ok, err := x.Cache().Get(t.Context(), ofPage, func(e *Cached) error {
			if err := e.Parts([]uint64{2}, nil); !errors.Is(err, ErrNoPart) {
				t.Errorf("the old part: %v", err)
			}
			return e.Parts([]uint64{1, 77}, func(i int, v []byte) error {
				if want := []string{"20140101000000", "part"}[i]; string(v) != want || string(e.Head) != "other" {
					t.Errorf("got %q under head %q", v, e.Head)
				}
				return nil
			})
		})
		if !ok || err != nil || entries(t, x, partPrefix) != 2 || !entryOf(t, x, ofPage).Fresh() {
			t.Errorf("found %t, %v, %d parts", ok, err, entries(t, x, partPrefix))
		}
	})
}

// Who replaces what readers have makes them see something else, as a change of captures does.
func TestReplacingWhatIsFreshMovesTheGeneration(t *testing.T) {
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		put(t, x, "a", page("http://example.com/", 20140101))
		if err := cacheSeen(t, x, ofPage); err != nil {
			t.Fatal(err)
		}
		before, generation := entryOf(t, x, ofPage), x.Generation()
		if err := x.Cache().Put(t.Context(), &CacheEntry{Name: ofPage, Before: before, Head: []byte("other")}); err != nil {
			t.Fatal(err)
		}
		if x.Generation() == generation || string(entryOf(t, x, ofPage).Head) != "other" {
			t.Errorf("generation %d after %d, %q", x.Generation(), generation, entryOf(t, x, ofPage).Head)
		}
		if err := x.Cache().Put(t.Context(), &CacheEntry{Name: ofPage, Before: before, Head: []byte("late")}); !errors.Is(err, ErrNotCached) {
			t.Errorf("what was replaced meanwhile: %v", err)
		}
	})
}

// Who doesn't know of a file yet can't see its captures. The generation of an entry says whether one does.
func TestAnEntryTellsTheGenerationOfItsState(t *testing.T) {
	s := kvtest.NewMemory()
	one := openOn(t, s)
	put(t, one, "a", page("http://example.com/", 20140101))
	if err := cacheSeen(t, one, ofPage); err != nil {
		t.Fatal(err)
	}
	two := openOn(t, s)
	put(t, one, "b", page("http://example.com/", 20140103))
	if e := entryOf(t, two, ofPage); e.Generation == two.Generation() || e.Generation != one.Generation() {
		t.Errorf("generation %d, of one process %d, of the other %d", e.Generation, one.Generation(), two.Generation())
	}
}

func TestCacheRefusesWhatMayBeStale(t *testing.T) {
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		id := put(t, x, "a", page("http://example.com/", 20140101))
		before := x.Generation()
		put(t, x, "b", page("http://example.net/", 20150101))
		if err := x.Cache().Put(t.Context(), &CacheEntry{Name: ofPage, Generation: before}); !errors.Is(err, ErrNotCached) {
			t.Errorf("after a change: %v", err)
		}
		if err := cacheSeen(t, x, ofPage); err != nil {
			t.Fatal(err)
		}
		w := x.Writer(t.Context(), "web") // a record is read again
		again := page("http://example.com/", 20140101)
		f, _ := x.File(id)
		again.File = id
		if err := w.Add(&again); err != nil {
			t.Fatal(err)
		}
		if _, _, ok := found(t, x, ofPage); ok {
			t.Error("it counts while its captures are written over")
		}
		if err := cacheSeen(t, x, ofPage); !errors.Is(err, ErrNotCached) {
			t.Errorf("while a capture is written over: %v", err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if _, err := x.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if err := cacheSeen(t, x, ofPage); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		for more, want := range map[int]error{0: nil, 1: ErrNotCached} {
			for name, e := range map[string]CacheEntry{
				"a key":  {Name: CacheName{Coll: "web", Key: string(letters(500 + more))}},
				"a head": {Name: ofPage, Head: make([]byte, 512<<10+more)},
				"a part": {Name: ofPage, Parts: []CachePart{{Value: make([]byte, 1<<20-1+more)}}}, // some stores take no larger one
			} {
				e.Generation = x.Generation()
				if err := x.Cache().Put(t.Context(), &e); err != want {
					t.Errorf("%s, %d too large: %v", name, more, err)
				}
			}
		}
		if _, err := x.PutFile(t.Context(), File{Collection: "other", Name: "o", Imported: true}); err != nil {
			t.Fatal(err)
		}
		if err := cacheSeen(t, x, ofPage); err != nil {
			t.Errorf("a file of another collection was imported: %v", err)
		}
		f.Imported = true
		if _, err := x.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if err := cacheSeen(t, x, ofPage); !errors.Is(err, ErrNotCached) {
			t.Errorf("of an imported file: %v", err)
		}
	})
}

// A deserted store is one whose caller gives up at an operation.
type deserted struct {
	kv.Store
	leaves string
	leave  func()
}

func (s *deserted) at(operation string) {
	if s.leaves == operation {
		s.leave()
	}
}

func (s *deserted) Update(ctx context.Context, f func(kv.Txn) error) error {
	defer s.at("update")
	return s.Store.Update(ctx, f)
}

func (s *deserted) Sync(ctx context.Context) error {
	s.at("sync")
	return s.Store.Sync(ctx)
}

// Whoever gives up while something is cached leaves no parts that nobody uses.
func TestPartsOfThoseWhoGiveUpAreDropped(t *testing.T) {
	for _, tt := range []struct {
		leaves string
		stale  bool
		want   error
	}{
		{"nothing", false, nil},
		{"nothing", true, ErrNotCached},
		{"sync", false, context.Canceled},
		{"update", false, nil},
		{"update", true, ErrNotCached},
	} {
		s := &deserted{Store: struct{ kv.Store }{kvtest.NewMemory()}}
		x := openOn(t, s)
		put(t, x, "a", page("http://example.com/", 20140101))
		e := CacheEntry{Name: ofPage, Generation: x.Generation(), Head: []byte("x"), Parts: []CachePart{{1, []byte("20140101000000")}}}
		if err := x.Cache().Put(t.Context(), &e); err != nil {
			t.Fatal(err)
		}
		e.Parts[0].Number = 2
		if tt.stale {
			e.Generation--
		}
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		s.leaves, s.leave = tt.leaves, leave
		if err := x.Cache().Put(ctx, &e); !errors.Is(err, tt.want) {
			t.Errorf("%+v: %v", tt, err)
		}
		s.leaves = ""
		if n := entries(t, x, partPrefix); n != 1 {
			t.Errorf("%+v: %d parts are there", tt, n)
		}
	}
}

func TestTheOldestIsEvictedWhenMuchIsCached(t *testing.T) {
	x := openOn(t, kvtest.NewMemory())
	put(t, x, "a", page("http://example.com/", 20140101))
	for i := range maxCached + 2 {
		n := CacheName{Coll: "web", Key: fmt.Sprint("com,example)/", i)}
		e := CacheEntry{Name: n, Generation: x.Generation(), Head: []byte("x"), Parts: []CachePart{{1, []byte("20140101000000")}}}
		if err := x.Cache().Put(t.Context(), &e); err != nil {
			t.Fatal(err)
		}
	}
	cached := 0
	for i := range maxCached + 2 {
		if _, _, ok := found(t, x, CacheName{Coll: "web", Key: fmt.Sprint("com,example)/", i)}); ok {
			cached++
		} else if cached > 0 {
			t.Errorf("number %d went before older ones", i)
		}
	}
	if n := entries(t, x, partPrefix); n != cached || cached < maxCached/2 || cached > maxCached {
		t.Errorf("%d parts, %d cached", n, cached)
	}
	names, err := x.Cache().Names(t.Context())
	if list, failed := json.Marshal(names); err != nil || failed != nil || len(names) != cached || len(list) > maxCachedList {
		t.Errorf("%d names in %d bytes, %v, %v", len(names), len(list), err, failed)
	}
}

// cacheChanges are those that something cached may depend on.
func cacheChanges() map[string]operation {
	return map[string]operation{
		"a new file": func(ctx context.Context, x *Index) (string, error) { return "", addFile(ctx, x, "new") },
		"removal": func(ctx context.Context, x *Index) (string, error) {
			return "", x.RemoveFiles(ctx, fileID(x, "pages"))
		},
		"resolving": func(ctx context.Context, x *Index) (string, error) {
			_, _, err := x.Resolve(ctx)
			return "", err
		},
		"a record read again": func(ctx context.Context, x *Index) (string, error) {
			f, _ := x.File(fileID(x, "pages"))
			w := x.Writer(ctx, "web")
			defer w.Cancel()
			c := page("http://example.com/", 20140101)
			c.File, c.Status = f.ID, 404
			if err := errors.Join(w.Add(&c), w.Flush()); err != nil {
				return "", err
			}
			_, err := x.PutFile(ctx, f)
			return "", err
		},
		"caching": func(ctx context.Context, x *Index) (string, error) {
			return "", x.Cache().Put(ctx, &CacheEntry{
				Name: ofPage, Generation: x.Generation(), Head: []byte("new"), Parts: []CachePart{{99, []byte("20140101000000")}},
			})
		},
	}
}

// Whatever fails, and so whenever a process is killed: what is cached and fresh afterwards is in accordance with the captures.
func TestNoFaultLeavesSomethingFreshThatIsNot(t *testing.T) {
	whole, names := sample(t), []CacheName{ofPage, ofOrg}
	x := openOn(t, whole)
	for _, k := range names {
		if err := cacheSeen(t, x, k); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range []HostName{exampleCom, exampleOrg} {
		if err := keepFacts(t, x, h); err != nil {
			t.Fatal(err)
		}
	}
	for name, op := range cacheChanges() {
		t.Run(name, func(t *testing.T) {
			faults := 0
			for n := 1; ; n++ {
				below := whole.Clone()
				faulty := kvtest.NewFaulty(below)
				broken := openOn(t, faulty)
				faulty.FailAt(n)
				_, err := op(t.Context(), broken)
				faulty.FailAt(0)
				if open := faulty.OpenBatches(); open != 0 {
					t.Fatalf("after fault %d (%v), %d batches are left open", n, err, open)
				}
				after := openOn(t, below)
				for _, k := range names {
					head, _, ok := found(t, after, k)
					if ok && head != seen(t, after, k) && head != "new" {
						t.Fatalf("after fault %d (%v), %v has\n%sbut there is\n%s", n, err, k, head, seen(t, after, k))
					}
				}
				for _, h := range []HostName{exampleCom, exampleOrg} {
					if facts, ok := factsOf(t, after, h); ok && facts != seenOf(t, after, h) {
						t.Fatalf("after fault %d (%v), of %v there is\n%s, not\n%s", n, err, h, facts, seenOf(t, after, h))
					}
				}
				if err == nil {
					break
				}
				faults++
			}
			if faults < 3 {
				t.Errorf("only %d faults", faults)
			}
		})
	}
}
