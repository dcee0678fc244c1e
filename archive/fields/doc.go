// Package fields reads named values from HTML pages: a title, a price, a list of authors.
//
// A [Template] is a list of [Field]s. Each has a CSS selector or an XPath expression that finds its values, their type, and how they are
// cleaned. [New] checks a template, [Template.Read] reads a page. A [Set] has templates for patterns of addresses.
//
// Values are texts in one form for each [Type] (see [Values]), so that they can be stored, compared and shown. The package opens no files
// and knows nothing of archives.
//
// Selectors are those of github.com/andybalholm/cascadia, XPath that of github.com/antchfx/xpath, expressions of clean those of package
// regexp.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package fields
