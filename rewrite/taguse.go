package rewrite

import (
	"bytes"
	"slices"

	"github.com/varve-archive/varve/rewrite/uses"
)

// hrefUse says what the href of an element is used for.
func (t *tag) hrefUse() uses.Use {
	switch string(t.name) {
	case "a", "area":
		if slices.ContainsFunc(t.attrs, func(a attr) bool { return string(a.name) == "download" }) {
			return uses.Page // what a reader saves has no banner; Firefox asks for it as for what it shows
		}
	case "link":
		return t.linkUse()
	case "image", "feimage", "use", "cursor":
		return uses.Image
	case "script":
		return t.scriptUse()
	}
	return uses.Link
}

// linkUse says what a link element is used for: by its rel, or by its as if it only preloads.
func (t *tag) linkUse() uses.Use {
	use := uses.Link
	for rel := range bytes.FieldsSeq(t.get("rel")) {
		switch string(bytes.ToLower(rel)) {
		case "stylesheet":
			return uses.Style
		case "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "apple-touch-startup-image", "mask-icon", "fluid-icon", "image_src":
			use = uses.Image
		case "modulepreload":
			use = uses.Module
		case "manifest":
			use = uses.Object
		case "import":
			use = uses.Page
		case "preload", "prefetch":
			use = uses.OfDestination(t.get("as"))
		}
	}
	return use
}

// srcUse says what the src of an element is used for.
func (t *tag) srcUse() uses.Use {
	switch string(t.name) {
	case "img", "input", "image":
		return uses.Image
	case "script":
		return t.scriptUse()
	case "iframe", "layer", "ilayer", "portal", "fencedframe":
		return uses.Iframe
	case "turbo-frame", "include-fragment": // a part of a page that their scripts request and put in it
		return uses.Iframe
	case "frame":
		return uses.Frame
	case "embed":
		return embeddedUse(t.get("type"))
	}
	return uses.Object
}

func (t *tag) scriptUse() uses.Use {
	if scriptType(t.get("type"), nil) == scriptModule {
		return uses.Module
	}
	return uses.Script
}

// embeddedUse tells embedded pages from embedded data by their declared type.
func embeddedUse(mediaType []byte) uses.Use {
	if bytes.HasPrefix(bytes.ToLower(bytes.TrimSpace(mediaType)), []byte("text/html")) {
		return uses.Iframe
	}
	return uses.Object
}
