package banner

import "github.com/varve-archive/varve/cdx"

// A RecorderView is the page of varve record: what was recorded, and how to use it.
type RecorderView struct {
	Page
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
