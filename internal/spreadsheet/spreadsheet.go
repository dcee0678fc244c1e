// Package spreadsheet writes texts of strangers into tables that spreadsheets read.
package spreadsheet

import "strings"

// Cell puts an apostrophe before a text that a spreadsheet would take for a formula.
func Cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
