package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// What wombat asks of a script that runs in a window: the names below stand for its proxies, which a block
// around the script declares; this, assignments to location, eval and postMessage go through its functions.
// The names are wombat's interface. Nothing in them has to be escaped in XHTML. The window is called window in them, for self is a favourite name for this.
const (
	wombatThis     = "_____WB$wombat$check$this$function_____"
	wombatLocation = "(window.__WB_check_loc?.(location,arguments)||{}).href="
	wombatLocMod   = "(window.__WB_check_loc?.(location,[])||{}).href=" // modules can't declare arguments
	// A direct call stays one, so that it keeps its scope: wombat only rewrites its text, the last argument.
	wombatEval = "eval(WB_wombat_runEval2(_______eval_arg=>_______eval_arg).eval(0,0,"
	wombatPost = "__WB_pmw(window)."
)

// proxied are the names that wombat has proxies for.
var proxied = [...]string{"window", "globalThis", "self", "document", "location", "top", "parent", "frames", "opener"}

// proxiedWindow is the index of window.
const proxiedWindow = 0

// windowAliases are those among them that mean the window itself.
var windowAliases = [...]string{"globalThis", "self", "window", "frames"}

// jsWrap gathers what decides about the block around a script.
type jsWrap struct {
	used     uint16 // names of proxied that the script uses, by index
	declared uint16 // names of proxied that it declares itself
	locals   bool   // it assigns to location, perhaps in an arrow function, which has no arguments
	prelude  int    // index of the edit at the beginning
	edits    []int  // edits needed only if there is a block
	exported []string
}

// only makes an edit that is dropped if the script gets no block.
func (w *jsWrap) only(e *edits, at, end int, text string) {
	w.edits = append(w.edits, len(e.list))
	e.replace(at, end, text, verbatim)
}

func proxiedIndex(name []byte) int {
	switch len(name) {
	case 3, 4, 6, 8, 10:
		return slices.Index(proxied[:], string(name))
	}
	return -1
}

// begin keeps a place for what is put before the script.
func (j *jsScanner) begin() {
	j.wrap.prelude = len(j.e.list)
	j.e.replace(0, 0, "", verbatim)
}

// finish fills it in.
func (j *jsScanner) finish() {
	prelude := j.prelude()
	if prelude == "" {
		for _, i := range j.wrap.edits {
			d := &j.e.list[i]
			d.end, d.textEnd = d.at, d.textAt
		}
		return
	}
	d := &j.e.list[j.wrap.prelude]
	d.textAt = len(j.e.arena)
	j.e.arena = append(j.e.arena, prelude...)
	d.textEnd = len(j.e.arena)
}

