package similar

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/ways"
)

// An alikeView is a page whose picture is similar to that of another.
type alikeView struct {
	film.Frame
	URIR string
}

// A pageView lists captures whose text is similar to that of one capture, the most similar first.
type pageView struct {
	layout.Page
	Capture banner.CaptureLink // the one they are compared with
	Title   string             // its title
	Results []ways.Alternative

	Looks    []alikeView
	Calendar string     // of the address
	Ways     []ways.Way // suggestions, if Results is empty
}
