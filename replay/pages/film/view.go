package film

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
)

// A Frame is a small picture of a version. CaptureLink leads to what is pictured.
type Frame struct {
	banner.CaptureLink
	Thumb         string // address of the picture
	Width, Height int
	Visual        string // comparison with the frame before, "" for the first
	Current       bool   // the page is about it
	Damage        int    // percentage of the page's resources that isn't archived
}

// A Film is a row of small pictures, oldest first. It is nil where there are none.
type Film struct {
	Frames   []Frame
	Versions int // number of versions, of which so many have a picture:
	Pictured int
}

func (f *Frame) alt(t *locale.Language) string { return locale.Fill(t.Visual.Alt, t.DateTime(f.Time)) }

func (f *Film) pictured(t *locale.Language) string {
	return locale.Fill(t.Visual.Pictured, t.Number(f.Pictured), t.Number(f.Versions))
}
