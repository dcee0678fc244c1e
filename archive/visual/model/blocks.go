package model

import (
	_ "embed"
	"fmt"
	"image"
	"slices"
)

// BlocksScript is JavaScript whose value is an array of {kind, x, y, w, h}: the boxes of a page's blocks, in page pixels.
//
//go:embed blocks.js
var BlocksScript string

// OverlaysScript is JavaScript that takes away what lies over a page and moves with the window, such as cookie bars. Its value is the
// number of elements that it took away. Pictures for [Model.Vector] are taken after it, because the words under a bar would be missing, and
// so are the boxes of [BlocksScript].
//
//go:embed overlays.js
var OverlaysScript string

// A Kind is what a block of a page is.
type Kind string

// The kinds of blocks: the four parts of a page, and what stands in them. The network has a channel for each, in this order.
const (
	Header   Kind = "header"
	Footer   Kind = "footer"
	Content  Kind = "content"
	Sidebar  Kind = "sidebar"
	Logo     Kind = "logo"
	Menu     Kind = "menu"
	Title    Kind = "title"
	Links    Kind = "links"
	Table    Kind = "table"
	Comments Kind = "comments"
	Ad       Kind = "ad"
	Image    Kind = "image"
	Video    Kind = "video"
	Article  Kind = "article"
	Search   Kind = "search"
	Notice   Kind = "notice"
)

// Kinds returns all kinds, in the order of the network's channels.
func Kinds() []Kind {
	return []Kind{
		Header, Footer, Content, Sidebar, Logo, Menu, Title, Links, Table, Comments, Ad, Image, Video, Article, Search, Notice,
	}
}

// A Block is the box of a block, in pixels of the page from its top left. Boxes may overlap and reach beyond the picture.
type Block struct {
	Kind Kind
	Box  image.Rectangle
}

func kindIndex(kind Kind) (int, error) {
	if n := slices.Index(Kinds(), kind); n >= 0 {
		return n, nil
	}
	return 0, fmt.Errorf("model: %q is no kind of block", kind)
}
