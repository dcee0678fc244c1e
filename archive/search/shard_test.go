package search_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/varve-archive/varve/archive/search"
)

// A part is what an archive has for one of several shards.
type part struct {
	*fake
	number, of int
}

func (p part) Pages(ctx context.Context) iter.Seq2[search.Page, error] {
	return func(yield func(search.Page, error) bool) {
		for page, err := range p.fake.Pages(ctx) {
			if search.ShardOf(page.Key, p.of) == p.number && !yield(page, err) {
				return
			}
		}
	}
}

// buildShard returns the folder of a shard that is up to date.
func buildShard(t testing.TB, f *fake, number, of int) string {
	t.Helper()
	dir := t.TempDir()
	x, err := search.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	update(t, x, part{f, number, of})
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func openShards(t *testing.T, of int) *search.Index {
	t.Helper()
	x, err := search.OpenShards(of)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func put(t *testing.T, x *search.Index, number int, dir string, retired func()) {
	t.Helper()
	if err := x.Put(number, dir, retired); err != nil {
		t.Fatal(err)
	}
}

// An answer is the same however many shards there are.
func TestShardsAnswerLikeOneIndex(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(31, 10))
	f := &fake{pages: map[string][]string{}, title: "a title of b"}
	for i := range 150 {
		var texts, words []string
		for range 1 + r.IntN(6) {
			words = mutated(r, words)
			texts = append(texts, strings.Join(append(words, fmt.Sprintf("w%d", r.IntN(60)), "mill"), " "))
		}
		f.pages[fmt.Sprintf("org,host%d)/w%d/%d", i%23, i%7, i)] = texts
	}
	f.pages["urn:uuid:1"], f.pages["urn:uuid:2"] = []string{"a mill", "b"}, []string{"a mill"}
	f.links = randomLinks(r, slices.Sorted(maps.Keys(f.pages)))
	whole := open(t, t.TempDir())
	update(t, whole, f)
	for _, of := range []int{2, 16} {
		sharded := openShards(t, of)
		for n := range of {
			put(t, sharded, n, buildShard(t, f, n, of), nil)
		}
		compareAnswers(t, r, f, whole, sharded)
	}
}

// compareAnswers compares what two indexes say of the same archive.
func compareAnswers(t *testing.T, r *rand.Rand, f *fake, whole, sharded *search.Index) {
	t.Helper()
	same := func(what string, ask func(*search.Index) (any, error)) {
		t.Helper()
		want, err1 := ask(whole)
		got, err2 := ask(sharded)
		if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(search.Found{}, search.Hit{})); d != "" || err1 != nil || err2 != nil {
			t.Errorf("%s: %v, %v (-whole +sharded):\n%s", what, err1, err2, d)
		}
	}
	ctx, keys := t.Context(), slices.Sorted(maps.Keys(f.pages))
	for i := range 60 {
		phrase := search.Phrase(append(mutated(r, nil), "mill"))
		phrase = phrase[:1+r.IntN(min(3, len(phrase)))]
		q := search.Query{Phrases: []search.Phrase{phrase, {fmt.Sprintf("w%d", r.IntN(60))}}[:1+i%2]}
		for _, k := range []search.Kind{search.Deleted, search.Added, search.SemiDeleted} {
			same(fmt.Sprint(k, q), func(x *search.Index) (any, error) {
				return x.Search(ctx, search.Request{Query: q, Kind: k, Skip: i % 5, Limit: 20})
			})
			same("totals", func(x *search.Index) (any, error) {
				n, _, err := x.Totals(ctx, search.Request{Query: q, Kind: k})
				return n, err
			})
		}
		key := keys[r.IntN(len(keys))]
		same("turns", func(x *search.Index) (any, error) {
			turns, indexed, err := x.Turns(ctx, f.page(key), q)
			return fmt.Sprint(turns, indexed), err
		})
		many := search.Clause{Field: search.Field(i % 3)}
		for n := range 20 {
			many.Any = append(many.Any, search.Phrase{fmt.Sprintf("w%d", n+r.IntN(30))})
		}
		for _, req := range []search.PresentRequest{
			{All: clauses(q.Phrases)},
			{All: clauses(q.Phrases), Order: search.Order{Sort: search.ByLast, Falling: true}, Skip: 3},
			{All: clauses(q.Phrases), Order: search.Order{Sort: search.ByFirst}, Whole: true},
			{All: clauses(q.Phrases), Anchors: true, Inlinks: true},
			{All: clauses(q.Phrases), Page: key},
			{All: []search.Clause{many}, None: clauses(q.Phrases)},
			{All: []search.Clause{many}, Bounds: search.Bounds{From: "org,host2", To: "org,host5"}},
		} {
			req.Limit = 30
			same(fmt.Sprint(req), func(x *search.Index) (any, error) { return x.Present(ctx, req) })
		}
	}
	same("terms", func(x *search.Index) (any, error) { return x.Terms(ctx, search.TermsRequest{Limit: 30}) })
	same("inlinks", func(x *search.Index) (any, error) { return x.Inlinks(ctx, keys) })
	for what, of := range map[string]func(x *search.Index) iter.Seq2[search.Term, error]{
		"vocabulary": func(x *search.Index) iter.Seq2[search.Term, error] { return x.Vocabulary(ctx, search.FieldText, "") },
		"near words": func(x *search.Index) iter.Seq2[search.Term, error] {
			return x.Similar(ctx, search.FieldText, "w1", 1, "")
		},
		"titles": func(x *search.Index) iter.Seq2[search.Term, error] { return x.Titles(ctx, "a title") },
	} {
		same(what, func(x *search.Index) (any, error) {
			var all []search.Term
			for term, err := range of(x) {
				if err != nil {
					return nil, err
				}
				all = append(all, term)
			}
			if len(all) == 0 {
				return nil, errors.New("nothing was compared")
			}
			return all, nil
		})
	}
}

