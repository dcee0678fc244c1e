package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// seen returns what a name of host example.com depends on: its captures, and those of the host if it says so.
func seen(t *testing.T, x *Index, n KeptName) string {
	t.Helper()
	span := cdx.Span{Coll: n.Coll, From: n.Key, Exact: true}
	if n.Host {
		span = cdx.Span{Coll: n.Coll, From: hostOf(n.Key) + ")", To: hostOf(n.Key) + "*"}
	}
	var out strings.Builder
	for c, err := range x.Captures(t.Context(), span) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, *c)
	}
	return out.String()
}

// keepSeen keeps what a name depends on under that name, in parts of one capture each.
func keepSeen(t *testing.T, x *Index, n KeptName) error {
	t.Helper()
	return x.Keep(t.Context(), n, x.Generation(), []byte(seen(t, x, n)), partsOf(t, x, n))
}

// partsOf returns a part for each capture of a name's key.
func partsOf(t *testing.T, x *Index, n KeptName) (parts []KeptPart) {
	t.Helper()
	for c, err := range x.Captures(t.Context(), cdx.Span{Coll: n.Coll, From: n.Key, Exact: true}) {
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, KeptPart{c.Time, uint32(len(parts)), fmt.Append(nil, c.Time)})
	}
	return parts
}

