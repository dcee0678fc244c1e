// Package selector generates selectors for elements that somebody points at.
//
// [Still] writes a page for pointing: each element has its number, and nothing in it is active. [Element] returns the element with a
// number, [Best] the selector for it that probably works in other versions of the page, and [Field] the other settings of a template field
// for it.
//
// A generated selector finds exactly its element with package fields.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package selector
