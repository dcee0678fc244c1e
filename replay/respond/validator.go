package respond

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// How long a cache may use an answer without revalidation. The bytes of a memento never change. A rewritten answer also depends on other
// captures, so a browser revalidates it each time, which costs a 304, and a shared cache once a minute.
const (
	HoldBytes     = "public, max-age=3600"
	HoldRewritten = "public, max-age=0, s-maxage=60"
)

// StrongETag returns the entity tag of archived bytes: their payload digest and the coding in which they are sent, ""
// for none.
func StrongETag(c *cdx.Capture, coding string) string {
	tag := c.Digest
	if tag == "" || strings.ContainsFunc(tag, notInETag) {
		tag = hashed(fmt.Sprintf("%s %d", c.FileName, c.Offset))
	}
	if coding != "" {
		if strings.ContainsFunc(coding, notInETag) {
			coding = hashed(coding)
		}
		tag += "-" + coding
	}
	return `"` + tag + `"`
}

// notInETag reports whether an entity tag must not contain r (RFC 9110 §8.8.3). That includes the comma, at which
// careless clients split.
func notInETag(r rune) bool { return r <= ' ' || r >= 0x7f || r == '"' || r == ',' }

// WeakETag returns the entity tag of an answer that depends only on what.
func WeakETag(what string) string { return `W/"` + hashed(what) + `"` }

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.RawURLEncoding.EncodeToString(sum[:15])
}

// NotModified answers with 304 if the client has the current answer: by its ETag, which is in the header of w, or else by Last-Modified
// (RFC 9110 §13.1.2, §13.1.3, §13.2.1). It applies to status 200 only, and reports whether it answered.
func NotModified(w http.ResponseWriter, r *http.Request, status int) bool {
	h := w.Header()
	if status != http.StatusOK || !Reads(r) || !lists(r.Header.Values("If-None-Match"), h.Get("ETag")) && !unmodified(r, h) {
		return false
	}
	h.Del("Content-Length") // they describe a body that isn't sent; net/http removes the type
	h.Del("Content-Encoding")
	w.WriteHeader(http.StatusNotModified)
	return true
}

// unmodified reports whether If-Modified-Since applies and isn't before the answer's Last-Modified.
func unmodified(r *http.Request, h http.Header) bool {
	if r.Header.Get("If-None-Match") != "" { // it knows better (RFC 9110 §13.1.3)
		return false
	}
	if h.Get("Memento-Datetime") != "" && strings.HasPrefix(h.Get("ETag"), "W/") { // a page is rewritten anew after it was modified
		return false
	}
	had, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	if err != nil {
		return false
	}
	is, err := http.ParseTime(h.Get("Last-Modified"))
	return err == nil && !is.After(had)
}

// lists reports whether an entity tag is among those listed, by weak comparison (RFC 9110 §8.8.3.2).
func lists(values []string, tag string) bool {
	if tag == "" {
		return false
	}
	opaque := strings.TrimPrefix(tag, "W/")
	for _, v := range values {
		for one := range strings.SplitSeq(v, ",") { // no tag of this server has a comma
			if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == opaque {
				return true
			}
		}
	}
	return false
}

// mayRange reports whether a Range counts: without If-Range, or if that names what would be sent, by strong comparison
// (RFC 9110 §13.1.5). No answer that has ranges has a Last-Modified, so a date never matches.
func mayRange(r *http.Request, tag string) bool {
	asked := r.Header.Get("If-Range")
	return asked == "" || asked == tag && strings.HasPrefix(tag, `"`)
}
