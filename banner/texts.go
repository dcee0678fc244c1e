package banner

import "github.com/varve-archive/varve/banner/locale"

// texts is the language of a page with the phrases that are built from views.
type texts struct{ *locale.Language }

// textsFor returns the texts for the Lang of a view.
func textsFor(tag string) texts { return texts{locale.For(tag)} }
