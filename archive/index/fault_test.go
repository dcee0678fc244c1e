package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// sample returns a store with an index that has every kind of entry: captures at several times in two files, similar
// texts and one that may have lost its captures, revisits with and without an original.
func sample(t *testing.T) *kvtest.Memory {
	t.Helper()
	s := kvtest.NewMemory()
	x := openOn(t, struct{ kv.Store }{s}) // alone, so it waits for nobody
	var pages []cdx.Capture
	for i := range 12 {
		pages = append(pages, page("http://example.com/", cdx.Timestamp(20140101+i)))
	}
	pages = append(pages, page("http://example.com/a", 20140103), page("http://example.org/", 20140103), page("http://example.org/", 20140104))
	put(t, x, "pages", pages...)
	rev := page("http://example.com/", 20150101)
	rev.Kind = cdx.Revisit
	other := rev
	other.URL, other.Digest = "http://example.net/", "NONE"
	named := rev
	named.RefersToURI, named.RefersToTime = "http://example.com/a", 20140103000000
	unmodified := rev
	unmodified.URL, unmodified.NotModified, unmodified.Digest = "http://example.org/", true, ""
	put(t, x, "revisits", rev, other, named, unmodified)
	putTexts(t, x, "web", "texts", 1, 2, 3)
	putTexts(t, x, "web", "more", 3, 4)
	putTexts(t, x, "other", "else", 1, 2)
	w := x.Writer(t.Context(), "web") // keeps the removed texts from being swept
	defer w.Cancel()
	if err := x.RemoveFiles(t.Context(), putTexts(t, x, "web", "gone", 8, 9)); err != nil {
		t.Fatal(err)
	}
	return s
}

// An operation asks an index for something or changes it, and returns everything it found.
type operation func(ctx context.Context, x *Index) (string, error)

// yielded returns the captures of a walk as text.
func yielded(seq iter.Seq2[*cdx.Capture, error]) (string, error) {
	var out strings.Builder
	for c, err := range seq {
		if err != nil {
			return out.String(), err
		}
		fmt.Fprintln(&out, c.Time, c.URL, c.FileName, c.Origin)
	}
	return out.String(), nil
}

func captures(s cdx.Span) operation {
	s.Coll = "web"
	return func(ctx context.Context, x *Index) (string, error) { return yielded(x.Captures(ctx, s)) }
}

func count(s cdx.Span) operation {
	s.Coll = "web"
	return func(ctx context.Context, x *Index) (string, error) {
		n, err := x.Count(ctx, s)
		return fmt.Sprint(n), err
	}
}

var key = surt.Of("http://example.com/")

func reads() map[string]operation {
	exact := cdx.Span{From: key, Exact: true}
	return map[string]operation{
		"captures":               captures(cdx.Span{}),
		"captures of a key":      captures(exact),
		"captures in reverse":    captures(cdx.Span{From: key, Exact: true, Reverse: true}),
		"the newest captures":    captures(cdx.Span{From: key, Exact: true, Newest: 3}),
		"captures behind others": captures(cdx.Span{Skip: 5}),
		"captures after one":     captures(cdx.Span{After: cdx.Position{Key: key, Time: 20140103000000}}),
		"captures of a time":     captures(cdx.Span{Since: 20140103000000, Until: 20140105000000}),
		"a count":                count(cdx.Span{}),
		"a count of a key":       count(exact),
		"a count of the newest":  count(cdx.Span{Newest: 3}),
		"the closest": func(ctx context.Context, x *Index) (string, error) {
			return yielded(x.Closest(ctx, "web", key, 20140105000000))
		},
		"the nearest of many": func(ctx context.Context, x *Index) (string, error) {
			var out strings.Builder
			var within error
			keys := []string{key, surt.Of("http://example.com/a"), surt.Of("http://nothing.example/"), surt.Of("http://example.org/")}
			err := x.Nearest(ctx, "web", 20140105000000, keys, func(i int, seq iter.Seq2[*cdx.Capture, error]) {
				text, err := yielded(seq)
				within = errors.Join(within, err)
				fmt.Fprintln(&out, i, text)
			})
			return out.String(), errors.Join(err, within)
		},
		"keys": func(ctx context.Context, x *Index) (string, error) {
			var out []string
			for k, err := range x.Keys(ctx, "web", "", "") {
				if err != nil {
					return strings.Join(out, " "), err
				}
				out = append(out, k)
			}
			return strings.Join(out, " "), nil
		},
		"times": func(ctx context.Context, x *Index) (string, error) {
			var out []cdx.Timestamp
			for ts, err := range x.Times(ctx, "web", key) {
				if err != nil {
					return fmt.Sprint(out), err
				}
				out = append(out, ts)
			}
			return fmt.Sprint(out), nil
		},
		"what has changed": func(ctx context.Context, x *Index) (string, error) {
			now, err := x.Touched(ctx, "web", "", most)
			if err != nil {
				return "", err
			}
			identity, _, _ := strings.Cut(now.State, " ")
			then, err := x.Touched(ctx, "web", stateOf(identity, 1), most)
			return fmt.Sprint(then.Keys, then.All), err
		},
		"a text": func(ctx context.Context, x *Index) (out string, err error) {
			err = x.Texts().Get(ctx, 2, func(sketch []byte) error { out = string(sketch); return nil })
			return out, err
		},
		"whether there is a text": func(ctx context.Context, x *Index) (string, error) {
			is, err := x.Texts().Has(ctx, 2)
			not, err2 := x.Texts().Has(ctx, 77)
			return fmt.Sprint(is, not), errors.Join(err, err2)
		},
		"texts": func(ctx context.Context, x *Index) (out string, err error) {
			err = x.Texts().Each(ctx, []uint64{3, 77, 1}, func(id uint64, sketch []byte) error { out += fmt.Sprint(id, string(sketch)); return nil })
			return out, err
		},
		"where a text stands": func(ctx context.Context, x *Index) (string, error) { return yielded(x.Texts().Captures(ctx, "web", 3)) },
		"captures by text":    func(ctx context.Context, x *Index) (string, error) { return yielded(x.Texts().ByText(ctx, "web")) },
		"similar texts": func(ctx context.Context, x *Index) (string, error) {
			ids, err := x.Texts().Similar(ctx, "web", []uint32{7, 3}, 0)
			return fmt.Sprint(ids), err
		},
		"groups of texts": func(ctx context.Context, x *Index) (string, error) {
			out := ""
			for g, err := range x.Texts().Groups(ctx, "web") {
				if err != nil {
					return out, err
				}
				out += fmt.Sprint(g.Band, g.Texts, g.Met)
			}
			return out, nil
		},
		"opening": func(ctx context.Context, x *Index) (string, error) {
			again, err := New(ctx, x.store)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(again.Files(), again.Generation()), nil
		},
	}
}

