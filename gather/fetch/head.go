package fetch

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/memento"
)

// asCaptured is the prefix of captured header fields in the answers of archives.
const asCaptured = "X-Archive-Orig-"

// notCaptured reports whether an archive adds a field to a head that otherwise is as captured: fields of Memento, of preferences,
// and of its own connections.
func notCaptured(key string) bool {
	switch key {
	case "Memento-Datetime", "Content-Location", "Preference-Applied", "Accept-Datetime",
		"Alt-Svc", "Strict-Transport-Security", "X-Robots-Tag", "Server-Timing", "Nel", "Report-To":
		return true
	}
	return false
}

// ofTransfer returns the fields that concern the transfer to the crawler.
func ofTransfer() []string { return []string{"Connection", "Keep-Alive", "Trailer"} }

// messageHead returns the head of a stored response: status line, fields and the empty line.
func messageHead(status string, fields http.Header) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %s\r\n", status)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		for _, value := range fields[name] {
			fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		}
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// captured returns the captured fields of an answer, with the matching body.
//
// Archives mark these fields in three ways. Wayback and OpenWayback put "X-Archive-Orig-" before their names; unmarked fields are
// the archive's own, except for Content-Type and Location. varve does the same with fields that would affect it, and names those
// that it passes on in the list of fields that scripts may read. pywb answers id_ with the captured fields unchanged, and adds its
// own.
func captured(a *answer) (http.Header, io.Reader) {
	fields := marked(a.Header)
	body, length := a.body, a.ContentLength
	if len(fields) == 0 {
		fields = unmarked(a.Header)
	} else {
		body, length = coded(a, fields)
	}
	body = plainAfterAll(body, fields)
	relocate(fields, a.Request.URL)
	fields.Del("Transfer-Encoding") // the body is stored without
	fields.Del("Content-Length")
	if length >= 0 {
		fields.Set("Content-Length", strconv.FormatInt(length, 10))
	}
	return fields, body
}

// coded returns the body of an answer in the content coding of the capture, and its length or -1; it adjusts fields to it. The
// answer's coding is that of the capture if the archive says so, or if the answer has a length, as stored bodies have. Otherwise
// some server added it on the way.
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

// plainAfterAll removes a Content-Encoding of gzip from fields if the body, which it returns, isn't gzip: archives that decode a body may
// leave the field, and browsers can't read such an answer.
func plainAfterAll(body io.Reader, fields http.Header) io.Reader {
	if !strings.EqualFold(fields.Get("Content-Encoding"), "gzip") {
		return body
	}
	buffered := bufio.NewReader(body)
	if start, err := buffered.Peek(2); err == nil && string(start) != "\x1f\x8b" {
		fields.Del("Content-Encoding")
	}
	return buffered
}

// marked returns the captured fields from an archive that marks them, including those that it leaves unmarked.
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

// unmarked returns the captured fields in a head that mixes them with those of the archive.
func unmarked(head http.Header) http.Header {
	fields := http.Header{}
	for name, values := range head {
		if name == "Link" {
			values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return strings.Contains(v, "original") })
		}
		if len(values) > 0 && !notCaptured(name) && !slices.Contains(ofTransfer(), name) {
			fields[name] = slices.Clone(values)
		}
	}
	return fields
}

// relocate replaces the URI-M in a captured redirect by its URI-R.
func relocate(fields http.Header, at *url.URL) {
	to := fields.Get("Location")
	if to == "" {
		return
	}
	absolute := resolve(at, to)
	u, err := url.Parse(absolute)
	if m := uriMPattern.FindStringSubmatch(absolute); m != nil && err == nil && strings.EqualFold(u.Hostname(), at.Hostname()) &&
		portOf(u) == portOf(at) {
		fields.Set("Location", urirOf(m[3]))
	}
}

// portOf returns the port of an address, "" for those of http and https: an archive behind a proxy may confuse the two.
func portOf(u *url.URL) string {
	if p := u.Port(); p != "80" && p != "443" {
		return p
	}
	return ""
}

// urirOf returns the URI-R at the end of a URI-M. Archives may leave out "http://", collapse its slashes or encode them.
func urirOf(rest string) string {
	return cmp.Or(memento.ParseURIR(rest), "http://"+rest)
}
