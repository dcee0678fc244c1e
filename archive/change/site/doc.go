// Package site learns how the pages of a host behave: which blocks repeat on many pages, which change at nearly every capture or alternate,
// which lists are reordered each time, and what the host's "not found" pages look like.
//
// [New] learns a [Site] from samples of its pages, [VolatileOf] and [Unordered] from the captures of one page.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package site