// All pages of a host are in one shard, whatever its number.
func TestShardsHaveWholeHosts(t *testing.T) {
	t.Parallel()
	used := map[int]bool{}
	for host := range 200 {
		name := fmt.Sprintf("org,host%d", host)
		n := search.ShardOf(name+")/", 16)
		used[n] = true
		for _, path := range []string{")/a", ")/b?c=)", ")"} {
			if search.ShardOf(name+path, 16) != n {
				t.Errorf("%s%s is in another shard than the host", name, path)
			}
		}
	}
	if len(used) != 16 {
		t.Errorf("200 hosts are in %d shards of 16", len(used))
	}
	if n := search.ShardOf("org,host)/", 1); n != 0 {
		t.Errorf("of one shard: %d", n)
	}
}

// Who asks while a shard is replaced gets an answer of before, whole; then the old one is closed and may be removed.
func TestAShardIsReplacedUnderItsReaders(t *testing.T) {
	t.Parallel()
	const key = "org,example)/"
	n := search.ShardOf(key, 3)
	before := &fake{pages: map[string][]string{key: {"before", "then"}, "org,example)/b": {"before"}}}
	after := &fake{pages: map[string][]string{key: {"after"}}}
	x := openShards(t, 3)
	if got := present(t, x, "before"); len(got) != 0 {
		t.Errorf("before there is any shard: %q", got)
	}
	retired := make(chan string, 2)
	put(t, x, n, buildShard(t, before, n, 3), func() { retired <- "before" })
	seen := 0
	for term, err := range x.Vocabulary(t.Context(), search.FieldText, "") {
		if err != nil {
			t.Fatal(err)
		}
		if seen == 0 {
			put(t, x, n, buildShard(t, after, n, 3), func() { retired <- "after" })
			if got := present(t, x, "after"); len(got) != 1 {
				t.Errorf("who asks now finds %q", got)
			}
		}
		if seen++; term.Word == "after" {
			t.Error("who asked before sees what came later")
		}
		select {
		case which := <-retired:
			t.Errorf("%q is retired while it is read", which)
		default:
		}
	}
	if got := <-retired; got != "before" || seen != 2 {
		t.Errorf("%q is retired, %d words were seen", got, seen)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if len(retired) > 0 {
		t.Error("what is current at the end is retired")
	}
	if err := x.Put(n, buildShard(t, after, n, 3), nil); err == nil {
		t.Error("a closed index takes a shard")
	}
}

// What is in a folder's files is the index, in another folder too. What can't be opened leaves the shard of before.
func TestTheFilesOfAShard(t *testing.T) {
	t.Parallel()
	f := &fake{pages: map[string][]string{"org,example)/": {"one two", "one"}}}
	dir := t.TempDir()
	x, err := search.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 { // some segments are joined, so some files are not the index's any more
		f.pages[fmt.Sprintf("org,example)/%d", i)] = []string{fmt.Sprint("page ", i)}
		update(t, x, f)
	}
	state, pages, err := x.Settled()
	if err != nil || state == "" || pages != 6 {
		t.Errorf("settled in %q with %d pages, %v", state, pages, err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := search.Files(dir)
	if err != nil || len(files) < 3 {
		t.Fatalf("%q, %v", files, err)
	}
	copied := t.TempDir()
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		_ = os.MkdirAll(filepath.Dir(filepath.Join(copied, name)), 0o755)
		if err := os.WriteFile(filepath.Join(copied, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sharded := openShards(t, 1)
	put(t, sharded, 0, copied, nil)
	if got := found(t, sharded, search.Deleted, "two"); len(got) != 1 {
		t.Errorf("the copy has %q", got)
	}
	if err := sharded.Update(t.Context(), f, new(search.Progress), slog.New(slog.DiscardHandler)); err == nil {
		t.Error("shards are updated")
	}
	if _, err := search.Files(t.TempDir()); !errors.Is(err, search.ErrUnbuilt) {
		t.Errorf("files of nothing: %v", err)
	}
	if err := sharded.Put(0, filepath.Join(copied, "terms"), nil); err == nil {
		t.Error("another folder is taken for an index")
	}
	if got := found(t, sharded, search.Deleted, "two"); len(got) != 1 {
		t.Errorf("after what could not be opened: %q", got)
	}
}

// BenchmarkShards asks for a common and a rare word, in one folder and in shards.
func BenchmarkShards(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 1))
	f := &fake{pages: map[string][]string{}}
	for i := range 20_000 {
		var words strings.Builder
		for range 60 {
			fmt.Fprintf(&words, "w%d ", int(r.ExpFloat64()*2000))
		}
		f.pages[fmt.Sprintf("org,host%d)/%d", i%500, i)] = []string{words.String(), "common " + words.String()}
	}
	for _, of := range []int{1, 16} {
		x, err := search.OpenShards(of)
		if err != nil {
			b.Fatal(err)
		}
		defer x.Close()
		for n := range of {
			if err := x.Put(n, buildShard(b, f, n, of), nil); err != nil {
				b.Fatal(err)
			}
		}
		for _, w := range []string{"common", "w9000", "w10"} {
			b.Run(fmt.Sprintf("%d/%s", of, w), func(b *testing.B) {
				for b.Loop() {
					if _, err := x.Present(b.Context(), search.PresentRequest{All: clauses([]search.Phrase{{w}}), Limit: 10}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
