package uses

import "bytes"

// A Use is what a page uses a URI for. It decides the modifier in the URI-M, and so how the response is rewritten and
// whether it gets a banner.
type Use uint8

// The uses, named after what requests the URI.
const (
	Link          Use = iota // a navigation: the page with its banner
	Page                     // a page without banner
	Iframe                   // the content of an iframe
	Frame                    // the content of a frame in a frameset
	Image                    // an image, an icon, a poster
	Script                   // a classic script
	Style                    // a style sheet
	Object                   // a plug-in's data, media, a font, anything else that is loaded
	Module                   // a module script
	Worker                   // a classic worker
	ModuleWorker             // a module worker
	Fetch                    // requested by a script, in a page or a worker: never rewritten
	ServiceWorker            // a service worker
	WebSocket                // a socket; archives have none
	Raw                      // archived bytes
	RawRedirect              // archived bytes, but Location still rewritten
	FrameWrapped             // a page wrapped in a frame
	BannerOnly               // archived bytes with a banner
	Download                 // a file to be saved

	count int = iota
)

// String returns the modifier after the timestamp of a URI-M, as pywb and wombat write it; it is "" for [Link].
func (u Use) String() string {
	if int(u) >= count {
		return ""
	}
	return [count]string{
		"", "mp_", "if_", "fr_", "im_", "js_", "cs_", "oe_", "esm_", "wkr_", "wkrm_", "wkrf_", "sw_", "ws_",
		"id_", "ir_", "fw_", "bn_", "dl_",
	}[u]
}

// Parse returns the Use for a modifier, and whether the modifier is known. Some clients write "ln_" and "mt_" (a
// link, a meta element); they are pages without banner.
func Parse(mod string) (Use, bool) {
	for u := range Use(count) {
		if u.String() == mod {
			return u, true
		}
	}
	if mod == "ln_" || mod == "mt_" {
		return Page, true
	}
	return Link, false
}

// IsModule reports whether a script with this use is an ECMAScript module.
func (u Use) IsModule() bool { return u == Module || u == ModuleWorker }

// IsWorker reports whether a script with this use runs without a window.
func (u Use) IsWorker() bool { return u == Worker || u == ModuleWorker || u == ServiceWorker }

// OfDestination returns the use for a request destination (Fetch standard) in an as attribute or parameter.
func OfDestination(as []byte) Use {
	switch string(bytes.ToLower(as)) {
	case "script":
		return Script
	case "style":
		return Style
	case "image":
		return Image
	case "document":
		return Iframe
	case "fetch":
		return Fetch
	case "worker", "sharedworker":
		return Worker
	case "serviceworker":
		return ServiceWorker
	case "":
		return Link
	}
	return Object
}
