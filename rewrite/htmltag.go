package rewrite

import (
	"bytes"
	"strings"

	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// rewriteTag handles the attributes of one start tag in order.
func (h *htmlScanner) rewriteTag(t *tag) {
	b := h.at.base
	switch string(t.name) {
	case "base":
		h.baseTag(t)
		return
	case "meta":
		htmlMeta{h}.metaTag(t)
		return
	case "iframe":
		if h.o.Still { // the first attribute of a name counts
			h.e.Insert(t.start+len("<iframe"), " sandbox", edit.Verbatim)
		}
	case "applet", "object":
		if codebase := t.get("codebase"); codebase != nil {
			b = b.Join(edit.DecodeAttribute(codebase, 0, len(codebase)).Text)
		}
	}
	for i := range t.attrs {
		switch a := &t.attrs[i]; {
		case h.o.Still && string(a.name) == "autoplay":
			h.e.NeutraliseAnyway(a.at)
		case string(a.name) == "crossorigin":
			if !t.isAheadOfCORS() {
				h.e.Neutralise(a.at, edit.Verbatim)
			}
		case a.val >= 0:
			h.e.Embedded = h.at.hidden == 0 && t.embeds(a)
			h.rewriteAttr(t, a, b)
			h.e.Embedded = false
		}
	}
}

// rewriteAttr handles one attribute with a value.
func (h *htmlScanner) rewriteAttr(t *tag, a *attr, b *reference.Base) {
	switch name := string(a.name); name {
	case "href", "xlink:href":
		h.uri(a, b, t.hrefUse())
	case "src":
		h.uri(a, b, t.srcUse())
	case "srcset", "imagesrcset":
		h.srcset(a, b)
	case "style", "fill", "stroke", "filter", "mask", "clip-path", "cursor", "marker-start", "marker-mid", "marker-end":
		styleAttr(h.src, a, b, name == "style", h.e)
	case "action":
		if string(t.name) == "form" {
			h.uri(a, b, uses.Link)
		}
	case "cite", "longdesc", "usemap", "formaction", "pluginspage", "pluginurl", "profile":
		h.uri(a, b, uses.Link)
	case "codebase":
		h.uri(a, h.at.base, uses.Object)
	case "background", "poster", "lowsrc", "icon":
		h.uri(a, b, uses.Image)
	case "dynsrc", "classid", "manifest":
		h.uri(a, b, uses.Object)
	case "data":
		if string(t.name) == "object" {
			h.uri(a, b, embeddedUse(t.get("type")))
		}
	case "archive":
		uriList(h.src, a, b, uses.Object, h.e)
	case "ping", "attributionsrc":
		uriList(h.src, a, b, uses.Link, h.e)
	case "value":
		h.paramValue(t, a, b)
	case "srcdoc":
		if string(t.name) == "iframe" {
			h.srcdoc(a)
		}
	case "integrity", "nonce":
		h.e.Neutralise(a.at, edit.Verbatim)
	case "referrerpolicy":
		htmlMeta{h}.tellingPolicy(a)
	default:
		if h.o.JS && len(name) > 2 && name[:2] == "on" && ascii.IsAlnum(name[2]) {
			h.handler(a)
		}
	}
}

// isAheadOfCORS reports whether a link loads ahead what style sheets and scripts ask for with CORS. They would ask again if the link
// lost its crossorigin attribute, as all other elements do, since an archive need not allow what the site did.
func (t *tag) isAheadOfCORS() bool {
	as := strings.ToLower(string(t.get("as")))
	return string(t.name) == "link" && (as == "font" || as == "fetch")
}

// embeds reports whether a browser loads the target of an attribute in order to show the document.
func (t *tag) embeds(a *attr) bool {
	switch name := string(t.name); string(a.name) {
	case "src":
		return name != "source" && name != "track" && t.get("srcset") == nil
	case "href":
		return name == "link" && t.linkUse() == uses.Style && !bytes.Contains(bytes.ToLower(t.get("rel")), []byte("alternate"))
	case "poster", "background":
		return true
	case "data":
		return name == "object"
	}
	return false
}

// uri handles an attribute whose value is a URI. Browsers drop control characters at its ends except NUL, which HTML replaces by
// U+FFFD.
func (h *htmlScanner) uri(a *attr, b *reference.Base, use uses.Use) {
	at, end := a.val, a.end
	for at < end && h.src[at] <= ' ' && h.src[at] != 0 {
		at++
	}
	for end > at && h.src[end-1] <= ' ' && h.src[end-1] != 0 {
		end--
	}
	if at == end || h.src[at] == '#' {
		return
	}
	if h.o.JS && h.scriptURL(at, end, use, a.esc) {
		return
	}
	if (use == uses.Style || use == uses.Script || use == uses.Module) && isData(h.src[at:end]) {
		h.data(at, end, a.esc, use)
		return
	}
	h.e.Attribute(h.src, at, end, b, use, a.esc)
}

// data handles a style sheet or a script in an attribute.
func (h *htmlScanner) data(at, end int, esc edit.Escape, use uses.Use) {
	edit.DecodeAttribute(h.src, at, end).Within(h.e, esc, func(text []byte) {
		h.e.Plainly(func() {
			if use == uses.Style {
				dataSheet(text, h.e)
			} else {
				h.dataScript(text, use)
			}
		})
	})
}

// paramValue handles the value of a param element if its name or the value itself indicates a URI.
func (h *htmlScanner) paramValue(t *tag, a *attr, b *reference.Base) {
	if string(t.name) != "param" {
		return
	}
	value := bytes.ToLower(bytes.TrimSpace(h.src[a.val:a.end]))
	switch string(bytes.ToLower(t.get("name"))) {
	case "movie", "src", "data", "url", "href", "filename":
	case "base", "codebase": // the plug-in reads it to resolve its own URIs
	default:
		if !bytes.HasPrefix(value, []byte("http://")) && !bytes.HasPrefix(value, []byte("https://")) {
			return
		}
	}
	h.e.Plainly(func() { h.uri(a, b, uses.Object) })
}

// uriList handles an attribute whose value is a list of URIs, separated by spaces or commas.
func uriList(src []byte, a *attr, b *reference.Base, use uses.Use, e *edit.List) {
	edit.DecodeAttribute(src, a.val, a.end).Within(e, a.esc, func(text []byte) {
		for i := 0; i < len(text); {
			if isListSeparator(text[i]) {
				i++
				continue
			}
			end := i
			for end < len(text) && !isListSeparator(text[end]) {
				end++
			}
			e.Reference(i, end, text[i:end], b, use, edit.InComma)
			i = end
		}
	})
}

func isListSeparator(c byte) bool { return c == ',' || ascii.IsSpace(c) }

// styleAttr handles CSS in an attribute. It skips presentation attributes without a url().
func styleAttr(src []byte, a *attr, b *reference.Base, style bool, e *edit.List) {
	raw := src[a.val:a.end]
	if !style && indexFold(raw, []byte("url(")) < 0 || len(raw) == 0 {
		return
	}
	edit.DecodeAttribute(src, a.val, a.end).Within(e, a.esc, func(text []byte) {
		c := cssScanner{base: b}
		c.scan(text, true, e)
	})
}

// handler handles an event handler.
func (h *htmlScanner) handler(a *attr) {
	if a.val < a.end {
		edit.DecodeAttribute(h.src, a.val, a.end).Within(h.e, a.esc, func(text []byte) { h.inlineScript(text, jsHandler) })
	}
}

// scriptURL handles an attribute value if it is a javascript: URL. Browsers decode what is behind the scheme before they run it.
func (h *htmlScanner) scriptURL(at, end int, use uses.Use, esc edit.Escape) bool {
	if c := h.src[at]; c != 'j' && c != 'J' && c != '&' {
		return false
	}
	value := edit.DecodeAttribute(h.src, at, end)
	from := endOfScriptScheme(value.Text)
	if from < 0 {
		return false
	}
	inline := jsURL
	if use == uses.Iframe || use == uses.Frame {
		inline = jsFrameURL
	}
	value.Within(h.e, esc, func(text []byte) {
		code, esc := edit.Part{Text: text[from:], At: from}, edit.Verbatim
		if bytes.IndexByte(code.Text, '%') >= 0 {
			code, esc = decodePercent(text, from), edit.InData
		}
		code.Within(h.e, esc, func(text []byte) { h.inlineScript(text, inline) })
	})
	return true
}

// endOfScriptScheme returns where the code of a javascript: URL begins, -1 for any other URL. Browsers skip tabs and line breaks in a URL,
// and what is at its start and not visible (URL, "basic URL parser").
func endOfScriptScheme(url []byte) int {
	rest := []byte("javascript:")
	for i, c := range url {
		switch {
		case c == '\t' || c == '\n' || c == '\r', c <= ' ' && len(rest) == len("javascript:"):
		case !bytes.EqualFold(url[i:i+1], rest[:1]):
			return -1
		default:
			if rest = rest[1:]; len(rest) == 0 {
				return i + 1
			}
		}
	}
	return -1
}

func (h *htmlScanner) inlineScript(text []byte, inline jsInline) {
	j := h.newScript(uses.Script)
	j.inline = inline
	h.e.Plainly(func() { j.scan(text, true, h.e) })
}

// srcdoc handles a document in an attribute. Like every page it gets a head, but no banner.
func (h *htmlScanner) srcdoc(a *attr) {
	if h.depth == maxNesting {
		return
	}
	sub := &htmlScanner{o: h.o, depth: h.depth + 1, at: place{base: h.at.base, head: h.o.Head == nil, banner: true}}
	edit.DecodeAttribute(h.src, a.val, a.end).Within(h.e, a.esc, func(text []byte) {
		sub.scan(text, true, h.e)
	})
}

// baseTag handles a base element. The first with an href counts (HTML, "the base element"), unless it is in a template.
func (h *htmlScanner) baseTag(t *tag) {
	for i := range t.attrs {
		a := &t.attrs[i]
		if string(a.name) != "href" || a.val < 0 {
			continue
		}
		document := reference.New(h.o.Base, h.at.base.Charset())
		h.uri(a, document, h.o.Use)
		if !h.at.baseSeen && h.at.hidden == 0 {
			h.at.baseSeen = true
			h.at.base = document.Join(edit.DecodeAttribute(h.src, a.val, a.end).Text)
		}
	}
}
