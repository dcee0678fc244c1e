package segment

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum/levenshtein"
	"github.com/google/go-cmp/cmp"
)

// A page is a document as the tests know it.
type page struct {
	id     string
	words  map[string]int
	column string // "" for none
}

// words is a field.
type words struct {
	document.Field
	of map[string]int
}

func (words) Name() string                        { return "words" }
func (words) Options() index.FieldIndexingOptions { return index.IndexField }
func (w words) Terms() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) { all(w.of, yield) }
}

func all(m map[string]int, yield func(string, int) bool) {
	for w, n := range m {
		if !yield(w, n) {
			return
		}
	}
}

// noted is a column.
type noted struct {
	document.Field
	text string
}

func (noted) Name() string                        { return "noted" }
func (noted) Options() index.FieldIndexingOptions { return index.DocValues }
func (noted) Value() []byte                       { return nil }
func (n noted) Column() []byte                    { return []byte(n.text) }
func (words) Value() []byte                       { return nil }

func config(t testing.TB) *Config {
	t.Helper()
	c, err := NewConfig(func(ctx context.Context, _ time.Duration) error { return ctx.Err() })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// built returns the content of pages.
func built(t testing.TB, with *Config, pages []page) *content {
	t.Helper()
	var docs []index.Document
	for _, p := range pages {
		d := document.NewDocument(p.id)
		d.AddField(words{of: p.words})
		if p.column != "" {
			d.AddField(noted{text: p.column})
		}
		docs = append(docs, d)
	}
	c, err := build(docs, with.codec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// somePages returns random pages, numbered from a number on. Some words are on most of them, most are on one.
func somePages(r *rand.Rand, from, n int) (out []page) {
	for i := range n {
		p := page{id: fmt.Sprintf("page%05d", from+i), words: map[string]int{}}
		for range r.IntN(40) {
			w := fmt.Sprintf("w%d", int(float64(r.IntN(3000))*r.Float64()*r.Float64()))
			p.words[w] = 1 + r.IntN(3)*r.IntN(200)
		}
		if r.IntN(10) > 0 {
			p.words["common"] = 1 + i%2
		}
		if r.IntN(5) > 0 {
			p.column = strings.Repeat(p.id+" says ", r.IntN(60))
		}
		out = append(out, p)
	}
	return out
}

// check compares a content with the pages it was made from.
func check(t *testing.T, s segment.Segment, pages []page) {
	t.Helper()
	slices.SortFunc(pages, func(a, b page) int { return strings.Compare(a.id, b.id) })
	if s.Count() != uint64(len(pages)) {
		t.Fatalf("%d documents, want %d", s.Count(), len(pages))
	}
	of := map[string]map[uint64]uint64{}
	for doc, p := range pages {
		for w, n := range p.words {
			if of[w] == nil {
				of[w] = map[uint64]uint64{}
			}
			of[w][uint64(doc)] = uint64(n)
		}
		if id, err := s.DocID(uint64(doc)); err != nil || string(id) != p.id {
			t.Fatalf("document %d is %q, %v; want %q", doc, id, err, p.id)
		}
		if got, err := s.DocNumbers([]string{p.id, p.id + "0", "absent"}); err != nil || got.GetCardinality() != 1 || !got.Contains(uint32(doc)) {
			t.Fatalf("%s is document %v, %v; want %d", p.id, got, err, doc)
		}
	}
	var state segment.DocVisitState
	for doc, p := range pages {
		got := ""
		var err error
		state, err = s.(segment.DocValueVisitable).VisitDocValues(uint64(doc), []string{"absent", "noted"}, func(_ string, b []byte) {
			got = string(b)
		}, state)
		if err != nil || got != p.column {
			t.Fatalf("the column of document %d: %.40q, %v; want %.40q", doc, got, err, p.column)
		}
	}
	checkBlocks(t, s, pages)
	dict, err := s.Dictionary("words")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{}
	for w := range of {
		want = append(want, w)
		checkList(t, dict, w, of[w], nil)
	}
	slices.Sort(want)
	if d := cmp.Diff(want, terms(t, dict, nil, nil, nil)); d != "" {
		t.Fatalf("terms (-want +got):\n%s", d)
	}
	except := roaring.BitmapOf(0, 3, 4, uint32(len(pages)/2))
	left := map[uint64]uint64{}
	for doc, n := range of["common"] {
		if !except.Contains(uint32(doc)) {
			left[doc] = n
		}
	}
	checkList(t, dict, "common", left, except)
	checkList(t, dict, "absent", nil, nil)
}

// checkBlocks compares the sizes of the blocks with the values, each of which has its length before it.
func checkBlocks(t *testing.T, s segment.Segment, pages []page) {
	t.Helper()
	want, got, blocks := int64(0), int64(0), 0
	for _, p := range pages {
		want += int64(len(appendText(nil, p.column)))
	}
	b, err := BlocksOf(s, "noted")
	if err != nil {
		t.Fatal(err)
	}
	for doc := range pages {
		size, again, err := b.Next(uint64(doc))
		if err != nil || again == (size > 0) {
			t.Fatalf("the block of document %d has %d bytes, again: %t, %v", doc, size, again, err)
		}
		got += size
		if !again {
			blocks++
		}
	}
	if got != want || int64(blocks) > want/columnBlock+int64(len(pages)) {
		t.Errorf("%d blocks have %d bytes, want %d", blocks, got, want)
	}
	if _, _, err := b.Next(uint64(len(pages))); len(pages) > 0 && blocks > 0 && err == nil {
		t.Error("a document that isn't there has a block")
	}
	absent, err := BlocksOf(s, "absent")
	if err != nil {
		t.Fatal(err)
	}
	if size, again, err := absent.Next(0); size > 0 || again || err != nil {
		t.Errorf("a column that isn't there has a block: %d, %t, %v", size, again, err)
	}
}

func terms(t *testing.T, d segment.TermDictionary, a segment.Automaton, from, to []byte) []string {
	t.Helper()
	out := []string{}
	it := d.AutomatonIterator(a, from, to)
	for {
		e, err := it.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return out
		}
		out = append(out, e.Term)
	}
}

// checkList compares the documents of a term, read one by one and with leaps.
func checkList(t *testing.T, d segment.TermDictionary, w string, want map[uint64]uint64, except *roaring.Bitmap) {
	t.Helper()
	l, err := d.PostingsList([]byte(w), except, nil)
	if err != nil {
		t.Fatal(err)
	}
	if l.Count() != uint64(len(want)) {
		t.Errorf("%s: %d documents, want %d", w, l.Count(), len(want))
	}
	if has, err := d.Contains([]byte(w)); err != nil || except == nil && has != (len(want) > 0) {
		t.Errorf("%s: contained %t, %v", w, has, err)
	}
	docs := []uint64{}
	for doc := range want {
		docs = append(docs, doc)
	}
	slices.Sort(docs)
	for _, leap := range []int{1, 2, 3, 50, 400} {
		it := l.Iterator(true, false, false, nil)
		for i := leap - 1; i < len(docs); i += leap {
			next := func() (segment.Posting, error) { return it.Advance(docs[i]) }
			if leap == 1 {
				next = it.Next
			}
			p, err := next()
			if err != nil || p == nil || p.Number() != docs[i] || p.Frequency() != want[docs[i]] {
				t.Fatalf("%s: document %d of %d by %d: %v, %v; want %d with %d", w, i, len(docs), leap, p, err, docs[i], want[docs[i]])
			}
		}
		if p, err := it.Advance(1 << 30); p != nil || err != nil {
			t.Errorf("%s: %v behind the last document, %v", w, p, err)
		}
	}
}

// opened writes a content to a file, and opens it.
func opened(t testing.TB, with *Config, c *content) *segmentInFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := (segmentInMemory{c}).Persist(path); err != nil {
		t.Fatal(err)
	}
	s, err := openFile(path, with.codec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestWhatIsBuiltIsRead(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	with := config(t)
	for _, n := range []int{1, 2, 17, 300, 1500} {
		pages := somePages(r, 0, n)
		c := built(t, with, pages)
		check(t, segmentInMemory{c}, slices.Clone(pages))
		check(t, opened(t, with, c), pages)
	}
}

// Files are merged with others, in memory and on disk, of which documents were removed, and what comes of that is merged again.
func TestWhatIsMergedIsRead(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	with := config(t)
	var all []page
	var merged segment.Segment = segmentInMemory{built(t, with, nil)}
	for round := range 6 {
		segments, drops := []segment.Segment{merged}, []*roaring.Bitmap{nil}
		lists := [][]page{all}
		for part := range 3 {
			pages := somePages(r, (round*3+part)*1000, 1+r.IntN(900))
			c := built(t, with, pages)
			segments, drops, lists = append(segments, opened(t, with, c)), append(drops, nil), append(lists, pages)
		}
		all = nil
		for i, pages := range lists {
			for doc, p := range pages {
				if round%2 == 1 && i%2 == 1 && r.IntN(20) == 0 || round == 4 && i == 0 && doc > 100 {
					if drops[i] == nil {
						drops[i] = roaring.New()
					}
					drops[i].Add(uint32(doc))
					continue
				}
				all = append(all, p)
			}
		}
		path := filepath.Join(t.TempDir(), "file")
		numbers, size, err := plugin{}.MergeUsing(segments, drops, path, nil, nil, map[string]any{Name: with})
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || uint64(info.Size()) != size {
			t.Errorf("%d bytes were written, the file has %v, %v", size, info, err)
		}
		next := uint64(0)
		for i := range numbers {
			for doc, to := range numbers[i] {
				if drops[i] != nil && drops[i].Contains(uint32(doc)) {
					if to != dropped {
						t.Fatalf("a removed document has number %d", to)
					}
				} else if to != next {
					t.Fatalf("document %d of segment %d has number %d, want %d", doc, i, to, next)
				} else {
					next++
				}
			}
		}
		s, err := plugin{}.OpenUsing(path, map[string]any{Name: with})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		check(t, s, all)
		if err := Verify(path); err != nil {
			t.Error(err)
		}
		merged = s
	}
}

func TestMergesStopAtOnce(t *testing.T) {
	with := config(t)
	stop := make(chan struct{})
	paused := false
	with.Pace = func(ctx context.Context, _ time.Duration) error {
		if !paused {
			paused = true
			close(stop)
		}
		<-ctx.Done() // which stop brings about
		return ctx.Err()
	}
	c := built(t, with, somePages(rand.New(rand.NewPCG(5, 6)), 0, 3000))
	path := filepath.Join(t.TempDir(), "file")
	_, _, err := merge([]*content{c, c}, with, nil, path, stop)
	if _, stat := os.Stat(path); err != segment.ErrClosed || !os.IsNotExist(stat) || !paused {
		t.Errorf("%v, the file: %v; want it closed and removed", err, stat)
	}
}

func TestTermsOfARange(t *testing.T) {
	pages := []page{{id: "a", words: map[string]int{}}}
	var want []string
	for i := range 1000 {
		w := fmt.Sprintf("%c%c%d", 'a'+i%7, 'a'+i%3, i)
		if i%10 == 0 {
			w = strings.Repeat(w, 20)
		}
		pages[0].words[w] = 1 + i%3
		want = append(want, w)
	}
	slices.Sort(want)
	dict, err := built(t, config(t), pages).Dictionary("words")
	if err != nil {
		t.Fatal(err)
	}
	within := func(from, to string) []string {
		out := []string{}
		for _, w := range want {
			if w >= from && (to == "" || w < to) {
				out = append(out, w)
			}
		}
		return out
	}
	for _, r := range [][2]string{{"", ""}, {"c", "d"}, {"ca", "cb"}, {"zz", ""}, {"", "a"}, {"b", "b"}, {want[16], want[48]}, {"b1", ""}} {
		var to []byte
		if r[1] != "" {
			to = []byte(r[1])
		}
		if d := cmp.Diff(within(r[0], r[1]), terms(t, dict, nil, []byte(r[0]), to)); d != "" {
			t.Errorf("%q (-want +got):\n%s", r, d)
		}
	}
	builder, err := levenshtein.NewLevenshteinAutomatonBuilder(2, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []string{"ab12", "ca5", "gg999", "a", "nothing"} {
		a, err := builder.BuildDfa(w, 2)
		if err != nil {
			t.Fatal(err)
		}
		near := []string{}
		for _, o := range want {
			if matches(a, o) {
				near = append(near, o)
			}
		}
		if d := cmp.Diff(near, terms(t, dict, a, nil, nil)); d != "" {
			t.Errorf("near %q (-want +got):\n%s", w, d)
		}
	}
}

func matches(a segment.Automaton, w string) bool {
	s := a.Start()
	for i := range len(w) {
		s = a.Accept(s, w[i])
	}
	return a.IsMatch(s)
}

func TestAChangedByteIsFound(t *testing.T) {
	file := bytes.Clone(built(t, config(t), somePages(rand.New(rand.NewPCG(9, 9)), 0, 50)).file)
	path := filepath.Join(t.TempDir(), "file")
	for at := 0; at < len(file); at += 97 {
		file[at] ^= 1
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Verify(path); err == nil {
			t.Errorf("byte %d was changed, and nobody noticed", at)
		}
		file[at] ^= 1
	}
}

// Whatever is in a file, reading it ends, without a panic.
func FuzzRead(f *testing.F) {
	with := config(f)
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 3, 200} {
		f.Add(built(f, with, somePages(r, 0, n)).file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		c, err := readContent(file, with.codec)
		if err != nil {
			return
		}
		except := roaring.BitmapOf(1)
		for _, name := range c.Fields() {
			d, err := c.Dictionary(name)
			if err != nil {
				t.Fatal(err)
			}
			it := d.AutomatonIterator(nil, []byte("c"), nil)
			for range 1000 {
				e, err := it.Next()
				if err != nil || e == nil {
					break
				}
				l, err := d.PostingsList([]byte(e.Term), except, nil)
				if err != nil {
					break
				}
				l.Count()
				p := l.Iterator(true, false, false, nil)
				for doc := uint64(0); ; doc += 200 {
					if at, err := p.Advance(doc); err != nil || at == nil {
						break
					} else if at.Number() >= c.Count() {
						t.Fatalf("document %d of %d", at.Number(), c.Count())
					}
				}
			}
		}
		columns, _ := c.VisitableDocValueFields()
		var state segment.DocVisitState
		for doc := range min(c.Count(), 300) {
			if id, err := c.DocID(doc); err == nil {
				_, _ = c.DocNumbers([]string{string(id)})
			}
			state, _ = c.VisitDocValues(doc, columns, func(string, []byte) {}, state)
		}
		for _, name := range columns {
			if b, err := BlocksOf(segmentInMemory{c}, name); err == nil {
				for doc := range min(c.Count(), 300) {
					_, _, _ = b.Next(doc)
				}
			}
		}
		_, _, _ = merge([]*content{c, c}, with, []*roaring.Bitmap{except, nil}, filepath.Join(t.TempDir(), "file"), nil)
	})
}

func TestADamagedFileIsRefused(t *testing.T) {
	with := config(t)
	file := built(t, with, somePages(rand.New(rand.NewPCG(9, 9)), 0, 50)).file
	path := filepath.Join(t.TempDir(), "file")
	for _, damaged := range [][]byte{nil, file[:len(file)-1], file[1:], bytes.Repeat([]byte{0xff}, 100), []byte(magic)} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Verify(path); err == nil {
			t.Errorf("a file of %d bytes passes for whole", len(damaged))
		}
		if s, err := openFile(path, with.codec); err == nil {
			t.Errorf("a file of %d bytes was opened: %v", len(damaged), s)
		}
	}
}

func TestNumbersOfTerms(t *testing.T) {
	var f fieldBuilder
	want := map[string]uint32{}
	r := rand.New(rand.NewPCG(5, 6))
	for doc := range uint32(50_000) {
		term := strconv.Itoa(r.IntN(20_000))
		if n, ok := want[term]; !ok {
			want[term] = uint32(len(want))
		} else if f.terms[n] != term {
			t.Fatalf("term %d is %q, want %q", n, f.terms[n], term)
		}
		f.add(term, posting{doc, 1})
	}
	sorted := f.sorted()
	if len(f.terms) != len(want) || len(sorted) != len(want) {
		t.Fatalf("%d terms, %d sorted, want %d", len(f.terms), len(sorted), len(want))
	}
	for i := range sorted[1:] {
		if f.terms[sorted[i]] >= f.terms[sorted[i+1]] {
			t.Fatalf("%q is before %q", f.terms[sorted[i]], f.terms[sorted[i+1]])
		}
	}
}

func TestSortedByMoreThanTheirBeginning(t *testing.T) {
	var f fieldBuilder
	want := []string{"", "\x00", "a", "a\x00", "abcdefgh", "abcdefgh\x00", "abcdefgha", "abcdefghb", "abcdefgi", "\xff"}
	for i := range want {
		f.add(want[(i*7)%len(want)], posting{0, 1})
	}
	for i, n := range f.sorted() {
		if f.terms[n] != want[i] {
			t.Errorf("term %d is %q, want %q", i, f.terms[n], want[i])
		}
	}
}

// Documents that follow one after the other with the same number are read back, one by one and from any document on.
func TestRunsOfDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	most := 0
	for try := range 300 {
		var want []posting
		for doc := uint32(r.IntN(2)); len(want) < 2 || r.IntN(200) > 0; {
			number := uint32(1 + r.IntN(3)*r.IntN(200))
			for range 1 + r.IntN(2)*r.IntN(400) {
				want = append(want, posting{doc, number})
				doc++
			}
			doc += uint32(r.IntN(2) * r.IntN(300))
		}
		f := &fieldWriter{}
		f.postings(want)
		most = max(most, len(want)/(len(f.heads)+len(f.list)))
		l := &list{entry: entry{count: uint64(len(want))}, data: slices.Concat(f.heads, f.list), documents: uint64(want[len(want)-1].doc) + 1}
		it := l.iterator()
		for i, p := range want {
			if !it.next() || it.now != (found{p.doc, uint64(p.number)}) {
				t.Fatalf("try %d: posting %d of %d is %v, want %v", try, i, len(want), it.now, p)
			}
		}
		if it.next() || it.rest.err() != nil || len(it.rest.Rest) > 0 {
			t.Fatalf("try %d: more than was written: %v", try, it.rest.err())
		}
		it = l.iterator()
		for i := 0; i < len(want); {
			from := want[i].doc + uint32(r.IntN(500))
			i += sort.Search(len(want)-i, func(n int) bool { return want[i+n].doc >= from })
			got, err := it.Advance(uint64(from))
			switch {
			case err != nil:
				t.Fatal(err)
			case i == len(want) != (got == nil), got != nil && (got.Number() != uint64(want[i].doc) || got.Frequency() != uint64(want[i].number)):
				t.Fatalf("try %d: from %d on: %v", try, from, got)
			}
			i++
		}
	}
	if most < 5 {
		t.Errorf("at best a byte holds %d documents", most)
	}
}

// bleve finds these by what they can do.
var (
	_ segment.DocValueVisitable = (*segmentInFile)(nil)
	_ segment.DocValueVisitable = segmentInMemory{}
)
