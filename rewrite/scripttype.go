package rewrite

import (
	"bytes"
	"strings"

	"github.com/varve-archive/varve/rewrite/mediatype"
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
	case s == "" || mediatype.IsJavaScript(s):
		return scriptClassic
	}
	return scriptData
}
