package banner

import "github.com/varve-archive/varve/banner/text"

// texts is the language of a page together with the phrases that are made from views.
type texts struct{ *text.Language }

// textsFor returns the texts of a view's Lang.
func textsFor(tag string) texts { return texts{text.For(tag)} }
