// Package views renders those of the server's own pages that do not stand beside their handlers yet: home, collection, addresses
// and calendar. Package layout has what they share with others.
package views

import "github.com/varve-archive/varve/banner/locale"

// texts is the language of a page.
type texts = *locale.Language
