// Package spreadsheet makes untrusted texts safe for tables that are opened in spreadsheets.
package spreadsheet

import "strings"

// formula are the characters with which a formula begins, some in their full width too, and the white space that spreadsheets skip
// before one.
const formula = "=+-@\t\r\n＝＋－＠"

// Cell puts an apostrophe before a text that a spreadsheet would take for a formula.
func Cell(s string) string {
	if strings.IndexAny(s, formula) == 0 {
		return "'" + s
	}
	return s
}
