package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// seenOf returns what is learnt of a host here: all its captures.
func seenOf(t *testing.T, x *Index, h HostName) string {
	t.Helper()
	return seenIn(t, x, cdx.Span{Coll: h.Coll, From: h.Host + ")", To: h.Host + "*"})
}

func hostOf(key string) string {
	host, _, _ := strings.Cut(key, ")")
	return host
}

func keepFacts(t *testing.T, x *Index, h HostName) error {
	t.Helper()
	return x.Cache().PutFacts(t.Context(), h, x.Generation(), []byte(seenOf(t, x, h)))
}

// factsOf returns the facts that are kept of a host.
func factsOf(t *testing.T, x *Index, h HostName) (facts string, ok bool) {
	t.Helper()
	ok, err := x.Cache().Facts(t.Context(), h, func(b []byte) error { facts = string(b); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return facts, ok
}

var (
	exampleCom = HostName{"web", hostOf(surt.Of("http://example.com/"))}
	exampleOrg = HostName{"web", hostOf(surt.Of("http://example.org/"))}
)

// takeLost returns what hosts are to be learnt.
func takeLost(t *testing.T, x *Index) []HostName {
	t.Helper()
	lost, err := x.Cache().LostFacts(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	return lost
}

func TestFactsGoWithTheirHost(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		for name, tt := range map[string]struct {
			change   func(t *testing.T, x *Index)
			com, org bool // whether they are still kept
		}{
			"a page of the host":        {func(t *testing.T, x *Index) { put(t, x, "b", page("http://example.com/b", 20150101)) }, false, true},
			"a host whose name is like": {func(t *testing.T, x *Index) { put(t, x, "b", page("http://example.com.net/", 20150101)) }, true, true},
			"a host below":              {func(t *testing.T, x *Index) { put(t, x, "b", page("http://a.example.com/", 20150101)) }, true, true},
			"both": {func(t *testing.T, x *Index) {
				put(t, x, "b", page("http://example.com/", 20150101), page("http://example.org/", 20150101))
			}, false, false},
			"nothing": {func(t *testing.T, x *Index) { put(t, x, "b") }, true, true},
			"its file grows by a page of another": {func(t *testing.T, x *Index) {
				f, _ := x.File(fileID(x, "a"))
				f.Resume = f.Scanned // what was read ends with a whole record
				if _, err := x.PutFile(t.Context(), f); err != nil {
					t.Fatal(err)
				}
				if err := keepFacts(t, x, exampleCom); err != nil {
					t.Fatal(err)
				}
				takeLost(t, x)
				grow(t, x, f.ID, f.Scanned, page("http://example.org/z", 20150101))
			}, true, false},
			"its file is removed": {func(t *testing.T, x *Index) {
				if err := x.RemoveFiles(t.Context(), fileID(x, "a")); err != nil {
					t.Fatal(err)
				}
			}, false, true},
			"a revisit finds its original": {func(t *testing.T, x *Index) {
				rev := page("http://example.org/", 20160101)
				rev.Kind = cdx.Revisit
				put(t, x, "r", rev)
				if err := keepFacts(t, x, exampleOrg); err != nil {
					t.Fatal(err)
				}
				if n, _, err := x.Resolve(t.Context()); n != 1 || err != nil {
					t.Fatal(n, err)
				}
			}, true, false},
		} {
			t.Run(name, func(t *testing.T) {
				x := open(t)
				put(t, x, "a", page("http://example.com/", 20140101), page("http://example.com/a", 20140102))
				put(t, x, "o", page("http://example.org/", 20140101))
				for _, h := range []HostName{exampleCom, exampleOrg} {
					if err := keepFacts(t, x, h); err != nil {
						t.Fatal(err)
					}
				}
				takeLost(t, x)
				tt.change(t, x)
				for h, want := range map[HostName]bool{exampleCom: tt.com, exampleOrg: tt.org} {
					facts, ok := factsOf(t, x, h)
					if ok != want || ok && facts != seenOf(t, x, h) {
						t.Errorf("%v: kept %t, %q", h, ok, facts)
					}
				}
				lost, err := x.Cache().LostFacts(t.Context(), 10)
				if err != nil || slices.Contains(lost, exampleCom) == tt.com || slices.Contains(lost, exampleOrg) == tt.org {
					t.Errorf("lost are those of %v, %v", lost, err)
				}
				if again, _ := x.Cache().LostFacts(t.Context(), 10); len(again) > 0 {
					t.Errorf("they are told twice: %v", again)
				}
			})
		}
	})
}

func TestFactsThatMayBeOutOfDateAreRefused(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		id := put(t, x, "a", page("http://example.com/", 20140101))
		before := x.Generation()
		put(t, x, "b", page("http://example.net/", 20150101))
		refused := func(what string, h HostName, generation uint64, facts []byte) {
			t.Helper()
			if err := x.Cache().PutFacts(t.Context(), h, generation, facts); !errors.Is(err, ErrNotCached) {
				t.Errorf("%s: %v", what, err)
			}
		}
		refused("after a change", exampleCom, before, nil)
		refused("of a host with a long name", HostName{"web", string(letters(maxCachedKey + 1))}, x.Generation(), nil)
		refused("too many", exampleCom, x.Generation(), make([]byte, maxFacts+1))
		if err := x.Cache().PutFacts(t.Context(), exampleCom, x.Generation(), make([]byte, maxFacts)); err != nil {
			t.Error(err)
		}
		w := x.Writer(t.Context(), "web") // a record is read again
		again := page("http://example.com/", 20140101)
		f, _ := x.File(id)
		again.File = id
		if err := w.Add(&again); err != nil {
			t.Fatal(err)
		}
		if _, ok := factsOf(t, x, exampleCom); ok {
			t.Error("they count while captures are written over")
		}
		if err := keepFacts(t, x, exampleCom); err != nil {
			t.Error(err)
		}
		if _, ok := factsOf(t, x, exampleCom); ok {
			t.Error("what is kept while captures are written over counts")
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if _, err := x.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if _, ok := factsOf(t, x, exampleCom); ok {
			t.Error("they count afterwards")
		}
		if err := keepFacts(t, x, exampleCom); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		f.Imported = true
		if _, err := x.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		refused("of an imported file", exampleCom, x.Generation(), nil)
	})
}

