// Package views renders varve's own pages around the archived ones: home, collection, calendar, lists, diff, slider, search, landing,
// errors.
//
// Components take view models and write HTML. Each component takes a plain struct that contains every link it needs; it knows neither the
// index nor the HTTP server. All pages share [Page]. Their words, in six languages, are in package locale.
//
// Pages have no inline scripts, styles or handlers, so that they work under a strict Content-Security-Policy.
package views

import "github.com/varve-archive/varve/banner/locale"

// texts is the language of a page.
type texts = *locale.Language
