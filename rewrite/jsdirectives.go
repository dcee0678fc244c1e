package rewrite

import (
	"bytes"

	"github.com/tdewolff/parse/v2/js"
)

// jsDirectives finds the end of a script's directives ("use strict"). Nothing may be inserted before it.
type jsDirectives struct {
	open   bool // nothing else has come yet
	string bool // there was a string that may or may not be a directive
	strict bool // it is "use strict"
	from   int  // where it begins
	at     int  // where the script's own statements begin; -1 if not yet known
}

func (d *jsDirectives) token(j *jsScanner, tt js.TokenType, data []byte, start int) {
	if d.string {
		d.string = false
		if tt == js.SemicolonToken || tt == js.CloseBraceToken || j.starts {
			j.top().strict = j.top().strict || d.strict
		} else if len(j.stack) == 1 && d.open {
			d.open, d.at = false, d.from
		}
		if tt == js.SemicolonToken {
			return
		}
	}
	if tt == js.StringToken && j.directivePlace() {
		d.string, d.from = true, start
		d.strict = bytes.Equal(data[1:len(data)-1], []byte("use strict"))
		return
	}
	if d.open && len(j.stack) == 1 {
		d.open, d.at = false, start
	}
}

// directivePlace reports whether the scan is at the start of a script or a function.
func (j *jsScanner) directivePlace() bool {
	if len(j.stack) == 1 {
		return j.directives.open
	}
	return j.top().kind == jsFunction && j.prev == js.OpenBraceToken
}
