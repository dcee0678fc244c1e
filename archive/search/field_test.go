package search

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search/history"
)

// The number of an occurrence is one byte with the library's bit for what most words are, and says what it was made of.
func TestOccurrences(t *testing.T) {
	t.Parallel()
	in := func(from, to int) history.Run { return history.Run{From: from, To: to, Steady: true} }
	for _, test := range []struct {
		rows, most int
		run        history.Run
		want       occurrence
		known      bool
	}{
		{1, 1, in(0, 1), 1, true},
		{9, 1, in(0, 9), 1, true},
		{9, 1, history.Run{To: 9}, 2, true},
		{9, 1, history.Run{To: 9, Dwindled: true}, 3, true},
		{9, 1, history.Run{To: 9, Gaps: true}, 4, false},
		{9, 7, history.Run{To: 9, Dwindled: true}, 51, true},
		{9, 1, in(8, 9), 69, true},
		{9, 2, in(1, 8), 2189, true},
		{9, 2, history.Run{From: 1, To: 8, Dwindled: true}, 2191, true},
		{99, 1, in(15, 99), 125, false},
		{99, 1, in(0, 80), 1925, false},
		{1, 1 << 30, in(0, 1), 1<<23 - 6, false},
	} {
		o := newOccurrence(history.Word{Most: test.most, Run: test.run}, test.rows)
		if o != test.want {
			t.Errorf("%+v: %d, want %d", test, o, test.want)
		}
		run, most, known := o.run(test.rows)
		if known != test.known || known && (run != test.run || most != test.most) {
			t.Errorf("%+v: read as %+v, %d times, %v", test, run, most, known)
		}
		if got, want := o.changed(Deleted), test.run.Gaps || test.run.To < test.rows; got != want {
			t.Errorf("%+v: deleted %v", test, got)
		}
		if got, want := o.changed(SemiDeleted), test.run.Gaps || test.run.Dwindled; got != want || !o.changed(Added) {
			t.Errorf("%+v: semi-deleted %v", test, got)
		}
	}
}

// A title is found by its words and shown as it is written. A long one ends in front of a letter that would be cut.
func TestTitlesInTheIndex(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", maxName/2-1)
	for title, want := range map[string]string{
		"The River, 2nd": "the river 2nd" + nameMark + "The River, 2nd",
		"":               nameMark,
		long + "ä":       long + "ä" + nameMark + long + "ä",
		long + "xäb":     long + "x" + nameMark + long + "x",
		long + "äb":      long + "ä" + nameMark + long + "ä", // by one byte too long
	} {
		if got := nameTerm(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}
