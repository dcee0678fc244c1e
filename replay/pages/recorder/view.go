// Package recorder is the page of what a recording proxy has recorded.
package recorder

import (
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A View is the page of varve record: what was recorded, and how to use it.
type View struct {
	layout.Page
	Direct  bool   // shown at the proxy's own address: this browser does not use the proxy yet
	Address string // host and port of the proxy, for Direct
	Secrets bool   // secrets are written too

	Exchanges, Same int
	Bytes           int64      // of the files
	Pages           []PageLink // newest first
	Failed          []Failure

	PEM, DER    string // the CA's certificate in both forms
	Fingerprint string // SHA-256 of it
}

// A PageLink is a page that was recorded. Href is its URI-M, "" if no server is known that has it.
type PageLink struct {
	URI  string
	Href string
	Time cdx.Timestamp
}

// A Failure is a request that nothing was recorded of. Why is in English.
type Failure struct{ URI, Why string }
