package history_test

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/cdx"
)

func words(blocks []string) (out []string) {
	for _, b := range blocks {
		tokenize.Terms(b, func(t tokenize.Term) bool {
			out = append(out, string(t.Norm))
			return true
		})
	}
	return out
}

func count(words, phrase []string) (n int) {
	for i := range words {
		if i+len(phrase) <= len(words) && slices.Equal(words[i:i+len(phrase)], phrase) {
			n++
		}
	}
	return n
}

// random returns versions over a vocabulary so small that phrases repeat and overlap.
func random(r *rand.Rand, versions int) [][]string {
	var out [][]string
	var blocks []string
	for range versions {
		blocks = slices.Clone(blocks)
		for range 1 + r.IntN(3) {
			var b []string
			for range r.IntN(9) {
				b = append(b, string(rune('a'+r.IntN(3))))
			}
			at := r.IntN(len(blocks) + 1)
			blocks = slices.Insert(blocks, at, strings.Join(b, " "))
		}
		for len(blocks) > 12 || len(blocks) > 0 && r.IntN(4) == 0 {
			at := r.IntN(len(blocks))
			blocks = slices.Delete(blocks, at, at+1)
		}
		out = append(out, blocks)
	}
	return out
}

// tables builds the history of a page and reads its parts back.
func tables(t testing.TB, s history.Sizes, l history.Limits, versions [][]string) (out []*history.Table, parts []history.Part) {
	t.Helper()
	b := history.NewBuilder(s, l)
	for i, blocks := range versions {
		if b.Full() {
			parts = append(parts, b.Take())
		}
		b.Add(history.Version{First: cdx.Timestamp(2000 + i), Last: cdx.Timestamp(2000 + i)}, history.Text{Blocks: blocks})
	}
	parts = append(parts, b.Take())
	for i := range parts {
		table, err := history.ParseTable(parts[i].Table)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(parts[i].Rows, table.Rows); d != "" {
			t.Errorf("rows (-packed +unpacked):\n%s", d)
		}
		out = append(out, table)
	}
	return out, parts
}

// However the texts are cut into passages and the versions into parts, phrases of any length must be counted exactly.
func TestCountsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	sizes := []history.Sizes{{1, 1, 1}, {1, 2, 3}, {2, 4, 8}, {3, 2, 5}, history.DefaultSizes}
	limits := []history.Limits{history.DefaultLimits, {Bytes: 60, Lists: 1000}, {Bytes: 1000, Lists: 10}, {}}
	compared, across := 0, 0
	for round := range 60 {
		versions := random(r, 1+r.IntN(12))
		s, l := sizes[round%len(sizes)], limits[r.IntN(len(limits))]
		all, _ := tables(t, s, l, versions)
		for range 60 {
			phrase := make([]string, 1+r.IntN(9))
			for i := range phrase {
				phrase[i] = string(rune('a' + r.IntN(3)))
			}
			needle := history.NewNeedle(phrase)
			var got []int
			for i, table := range all {
				counts := make([]int, len(table.Rows))
				table.Count(&needle, counts)
				if table.Rows[0].Carried != (i > 0) {
					t.Fatalf("part %d of %d: carried %v", i, len(all), table.Rows[0].Carried)
				}
				if i > 0 {
					if counts[0] != got[len(got)-1] {
						t.Errorf("%q: the last version of a part has it %d times, carried on %d times", phrase, got[len(got)-1], counts[0])
					}
					counts = counts[1:]
				}
				got = append(got, counts...)
			}
			var want []int
			for _, v := range versions {
				n := count(words(v), phrase)
				want = append(want, n)
				compared += n
				if len(phrase) > 1 {
					across += n
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%+v %+v: %q (-want +got):\n%s", s, l, phrase, d)
			}
		}
	}
	if compared < 10000 || across < 1000 {
		t.Errorf("only %d occurrences were compared, %d of them of phrases", compared, across)
	}
}

