// Package banner renders what people see of varve: the banner inside archived pages, and the pages around them (home,
// collection, calendar, lists, diff, landing, errors).
//
// View models go in, HTML comes out. Each component takes a plain struct that contains every link it needs; it knows
// neither the index nor the HTTP server. Start with [Banner] and [BannerView]; the pages share [Page]. Their words, in
// six languages, are in package locale.
//
// Pages have no inline scripts, styles or handlers, so that they work under a strict Content-Security-Policy. The
// banner has its style in its shadow root, where the archived page's rules don't apply.
package banner

//go:generate go tool templ generate -include-version=false -log-level error
