package surt

import (
	"slices"
	"strings"
)

// Parts of the names that servers use for the home page of a site.
var (
	homeNames   = []string{"index", "default", "home"}
	homeEndings = []string{"", "html", "htm", "xhtml", "php", "asp", "aspx", "jsp"}
)

// IsHome reports whether a URI-R is that of a host's home page: its root, or a page like index.html in it, without a query.
func IsHome(uriR string) bool { return IsHomeKey(Of(uriR)) }

// IsHomeKey is like [IsHome] for a key.
func IsHomeKey(key string) bool {
	_, path, ok := strings.Cut(key, ")/")
	if !ok || path == "" {
		return ok
	}
	name, ending, _ := strings.Cut(path, ".")
	return slices.Contains(homeNames, name) && slices.Contains(homeEndings, ending)
}
