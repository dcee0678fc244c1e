// Package fields reads named values from HTML pages: a title, a price, a list of authors.
//
// A [Template] is a list of [Field]s; each says with a CSS selector or an XPath expression where its values are, of which
// type they are, and how they are cleaned. [New] checks it, [Template.Read] reads a page. A [Set] has templates for
// patterns of addresses.
//
// Values are texts in one form for each [Type] (see [Values]), so that they can be stored, compared and shown. The package
// opens nothing and knows nothing of archives.
//
// Selectors are those of github.com/andybalholm/cascadia, XPath that of github.com/antchfx/xpath, expressions of clean
// those of package regexp.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package fields
