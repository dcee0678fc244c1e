package rewrite

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/varve-archive/varve/rewrite/uses"
)

// grammar is enough of JavaScript to generate programs. N stands for a name, of the window or another; E for an
// expression, S for statements, P for a pattern, F for what is in a function, M for class members, K for members of an
// object.
var grammar = map[byte][]string{
	'N': {"location", "top", "self", "parent", "window", "document", "x", "y"},
	'E': {
		"N", "N", "N.N", "N?.N", "N[E]", "E + E", "(E)", "(E, E)", "x(E, N)", "new x.N(E)", "[E, N]", "[...N]", "({K})", "E ? E : E", "N = E",
		"N += E", "!N", "typeof N",
		"`a${E}b${N}`", "/N['\"/]/.test(E)", "E / E / 2", "N => E", "(N) => E", "(N, x = E) => {F}", "(P) => E", "async (P, ...N) => {F}",
		"async N => E", "function (N, P = E) {F}",
		"function N() {F}", "class {M}", "class N extends x {M}", "N\n.N", "E /* N */", "N ?? E", "E in N", "() => ({K})",
		"function* () { yield E }", "x`a${N}`", "N++", "'N'", "{}.N",
		"[P] = E", "({x: N} = E)", "({N = E} = E)", "super_(E)", "void E", "-N", "1 / E", "x?.[N]", "x?.(N)", "(N, E) ? N : (N)", "(x, (N))",
	},
	'S': {
		"(E);", "x(E)\n", "y = E;", "y = E\n", "if (E) S else S", "if (E) {S} else {S}", "for (let N of E) S", "for (const P of E) {S}",
		"for (let N = E; E; N++) {S}", "for (var N in E) S", "for (N of E) {}",
		"{S}", "{S S}", "{let N = E; S}", "{const P = E\n S}", "{class N {M} S}", "{function x(P) {F} S}", "function x(N, P) {F}",
		"try {S} catch (N) {S}", "try {S} catch (P) {S} finally {S}", "try {S} catch {S}",
		"switch (E) {case E: S break; default: {S}}", "N: for (;;) {S break N}", "while (E) S", "do S while (E)\n", ";", "// N\n", "throw E;",
		"S S", "for (let N in E) for (let N of E) S", "for (let N of E) if (N) S else S",
	},
	'F': {"", "return E", "var N = E; S", "'use strict'; S", "S", "let N, y = E\n S", "var P = E, N", "return N"},
	'P': {
		"{N}", "{x: N}", "{N = E}", "{x: N = E}", "{x: P}", "{[E]: N}", "{...N}", "[N]", "[N = E, , ...N]", "[P]", "{x, N: y}",
		"{x: [N], y: {N}}",
	},
	'K': {
		"", "N", "N: E", "N, x: N", "N() {F}", "get N() {F}", "async N() {F}", "*N(P) {F}", "[E]: N", "...N", "N: E, N", "'N': E",
		"async *N() {F}", "import(N) {F}, y: N",
	},
	'M': {
		"", "N = E; M", "N() {F} M", "static N = E\n M", "get N() {F} M", "async N(P) {F} M", "[E] = N; M", "static {S} M", "#N = E\n M",
		"N\n N;", "import() {F} static x(N) {F}", "constructor(N) {F}", "*N() {F}",
	},
}

// generate writes a program.
func generate(r *rand.Rand, kind byte, depth int, b *strings.Builder) {
	choices := grammar[kind]
	form := choices[r.IntN(len(choices))]
	if depth <= 0 {
		form = map[byte]string{'E': "N", 'S': "x(N);", 'F': "return N", 'P': "{N}"}[kind]
		if kind == 'N' {
			form = choices[r.IntN(len(choices))]
		}
	}
	for i := range len(form) {
		c := form[i]
		if _, ok := grammar[c]; ok {
			generate(r, c, depth-1, b)
		} else {
			b.WriteByte(c)
		}
	}
}

// TestMadeProgramsAreRewrittenAsByScopes generates programs. Those that are valid it also rewrites with a compiler,
// which replaces free names by their scopes. Printed the same way, the two results must be equal.
func TestMadeProgramsAreRewrittenAsByScopes(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 3))
	programs, changed := 0, 0
	for i := range 6000 {
		var b strings.Builder
		generate(r, 'S', 6, &b)
		in, use := b.String()+"\nexport {}", uses.Module
		if i%2 == 0 { // outside functions, names in a script mean the window's in other ways
			in, use = "(function () {"+b.String()+"\n})()", uses.Script
		}
		want, problem := compiled(in, use, windowDefines)
		if problem != "" {
			continue
		}
		programs++
		out := strings.Replace(run(t, JS, in, Options{JS: true, Use: use}), namesFallback, "", 1)
		got, problem := compiled(out, use, nil)
		if problem != "" {
			t.Fatalf("no longer parses: %s\n%s\n%s", problem, in, out)
		}
		if got != want {
			t.Fatalf("rewritten\n%s\nis\n%s\nmeans\n%s\nwant\n%s", in, out, got, want)
		}
		if out != in {
			changed++
		}
	}
	t.Logf("%d programs, %d changed", programs, changed)
	if changed == 0 {
		t.Error("no program was changed")
	}
}

// FuzzScriptsStayScripts checks that what another parser accepts as a script, it still accepts after preparation for
// the client side.
func FuzzScriptsStayScripts(f *testing.F) {
	seeds(f)
	r := rand.New(rand.NewPCG(16, 1))
	for range 50 {
		var b strings.Builder
		generate(r, 'S', 4, &b)
		f.Add([]byte(b.String()))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if !utf8.Valid(in) || bytes.ContainsAny(in, "@\x00") {
			return
		}
		for _, use := range []uses.Use{uses.Script, uses.Module} {
			if syntaxError(string(in), use) != "" {
				continue
			}
			out := apply(t, FormatJS, in, Options{Resolve: nothing, JS: true, Use: use})
			if problem := syntaxError(string(out), use); problem != "" {
				t.Errorf("%q became %q: %s", in, out, problem)
			}
		}
	})
}