// What a step tells about words must be what counting in both versions tells.
func TestStepsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 2))
	b := history.NewBuilder(history.Sizes{Least: 2, Often: 2, Most: 6}, history.Limits{Bytes: 40, Lists: 1 << 20})
	b.Paired = func(w string) bool { return w < "c" }
	for range 50 {
		versions := random(r, 8)
		b.Reset()
		var rows []map[string]int // of the part: how often each word and each pair of words is in a version
		take := func() {
			p := b.Take()
			told, all := 0, map[string]bool{}
			for w := range chain(p.Words(), p.Pairs()) {
				if want := runOf(rows, w.Text); w.Run != want {
					t.Errorf("%s in %v: %+v, want %+v", w.Text, rows, w.Run, want)
				}
				told++
			}
			for _, counts := range rows {
				for w := range counts {
					all[w] = true
				}
			}
			if told != len(all) {
				t.Errorf("%d words and pairs are told of %d: %v", told, len(all), all)
			}
			for _, row := range p.Rows {
				if row.Lang != "en" {
					t.Errorf("a version is in %q", row.Lang)
				}
			}
			rows = rows[len(rows)-1:] // which the next part carries on
		}
		var before []string
		for _, v := range versions {
			if b.Full() {
				take()
			}
			got, want := map[string][2]int{}, map[string][2]int{}
			step := b.Add(history.Version{}, history.Text{Blocks: v, Lang: "?"})
			step.SetLang("en")
			step.Changed(func(w string, before, after int) { got[w] = [2]int{before, after} })
			after := words(v)
			for _, w := range []string{"a", "b", "c"} {
				x, y := count(before, []string{w}), count(after, []string{w})
				if x != y {
					want[w] = [2]int{x, y}
				}
			}
			counts := map[string]int{}
			for i, w := range after {
				counts[w]++
				if i > 0 && max(after[i-1], w) < "c" {
					counts[after[i-1]+" "+w]++
				}
			}
			rows = append(rows, counts)
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("from %q to %q (-want +got):\n%s", before, after, d)
			}
			if got := step.Newer(5); !slices.Equal(got, after[:min(5, len(after))]) {
				t.Errorf("first words %q of %q", got, after)
			}
			if got := step.Older(5); !slices.Equal(got, before[:min(5, len(before))]) {
				t.Errorf("first words %q of %q, the older", got, before)
			}
			before = after
		}
		take()
	}
}

func chain(sequences ...iter.Seq[history.Word]) iter.Seq[history.Word] {
	return func(yield func(history.Word) bool) {
		for _, s := range sequences {
			s(yield)
		}
	}
}

// runOf says by counting which rows have a word.
func runOf(rows []map[string]int, w string) (r history.Run) {
	r.Steady = true
	before := 0
	for i, row := range rows {
		n := row[w]
		switch {
		case n > 0 && r.To == 0:
			r.From = i
		case n > 0 && before == 0:
			r.Gaps, r.Steady = true, false
		case n > 0 && n != before:
			r.Steady = false
			r.Dwindled = r.Dwindled || n < before
		}
		if n > 0 {
			r.To = i + 1
		}
		before = n
	}
	return r
}

// Headings and furniture are those of the newest version that shows the page.
func TestKindsOfWords(t *testing.T) {
	b := history.NewBuilder(history.DefaultSizes, history.DefaultLimits)
	kinds := []history.Kind{history.Heading, history.Furniture, history.Body}
	b.Add(history.Version{}, history.Text{Blocks: []string{"old mill", "home mill", "mill"}, Kinds: kinds})
	b.Add(history.Version{}, history.Text{Blocks: []string{"new mill", "home home", "mill and home"}, Kinds: kinds})
	b.Add(history.Version{Missing: true}, history.Text{Blocks: []string{"mill", "home", "gone"}, Kinds: kinds})
	got := map[string][2]int{}
	p := b.Take()
	for w := range p.Words() {
		if w.Heading+w.Furniture > 0 {
			got[w.Text] = [2]int{w.Heading, w.Furniture}
		}
	}
	if d := cmp.Diff(map[string][2]int{"new": {1, 0}, "mill": {1, 0}, "home": {0, 2}}, got); d != "" {
		t.Errorf("in headings and in furniture (-want +got):\n%s", d)
	}
}

// A page that changes little must cost little more than its text.
func TestASmallEditCostsLittle(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 3))
	var blocks []string
	for range 200 {
		var b []string
		for range 5 + r.IntN(60) {
			b = append(b, strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(3))+string(rune('a'+r.IntN(26))))
		}
		blocks = append(blocks, strings.Join(b, " "))
	}
	versions := [][]string{blocks}
	for i := range 50 {
		blocks = slices.Insert(slices.Clone(blocks), i*3, "one more sentence at this place")
		versions = append(versions, blocks)
	}
	size := func(v [][]string) int {
		_, parts := tables(t, history.DefaultSizes, history.DefaultLimits, v)
		return len(parts[0].Table)
	}
	if one, all := size(versions[:1]), size(versions); all > 2*one {
		t.Errorf("a version takes %d bytes, 50 edits of a sentence more take %d", one, all)
	}
}

