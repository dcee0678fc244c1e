package rewrite

import (
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/varve-archive/varve/rewrite/uses"
)

// syntaxError returns another parser's error in a script, or "".
func syntaxError(script string, use uses.Use) string {
	_, problem := compiled(script, use, nil)
	return problem
}

// windowDefines makes the compiler replace the names of the window.
var windowDefines = func() map[string]string {
	defines := map[string]string{}
	for _, name := range windowNames[:nameEval] {
		defines[name] = namesObject + "." + name
	}
	return defines
}()

// throughValue matches how the compiler calls a property without a this, since the original name had none.
var throughValue = regexp.MustCompile(`\(0, (_varve_\.\w+)\)`)

// renamed matches names that the compiler gave to what a script declares, to avoid duplicates.
var renamed = regexp.MustCompile(`\b([a-z]+)\d+\b`)

// shorter writes {top: top} as {top} and removes the compiler's remarks.
var shorter = func() *strings.Replacer {
	pairs := []string{"/* @__PURE__ */ ", ""}
	for _, name := range append(windowNames[:], "x", "y") {
		pairs = append(pairs, " "+name+": "+name, " "+name)
	}
	return strings.NewReplacer(pairs...)
}()

// compiled returns a script as a compiler prints it.
func compiled(script string, use uses.Use, defines map[string]string) (code, problem string) {
	o := api.TransformOptions{Loader: api.LoaderJS, LogLevel: api.LogLevelSilent, Target: api.ESNext, Define: defines}
	if use.IsModule() {
		o.Format = api.FormatESModule
	}
	r := api.Transform(strings.ToValidUTF8(script, "?"), o) // it reads only UTF-8
	var b strings.Builder
	for _, e := range r.Errors {
		b.WriteString(e.Text)
		if e.Location != nil {
			b.WriteString(" in " + e.Location.LineText[:min(len(e.Location.LineText), 200)])
		}
		b.WriteByte('\n')
	}
	return shorter.Replace(renamed.ReplaceAllString(throughValue.ReplaceAllString(string(r.Code), "$1"), "$1")), b.String()
}