// found returns the head that is kept under a name and not dated, and the number of its parts.
func found(t *testing.T, x *Index, n KeptName) (head string, parts int, ok bool) {
	t.Helper()
	want, dated := partsOf(t, x, n), false
	ok, err := x.Kept(t.Context(), n, func(k *Kept) error {
		if dated = k.Dated; dated {
			return nil
		}
		if head = string(k.Head); head == "new" {
			want = want[:1]
		}
		return k.Parts(want, func(i int, value []byte) error {
			if !bytes.Equal(value, want[i].Value) {
				t.Errorf("part %d: %q", want[i].First, value)
			}
			parts++
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return head, parts, ok && !dated
}

// isDated returns the head that is kept under a name, if it is dated. Its parts must be those of all captures of the key.
func isDated(t *testing.T, x *Index, n KeptName) (head string, dated bool) {
	t.Helper()
	want := partsOf(t, x, n)
	_, err := x.Kept(t.Context(), n, func(k *Kept) error {
		if head, dated = string(k.Head), k.Dated; !dated {
			return nil
		}
		return k.Parts(want, func(int, []byte) error { return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	return head, dated
}

var (
	ofHost = KeptName{Coll: "web", Key: key, Sort: 2, Host: true}
	ofPage = KeptName{Coll: "web", Key: key, Sort: 0}
	ofOrg  = KeptName{Coll: "web", Key: surt.Of("http://example.org/"), Sort: 0}
)

func TestWhatIsKeptGoesWithWhatItDependsOn(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		for name, tt := range map[string]struct {
			change           func(t *testing.T, x *Index)
			host, page, orgs bool // whether they are still kept
		}{
			"another page of the host": {func(t *testing.T, x *Index) { put(t, x, "b", page("http://example.com/b", 20150101)) }, false, true, true},
			"the page":                 {func(t *testing.T, x *Index) { put(t, x, "b", page("http://example.com/", 20150101)) }, false, false, true},
			"another host":             {func(t *testing.T, x *Index) { put(t, x, "b", page("http://example.net/", 20150101)) }, true, true, true},
			"another one's name begins alike": {
				func(t *testing.T, x *Index) { put(t, x, "b", page("http://example.com.example.net/", 20150101)) }, true, true, true,
			},
			"its file is removed": {func(t *testing.T, x *Index) {
				if err := x.RemoveFile(t.Context(), fileID(x, "a")); err != nil {
					t.Fatal(err)
				}
			}, false, false, true},
			"a revisit finds its original": {func(t *testing.T, x *Index) {
				rev := page("http://example.org/", 20160101)
				rev.Kind = cdx.Revisit
				put(t, x, "r", rev)
				if n, _, err := x.Resolve(t.Context()); n != 1 || err != nil {
					t.Fatal(n, err)
				}
			}, true, true, false},
		} {
			t.Run(name, func(t *testing.T) {
				x := open(t)
				put(t, x, "a", page("http://example.com/", 20140101), page("http://example.com/", 20140102))
				put(t, x, "o", page("http://example.org/", 20140101))
				for _, n := range []KeptName{ofHost, ofPage, ofOrg} {
					if err := keepSeen(t, x, n); err != nil {
						t.Fatal(err)
					}
				}
				tt.change(t, x)
				all := 0
				for n, want := range map[KeptName]bool{ofHost: tt.host, ofPage: tt.page, ofOrg: tt.orgs} {
					head, parts, ok := found(t, x, n)
					if ok != want || ok && (head != seen(t, x, n) || parts == 0) {
						t.Errorf("%v: kept %t, %d parts", n, ok, parts)
					}
					all += parts
				}
				if n := entries(t, x, partPrefix); n < all {
					t.Errorf("%d parts are stored, %d belong to something", n, all)
				}
			})
		}
	})
}

// staleOf returns what is in doubt of a name, nil if nothing is kept in doubt.
func staleOf(t *testing.T, x *Index, n KeptName) (d *Stale) {
	t.Helper()
	if _, err := x.Stale(t.Context(), n, func(_ *Kept, about *Stale, _ uint64) error { d = about; return nil }); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestADoubtSaysWhatHasChanged(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		put(t, x, "a", page("http://example.com/", 20140101), page("http://example.com/", 20140102))
		put(t, x, "o", page("http://example.org/", 20140101))
		for _, n := range []KeptName{ofHost, ofPage, ofOrg} {
			if err := keepSeen(t, x, n); err != nil {
				t.Fatal(err)
			}
		}
		day := func(from, to cdx.Timestamp) TimeSpan { return TimeSpan{from * 1000000, to * 1000000} }
		for _, tt := range []struct {
			name                         string
			change                       func() error
			ofHost, ofPage, ofOtherHosts *Stale
		}{
			{
				"another page of the host comes",
				func() error { put(t, x, "b", page("http://example.com/b", 20150101)); return nil },
				&Stale{Site: true}, nil, nil,
			},
			{
				"captures come",
				func() error {
					put(t, x, "c", page("http://example.com/", 20160101), page("http://example.com/b", 20160103))
					return nil
				},
				&Stale{Times: []TimeSpan{day(20160101, 20160103)}, Site: true}, &Stale{Times: []TimeSpan{day(20160101, 20160103)}}, nil,
			},
			{
				"some go",
				func() error { return x.RemoveFile(t.Context(), fileID(x, "a")) },
				&Stale{Times: []TimeSpan{day(20160101, 20160103), day(20140101, 20140102)}, Site: true},
				&Stale{Times: []TimeSpan{day(20160101, 20160103), day(20140101, 20140102)}}, nil,
			},
		} {
			if err := tt.change(); err != nil {
				t.Fatal(err)
			}
			for n, want := range map[KeptName]*Stale{ofHost: tt.ofHost, ofPage: tt.ofPage, ofOrg: tt.ofOtherHosts} {
				if got := staleOf(t, x, n); !reflect.DeepEqual(got, want) {
					t.Errorf("after %s, in doubt of %v: %v, want %v", tt.name, n, got, want)
				}
			}
		}
		names, err := x.StaleNames(t.Context())
		if want := []KeptName{ofHost, ofPage}; err != nil || !slices.Equal(names, want) {
			t.Errorf("in doubt are %v, %v", names, err)
		}
	})
}

func TestWhatIsRenewedLosesTheOldParts(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		put(t, x, "a", page("http://example.com/", 20140101), page("http://example.com/", 20140102))
		if err := keepSeen(t, x, ofPage); err != nil {
			t.Fatal(err)
		}
		put(t, x, "b", page("http://example.com/", 20140103))
		old := partsOf(t, x, ofPage)[1]
		renewed := KeptPart{old.First, 77, []byte("other")}
		renew := func(generation uint64) (err error) {
			var before *Kept
			if _, err := x.Stale(t.Context(), ofPage, func(k *Kept, _ *Stale, _ uint64) error { before = k; return nil }); err != nil {
				t.Fatal(err)
			}
			return x.Renew(t.Context(), ofPage, generation, before,
				&Renewal{Head: []byte("renewed"), Parts: []KeptPart{renewed}, Gone: []KeptPart{old}})
		}
		if err := renew(x.Generation() - 1); !errors.Is(err, ErrNotKept) || entries(t, x, partPrefix) != 2 {
			t.Errorf("of an earlier generation: %v, %d parts", err, entries(t, x, partPrefix))
		}
		if err := renew(x.Generation()); err != nil {
			t.Fatal(err)
		}
		ok, err := x.Kept(t.Context(), ofPage, func(k *Kept) error {
			if err := k.Parts([]KeptPart{old}, nil); !errors.Is(err, ErrNoPart) {
				t.Errorf("the old part: %v", err)
			}
			return k.Parts([]KeptPart{renewed}, func(_ int, v []byte) error {
				if string(v) != "other" || string(k.Head) != "renewed" {
					t.Errorf("got %q under head %q", v, k.Head)
				}
				return nil
			})
		})
		if !ok || err != nil || entries(t, x, partPrefix) != 2 || staleOf(t, x, ofPage) != nil {
			t.Errorf("found %t, %v, %d parts", ok, err, entries(t, x, partPrefix))
		}
	})
}

// replace replaces what is kept of a host's page and dated by what f returns, which may change the index.
func replace(t *testing.T, x *Index, n KeptName, meanwhile func()) error {
	t.Helper()
	var before *Kept
	generation := uint64(0)
	_, err := x.Stale(t.Context(), n, func(k *Kept, _ *Stale, g uint64) error { before, generation = k, g; return nil })
	if err != nil || before == nil {
		t.Fatalf("nothing is in doubt of %v: %v", n, err)
	}
	head, parts := []byte(seen(t, x, n)), partsOf(t, x, n)
	meanwhile()
	return x.Replace(t.Context(), n, generation, before, head, parts)
}

func TestWhatIsDatedIsShownUntilItIsReplaced(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		n := 0
		others := func() {
			n++
			put(t, x, fmt.Sprint("other", n), page(fmt.Sprint("http://example.com/", n), 20150101))
		}
		put(t, x, "a", page("http://example.com/", 20140101), page("http://example.com/", 20140102))
		if err := keepSeen(t, x, ofHost); err != nil {
			t.Fatal(err)
		}
		was := seen(t, x, ofHost)
		others()
		if head, dated := isDated(t, x, ofHost); !dated || head != was {
			t.Fatalf("dated %t: %q", dated, head)
		}
		before := x.Generation()
		if err := replace(t, x, ofHost, func() {}); err != nil {
			t.Fatal(err)
		}
		if head, _, ok := found(t, x, ofHost); !ok || head != seen(t, x, ofHost) || x.Generation() == before {
			t.Errorf("replaced: %t, at generation %d after %d: %q", ok, x.Generation(), before, head)
		}
		others()
		if err := replace(t, x, ofHost, others); err != nil {
			t.Fatal(err)
		}
		if head, dated := isDated(t, x, ofHost); !dated || head == was || !reflect.DeepEqual(staleOf(t, x, ofHost), &Stale{Site: true}) {
			t.Errorf("replaced while other pages came: dated %t: %q", dated, head)
		}
		err := replace(t, x, ofHost, func() { put(t, x, "b", page("http://example.com/", 20140103)) })
		if _, dated := isDated(t, x, ofHost); !errors.Is(err, ErrNotKept) || dated {
			t.Errorf("replaced although captures of the page came: %v", err)
		}
		if err := replace(t, x, ofHost, func() {}); !errors.Is(err, ErrNotKept) {
			t.Errorf("replaced although it isn't shown: %v", err)
		}
		if parts := entries(t, x, partPrefix); parts != 2 {
			t.Errorf("%d parts are left of 2", parts)
		}
	})
}

// Who doesn't know of a file yet can't see its captures, and must not settle the doubt about them.
func TestADoubtIsForThoseWhoKnowTheFiles(t *testing.T) {
	t.Parallel()
	s := kvtest.NewMemory()
	one := openOn(t, s)
	put(t, one, "a", page("http://example.com/", 20140101), page("http://example.com/", 20140102))
	if err := keepSeen(t, one, ofPage); err != nil {
		t.Fatal(err)
	}
	two := openOn(t, s)
	put(t, one, "b", page("http://example.com/", 20140103))
	if d := staleOf(t, two, ofPage); d != nil || staleOf(t, one, ofPage) == nil {
		t.Errorf("who doesn't know file b is told of %+v", d)
	}
	if err := two.catchUp(t.Context()); err != nil || staleOf(t, two, ofPage) == nil {
		t.Errorf("who knows it is told of no doubt, %v", err)
	}
}

// What one change marks has to fit into one transaction: the rest is dropped.
func TestLargeHeadsAreDroppedRatherThanMarked(t *testing.T) {
	t.Parallel()
	x := openOn(t, kvtest.NewMemory())
	put(t, x, "a", page("http://example.com/", 20140101))
	names := []KeptName{ofPage, {Coll: "web", Key: key, Sort: 1}, {Coll: "web", Key: key, Sort: 3}}
	for _, n := range names {
		if err := x.Keep(t.Context(), n, x.Generation(), make([]byte, maxDoubted/2), nil); err != nil {
			t.Fatal(err)
		}
	}
	put(t, x, "b", page("http://example.com/", 20140102))
	stale := 0
	for _, n := range names {
		if staleOf(t, x, n) != nil {
			stale++
		}
		if _, _, ok := found(t, x, n); ok {
			t.Errorf("sort %d is sure", n.Sort)
		}
	}
	if stale != 1 {
		t.Errorf("%d of %d heads are marked", stale, len(names))
	}
	err := x.Keep(t.Context(), ofPage, x.Generation(), nil, []KeptPart{{Value: make([]byte, maxKeptPart+1)}})
	if !errors.Is(err, ErrNotKept) {
		t.Errorf("a part that some stores don't take: %v", err)
	}
}

func TestKeepRefusesWhatMayBeOutOfDate(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		id := put(t, x, "a", page("http://example.com/", 20140101))
		before := x.Generation()
		put(t, x, "b", page("http://example.net/", 20150101))
		if err := x.Keep(t.Context(), ofPage, before, nil, nil); !errors.Is(err, ErrNotKept) {
			t.Errorf("after a change: %v", err)
		}
		if err := keepSeen(t, x, ofPage); err != nil {
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
		if err := keepSeen(t, x, ofPage); !errors.Is(err, ErrNotKept) {
			t.Errorf("while a capture is written over: %v", err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if _, err := x.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if err := keepSeen(t, x, ofPage); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		f.Imported = true
		if _, err := x.PutFile(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if err := keepSeen(t, x, ofPage); !errors.Is(err, ErrNotKept) {
			t.Errorf("of an imported file: %v", err)
		}
		long := KeptName{Coll: "web", Key: string(letters(maxKeptKey + 1))}
		if err := x.Keep(t.Context(), long, x.Generation(), nil, nil); !errors.Is(err, ErrNotKept) {
			t.Errorf("under a long key: %v", err)
		}
	})
}

func TestTheOldestIsDroppedWhenMuchIsKept(t *testing.T) {
	t.Parallel()
	x := openOn(t, kvtest.NewMemory())
	put(t, x, "a", page("http://example.com/", 20140101))
	for i := range maxKept + 2 {
		n := KeptName{Coll: "web", Key: fmt.Sprint("com,example)/", i)}
		if err := x.Keep(t.Context(), n, x.Generation(), []byte("x"), []KeptPart{{20140101000000, 0, []byte("20140101000000")}}); err != nil {
			t.Fatal(err)
		}
	}
	kept := 0
	for i := range maxKept + 2 {
		if _, _, ok := found(t, x, KeptName{Coll: "web", Key: fmt.Sprint("com,example)/", i)}); ok {
			kept++
		} else if kept > 0 {
			t.Errorf("number %d went before older ones", i)
		}
	}
	if n := entries(t, x, partPrefix); n != kept || kept < maxKept/2 || kept > maxKept {
		t.Errorf("%d parts, %d kept", n, kept)
	}
	err := x.store.View(t.Context(), func(snap kv.Snapshot) error {
		return snap.Get(keptKey, func(v []byte) error {
			if len(v) > maxKeptList {
				t.Errorf("their list takes %d bytes", len(v))
			}
			return nil
		})
	})
	if err != nil {
		t.Error(err)
	}
}

// keptChanges are those that something kept may depend on.
func keptChanges() map[string]operation {
	return map[string]operation{
		"a new file": func(ctx context.Context, x *Index) (string, error) { return "", addFile(ctx, x, "new") },
		"removal": func(ctx context.Context, x *Index) (string, error) {
			return "", x.RemoveFile(ctx, fileID(x, "pages"))
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
		"keeping": func(ctx context.Context, x *Index) (string, error) {
			return "", x.Keep(ctx, ofPage, x.Generation(), []byte("new"), []KeptPart{{20140101000000, 0, []byte("20140101000000")}})
		},
	}
}

// Whatever fails, and so whenever a process is killed: what is kept afterwards is in accordance with the captures.
func TestNoFaultLeavesSomethingKeptThatIsOutOfDate(t *testing.T) {
	t.Parallel()
	whole, names := sample(t), []KeptName{ofHost, ofPage, ofOrg}
	x := openOn(t, whole)
	for _, k := range names {
		if err := keepSeen(t, x, k); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range []HostName{exampleCom, exampleOrg} {
		if err := keepFacts(t, x, h); err != nil {
			t.Fatal(err)
		}
	}
	for name, op := range keptChanges() {
		t.Run(name, func(t *testing.T) {
			faults := 0
			for n := 1; ; n++ {
				below := whole.Clone()
				faulty := kvtest.NewFaulty(below)
				broken := openOn(t, faulty)
				faulty.FailAt(n)
				_, err := op(t.Context(), broken)
				faulty.FailAt(0)
				after := openOn(t, below)
				for _, k := range names {
					head, _, ok := found(t, after, k)
					if ok && head != seen(t, after, k) && head != "new" {
						t.Fatalf("after fault %d (%v), %v has\n%sbut there is\n%s", n, err, k, head, seen(t, after, k))
					}
					isDated(t, after, k)
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

// An index in which nothing could be kept is as good as one in which nothing is kept, except for a program that drops nothing.
func TestAnIndexOfTheFormatBeforeIsMarked(t *testing.T) {
	t.Parallel()
	for _, before := range []string{unkeptFormat, undoubtedFormat, factlessFormat} {
		t.Run(before, func(t *testing.T) { markedAfter(t, before) })
	}
}

func markedAfter(t *testing.T, before string) {
	t.Helper()
	s := kvtest.NewMemory()
	x := openOn(t, s)
	put(t, x, "a", page("http://example.com/", 20140101))
	b := s.Batch(t.Context())
	if err := errors.Join(b.Set(formatKey, []byte(before)), b.Flush()); err != nil {
		t.Fatal(err)
	}
	identity, err := x.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	x = openOn(t, s)
	format := ""
	err = s.View(t.Context(), func(snap kv.Snapshot) error {
		return snap.Get(formatKey, func(v []byte) error { format = string(v); return nil })
	})
	if now, failed := x.Identity(t.Context()); err != nil || failed != nil || format != indexFormat || now != identity {
		t.Errorf("format %q, identity %q before and %q after: %v, %v", format, identity, now, err, failed)
	}
	if err := keepSeen(t, x, ofHost); err != nil {
		t.Fatal(err)
	}
	put(t, x, "b", page("http://example.com/b", 20140101))
	if _, dated := isDated(t, x, ofHost); !dated {
		t.Error("what is kept stays although its host has another page")
	}
}