// prelude returns what is put before the script, on its first line so that line numbers stay. It is "" where
// the script needs nothing.
func (j *jsScanner) prelude() string {
	switch {
	case !j.o.JS:
		return ""
	case j.use.worker():
		return j.workerPrelude()
	}
	names := j.wrap.used &^ j.wrap.declared
	if names == 0 {
		return ""
	}
	window, names := j.wrap.alias(names)
	var list []string
	for i, name := range proxied {
		if names&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	if !j.use.module() {
		b.WriteByte('{')
		j.tail = "\n}"
		if j.inline == jsURL { // newlines are taken out of a URL
			j.tail = "}"
		}
		if j.wrap.locals && j.inline == jsElement {
			b.WriteString("let arguments;")
		}
	}
	b.WriteString("let[" + strings.Join(list, ",") + `]=["` + strings.Join(list, `","`) + `"].map(n=>` + window + "._wb_wombat?.local_init?.(n)||" + window + "[n]);")
	for _, name := range j.wrap.exported {
		b.WriteString(window + "." + name + "=" + name + ";")
	}
	return b.String()
}

// alias chooses the name by which the prelude itself means the window: one that it doesn't declare and the
// script doesn't either. If the script uses them all, the last keeps its own meaning.
func (w *jsWrap) alias(names uint16) (string, uint16) {
	for _, a := range windowAliases {
		if (names|w.declared)&(1<<proxiedIndex([]byte(a))) == 0 {
			return a, names
		}
	}
	last := windowAliases[len(windowAliases)-1]
	return last, names &^ (1 << proxiedIndex([]byte(last)))
}

// workerPrelude loads wombat's worker side (version 3.10.8 and its forerunners read different fields: all are given).
func (j *jsScanner) workerPrelude() string {
	if j.o.WorkerScript == "" {
		return ""
	}
	load := "importScripts(" + quoteJS(j.o.WorkerScript) + ");"
	if j.use == ModuleWorker {
		load = "import " + quoteJS(j.o.WorkerScript) + ";"
	}
	return load + "new WBWombat({prefix:" + quoteJS(j.o.WorkerPrefix+"/") + ",prefixMod:" + quoteJS(j.o.WorkerPrefix+"wkrf_/") +
		`,mod:"wkrf_",originalURL:` + quoteJS(j.base.href) + "});"
}

// windowToken takes a token that may touch what wombat stands in for.
func (j *jsScanner) windowToken(tt js.TokenType, data []byte, start, end int) {
	property := j.prev == js.DotToken || j.prev == js.OptChainToken
	switch {
	case tt == js.ThisToken:
		if !property {
			j.this(start, end)
		}
	case tt == js.ConstToken, tt == js.LetToken:
		if !property && len(j.stack) == 0 {
			j.declaration(start, end)
		}
	case tt == js.ClassToken:
		if !property {
			j.classWord(start, end)
		}
	case tt == js.FunctionToken:
		j.functionWord(end)
	case tt == js.IdentifierToken && property:
		if string(data) == "postMessage" {
			if c, _ := j.next(end); c == '(' {
				j.e.insert(start, wombatPost, verbatim)
				j.wrap.used |= 1 << proxiedWindow
			}
		}
	case tt == js.IdentifierToken && string(data) == "eval":
		j.eval(start, end)
	case tt == js.IdentifierToken:
		if i := proxiedIndex(data); i >= 0 {
			j.proxiedName(i, end)
		}
	}
}

// this takes this where it is a value or the object of a proxied property; this.x of other names is
// cheaper left alone.
func (j *jsScanner) this(start, end int) {
	c, _ := j.next(end)
	switch {
	case j.prev == js.NewToken, c == '(', c == '=' && j.inObject():
		return
	case c == ':' && j.inObject() && (j.prev == js.OpenBraceToken || j.prev == js.CommaToken):
		return
	case c == '.' || c == '?':
		if at := j.skipSpace(end); c == '.' || at+1 < len(j.src) && j.src[at+1] == '.' {
			name := j.word(j.skipSpace(end + bytes.IndexByte(j.src[end:], '.') + 1))
			if proxiedIndex(name) < 0 && string(name) != "postMessage" {
				return
			}
		}
	case c == '[':
		return
	}
	j.e.replace(start, end, wombatThis+"(this)", verbatim)
}

func (j *jsScanner) inObject() bool {
	if len(j.stack) == 0 {
		return false
	}
	k := j.stack[len(j.stack)-1].kind
	return k == jsObject || k == jsClassBody
}

// word returns the identifier at a place, in ASCII.
func (j *jsScanner) word(at int) []byte {
	end := at
	for end < len(j.src) && (isAlnum(j.src[end]) || j.src[end] == '_' || j.src[end] == '$') {
		end++
	}
	return j.src[at:end]
}

// declaration takes let or const at top level: in a block other scripts would not see what it declares.
func (j *jsScanner) declaration(start, end int) {
	if j.use.module() || j.inline != jsElement {
		return
	}
	at := j.skipSpace(end)
	if at == len(j.src) || at == end && isAlnum(j.src[at]) {
		return
	}
	c := j.src[at]
	if c == '[' || c == '{' || c == '_' || c == '$' || c == '\\' || c >= 0x80 || isAlnum(c) && !bytes.Equal(j.word(at), []byte("in")) && !bytes.Equal(j.word(at), []byte("instanceof")) {
		j.wrap.only(j.e, start, end, "var")
	}
}

// statement reports whether the next token begins a statement.
func (j *jsScanner) statement() bool {
	switch j.prev {
	case js.ErrorToken, js.SemicolonToken:
		return true
	case js.CloseBraceToken:
		return j.line || j.group.kind != jsObject
	}
	return j.line && (j.prev == js.CloseParenToken || j.prev == js.CloseBracketToken || j.prev == js.StringToken || js.IsNumeric(j.prev) || js.IsIdentifier(j.prev))
}

// classWord notes a class, and makes a variable of one declared at top level.
func (j *jsScanner) classWord(start, end int) {
	j.class = jsSomeClass
	if len(j.stack) > 0 || j.use.module() || j.inline != jsElement || !j.statement() {
		return
	}
	name := j.word(j.skipSpace(end))
	if len(name) == 0 || string(name) == "extends" {
		return
	}
	j.wrap.only(j.e, start, start, "var "+string(name)+"=")
	j.class = jsTopClass
}

// functionWord notes a top-level generator or async function: unlike plain functions (ECMA-262 Annex B.3.2)
// they don't leave a block by themselves. A plain one that has a proxied name replaces the proxy.
func (j *jsScanner) functionWord(end int) {
	at := j.skipSpace(end)
	generator := at < len(j.src) && j.src[at] == '*'
	if generator {
		at = j.skipSpace(at + 1)
	}
	name := j.word(at)
	if len(name) == 0 || j.functions > 0 {
		return
	}
	if i := proxiedIndex(name); i >= 0 {
		j.wrap.declared |= 1 << i
	}
	if len(j.stack) > 0 || j.use.module() || j.inline != jsElement {
		return
	}
	if j.prev == js.AsyncToken || generator && j.statement() {
		j.wrap.exported = append(j.wrap.exported, string(name))
	}
}

// eval takes a direct call, which keeps its scope through wombat, and eval as a value.
func (j *jsScanner) eval(start, end int) {
	c, _ := j.next(end)
	switch {
	case j.prev == js.FunctionToken || j.inObject() && (j.prev == js.OpenBraceToken || j.prev == js.CommaToken || j.prev == js.CloseBraceToken):
	case c == '(':
		j.e.replace(start, j.skipSpace(end)+1, wombatEval, verbatim)
		j.evalCall = true
	case j.prev == js.EqToken || j.prev == js.CommaToken && c == ')':
		if c != '.' && c != ':' {
			j.e.insert(start, "window.", verbatim)
		}
	}
}

// proxiedName takes a use or a declaration of one of the proxied names.
func (j *jsScanner) proxiedName(i, end int) {
	c, after := j.next(end)
	if j.inObject() && (c == ':' || c == '=' && after != '=' && j.startsMember()) { // a key, a class field, a pattern's default
		if c == '=' && j.stack[len(j.stack)-1].kind == jsObject {
			j.wrap.used |= 1 << i
		}
		return
	}
	declares := j.prev == js.VarToken || j.prev == js.LetToken || j.prev == js.ConstToken || j.prev == js.ClassToken || j.prev == js.ImportToken || j.prev == js.AsToken
	if j.functions == 0 && (declares || j.importing || j.prev == js.CommaToken && len(j.stack) == 0 && c == '=' && after != '=') {
		j.wrap.declared |= 1 << i
		return
	}
	j.wrap.used |= 1 << i
	if proxied[i] != "location" || c != '=' || after == '=' || after == '>' || declares || j.inParams() {
		return
	}
	check := wombatLocation
	if j.use.module() {
		check = wombatLocMod
	}
	j.e.insert(j.skipSpace(end)+1, check, verbatim)
	j.wrap.used |= 1 << proxiedWindow
	j.wrap.locals = true
}

// startsMember reports whether the next token begins a member of a class or of an object.
func (j *jsScanner) startsMember() bool {
	switch j.prev {
	case js.OpenBraceToken, js.CommaToken, js.SemicolonToken, js.CloseBraceToken, js.StaticToken:
		return true
	}
	return j.line && j.prev != js.EqToken && j.prev != js.ColonToken
}

// inParams reports whether the scan stands among the parameters of a function, where "=" is a default.
func (j *jsScanner) inParams() bool {
	return len(j.stack) > 0 && j.stack[len(j.stack)-1].kind == jsParams
}
