package mediatype

import (
	"strings"
)

// IsFeed reports whether a Content-Type says that a body is a feed.
func IsFeed(declared []string) bool {
	if len(declared) != 1 || strings.Contains(declared[0], ",") {
		return false
	}
	switch essence(declared[0]) {
	case "application/rss+xml", "application/atom+xml", "application/rdf+xml":
		return true
	}
	return false
}

// AreSafe reports whether all types that a browser might read from the Content-Type fields are known to be safe. A browser ignores
// values without a slash, and sniffs the body if there is no other; sniffing never yields a type that it hands to another program.
func AreSafe(declared []string) bool {
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

// safeSubtypes returns the allowed subtypes of a type, each between spaces.
func safeSubtypes(top string) string {
	switch top {
	case "text":
		return " html plain css xml xsl csv tab-separated-values markdown x-markdown json vtt event-stream x-json x-component" +
			" x-handlebars x-template x-jquery-tmpl x-asciidoc fragment+html vnd.turbo-stream.html x-server-parsed-html unknown "
	case "image":
		return " gif jpeg jpg pjpeg png x-png apng webp avif avif-sequence heic heif jxl svg+xml svg bmp x-bmp x-ms-bmp x-windows-bmp" +
			" tiff x-icon vnd.microsoft.icon ico icon x-xbitmap * "
	case "audio":
		return " mpeg mp3 mpeg3 x-mp3 x-mpeg mp4 x-m4a m4a aac x-aac aacp ogg opus webm wav wave x-wav vnd.wave x-pn-wav flac x-flac" +
			" basic midi mpegurl x-mpegurl "
	case "video":
		return " mp4 x-m4v mpeg ogg webm quicktime 3gpp 3gpp2 mp2t x-matroska x-flv x-msvideo iso.segment "
	case "font":
		return " ttf otf sfnt collection woff woff2 eot opentype truetype "
	case "application":
		return " json ld+json xml xhtml+xml vnd.wap.xhtml+xml mathml+xml xslt+xml dash+xml ttml+xml smil+xml javascript" +
			" x-javascript ecmascript x-ecmascript pdf octet-stream wasm ogg mp4 x-mpegurl vnd.apple.mpegurl x-ndjson ndjson" +
			" font-woff font-woff2 font-sfnt font-ttf font-otf x-font-woff x-font-woff2 x-font-ttf x-font-truetype x-font-otf" +
			" x-font-opentype x-font vnd.ms-fontobject vnd.ms-opentype zip gzip x-gzip x-www-form-urlencoded protobuf x-protobuf" +
			" x-google-protobuf grpc-web grpc-web+proto grpc-web-text msgpack x-msgpack cbor vnd.mapbox-vector-tile unknown "
	case "binary":
		return " octet-stream "
	case "unknown":
		return " unknown "
	case "*":
		return " * "
	}
	return ""
}

func safeType(kind string) bool {
	top, sub, _ := strings.Cut(kind, "/")
	return IsJavaScript(kind) || top == "application" && strings.HasSuffix(sub, "+json") ||
		sub != "" && strings.Contains(safeSubtypes(top), " "+sub+" ")
}

// IsJavaScript reports whether a lower-case media type is a JavaScript one (MIME Sniffing §4.6).
func IsJavaScript(s string) bool {
	switch s {
	case "application/ecmascript", "application/javascript", "application/x-ecmascript", "application/x-javascript",
		"text/ecmascript", "text/javascript", "text/javascript1.0", "text/javascript1.1", "text/javascript1.2",
		"text/javascript1.3", "text/javascript1.4", "text/javascript1.5", "text/jscript", "text/livescript",
		"text/x-ecmascript", "text/x-javascript":
		return true
	}
	return false
}
