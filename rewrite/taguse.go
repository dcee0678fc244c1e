package rewrite

import "bytes"

// hrefUse says what the href of an element is used for.
func (t *tag) hrefUse() Use {
	switch string(t.name) {
	case "link":
		return t.linkUse()
	case "image", "feimage", "use", "cursor":
		return Image
	case "script":
		return t.scriptUse()
	}
	return Link
}

// linkUse says what a link element is used for: by its rel, or by its as if it only preloads.
func (t *tag) linkUse() Use {
	use := Link
	for rel := range bytes.FieldsSeq(t.get("rel")) {
		switch string(bytes.ToLower(rel)) {
		case "stylesheet":
			return Style
		case "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "apple-touch-startup-image", "mask-icon", "fluid-icon", "image_src":
			use = Image
		case "modulepreload":
			use = Module
		case "manifest":
			use = Object
		case "import":
			use = Page
		case "preload", "prefetch":
			use = destinationUse(t.get("as"))
		}
	}
	return use
}

// destinationUse returns the use for a request destination (Fetch standard) in an as attribute or parameter.
func destinationUse(as []byte) Use {
	switch string(bytes.ToLower(as)) {
	case "script":
		return Script
	case "style":
		return Style
	case "image":
		return Image
	case "document":
		return Iframe
	case "fetch": // as the client side asks for what scripts fetch
		return Page
	case "worker", "sharedworker":
		return Worker
	case "serviceworker":
		return ServiceWorker
	case "":
		return Link
	}
	return Object
}

// srcUse says what the src of an element is used for.
func (t *tag) srcUse() Use {
	switch string(t.name) {
	case "img", "input", "image":
		return Image
	case "script":
		return t.scriptUse()
	case "iframe", "layer", "ilayer", "portal", "fencedframe":
		return Iframe
	case "frame":
		return Frame
	case "embed":
		return embeddedUse(t.get("type"))
	}
	return Object
}

func (t *tag) scriptUse() Use {
	if scriptType(t.get("type"), nil) == scriptModule {
		return Module
	}
	return Script
}

// embeddedUse tells embedded pages from embedded data by their declared type.
func embeddedUse(mediaType []byte) Use {
	if bytes.HasPrefix(bytes.ToLower(bytes.TrimSpace(mediaType)), []byte("text/html")) {
		return Iframe
	}
	return Object
}
