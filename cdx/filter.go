package cdx

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/cdx/surt"
)

// maxFilter bounds the length of a regular expression. Matching takes time proportional to it.
const maxFilter = 1000

// A filter keeps the captures that match it.
type filter struct {
	selfRedirect bool        // match redirects to the resource itself; of the other fields only not counts
	keys         []surt.Keys // unless nil: match what is in one of them; the other fields don't count

	field   field // unknown: the whole line
	not     bool
	equal   bool // compare with literal instead of matching re
	literal string
	re      *regexp.Regexp
}

// parseFilter reads [!]field:regex (the whole field must match), [!]=field:value (equality) and [!]~field:regex (the
// start must match). Without a field it matches the whole line of seven fields.
func parseFilter(s string) (filter, error) {
	var f filter
	expr, not := strings.CutPrefix(s, "!")
	f.not = not
	anchor := `\z`
	switch {
	case strings.HasPrefix(expr, "="):
		f.equal, expr = true, expr[1:]
	case strings.HasPrefix(expr, "~"):
		anchor, expr = "", expr[1:]
	}
	if name, value, found := strings.Cut(expr, ":"); found && isName(name) {
		var ok bool
		if f.field, ok = fieldNamed(name); !ok || counted(f.field) {
			return f, fmt.Errorf("filter %.100q: no such field; there are %s", s, fieldList())
		}
		expr = value
	}
	if len(expr) > maxFilter {
		return f, fmt.Errorf("filter: want at most %d bytes", maxFilter)
	}
	if f.equal {
		f.literal = expr
		return f, nil
	}
	plain, err := regexp.Compile(expr)
	if err != nil {
		return f, fmt.Errorf("filter %.100q: want [!]field:regex, [!]=field:value or [!]~field:regex: %s", s, reason(err))
	}
	if lit, whole := plain.LiteralPrefix(); whole && anchor != "" {
		f.equal, f.literal = true, lit
		return f, nil
	}
	f.re, err = regexp.Compile(`\A(?s:` + expr + `)` + anchor)
	return f, err
}

// reason says what is wrong with a regular expression without repeating it.
func reason(err error) string {
	if bad, ok := errors.AsType[*syntax.Error](err); ok {
		return bad.Code.String()
	}
	return "no regular expression"
}

func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == ""
}

// fieldNamed finds a field by any of its names or by its index, from 0, among the seven usual columns.
func fieldNamed(name string) (field, bool) {
	if f, ok := fieldNames[name]; ok {
		return f, true
	}
	if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(waybackColumns) {
		return waybackColumns[i].field, true
	}
	return fieldUnknown, false
}

// counted reports whether a field is known only after filters and collapses.
func counted(f field) bool {
	return f == fieldDupeCount || f == fieldSkipCount || f == fieldEndTimestamp
}

// keeps reports whether r passes. It overwrites scratch and returns it for reuse.
func (f *filter) keeps(r *row, scratch []byte) (bool, []byte) {
	scratch = scratch[:0]
	if f.selfRedirect {
		return r.redirectsToItself() != f.not, scratch
	}
	if f.keys != nil {
		return surt.InAny(f.keys, r.Key), scratch
	}
	if f.field == fieldUnknown {
		scratch = r.appendText(scratch, waybackColumns)
	} else if scratch = r.appendField(scratch, f.field); len(scratch) == 0 {
		scratch = append(scratch, '-')
	}
	matched := false
	if f.equal {
		matched = string(scratch) == f.literal
	} else {
		matched = f.re.Match(scratch)
	}
	return matched != f.not, scratch
}

// redirectsToItself reports whether a capture is a redirect to another spelling of its own URL.
func (r *row) redirectsToItself() bool {
	return r.Status/100 == 3 && r.Redirect != "" && surt.Of(r.Redirect) == r.Key
}

// A collapse makes one row of adjacent captures that have the same value.
type collapse struct {
	field  field
	prefix int   // how many bytes to compare; 0 for all
	and    field // compared too, as a whole; unknown for none
	toLast bool  // the last of them is the row instead of the first

	last []byte
	any  bool // last is set
}

// byTime is pywb's collapseTime: one row for adjacent captures with the same status and the same first digits of their
// time.
func byTime(s string) (collapse, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 14 {
		return collapse{}, fmt.Errorf("collapseTime %.40q: want a number of digits, 1 to 14", s)
	}
	return collapse{field: fieldTimestamp, prefix: n, and: fieldStatus}, nil
}

// parseCollapse reads field or field:N.
func parseCollapse(s string) (collapse, error) {
	name, prefix, cut := strings.Cut(s, ":")
	f, ok := fieldNamed(name)
	c := collapse{field: f}
	if !ok || counted(f) {
		return c, fmt.Errorf("collapse %.100q: want field or field:N; fields are %s", s, fieldList())
	}
	if cut {
		n, err := strconv.Atoi(prefix)
		if err != nil || n < 1 {
			return c, fmt.Errorf("collapse %.100q: want a number above 0 behind the colon", s)
		}
		c.prefix = n
	}
	return c, nil
}

// keeps reports whether r begins a new run.
func (c *collapse) keeps(r *row, scratch []byte) (bool, []byte) {
	scratch = r.appendField(scratch[:0], c.field)
	value := scratch
	if c.prefix > 0 && len(value) > c.prefix {
		value = value[:c.prefix]
	}
	if c.and != fieldUnknown {
		value = r.appendField(append(value, ' '), c.and)
		scratch = value
	}
	if c.any && bytes.Equal(value, c.last) {
		return false, scratch
	}
	c.last, c.any = append(c.last[:0], value...), true
	return true, scratch
}