// Wherever the store fails, the index reports it: a shortened answer is never taken for the whole.
func TestReadsReportEveryFault(t *testing.T) {
	t.Parallel()
	base := sample(t)
	for name, read := range reads() {
		t.Run(name, func(t *testing.T) {
			faulty := kvtest.NewFaulty(base)
			x := openOn(t, faulty)
			faulty.FailAt(0)
			want, err := read(t.Context(), x)
			if err != nil || want == "" {
				t.Fatalf("without a fault: %q, %v", want, err)
			}
			steps := faulty.Steps()
			for n := range steps {
				faulty.FailAt(n + 1)
				if got, err := read(t.Context(), x); !errors.Is(err, kvtest.ErrFault) {
					t.Errorf("step %d of %d (%s) fails: got %q, %v", n+1, len(steps), steps[n], got, err)
				}
			}
			faulty.FailAt(0)
			if again, err := read(t.Context(), x); again != want || err != nil {
				t.Errorf("after all faults: got %q, %v; want %q", again, err, want)
			}
		})
	}
}

// If the context has ended, the index says so.
func TestReadsReportAnEndedContext(t *testing.T) {
	t.Parallel()
	x := openOn(t, sample(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, read := range reads() {
		if got, err := read(ctx, x); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// fileID finds a file by its name; 0 if there is none.
func fileID(x *Index, name string) cdx.FileID {
	files := x.Files()
	if i := slices.IndexFunc(files, func(f File) bool { return f.Name == name }); i >= 0 {
		return files[i].ID
	}
	return 0
}

// addFile indexes a file as ingest does, again if it was begun before.
func addFile(ctx context.Context, x *Index, name string, texts ...uint64) (err error) {
	f := File{ID: fileID(x, name), Collection: "web", Name: name}
	if f.ID, err = x.PutFile(ctx, f); err != nil {
		return err
	}
	w := x.Writer(ctx, "web")
	defer w.Cancel()
	for i, text := range texts {
		c := page("http://new.example/", cdx.Timestamp(20160101+i))
		c.Key, c.File, c.Offset, c.Text = surt.Of(c.URL), f.ID, int64(i), text
		if err := errors.Join(w.AddText(text, []byte("sketch"), []uint32{7, uint32(text)}), w.Add(&c)); err != nil {
			return err
		}
	}
	original := page("http://new.example/original", 20160101)
	original.Key, original.File, original.Offset, original.Digest = surt.Of(original.URL), f.ID, 100, "NONE"
	if err := errors.Join(w.Add(&original), w.Flush()); err != nil {
		return err
	}
	f.Done, f.Scanned = true, 1<<30
	_, err = x.PutFile(ctx, f)
	return err
}

func writes() map[string]operation {
	then := func(change func(ctx context.Context, x *Index) error) operation {
		return func(ctx context.Context, x *Index) (string, error) {
			if err := change(ctx, x); err != nil {
				return "", err
			}
			if _, _, err := x.Resolve(ctx); err != nil {
				return "", err
			}
			out, err := yielded(x.Captures(ctx, cdx.Span{Coll: "web"}))
			if err != nil {
				return "", err
			}
			similar, err := x.Texts().Similar(ctx, "web", []uint32{7}, 0)
			return out + fmt.Sprint(similar), err
		}
	}
	return map[string]operation{
		"a file is added":   then(func(ctx context.Context, x *Index) error { return addFile(ctx, x, "new", 3, 5) }),
		"revisits resolved": then(func(ctx context.Context, x *Index) error { return nil }),
		"facts are kept": func(ctx context.Context, x *Index) (out string, err error) {
			if err := x.Cache().PutFacts(ctx, exampleCom, x.Generation(), []byte("facts")); err != nil {
				return "", err
			}
			_, err = x.Cache().Facts(ctx, exampleCom, func(b []byte) error { out = string(b); return nil })
			return out, err
		},
		"a file is removed": then(func(ctx context.Context, x *Index) error {
			if id := fileID(x, "pages"); id != 0 {
				return x.RemoveFiles(ctx, id)
			}
			return nil
		}),
		"a file with texts is removed": then(func(ctx context.Context, x *Index) error {
			if id := fileID(x, "texts"); id != 0 {
				return x.RemoveFiles(ctx, id)
			}
			return nil
		}),
		"a file is replaced": then(func(ctx context.Context, x *Index) error {
			if id := fileID(x, "more"); id != 0 {
				if err := x.RemoveFiles(ctx, id); err != nil {
					return err
				}
			}
			return addFile(ctx, x, "instead", 4, 6)
		}),
	}
}

// emptied removes all files and returns what is left: how many entries of each prefix.
func emptied(t *testing.T, x *Index) (left string) {
	t.Helper()
	for _, f := range x.Files() {
		if err := x.RemoveFiles(t.Context(), f.ID); err != nil {
			t.Fatal(err)
		}
	}
	for _, prefix := range []byte{capturePrefix, digestPrefix, pendingPrefix, textPrefix, wherePrefix, bandPrefix, sweepPrefix, filePrefix} {
		if n := entries(t, x, prefix); n != 0 {
			left += fmt.Sprintf("%d %c ", n, prefix)
		}
	}
	return left
}

// A change that fails either reports that or has happened. Repeating it ends up the same as if it had never failed.
func TestChangesReportEveryFaultAndCanBeRepeated(t *testing.T) {
	t.Parallel()
	base := sample(t)
	for name, change := range writes() {
		t.Run(name, func(t *testing.T) {
			faulty := kvtest.NewFaulty(base.Clone())
			x := openOn(t, faulty)
			faulty.FailAt(0)
			want, err := change(t.Context(), x)
			if err != nil || want == "" {
				t.Fatalf("without a fault: %q, %v", want, err)
			}
			steps := faulty.Steps()
			for n := range steps {
				faulty := kvtest.NewFaulty(base.Clone())
				x := openOn(t, faulty)
				faulty.FailAt(n + 1)
				got, err := change(t.Context(), x)
				if !errors.Is(err, kvtest.ErrFault) && (err != nil || got != want) {
					t.Errorf("step %d of %d (%s) fails: got %q, %v", n+1, len(steps), steps[n], got, err)
				}
				if open := faulty.OpenBatches(); open != 0 {
					t.Errorf("step %d of %d (%s) fails: %d batches are left open", n+1, len(steps), steps[n], open)
				}
				faulty.FailAt(0)
				x = openOn(t, faulty)
				forgetHolders(t, x)
				if got, err := change(t.Context(), x); got != want || err != nil {
					t.Fatalf("after step %d of %d (%s) failed, done over: got %q, %v; want %q", n+1, len(steps), steps[n], got, err, want)
				}
				if left := emptied(t, x); left != "" {
					t.Errorf("after step %d of %d (%s) failed, done over, all files removed: there is left %s", n+1, len(steps), steps[n], left)
				}
			}
		})
	}
}

// forgetHolders does what the end of all leases does.
func forgetHolders(t *testing.T, x *Index) {
	t.Helper()
	if err := x.workers.change(t.Context(), func(all holders) error { clear(all); return nil }); err != nil {
		t.Fatal(err)
	}
}

// A removed file is hidden before any of its entries is deleted, also from those who open the index then.
func TestAFileThatIsBeingRemovedIsHidden(t *testing.T) {
	t.Parallel()
	faulty := kvtest.NewFaulty(sample(t))
	x := openOn(t, faulty)
	id := fileID(x, "pages")
	for n := 1; ; n++ { // the first flush is the purge's
		faulty.FailAt(n)
		if err := x.RemoveFiles(t.Context(), id); err == nil {
			t.Fatal("no flush was met")
		}
		if steps := faulty.Steps(); steps[len(steps)-1] == "flush" {
			break
		}
	}
	faulty.FailAt(0)
	for _, x := range []*Index{x, openOn(t, faulty)} {
		f, ok := x.File(id)
		if !ok || f.Done {
			t.Errorf("the file: %+v", f)
		}
		for c := range x.Captures(t.Context(), cdx.Span{Coll: "web"}) {
			if c.FileName == "pages" {
				t.Fatalf("%s shows", c.URL)
			}
		}
	}
}
