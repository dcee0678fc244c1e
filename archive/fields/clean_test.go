package fields

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What expressions of clean make of a text is bounded, whatever they replace by.
func TestCleanedTextsAreBounded(t *testing.T) {
	for _, tt := range []struct {
		text, clean string
		steps       int
	}{
		{strings.Repeat("a", 3000), "(?s)^(.*)$ => " + strings.Repeat("${1}", 40), 2},
		{strings.Repeat("a", 3000), "(?s)^(.*)$ => " + strings.Repeat("$0", 90), 2},
		{strings.Repeat("a", 256<<10), "(?s)^.*$ => " + strings.Repeat("$0", 90), 1},
		{strings.Repeat("a ", 256<<10), "b", 1},
	} {
		r, _, err := newReader(Field{Name: "f", CSS: "a", Clean: slices.Repeat([]string{tt.clean}, tt.steps)})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := r.cleaned(tt.text)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; len(got) > 256<<10 || took > 40<<20 {
			t.Errorf("%.30q: %d bytes, of %d MB", tt.clean, len(got), took>>20)
		}
	}
	if got := cut("aé", 2); got != "a" {
		t.Errorf("a part of a character is left: %q", got)
	}
}
