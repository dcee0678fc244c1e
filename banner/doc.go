// Package banner is what people see of varve: the banner inside archived pages, and the pages around
// them (home, collection, calendar, lists, diff, landing, errors).
//
// View models go in, HTML comes out: each component takes a plain struct in which every link stands
// ready made, and knows no index and no HTTP server. Start with [Banner] and [BannerView]; the pages
// share [Page]. What they say, in six languages, is in package text.
//
// Pages carry no inline script, style or handler, so that a strict Content-Security-Policy fits them; the
// banner keeps its style in its shadow root, where the archived page's own rules do not reach.
package banner

//go:generate go tool templ generate -include-version=false -log-level error
