// Package filetext converts files of formats other than HTML to pages, so that their texts are searched and compared like those of pages.
//
// PDF files are not among them: they are read in a separate process (package pdf).
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package filetext

import (
	"net/url"
	"path"
	"strings"

	"github.com/varve-archive/varve/archive/content/data"
	"github.com/varve-archive/varve/archive/content/office"
	"github.com/varve-archive/varve/archive/content/syndication"
)

// PDF is the media type of files that [TypeOf] knows and [Page] doesn't read.
const PDF = "application/pdf"

// TypeOf returns the media type by which the text of a file is read: the one that it was sent with, in lower case and without parameters,
// but where that only says that it is a file, the type for the end of its name in the URL.
func TypeOf(mime, address string) string {
	switch mime {
	case "application/x-pdf", "application/acrobat", "text/pdf":
		return PDF
	case "", "application/octet-stream", "binary/octet-stream", "application/x-octet-stream", "application/download",
		"application/x-download", "application/force-download", "application/x-force-download", "application/zip",
		"application/x-zip-compressed", "application/vnd.ms-excel", "application/vnd.ms-powerpoint":
	default:
		return mime
	}
	u, err := url.Parse(address)
	if err != nil {
		return mime
	}
	const openXML, openDocument = "application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument."
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".pdf":
		return PDF
	case ".docx", ".docm", ".dotx":
		return openXML + "wordprocessingml.document"
	case ".xlsx", ".xlsm", ".xltx":
		return openXML + "spreadsheetml.sheet"
	case ".pptx", ".pptm", ".ppsx", ".potx":
		return openXML + "presentationml.presentation"
	case ".odt", ".ott", ".sxw":
		return openDocument + "text"
	case ".ods", ".ots", ".sxc":
		return openDocument + "spreadsheet"
	case ".odp", ".otp", ".sxi":
		return openDocument + "presentation"
	case ".epub":
		return "application/epub+zip"
	case ".rtf":
		return "application/rtf"
	case ".doc":
		return "application/msword"
	case ".csv":
		return "text/csv"
	}
	return mime
}

// IsHTML reports whether a capture is an HTML page: one that is declared to be one or, if nothing is declared, was recognized as one and so
// has a text.
func IsHTML(mime, address string, hasText bool) bool {
	return strings.Contains(mime, "html") || mime == "" && hasText && TypeOf(mime, address) == ""
}

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
