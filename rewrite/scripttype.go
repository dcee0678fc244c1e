package rewrite

import (
	"bytes"
	"strings"
)

type scriptKind uint8

const (
	scriptClassic scriptKind = iota
	scriptModule
	scriptImportMap
	scriptData // anything that a browser does not run
)

// scriptType says what kind of script the type and language attributes declare (HTML, "prepare the script element").
func scriptType(kind, language []byte) scriptKind {
	kind = bytes.ToLower(bytes.TrimSpace(kind))
	if i := bytes.IndexByte(kind, ';'); i >= 0 { // today's browsers do not run these, but old ones did
		kind = bytes.TrimSpace(kind[:i])
	}
	switch s := string(kind); {
	case s == "module":
		return scriptModule
	case s == "importmap":
		return scriptImportMap
	case s == "" && len(language) > 0:
		if l := strings.ToLower(string(language)); !strings.HasPrefix(l, "javascript") && l != "ecmascript" && l != "jscript" &&
			!strings.HasPrefix(l, "livescript") {
			return scriptData
		}
		return scriptClassic
	case s == "" || isJavaScriptType(s):
		return scriptClassic
	}
	return scriptData
}

// isJavaScriptType reports whether a lower-case media type is a JavaScript one (MIME Sniffing §4.6).
func isJavaScriptType(s string) bool {
	switch s {
	case "application/ecmascript", "application/javascript", "application/x-ecmascript", "application/x-javascript",
		"text/ecmascript", "text/javascript", "text/javascript1.0", "text/javascript1.1", "text/javascript1.2",
		"text/javascript1.3", "text/javascript1.4", "text/javascript1.5", "text/jscript", "text/livescript",
		"text/x-ecmascript", "text/x-javascript":
		return true
	}
	return false
}
