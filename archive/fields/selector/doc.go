// Package selector makes selectors for elements that somebody points at.
//
// [Still] writes a page so that it can be pointed at: each element has its number, and nothing in it acts. [Element] is the
// element of a number, [Best] the selector for it that is the likeliest to hold in other versions of the page, and [Field] what
// else a template would say of it.
//
// A selector that is made finds exactly its element, as package fields finds it.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package selector
