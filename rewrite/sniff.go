package rewrite

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/internal/contenttype"
	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/mediatype"
	"github.com/varve-archive/varve/rewrite/uses"
)

// A Format says which rewriter a body needs.
type Format uint8

// The formats. A body of FormatNone passes unchanged.
const (
	FormatNone Format = iota
	FormatHTML
	FormatCSS
	FormatJS
	FormatJSON
	FormatManifest
	FormatXML
	FormatHLS
	FormatDASH
)

// String returns the format's name, for logs and metrics.
func (f Format) String() string {
	return [...]string{"none", "html", "css", "js", "json", "manifest", "xml", "hls", "dash"}[f]
}

// Rewrite copies r to w through the format's rewriter.
func (f Format) Rewrite(w io.Writer, r io.Reader, o Options) error {
	switch f {
	case FormatHTML:
		return HTML(w, r, o)
	case FormatCSS:
		return CSS(w, r, o)
	case FormatJS:
		return JS(w, r, o)
	case FormatJSON:
		return JSON(w, r, o)
	case FormatManifest:
		return Manifest(w, r, o)
	case FormatXML:
		return XML(w, r, o)
	case FormatHLS:
		return HLS(w, r, o)
	case FormatDASH:
		return DASH(w, r, o)
	}
	_, err := io.Copy(w, r)
	return err
}

// SniffLen is how much of a body decides its format.
const SniffLen = 1024

// Sniff decides the format of a body as a browser that requested it for this use would (Fetch and MIME Sniffing
// standards). declared is the archived Content-Type, head the body's first [SniffLen] bytes. A script or style sheet is
// one whatever its type says, unless it is clearly a page; binary data is never text.
func Sniff(declared string, use uses.Use, head []byte) Format {
	switch use {
	case uses.Raw, uses.RawRedirect, uses.Fetch, uses.WebSocket, uses.BannerOnly, uses.Download:
		return FormatNone
	}
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(charset.BOM)), " \t\r\n\f")
	if bytes.HasPrefix(start, []byte("#EXTM3U")) {
		return FormatHLS
	}
	format, known := declaredFormat(declared)
	switch {
	case binary(head):
		return FormatNone
	case format == FormatHTML && use != uses.Link && looksLikeJSON(start):
		return FormatJSON
	case use == uses.Script || use == uses.Style || use.IsModule() || use.IsWorker():
		return askedFormat(declared, format, use, start)
	case format == FormatHTML && use != uses.Link && looksLikeData(start, len(head) < SniffLen):
		return FormatNone
	case format == FormatXML && looksLikeXHTML(start):
		return FormatHTML
	case (format == FormatXML || !known && (hasTag(start, "<?xml") || hasTag(start, "<MPD"))) && bytes.Contains(start, []byte("<MPD")):
		return FormatDASH // some servers know no type for it
	case known:
		return format
	}
	return sniffUnknown(declared, start)
}

// declaredFormat returns the format of a media type, and whether the type decides it. text/plain and
// application/octet-stream say too little.
func declaredFormat(contentType string) (f Format, known bool) {
	kind := contenttype.Media(contentType)
	switch kind {
	case "", "text/plain", "application/octet-stream", "binary/octet-stream", "unknown/unknown", "application/unknown", "*/*":
		return FormatNone, false
	case "text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml":
		return FormatHTML, true
	case "text/css":
		return FormatCSS, true
	case "text/json":
		return FormatJSON, true
	case "application/manifest+json":
		return FormatManifest, true
	case "application/dash+xml", "video/vnd.mpeg.dash.mpd":
		return FormatDASH, true
	case "text/xml", "application/xml", "text/xsl":
		return FormatXML, true
	case "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl":
		return FormatHLS, true
	}
	switch {
	case mediatype.IsJavaScript(kind):
		return FormatJS, true
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		return FormatJSON, true
	case strings.HasSuffix(kind, "+xml"):
		return FormatXML, true
	}
	return FormatNone, strings.Contains(kind, "/")
}

// askedFormat decides the format of a body that was requested as a script or a style sheet.
func askedFormat(declared string, format Format, use uses.Use, start []byte) Format {
	switch {
	case looksLikePage(start):
		return FormatHTML
	case format == FormatXML && bytes.HasPrefix(start, []byte("<")),
		format == FormatJSON && (use != uses.Script || looksLikeJSON(start) || looksLikeJSONP(start)):
		return format
	case neverScript(contenttype.Media(declared)):
		return FormatNone
	case use == uses.Style || use == uses.Module && format == FormatCSS: // import … with {type: 'css'}
		return FormatCSS
	}
	return FormatJS
}

