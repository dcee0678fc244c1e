// Package layout has what several of the server's own pages share: their frame with the box at the top, the fields of forms, and how a
// moment, an address, a version, a similarity or a difference is written. What one page alone shows is in the package of that page.
//
// Components take plain values that contain every link they need; they know neither the index nor the HTTP server. Their words are in
// package locale. Pages have no inline scripts, styles or handlers, so that they work under a strict Content-Security-Policy.
package layout

//go:generate go tool templ generate -path ../.. -include-version=false -log-level error
