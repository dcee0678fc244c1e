package views

import (
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A ProxyView is the page at varve.proxy: what the proxy is, what this client sees through it, and its CA.
type ProxyView struct {
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

// A ProxyMoveView asks a reader whether to go to Page.URIR as of Time.
type ProxyMoveView struct {
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

// A RecorderView is the page of varve record: what was recorded, and how to use it.
type RecorderView struct {
	layout.Page
	Direct  bool   // shown at the proxy's own address: this browser does not use the proxy yet
	Address string // host and port of the proxy, for Direct
	Secrets bool   // secrets are written too

	Exchanges, Same int
	Bytes           int64          // of the files
	Pages           []RecordedPage // newest first
	Failed          []RecordedFailure

	PEM, DER    string // the CA's certificate in both forms
	Fingerprint string // SHA-256 of it
}

// A RecordedPage is a page that was recorded. Href is its URI-M, "" if no server is known that has it.
type RecordedPage struct {
	URIR string
	Href string
	Time cdx.Timestamp
}

// A RecordedFailure is a request that nothing was recorded of. Why is in English.
type RecordedFailure struct{ URIR, Why string }
