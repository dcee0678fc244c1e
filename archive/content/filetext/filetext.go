// Package filetext converts files of formats other than HTML to pages, so that their texts are searched and compared like those of pages.
//
// PDF files are not among them: they are read in a separate process (package pdf).
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package filetext

import (
	"github.com/varve-archive/varve/archive/content/data"
	"github.com/varve-archive/varve/archive/content/office"
	"github.com/varve-archive/varve/archive/content/syndication"
)

// Is reports whether a media type, in lower case and without parameters, is that of a file that [Page] reads.
func Is(mime string) bool { return office.Is(mime) || syndication.Is(mime) || data.Is(mime) }

// IsWhole reports whether text can only be read from such a file if it is complete.
func IsWhole(mime string) bool { return office.Is(mime) }

// Page converts a file to an HTML page in UTF-8. contentType is that of HTTP, mime the media type in it. XML and JSON that isn't a feed is
// read as data.
func Page(mime, contentType string, file []byte) ([]byte, error) {
	if office.Is(mime) {
		return office.PageOf(mime, file)
	}
	if syndication.Is(mime) {
		if page, err := syndication.Page(file, contentType); err == nil || !data.Is(mime) {
			return page, err
		}
	}
	return data.Page(mime, contentType, file)
}
