package settings

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A pageView is the page on which templates and rankings of a collection are edited.
type pageView struct {
	layout.Page
	Steer     layout.Steering
	Action    string
	Coll      banner.Link
	Others    []banner.Link // other collections
	Templates textView
	Rankings  textView
	Try       string // an address with which templates are tried
}

type textView struct {
	Text, File string // as it is edited; as the config file has it
	Wrong      string // what is wrong with it, in English
	Saved      bool
}
