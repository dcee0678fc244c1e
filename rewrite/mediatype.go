package rewrite

import (
	"net/http"
	"strings"
)

// Browsers handle some media types before a document and its policy exist: they ask for the certificate and the fallback
// address of a signed exchange, replace a document by the parts of multipart/x-mixed-replace, hand calendars, playlists and
// program descriptions to other programs. Nobody can list what else they will handle in years to come, so only types that
// are known to be shown or kept as they are pass.

// contain makes a browser save a body whose type isn't known to be safe, without processing it. The archived type is shown.
// Feeds become XML, as which every browser shows them.
func contain(h http.Header) {
	declared := h.Values("Content-Type")
	switch {
	case feed(declared):
		_, params, _ := strings.Cut(declared[0], ";")
		replace(h, "Content-Type", "application/xml")
		if params != "" {
			h.Set("Content-Type", "application/xml;"+params)
		}
	case !safe(declared):
		replace(h, "Content-Type", "application/octet-stream")
		replace(h, "Content-Disposition", "attachment")
	}
}

// replace sets a header and shows what was archived under that name.
func replace(h http.Header, name, value string) {
	if archived := h.Values(name); len(archived) > 0 {
		h[OriginalPrefix+name] = append([]string(nil), archived...)
	}
	h.Set(name, value)
}

func feed(declared []string) bool {
	if len(declared) != 1 || strings.Contains(declared[0], ",") {
		return false
	}
	switch essence(declared[0]) {
	case "application/rss+xml", "application/atom+xml", "application/rdf+xml":
		return true
	}
	return false
}

// safe reports whether each type that a browser might read from the fields of a Content-Type is known to be safe. A browser
// ignores what has no slash, and guesses if nothing else is there; it doesn't guess a type that it handles by itself.
func safe(declared []string) bool {
	for _, value := range declared {
		for part := range strings.SplitSeq(value, ",") {
			if kind := essence(part); strings.Contains(kind, "/") && !safeType(kind) {
				return false
			}
		}
	}
	return true
}

// essence returns the type and subtype of one media type, as leniently as browsers do.
func essence(value string) string {
	value = strings.Trim(value, " \t\r\n")
	if end := strings.IndexAny(value, " \t;("); end >= 0 {
		value = value[:end]
	}
	return strings.ToLower(value)
}

// safeTypes are the names of the subtypes that pass, by type.
var safeTypes = map[string]string{
	"text": " html plain css xml csv tab-separated-values markdown x-markdown json vtt event-stream x-json x-component" +
		" x-handlebars x-template x-jquery-tmpl x-asciidoc fragment+html vnd.turbo-stream.html x-server-parsed-html unknown ",
	"image": " gif jpeg jpg pjpeg png x-png apng webp avif avif-sequence heic heif jxl svg+xml svg bmp x-bmp x-ms-bmp x-windows-bmp" +
		" tiff x-icon vnd.microsoft.icon ico icon x-xbitmap * ",
	"audio": " mpeg mp3 mpeg3 x-mp3 x-mpeg mp4 x-m4a m4a aac x-aac aacp ogg opus webm wav wave x-wav vnd.wave x-pn-wav flac x-flac" +
		" basic midi mpegurl x-mpegurl ",
	"video": " mp4 x-m4v mpeg ogg webm quicktime 3gpp 3gpp2 mp2t x-matroska x-flv x-msvideo iso.segment ",
	"font":  " ttf otf sfnt collection woff woff2 eot opentype truetype ",
	"application": " json ld+json xml xhtml+xml vnd.wap.xhtml+xml mathml+xml xslt+xml dash+xml ttml+xml smil+xml javascript" +
		" x-javascript ecmascript x-ecmascript pdf octet-stream wasm ogg mp4 x-mpegurl vnd.apple.mpegurl x-ndjson ndjson" +
		" font-woff font-woff2 font-sfnt font-ttf font-otf x-font-woff x-font-woff2 x-font-ttf x-font-truetype x-font-otf" +
		" x-font-opentype x-font vnd.ms-fontobject vnd.ms-opentype zip gzip x-gzip x-www-form-urlencoded protobuf x-protobuf" +
		" x-google-protobuf grpc-web grpc-web+proto grpc-web-text msgpack x-msgpack cbor vnd.mapbox-vector-tile unknown ",
	"binary": " octet-stream ", "unknown": " unknown ", "*": " * ",
}

func safeType(kind string) bool {
	top, sub, _ := strings.Cut(kind, "/")
	return isJavaScriptType(kind) || top == "application" && strings.HasSuffix(sub, "+json") ||
		sub != "" && strings.Contains(safeTypes[top], " "+sub+" ")
}
