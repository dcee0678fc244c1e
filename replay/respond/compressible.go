package respond

import (
	"net/http"
	"strings"

	"github.com/varve-archive/varve/internal/contenttype"
)

// Compressible reports whether a media type is some kind of text, which compression makes several times smaller.
func Compressible(contentType string) bool {
	kind := contenttype.Media(contentType)
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") {
		return true
	}
	switch kind {
	case "application/json", "application/xml", "application/javascript", "application/x-javascript", "application/ecmascript",
		"application/x-ndjson", "application/link-format", "application/cdxj+ors", "application/openmetrics-text",
		"application/vnd.apple.mpegurl", "application/x-mpegurl", "application/wasm", "application/rtf", "application/x-sh",
		"image/bmp", "image/x-icon", "image/vnd.microsoft.icon", "font/ttf", "font/otf", "application/vnd.ms-fontobject":
		return true
	}
	return false
}

// SendAsIs prevents the compression of an answer, whatever its media type. It unwraps w until it finds the compressing writer.
func SendAsIs(w http.ResponseWriter) {
	for {
		switch writer := w.(type) {
		case interface{ SendAsIs() }:
			writer.SendAsIs()
			return
		case interface{ Unwrap() http.ResponseWriter }:
			w = writer.Unwrap()
		default:
			return
		}
	}
}
