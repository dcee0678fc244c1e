package proxy

import (
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A homeView is the page at varve.proxy: what the proxy is, what this client sees through it, and its CA.
type homeView struct {
	layout.Page
	Direct  bool   // shown at the proxy's own address: this browser does not use the proxy yet
	Address string // host and port of the proxy, for Direct

	Collections []string
	Collection  string        // chosen; "" means the first
	Fixed       bool          // set by the proxy credentials, so it can't be chosen here
	Time        cdx.Timestamp // chosen; 0 means none
	Default     cdx.Timestamp // used if none is chosen; 0 is the newest capture
	Choose      string        // action: POST with token, collection, datetime
	Token       string

	PEM, DER    string // the CA's certificate in both forms
	Fingerprint string // SHA-256 of it
}

// A moveView asks a reader whether to go to Page.URIR as of Time.
type moveView struct {
	layout.Page
	Time       cdx.Timestamp // 0 means unchanged
	Collection string
	Choose     string // action: POST with token, collection, datetime, url
	Token      string
}

// fieldTime formats a datetime for a datetime-local field, in UTC.
func fieldTime(t cdx.Timestamp) string {
	if t == 0 {
		return ""
	}
	return t.Time().Format("2006-01-02T15:04:05")
}
