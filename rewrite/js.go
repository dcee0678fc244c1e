package rewrite

import (
	"bytes"
	"io"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"

	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// JS rewrites a script. Specifiers of import and export … from, and those of import() if they are literals, are made to point to
// URI-Ms. With Options.JS the rest is prepared for wombat, see [Options]. Options.Use says whether the script is a module or a
// worker. Strings that only look like URIs stay: the client side rewrites them when they are used. Once something can't be read as
// JavaScript, nothing after it is changed.
func JS(w io.Writer, r io.Reader, o Options) error {
	return charset.Transcode(w, r, o.Charset, func(w io.Writer, r io.Reader, c charset.Info) error {
		return rewrite(w, r, newJSScanner(&o, reference.New(o.Base, c.Encoding), o.Use), o, maxToken)
	})
}

// A jsScanner finds what to change in a script. It needs the whole script, because names declared at its end decide
// what those at its beginning mean. Beyond maxToken nothing is changed.
type jsScanner struct {
	o      *Options
	base   *reference.Base
	use    uses.Use
	inline jsInline
	ready  bool // an earlier script of the page has set up the client side

	text  []byte // the script
	src   []byte // the script with a letter for each character that the lexer misreads
	e     *edit.List
	stack []jsFrame // the script itself is the first
	group jsFrame   // the bracket that was closed last

	prev, prev2 js.TokenType // last significant tokens; names of properties and members count as identifiers
	line        bool         // a line has ended since prev
	operand     bool         // prev ended an operand: the next token can't begin one in the same statement
	starts      bool         // the next token begins a statement
	ended       bool         // a statement has ended, unless else or the like continues it
	doWhile     bool         // the next while belongs to a do
	conditional bool         // the last colon was that of a conditional
	importing   bool         // among the names of an import or export, before its specifier
	exports     bool         // it is an export
	evalCall    bool         // the next parenthesis belongs to a call of eval
	directives  jsDirectives // finds where the script's own statements begin
	alone       jsSpan       // the last name that isn't a property
	callback    jsSpan       // the name of a callback that was replaced
	fallback    int          // index of the edit that begins the script
	started     bool

	names jsNames
}

// A jsSpan is a part of a script.
type jsSpan struct{ start, end int }

// jsInline says what kind of place the script is in. In an event handler attribute or a javascript: URI, nothing that
// it declares is visible elsewhere.
type jsInline uint8

const (
	jsElement jsInline = iota
	jsHandler
	jsURL
	jsFrameURL // it runs in a frame that no script has seen
)

func newJSScanner(o *Options, b *reference.Base, use uses.Use) *jsScanner {
	return &jsScanner{o: o, base: b, use: use}
}

// window reports whether the script runs in a window for whose objects wombat stands in.
func (j *jsScanner) window() bool { return j.o.JS && !j.use.IsWorker() }

func (j *jsScanner) scan(src []byte, last bool, e *edit.List) int {
	if !j.started {
		j.started = true
		j.text, j.src, j.e = src, charset.Letters(src, j.base.Charset()), e
		j.fallback = e.Reserve(0, 0)
		if j.inline == jsElement && j.use == uses.Script {
			j.callback = renameArchivedCallback(src, j.o, e)
		}
		j.lex()
		jsReferrer{j}.finish()
		j.text, j.src = nil, nil
	}
	return len(src)
}

// lex handles every significant token.
func (j *jsScanner) lex() {
	in := parse.NewInputBytes(j.src)
	defer in.Restore()
	lex := js.NewLexer(in)
	if bytes.HasPrefix(j.src, []byte("#!")) { // a hashbang, which the lexer doesn't know
		n := bytes.IndexByte(j.src, '\n')
		if n < 0 {
			return
		}
		in.Move(n)
		in.Skip()
	}
	j.begin()
	for {
		tt, data := lex.Next()
		if (tt == js.DivToken || tt == js.DivEqToken) && !j.operand {
			tt, data = lex.RegExp()
		}
		switch tt {
		case js.ErrorToken:
			if !j.skipUnknown(in, data) {
				return
			}
			continue
		case js.WhitespaceToken, js.CommentToken:
			continue
		case js.LineTerminatorToken, js.CommentLineTerminatorToken:
			j.line = true
			continue
		}
		end := in.Offset()
		start := end - len(data)
		if start < j.callback.end {
			if start > j.callback.start {
				continue
			}
			tt, data = js.IdentifierToken, []byte("f") // whatever its name was
		}
		j.prev2, j.prev = j.prev, j.token(tt, data, start, end)
		j.line = false
	}
}

// skipUnknown skips what browsers know and the lexer doesn't: old octal numbers and decorators.
func (j *jsScanner) skipUnknown(in *parse.Input, data []byte) bool {
	switch {
	case string(data) == "0":
		for c := in.Peek(0); '0' <= c && c <= '9'; c = in.Peek(0) {
			in.Move(1)
		}
		in.Skip()
		j.prev2, j.prev, j.operand, j.starts, j.line = j.prev, js.DecimalToken, true, false, false
		return true
	case string(data) == "@":
		return true
	}
	return false
}

// imports handles the word import: the start of a declaration, of import() or of import.meta.
func (j *jsScanner) imports(start, end int) {
	at := j.skipSpace(end)
	if at >= len(j.src) || j.src[at] != '(' {
		j.importing, j.exports = at < len(j.src) && j.src[at] != '.', false
		j.metaURL(start, at)
		return
	}
	from := j.skipSpace(at + 1)
	if from < len(j.src) && (j.src[from] == '"' || j.src[from] == '\'') {
		if to := bytes.IndexByte(j.src[from+1:], j.src[from]); to >= 0 {
			next := j.skipSpace(from + to + 2)
			if next < len(j.src) && (j.src[next] == ')' || j.src[next] == ',') {
				j.specifier(from, from+to+2)
				return
			}
		}
	}
	if j.o.JS {
		j.e.Replace(start, at+1, "____wb_rewrite_import__("+quoteJS(j.base.Href())+",", edit.Verbatim)
	}
}

// metaURL replaces import.meta.url by the URI-R in it. For a module inside a document that is the document's URI-R at load time,
// even if the document has changed its address since. It replaces import.meta.resolve by a function that knows the URI-R. URIs that
// a module derives from either are rewritten when they are used.
func (j *jsScanner) metaURL(start, at int) {
	if !j.o.JS {
		return
	}
	meta, at := j.propertyAt(at)
	name, at := j.propertyAt(at)
	switch {
	case meta != "meta":
	case name == "url":
		j.e.Replace(start, at, `import.meta.url`+withoutArchive, edit.Verbatim)
	case name == "resolve":
		j.e.Replace(start, at, strings.Replace(metaResolve, "BASE", quoteJS(j.base.Href()), 1), edit.Verbatim)
	}
}

// withoutArchive turns a URI-M into its URI-R, and leaves other addresses alone.
const withoutArchive = `.replace(/^https?:[^?#]*?\/\d{14}\w*\/(?=https?:)/,"")`

// metaResolve resolves addresses against the URI-R. Bare names are left to the browser, which knows the rewritten import map. It
// begins with a name, so that no line joins the previous one.
const metaResolve = `Object(s=>/^(?:\.{0,2}\/|https?:)/.test(s)?new URL(s,BASE).href:` +
	`import.meta.resolve(s)` + withoutArchive + `)`

// propertyAt returns the name behind a dot and where it ends.
func (j *jsScanner) propertyAt(at int) (string, int) {
	if at = j.skipSpace(at); at >= len(j.src) || j.src[at] != '.' {
		return "", at
	}
	at = j.skipSpace(at + 1)
	name := j.word(at)
	return string(name), at + len(name)
}

// specifier rewrites a quoted module specifier that is a URL or a path; bare specifiers are names (HTML, "resolve a module specifier").
func (j *jsScanner) specifier(start, end int) {
	start, end = start+1, end-1
	if bytes.IndexByte(j.src[start:end], '\\') < 0 && urlLikeSpecifier(j.src[start:end]) {
		j.e.Reference(start, end, j.text[start:end], j.base, uses.Module, edit.InScript)
	}
}

func urlLikeSpecifier(s []byte) bool {
	for _, p := range [...]string{"/", "./", "../", "http://", "https://"} {
		if bytes.HasPrefix(s, []byte(p)) {
			return true
		}
	}
	return false
}

// skipSpace returns the offset of the next byte that is neither white space nor in a comment.
func (j *jsScanner) skipSpace(at int) int {
	for at < len(j.src) {
		rest := j.src[at:]
		switch {
		case rest[0] == ' ' || '\t' <= rest[0] && rest[0] <= '\r':
			at++
		case bytes.HasPrefix(rest, []byte("\u2028")) || bytes.HasPrefix(rest, []byte("\u2029")):
			at += len("\u2028")
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return len(j.src)
			}
			at += n + 4
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexAny(rest, "\n\r\u2028\u2029")
			if n < 0 {
				return len(j.src)
			}
			at += n
		default:
			return at
		}
	}
	return at
}

// next returns the next significant byte and the one after it; 0 means none.
func (j *jsScanner) next(end int) (c, after byte) {
	at := j.skipSpace(end)
	if at < len(j.src) {
		c = j.src[at]
	}
	if at+1 < len(j.src) {
		after = j.src[at+1]
	}
	return c, after
}

// quoteJS writes s as a string literal.
func quoteJS(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	b.Write(edit.InScript.AppendString(nil, s))
	b.WriteByte('"')
	return b.String()
}
