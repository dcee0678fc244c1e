package fetch

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/warc"
)

// asCaptured is what archives put before the names of captured fields, in their own answers.
const asCaptured = "X-Archive-Orig-"

// notCaptured are fields that an archive adds to a head which it otherwise gives as it was captured: of Memento, of preferences, and
// of its own connections.
func notCaptured(key string) bool {
	switch key {
	case "Memento-Datetime", "Content-Location", "Preference-Applied", "Accept-Datetime",
		"Alt-Svc", "Strict-Transport-Security", "X-Robots-Tag", "Server-Timing", "Nel", "Report-To":
		return true
	}
	return false
}

// ofTransfer are fields that say how a message came to the crawler.
func ofTransfer() []string { return []string{"Connection", "Keep-Alive", "Trailer"} }

// messageHead returns the head of a stored response: its status line and fields, each with its end of line, and the empty line.
func messageHead(status string, fields http.Header) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %s\r\n", status)
	for _, name := range sortedNames(fields) {
		for _, value := range fields[name] {
			fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		}
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// captured returns the captured fields of an answer, with the body that fits them.
//
// Archives tell these fields in three ways. Wayback and OpenWayback put "X-Archive-Orig-" before their names, and the others are their
// own, but for Content-Type and Location. varve does so with those that would act on it, and lists others that it passes on among those
// that scripts may read. pywb answers id_ with the captured fields as they are, and adds its own.
func captured(a *answer) (http.Header, io.Reader) {
	fields := marked(a.Header)
	body, length := a.body, a.ContentLength
	if len(fields) == 0 {
		fields = unmarked(a.Header)
	} else {
		body, length = coded(a, fields)
	}
	relocate(fields, a.Request.URL)
	fields.Del("Transfer-Encoding") // the body is stored without
	fields.Del("Content-Length")
	if length >= 0 {
		fields.Set("Content-Length", strconv.FormatInt(length, 10))
	}
	return fields, body
}

// coded returns the body of an answer in the coding that it was captured with, and its length or -1; fields gets to say it. The
// answer's own coding is that of the capture if the archive says so, or if it knew the length before, as of what is stored. Else it
// was put on by some server on the way.
func coded(a *answer, fields http.Header) (io.Reader, int64) {
	coding, then := a.Header.Get("Content-Encoding"), fields.Get("Content-Encoding")
	switch {
	case coding == then:
		return a.body, a.ContentLength
	case then == "" && a.ContentLength >= 0:
		fields.Set("Content-Encoding", coding)
		return a.body, a.ContentLength
	}
	fields.Del("Content-Encoding")
	plain, err := warc.Decode(coding, a.body)
	if coding == "" || err != nil {
		return a.body, a.ContentLength
	}
	return plain, -1
}

// marked returns the captured fields of an archive that marks them, with those that it gives without a mark.
func marked(head http.Header) http.Header {
	fields := http.Header{}
	for name, values := range head {
		if orig, ok := strings.CutPrefix(name, asCaptured); ok && orig != "" {
			fields[textproto.CanonicalMIMEHeaderKey(orig)] = slices.Clone(values)
		}
	}
	if len(fields) == 0 {
		return nil
	}
	for _, name := range []string{"Content-Type", "Location"} {
		if values := head.Values(name); len(values) > 0 && fields.Get(name) == "" {
			fields[name] = slices.Clone(values)
		}
	}
	for name := range strings.SplitSeq(strings.Join(head.Values("Access-Control-Expose-Headers"), ","), ",") {
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		if values := head.Values(name); len(values) > 0 && fields.Get(name) == "" && !notCaptured(name) && name != "Link" && name != "Vary" {
			fields[name] = slices.Clone(values)
		}
	}
	return fields
}

// unmarked returns the fields of a head in which captured ones stand among those of the archive.
func unmarked(head http.Header) http.Header {
	fields := http.Header{}
	for name, values := range head {
		ofMemento := name == "Link" && strings.Contains(strings.Join(values, ","), "original")
		if !notCaptured(name) && !ofMemento && !slices.Contains(ofTransfer(), name) {
			fields[name] = slices.Clone(values)
		}
	}
	return fields
}

// relocate makes a URI-R of where a captured redirect leads, if the archive wrote a URI-M.
func relocate(fields http.Header, at *url.URL) {
	to := fields.Get("Location")
	if to == "" {
		return
	}
	absolute := resolve(at, to)
	if m := replayed.FindStringSubmatch(absolute); m != nil && strings.HasPrefix(absolute, at.Scheme+"://"+at.Host+"/") {
		fields.Set("Location", urirOf(m[3]))
	}
}

// urirOf returns the URI-R at the end of a URI-M. Archives may leave out the scheme where it is http.
func urirOf(rest string) string {
	if strings.Contains(rest, "://") {
		return rest
	}
	return "http://" + rest
}