// A hookedStore does something once, just before an update begins.
type hookedStore struct {
	kv.Store
	before func()
}

func (s *hookedStore) Update(ctx context.Context, f func(kv.Txn) error) error {
	if before := s.before; before != nil {
		s.before = nil
		before()
	}
	return s.Store.Update(ctx, f)
}

// Between a look at who has facts and the change itself another process may keep facts, the first ever too.
func TestFactsThatAreKeptDuringAChangeBecomeVoid(t *testing.T) {
	t.Parallel()
	for _, had := range []bool{false, true} {
		t.Run(fmt.Sprint("some were kept before: ", had), func(t *testing.T) {
			memory := kvtest.NewMemory()
			hooked := &hookedStore{Store: memory}
			one := openOn(t, hooked)
			put(t, one, "a", page("http://example.com/", 20140101))
			put(t, one, "o", page("http://example.org/", 20140101))
			if had {
				if err := keepFacts(t, one, exampleOrg); err != nil {
					t.Fatal(err)
				}
			}
			f := File{Collection: "web", Name: "b"}
			var err error
			if f.ID, err = one.PutFile(t.Context(), f); err != nil {
				t.Fatal(err)
			}
			w := one.Writer(t.Context(), "web")
			c := page("http://example.com/b", 20150101)
			c.Key, c.File = surt.Of(c.URL), f.ID
			if err := errors.Join(w.Add(&c), w.Flush()); err != nil {
				t.Fatal(err)
			}
			two := openOn(t, memory)
			hooked.before = func() {
				if err := keepFacts(t, two, exampleCom); err != nil {
					t.Error(err)
				}
			}
			f.Done, f.Scanned = true, 1000
			if _, err := one.PutFile(t.Context(), f); err != nil {
				t.Fatal(err)
			}
			for _, h := range []HostName{exampleCom, exampleOrg} {
				facts, ok := factsOf(t, one, h)
				if ok && facts != seenOf(t, one, h) {
					t.Errorf("of %v there is still\n%s", h, facts)
				}
				if want := h == exampleOrg && had; ok != want {
					t.Errorf("of %v facts are kept: %t", h, ok)
				}
			}
		})
	}
}

// A change that reaches very many hosts with facts makes all facts void at once.
func TestAChangeOfVeryManyHosts(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		for _, hosts := range []int{maxVoid, maxVoid + 1} {
			x := open(t)
			put(t, x, "o", page("http://example.org/", 20140101))
			takeLost(t, x)
			var pages []cdx.Capture
			for i := range hosts {
				pages = append(pages, page(fmt.Sprintf("http://%d.example.com/", i), 20140101))
			}
			for i := range pages {
				h := HostName{"web", hostOf(surt.Of(pages[i].URL))}
				if err := x.Cache().PutFacts(t.Context(), h, x.Generation(), nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := keepFacts(t, x, exampleOrg); err != nil {
				t.Fatal(err)
			}
			put(t, x, "a", pages...)
			for i := range pages {
				if _, ok := factsOf(t, x, HostName{"web", hostOf(surt.Of(pages[i].URL))}); ok {
					t.Fatalf("facts of host %d of %d are left", i, hosts)
				}
			}
			_, ok := factsOf(t, x, exampleOrg)
			lost, err := x.Cache().LostFacts(t.Context(), 2*maxVoid)
			if all := hosts > maxVoid; err != nil || ok == all || len(lost) != hosts+map[bool]int{true: 1}[all] {
				t.Errorf("%d hosts: another keeps its facts: %t; %d have lost them, %v", hosts, ok, len(lost), err)
			}
			if err := keepFacts(t, x, exampleOrg); err != nil {
				t.Fatal(err)
			}
			if _, ok := factsOf(t, x, exampleOrg); !ok {
				t.Error("what is kept afterwards doesn't count")
			}
		}
	})
}