// neverScript reports whether a media type is one of those whose bodies browsers don't run as classic scripts (Fetch, "should response to
// request be blocked due to its MIME type").
func neverScript(kind string) bool {
	top, _, _ := strings.Cut(kind, "/")
	return top == "image" || top == "audio" || top == "video" || kind == "text/csv"
}

// sniffUnknown decides if no type was declared (MIME Sniffing §7.1); text that is declared as such stays text.
func sniffUnknown(declared string, start []byte) Format {
	if declared != "" && !strings.Contains(declared, "unknown") && !strings.HasPrefix(declared, "*/") {
		return FormatNone
	}
	switch kind := http.DetectContentType(start); {
	case strings.HasPrefix(kind, "text/html"):
		return FormatHTML
	case strings.HasPrefix(kind, "text/xml"):
		return FormatXML
	}
	return FormatNone
}

// looksLikePage reports whether text begins as only pages do. "<!--" is no proof: a script may begin with it.
func looksLikePage(start []byte) bool {
	for bytes.HasPrefix(start, []byte("<!--")) {
		end := bytes.Index(start, []byte("-->"))
		if end < 0 {
			return false
		}
		start = bytes.TrimLeft(start[end+len("-->"):], " \t\r\n\f")
	}
	start = start[:min(len(start), len("<!doctype html"))]
	return bytes.EqualFold(start, []byte("<!doctype html")) || hasTag(start, "<html") || hasTag(start, "<head") || hasTag(start, "<body") ||
		hasTag(start, "<title")
}

func hasTag(start []byte, tag string) bool {
	return len(start) > len(tag) && bytes.EqualFold(start[:len(tag)], []byte(tag)) && !ascii.IsAlnum(start[len(tag)])
}

func looksLikeXHTML(start []byte) bool {
	return bytes.Contains(start, []byte("<html")) && bytes.Contains(start, []byte("http://www.w3.org/1999/xhtml"))
}

// looksLikeJSON reports whether text begins with an object that names a member, or with an array of values.
func looksLikeJSON(start []byte) bool {
	if len(start) < 2 {
		return false
	}
	next := bytes.TrimLeft(start[1:], " \t\r\n")
	if len(next) == 0 {
		return false
	}
	switch start[0] {
	case '{':
		return next[0] == '"' || next[0] == '}'
	case '[':
		return bytes.IndexByte([]byte(`{["]`), next[0]) >= 0
	}
	return false
}

// looksLikeData reports whether a body with the type of a page is data that a script asked for: JSON, also as the argument of a
// call or after a prefix that prevents other sites from running it, or a whole body without any markup.
func looksLikeData(start []byte, whole bool) bool {
	switch {
	case len(start) == 0:
		return false
	case bytes.IndexByte(start, '<') < 0:
		return whole || start[0] == '['
	case start[0] == '[' || start[0] == '"':
		return isJSON(start, whole)
	}
	for _, guard := range []string{")]}'", "for(;;);", "for (;;);", "while(1);", "while (1);"} {
		if data, ok := bytes.CutPrefix(start, []byte(guard)); ok {
			data = bytes.TrimLeft(data, ", \t\r\n")
			return len(data) > 0 && (data[0] == '{' || data[0] == '[') && isJSON(data, whole)
		}
	}
	return looksLikeJSONP(start)
}

// looksLikeJSONP reports whether text begins with a call that has JSON for an argument.
func looksLikeJSONP(start []byte) bool {
	at := (&jsScanner{src: start}).skipSpace(0)
	end := callbackEnd(start, at)
	argument, ok := bytes.CutPrefix(start[end:], []byte("("))
	return ok && end > at && looksLikeJSON(argument)
}

// isJSON reports whether text is JSON or, if not whole, the start of JSON.
func isJSON(start []byte, whole bool) bool {
	if whole {
		return json.Valid(start)
	}
	d := json.NewDecoder(bytes.NewReader(start))
	var v json.RawMessage
	return errors.Is(d.Decode(&v), io.ErrUnexpectedEOF)
}

// binary reports whether a body begins with the signature of an image, a video, a font or an archive file.
func binary(head []byte) bool {
	kind, _, _ := strings.Cut(http.DetectContentType(head), ";")
	switch kind {
	case "image/bmp", "audio/mpeg", "font/otf", "application/vnd.ms-fontobject": // of a few letters, with which a text may begin too
		return bytes.IndexByte(head, 0) >= 0
	}
	return !strings.HasPrefix(kind, "text/") && kind != "application/octet-stream" && kind != "application/postscript"
}
