package cdx

import (
	"strings"
)

// Key returns the SURT of a URI: the key its captures sort under.
func Key(uri string) string {
	rest := strings.ToLower(uri)
	if i := strings.Index(rest, "://"); i >= 0 {
		rest = rest[i+3:]
	}
	rest, _, _ = strings.Cut(rest, "#")
	n := strings.IndexAny(rest, "/?")
	if n < 0 {
		n = len(rest)
	}
	labels := strings.Split(strings.TrimPrefix(rest[:n], "www."), ".")
	var b strings.Builder
	for i := len(labels) - 1; i >= 0; i-- {
		b.WriteString(labels[i])
		if i > 0 {
			b.WriteByte(',')
		}
	}
	b.WriteByte(')')
	if n == len(rest) || rest[n] != '/' {
		b.WriteByte('/')
	}
	b.WriteString(rest[n:])
	return b.String()
}
