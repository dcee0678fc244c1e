// Package comparison has the pages that compare versions: the diff of two captures, the slider over all versions, and the animation of a
// change in the page itself.
package comparison

import "github.com/varve-archive/varve/banner/locale"

// texts is the language of a page.
type texts = *locale.Language
