package header

import (
	"net/http"
	"strings"

	"github.com/varve-archive/varve/rewrite/mediatype"
)

// contain makes a browser save a body, without processing it, unless its type is known to be safe. The archived type is shown.
// Feeds get an XML type, with which every browser displays them.
func contain(h http.Header) {
	declared := h.Values("Content-Type")
	switch {
	case mediatype.IsFeed(declared):
		_, params, _ := strings.Cut(declared[0], ";")
		replace(h, "Content-Type", "application/xml")
		if params != "" {
			h.Set("Content-Type", "application/xml;"+params)
		}
	case !mediatype.AreSafe(declared):
		replace(h, "Content-Type", "application/octet-stream")
		replace(h, "Content-Disposition", "attachment")
	}
}

// replace sets a header and shows the archived value under OriginalPrefix.
func replace(h http.Header, name, value string) {
	h[OriginalPrefix+name] = h.Values(name)
	h.Set(name, value)
}
