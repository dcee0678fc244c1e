package respond

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
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

// Conditions applies the conditions of a request to an answer whose ETag and Last-Modified are in the header of w (RFC 9110 §13.2.2). If
// the client has the answer already, it sends 304 and returns true. The error is a failure with 412 if the client wants another answer or
// none. Conditions apply to methods that read, and to status 200 only (§13.2.1).
func Conditions(w http.ResponseWriter, r *http.Request, status int) (done bool, err error) {
	h := w.Header()
	if status != http.StatusOK || !Reads(r) {
		return false, nil
	}
	if isAnother(r, h) {
		return false, &Failure{Status: http.StatusPreconditionFailed, Say: "the answer is another one than the request names in its condition"}
	}
	tag := h.Get("ETag")
	same := func(one string) bool { return strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") } // §8.8.3.2, weak comparison
	if (tag == "" || !lists(r.Header.Values("If-None-Match"), same)) && !unmodified(r, h) {
		return false, nil
	}
	h.Del("Content-Length") // they describe a body that isn't sent; net/http removes the type
	h.Del("Content-Encoding")
	w.WriteHeader(http.StatusNotModified)
	return true, nil
}

// Unset makes the header of an answer that failed what it was before the answer was made. Vary stays: what has decided about the answer has
// decided about the failure too.
func Unset(h, before http.Header) {
	vary := h["Vary"]
	clear(h)
	maps.Copy(h, before)
	if vary != nil {
		h["Vary"] = vary
	}
}

// isAnother reports whether an answer isn't the one that the client names by If-Match, which takes strong tags only, or else was modified
// after its If-Unmodified-Since (RFC 9110 §13.1.1, §13.1.4). An answer without a tag or a date has nothing to compare.
func isAnother(r *http.Request, h http.Header) bool {
	if named := r.Header.Values("If-Match"); len(named) > 0 {
		tag := h.Get("ETag")
		return tag != "" && !lists(named, func(one string) bool { return one == tag && strings.HasPrefix(tag, `"`) })
	}
	had, err := http.ParseTime(r.Header.Get("If-Unmodified-Since"))
	if err != nil {
		return false
	}
	is, err := http.ParseTime(h.Get("Last-Modified"))
	return err == nil && is.After(had)
}

// unmodified reports whether If-Modified-Since applies and isn't before the answer's Last-Modified.
func unmodified(r *http.Request, h http.Header) bool {
	if r.Header.Get("If-None-Match") != "" { // it knows better (RFC 9110 §13.1.3)
		return false
	}
	if h.Get("Memento-Datetime") != "" && !strings.HasPrefix(h.Get("ETag"), `"`) { // a page is rewritten anew after it was modified
		return false
	}
	had, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	if err != nil {
		return false
	}
	is, err := http.ParseTime(h.Get("Last-Modified"))
	return err == nil && !is.After(had)
}

// lists reports whether one of the listed entity tags fits, or all do.
func lists(values []string, fits func(tag string) bool) bool {
	for _, v := range values {
		for one := range strings.SplitSeq(v, ",") { // no tag of this server has a comma
			if one = strings.TrimSpace(one); one == "*" || fits(one) {
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