func TestLongWordsAreClipped(t *testing.T) {
	long := strings.Repeat("x", 120)
	if history.Clip(long) != long {
		t.Error("a word of the greatest length was clipped")
	}
	other := history.Clip(long + "y")
	if len(other) > 120 || other == history.Clip(long+"z") || !strings.HasPrefix(other, "xxx") {
		t.Errorf("a longer one became %q", other)
	}
	all, _ := tables(t, history.DefaultSizes, history.DefaultLimits, [][]string{{long + "y and " + long + "z"}})
	needle, counts := history.NewNeedle([]string{long + "y", "and"}), make([]int, 1)
	if all[0].Count(&needle, counts); counts[0] != 1 {
		t.Errorf("a phrase with a long word is counted %d times", counts[0])
	}
}

// Words that are counted at once occur as often as they do one by one.
func TestCountAnyIsTheSum(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 4))
	seen := 0
	for range 200 {
		b := history.NewBuilder(history.Sizes{Least: 1, Often: 2, Most: 4}, history.DefaultLimits)
		for i, v := range random(r, 6) {
			b.Add(history.Version{First: cdx.Timestamp(2000 + i), MIME: "text/html"}, history.Text{Blocks: v})
		}
		table, err := history.ParseTable(b.Take().Table)
		if err != nil {
			t.Fatal(err)
		}
		words := []string{"a", "c", "nowhere"}
		together, oneByOne := make([]int, len(table.Rows)), make([]int, len(table.Rows))
		for range 2 { // nothing stays behind
			table.CountAny(history.NewWords(words), together)
			for _, w := range words {
				needle := history.NewNeedle([]string{w})
				table.Count(&needle, oneByOne)
			}
		}
		if !slices.Equal(together, oneByOne) {
			t.Fatalf("together %d, one by one %d", together, oneByOne)
		}
		for _, n := range together {
			seen += n
		}
	}
	if seen == 0 {
		t.Error("the words are nowhere")
	}
}

// tryTable reads a table that may be damaged, and all that is in it.
func tryTable(raw []byte) error {
	table, err := history.ParseTable(bytes.Clone(raw))
	if err != nil {
		return err
	}
	for _, words := range [][]string{{"a"}, {"a", "b", "a"}} {
		needle := history.NewNeedle(words)
		table.Count(&needle, make([]int, len(table.Rows)))
	}
	table.CountAny(history.NewWords([]string{"a", "c"}), make([]int, len(table.Rows)))
	for i := range table.Rows {
		table.Text(i)
	}
	return nil
}

// Whatever is damaged in a table, it is refused, or can be read to its end.
func TestDamagedTables(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 5))
	for range 10 {
		_, parts := tables(t, history.Sizes{Least: 1, Often: 2, Most: 4}, history.DefaultLimits, random(r, 6))
		whole := parts[0].Table
		for at := range whole {
			most, many := binary.AppendUvarint(nil, math.MaxUint64), binary.AppendUvarint(nil, 1<<41)
			for _, b := range [][]byte{{}, {0}, {0xff}, {whole[at] + 1}, most, many} {
				_ = tryTable(slices.Concat(whole[:at], b, whole[at+1:]))
			}
			if err := tryTable(whole[:at]); err == nil && !bytes.HasSuffix(whole[:at], []byte(" \n")) {
				t.Errorf("%d bytes of %q are a table", at, whole)
			}
		}
	}
}

func FuzzTable(f *testing.F) {
	r := rand.New(rand.NewPCG(17, 4))
	for range 20 {
		b := history.NewBuilder(history.Sizes{Least: 1, Often: 2, Most: 4}, history.DefaultLimits)
		for i, v := range random(r, 4) {
			b.Add(history.Version{First: cdx.Timestamp(2000 + i), Title: "a b", MIME: "text/html"}, history.Text{Title: "a b", Blocks: v})
		}
		f.Add(b.Take().Table)
	}
	f.Fuzz(func(_ *testing.T, raw []byte) { _ = tryTable(raw) })
}
