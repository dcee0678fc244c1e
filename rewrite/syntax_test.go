package rewrite

import (
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// syntaxError returns what another parser has to say against a script, "" if it is one.
func syntaxError(script string, use Use) string {
	script = strings.ToValidUTF8(script, "?") // that parser reads nothing else
	o := api.TransformOptions{Loader: api.LoaderJS, LogLevel: api.LogLevelSilent, Target: api.ESNext}
	if use.module() {
		o.Format = api.FormatESModule
	}
	r := api.Transform(script, o)
	var b strings.Builder
	for _, e := range r.Errors {
		b.WriteString(e.Text)
		if e.Location != nil {
			b.WriteString(" in " + e.Location.LineText[:min(len(e.Location.LineText), 200)])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
