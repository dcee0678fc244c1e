// Package contenttype reads the Content-Type as browsers do.
package contenttype

import "strings"

// Media returns the type and subtype in a Content-Type, in lower case, however badly its parameters are written (MIME Sniffing
// §4.4): the mime package refuses a type for these. The type may be empty or malformed.
func Media(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.Trim(kind, " \t\r\n"))
}
