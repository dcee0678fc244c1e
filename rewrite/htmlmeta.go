package rewrite

import (
	"bytes"
	"strings"

	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/header"
	"github.com/varve-archive/varve/rewrite/uses"
)

// An htmlMeta rewrites meta elements and attributes with policies.
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
	switch string(bytes.ToLower(bytes.TrimSpace(edit.DecodeAttribute(equiv, 0, len(equiv)).Text))) {
	case "":
		h.metaContent(t, content)
	case "refresh":
		if h.o.Still {
			h.e.NeutraliseAnyway(content.at)
			return
		}
		edit.DecodeAttribute(h.src, content.val, content.end).Within(h.e, content.esc, func(text []byte) {
			if at, end := header.RefreshURL(text); at < end {
				h.e.Plainly(func() { h.e.Reference(at, end, text[at:end], h.at.base, h.o.Use, edit.Verbatim) })
			}
		})
	case "content-security-policy", "content-security-policy-report-only", "x-content-security-policy", "x-webkit-csp",
		"x-frame-options", "set-cookie", "origin-trial", "delegate-ch", "accept-ch", "pics-label":
		if h.o.inserts() { // the page's policy doesn't allow what is inserted, whatever else of the page stays
			h.e.NeutraliseAnyway(content.at)
		} else {
			h.e.Neutralise(content.at, edit.Verbatim)
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

// referrerPolicy handles a page's referrer policy. The archive finds leaked requests by their Referer, so a page with "no-referrer"
// gets "same-origin" and other policies are dropped. The proxy has no leaked requests, and the policy stays.
func (h htmlMeta) referrerPolicy(content *attr) {
	switch value := h.src[content.val:content.end]; {
	case h.o.Use == uses.BannerOnly:
	case bytes.EqualFold(value, []byte("no-referrer")), bytes.EqualFold(value, []byte("never")), bytes.EqualFold(value, []byte("same-origin")):
		h.e.ReplaceIfActive(content.val, content.end, "same-origin", content.esc)
	default:
		h.e.Neutralise(content.at, edit.Verbatim)
	}
}

// tellingPolicy handles an element's own referrer policy. A policy that sends the origin becomes "unsafe-url", because the origin
// in an archive is varve's; the client side reduces the result to what the policy allows.
func (h htmlMeta) tellingPolicy(a *attr) {
	switch strings.ToLower(string(h.src[a.val:a.end])) {
	case "origin", "strict-origin", "origin-when-cross-origin", "strict-origin-when-cross-origin", "no-referrer-when-downgrade":
		if h.o.Use != uses.BannerOnly {
			h.e.ReplaceIfActive(a.val, a.end, "unsafe-url", a.esc)
		}
	}
}
