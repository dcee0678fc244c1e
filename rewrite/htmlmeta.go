package rewrite

import (
	"bytes"
	"strings"

	"github.com/varve-archive/varve/rewrite/ascii"

	"github.com/varve-archive/varve/rewrite/uses"
)

// An htmlMeta rewrites meta elements and what else tells of policies.
type htmlMeta struct{ *htmlScanner }

// metaTag handles a meta element: a refresh, a policy that would affect varve's origin, or a URI.
func (h htmlMeta) metaTag(t *tag) {
	var content *attr
	for i := range t.attrs {
		if a := &t.attrs[i]; a.val >= 0 && string(a.name) == "content" && content == nil {
			content = a
		}
	}
	if content == nil {
		return
	}
	equiv := t.get("http-equiv")
	switch string(bytes.ToLower(bytes.TrimSpace(decodeAttr(equiv, 0, len(equiv)).text))) {
	case "":
		h.metaContent(t, content)
	case "refresh":
		if h.o.Still {
			h.e.silence(content.at)
			return
		}
		decodeAttr(h.src, content.val, content.end).within(h.e, content.esc, func(text []byte) {
			if at, end := refreshURL(text); at < end {
				h.e.reference(at, end, text[at:end], h.at.base, h.o.Use, verbatim)
			}
		})
	case "content-security-policy", "content-security-policy-report-only", "x-content-security-policy", "x-webkit-csp",
		"x-frame-options", "set-cookie", "origin-trial", "delegate-ch", "accept-ch", "pics-label":
		h.e.neutralise(content.at, verbatim)
		if h.o.inserts() { // the page's policy knows nothing of it, whatever else of the page stays
			h.e.list[len(h.e.list)-1].needsActive = false
		}
	}
}

// metaContent rewrites the content of a named meta element if it is an absolute URI.
func (h htmlMeta) metaContent(t *tag, content *attr) {
	name := t.get("property")
	if name == nil {
		name = t.get("name")
	}
	if strings.EqualFold(string(name), "referrer") {
		h.referrerPolicy(content)
		return
	}
	value := bytes.ToLower(bytes.TrimSpace(h.src[content.val:content.end]))
	if !bytes.HasPrefix(value, []byte("http://")) && !bytes.HasPrefix(value, []byte("https://")) && !bytes.HasPrefix(value, []byte("//")) ||
		bytes.ContainsAny(value, " \t\n") {
		return
	}
	use := uses.Link
	if name = bytes.ToLower(name); bytes.Contains(name, []byte("image")) || bytes.Contains(name, []byte("logo")) {
		use = uses.Image
	}
	h.uri(content, h.at.base, use)
}

// referrerPolicy handles what a page says about telling others its address. The archive finds leaked requests by their Referer, so that
// a page that tells nobody tells its own origin. Behind the proxy there is nothing to find.
func (h htmlMeta) referrerPolicy(content *attr) {
	switch value := h.src[content.val:content.end]; {
	case h.o.Use == uses.BannerOnly:
	case bytes.EqualFold(value, []byte("no-referrer")), bytes.EqualFold(value, []byte("never")), bytes.EqualFold(value, []byte("same-origin")):
		h.e.replaceIfActive(content.val, content.end, "same-origin", content.esc)
	default:
		h.e.neutralise(content.at, verbatim)
	}
}

// tellingPolicy handles an element's own policy. What tells the origin tells the whole address, because the origin is varve's; the
// client side leaves of it what the other page may know.
func (h htmlMeta) tellingPolicy(a *attr) {
	switch strings.ToLower(string(h.src[a.val:a.end])) {
	case "origin", "strict-origin", "origin-when-cross-origin", "strict-origin-when-cross-origin", "no-referrer-when-downgrade":
		if h.o.Use != uses.BannerOnly {
			h.e.replaceIfActive(a.val, a.end, "unsafe-url", a.esc)
		}
	}
}

// refreshURL returns the place of the URL in the content of a refresh (HTML, "shared declarative refresh steps").
// Without one, at is not less than end.
func refreshURL(s []byte) (at, end int) {
	i := skipSpaces(s, 0)
	for i < len(s) && ('0' <= s[i] && s[i] <= '9' || s[i] == '.') {
		i++
	}
	if i < len(s) && s[i] != ';' && s[i] != ',' && !ascii.IsSpace(s[i]) {
		return 0, 0
	}
	i = skipSpaces(s, i)
	if i < len(s) && (s[i] == ';' || s[i] == ',') {
		i++
	}
	i = skipSpaces(s, i)
	if len(s)-i >= 3 && bytes.EqualFold(s[i:i+3], []byte("url")) {
		if j := skipSpaces(s, i+3); j < len(s) && s[j] == '=' {
			i = skipSpaces(s, j+1)
		}
	}
	end = len(s)
	if i < end && (s[i] == '"' || s[i] == '\'') {
		if n := bytes.IndexByte(s[i+1:], s[i]); n >= 0 {
			end = i + 1 + n
		}
		i++
	}
	for end > i && ascii.IsSpace(s[end-1]) {
		end--
	}
	return i, end
}

func skipSpaces(s []byte, i int) int {
	for i < len(s) && ascii.IsSpace(s[i]) {
		i++
	}
	return i
}
