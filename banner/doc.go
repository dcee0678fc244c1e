// Package banner renders what is injected into archived pages: the banner, with a timeline of the page, links to its other versions, and
// facts about this capture.
//
// View models go in, HTML comes out: [Banner] and [BannerView] contain every link they need, and know neither the index nor the HTTP
// server. Their words, in six languages, are in package locale. The banner has its style in its shadow root, where the archived page's
// rules don't apply.
package banner

//go:generate go tool templ generate -include-version=false -log-level error
