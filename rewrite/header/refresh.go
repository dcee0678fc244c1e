package header

import (
	"bytes"

	"github.com/varve-archive/varve/rewrite/ascii"
)

// RefreshURL returns the place of the URL in the content of a refresh (HTML, "shared declarative refresh steps").
// Without one, at is not less than end.
func RefreshURL(s []byte) (at, end int) {
	i := skipSpaces(s, 0)
	for i < len(s) && ('0' <= s[i] && s[i] <= '9' || s[i] == '.') {
		i++
	}
	if i < len(s) && s[i] != ';' && s[i] != ',' && !ascii.IsSpace(s[i]) {
		return 0, 0
	}
	i = skipSpaces(s, i)
	if i < len(s) && (s[i] == ';' || s[i] == ',') {
		i++
	}
	i = skipSpaces(s, i)
	if len(s)-i >= 3 && bytes.EqualFold(s[i:i+3], []byte("url")) {
		if j := skipSpaces(s, i+3); j < len(s) && s[j] == '=' {
			i = skipSpaces(s, j+1)
		}
	}
	end = len(s)
	if i < end && (s[i] == '"' || s[i] == '\'') {
		if n := bytes.IndexByte(s[i+1:], s[i]); n >= 0 {
			end = i + 1 + n
		}
		i++
	}
	for end > i && ascii.IsSpace(s[end-1]) {
		end--
	}
	return i, end
}

func skipSpaces(s []byte, i int) int {
	for i < len(s) && ascii.IsSpace(s[i]) {
		i++
	}
	return i
}
