// Package site learns what pages do by themselves: which blocks repeat on the pages of a host, which change at nearly every
// capture or take turns, which lists come in another order each time, and how a host says that a page is not there.
//
// [New] learns a [Site] from samples of its pages, [VolatileOf] and [Unordered] from the captures of one page.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package site