// Whatever comes and goes, in one process or another: facts are those of now.
func TestFactsAreThoseOfNow(t *testing.T) {
	t.Parallel()
	kept := 0
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		unshared := struct{ kv.Store }{kvtest.NewMemory()} // so nobody waits for others to notice
		both := []*Index{openOn(t, unshared), openOn(t, unshared)}
		hosts := []HostName{exampleCom, exampleOrg, {"web", hostOf(surt.Of("http://example.net/"))}}
		for n := range 40 {
			x := both[rnd.IntN(2)]
			if err := x.catchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			switch files := x.Files(); rnd.IntN(7) {
			case 0, 1:
				var pages []cdx.Capture
				for range rnd.IntN(4) {
					url := fmt.Sprintf("http://example.%s/%d", []string{"com", "org", "net"}[rnd.IntN(3)], rnd.IntN(3))
					c := page(url, cdx.Timestamp(20140101+rnd.IntN(9)))
					if rnd.IntN(3) == 0 {
						c.Kind = cdx.Revisit
					}
					pages = append(pages, c)
				}
				put(t, x, fmt.Sprint(n), pages...)
			case 2:
				if len(files) > 0 {
					if err := x.RemoveFiles(t.Context(), files[rnd.IntN(len(files))].ID); err != nil {
						t.Fatal(err)
					}
				}
			case 3:
				if _, _, err := x.Resolve(t.Context()); err != nil {
					t.Fatal(err)
				}
			case 4:
				if len(files) > 0 {
					readAgain(t, x, files[rnd.IntN(len(files))], rnd.IntN(600), func() {
						if err := keepFacts(t, both[rnd.IntN(2)], hosts[rnd.IntN(3)]); err != nil {
							t.Fatal(err)
						}
					})
				}
			default:
				if err := keepFacts(t, x, hosts[rnd.IntN(3)]); err != nil {
					t.Fatal(err)
				}
			}
			for _, x := range both {
				if err := x.catchUp(t.Context()); err != nil {
					t.Fatal(err)
				}
				for _, h := range hosts {
					facts, ok := factsOf(t, x, h)
					if want := seenOf(t, x, h); ok && facts != want {
						t.Fatalf("seed %d, step %d: of %v there is\n%snot\n%s", seed, n, h, facts, want)
					}
					if ok {
						kept++
					}
				}
			}
		}
	}
	if kept < 500 {
		t.Errorf("facts were kept %d times only", kept)
	}
}

// readAgain writes the captures of a file over, with another status, while others do something.
func readAgain(t *testing.T, x *Index, f File, status int, others func()) {
	t.Helper()
	w := x.Writer(t.Context(), "web")
	defer w.Cancel()
	for _, c := range collect(t, x.Captures(t.Context(), cdx.Span{Coll: "web"})) {
		if c.File == f.ID && c.Kind != cdx.Revisit {
			c.Status = status
			if err := w.Add(&c); err != nil {
				t.Fatal(err)
			}
			others()
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	others()
	if _, err := x.PutFile(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// An index in which no facts were ever kept pays nothing for them: no list of SURTs is read when a file is finished.
func TestAnIndexWithoutFactsLooksForNone(t *testing.T) {
	t.Parallel()
	x := openOn(t, struct{ kv.Store }{kvtest.NewMemory()}) // of one process
	id := put(t, x, "a", page("http://example.com/", 20140101))
	if lost := takeLost(t, x); len(lost) > 0 {
		t.Errorf("nobody has asked for %v", lost)
	}
	f, _ := x.File(id)
	r, err := x.reachOfFile(t.Context(), f)
	if err != nil || len(r.facts.hosts) > 0 {
		t.Errorf("it has looked at %v, %v", r.facts.hosts, err)
	}
	if err := keepFacts(t, x, exampleCom); err != nil {
		t.Fatal(err)
	}
	f.Imported = true // else nothing has changed
	if r, err = x.reachOfFile(t.Context(), f); err != nil || !slices.Equal(r.facts.have, []HostName{exampleCom}) {
		t.Errorf("it finds %v, %v", r.facts.have, err)
	}
}

// Where an index is on another machine, hosts are learnt before a reader waits for it.
func TestHostsThatAreNewAreToBeLearnt(t *testing.T) {
	t.Parallel()
	x := openOn(t, kvtest.NewMemory())
	for _, name := range []string{"a", "b"} {
		put(t, x, name, page("http://example.com/", 20140101), page("http://example.com/b", 20140101), page("http://example.org/", 20140101))
		lost := takeLost(t, x)
		slices.SortFunc(lost, func(a, b HostName) int { return strings.Compare(a.Host, b.Host) })
		if !slices.Equal(lost, []HostName{exampleCom, exampleOrg}) {
			t.Errorf("after %s: %v", name, lost)
		}
		if err := keepFacts(t, x, exampleCom); err != nil {
			t.Fatal(err)
		}
	}
}
