package rewrite

import (
	"bytes"
	"testing"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"

	"github.com/varve-archive/varve/internal/testkit/corpora"
	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// windowUses counts for each name how many times the scanner found it to mean the window's.
func windowUses(script []byte, use uses.Use) (uses [len(windowNames)]int) {
	o := Options{JS: true, Use: use, Resolve: nothing}
	j := newJSScanner(&o, reference.New("http://example.com/", nil), use)
	src := append(bytes.Clone(script), 0)[:len(script)]
	var e edit.List
	j.scan(src, true, &e)
	for _, r := range j.names.refs {
		if j.windows(r.name, r.scope) && r.form != jsEvalEnd && r.form != jsGlobalVar {
			uses[r.name]++
		}
	}
	return uses
}

// parsedUses counts them by a syntax tree, if that can tell. ok is false if the script declares one for all scripts.
func parsedUses(script []byte) (uses [len(windowNames)]int, ok bool) {
	tree, err := js.Parse(parse.NewInputBytes(bytes.Clone(script)), js.Options{})
	if err != nil {
		return uses, false
	}
	for _, v := range tree.Scope.Declared {
		if windowName(v.Data) >= 0 {
			return uses, false
		}
	}
	for _, v := range tree.Scope.Undeclared {
		if i := windowName(v.Data); i >= 0 {
			uses[i] += int(v.Uses)
		}
	}
	return uses, true
}

// The scopes that the scanner finds in tokens must be those of a syntax tree.
func TestCorpusScriptsMeanWhatASyntaxTreeSays(t *testing.T) {
	corpora.SkipShort(t)
	scripts, count := 0, 0
	try := func(uri string, script []byte, use uses.Use) {
		want, ok := parsedUses(script)
		if !ok {
			return
		}
		scripts++
		got := windowUses(script, use)
		for i, name := range windowNames {
			count += want[i]
			if got[i] != want[i] {
				t.Errorf("%s: %s %d times, want %d (%d bytes)", uri, name, got[i], want[i], len(script))
			}
		}
	}
	corpusBodies(t, func(b body) {
		switch Sniff(b.contentType, useOf(b.contentType), b.data[:min(len(b.data), SniffLen)]) {
		case FormatJS:
			try(b.uri, b.data, uses.Script)
		case FormatHTML:
			inlineScripts(b.data, func(script []byte, use uses.Use) { try(b.uri, script, use) })
		}
	})
	t.Logf("%d scripts, %d uses", scripts, count)
	if count == 0 {
		t.Error("no use was found")
	}
}
