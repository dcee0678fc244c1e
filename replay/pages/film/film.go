// Package film adds small pictures of versions to the server's pages.
package film

import (
	"context"
	"slices"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/gallery"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// maxFrames is the number of versions pictured in a row. If there are more, those that differ least from the one before are left out.
const maxFrames = 60

// A Reel has the pictures of a URI-R.
type Reel struct {
	gallery  *gallery.Gallery
	uris     memento.URIs
	uriR     string
	ranges   []change.Range
	pictures []*visual.Picture
}

// Of returns the pictures of a timeline, with its versions at level content.
func Of(ctx context.Context, a *archive.Archive, uris memento.URIs, tl *timeline.Timeline, uriR string) (*Reel, error) {
	return reel(ctx, a, uris, tl.Coll, tl.Key, uriR, func() (*timeline.Timeline, error) { return tl, nil })
}

// Find is [Of] for an address. If there are no pictures, it reads no timeline.
func Find(ctx context.Context, a *archive.Archive, uris memento.URIs, uriR string) (*Reel, error) {
	get := func() (*timeline.Timeline, error) { return a.Timelines.Spelled(ctx, uris.Coll, uriR) }
	return reel(ctx, a, uris, uris.Coll, surt.Of(uriR), uriR, get)
}

// reel returns the pictures of a key and the versions of its timeline, which is only read if there are pictures.
func reel(
	ctx context.Context, a *archive.Archive, uris memento.URIs, coll, key, uriR string, get func() (*timeline.Timeline, error),
) (*Reel, error) {
	r := &Reel{gallery: a.Gallery, uris: uris, uriR: uriR}
	var err error
	if r.pictures, err = a.Gallery.Pictures(ctx, coll, key, 0); err != nil || len(r.pictures) == 0 {
		return r, err
	}
	tl, err := get()
	if err != nil {
		return nil, err
	}
	r.pictures = gallery.Spelled(r.pictures, tl.Spelling())
	r.ranges, err = tl.Ranges(change.LevelContent)
	return r, err
}

// At returns the picture of the version valid at a datetime, nil if it has no image.
func (r *Reel) At(ts cdx.Timestamp) *visual.Picture {
	if p := r.Picture(ts); p.HasImage() {
		return p
	}
	return nil
}

// Picture returns the facts about the picture of the version valid at a datetime, nil if no picture was tried.
func (r *Reel) Picture(ts cdx.Timestamp) *visual.Picture { return gallery.Of(r.pictures, r.ranges, ts) }

// Visual returns the address of the visual comparison of two captures, or "" if one of them has no picture.
func (r *Reel) Visual(a, b cdx.Timestamp) string {
	if r.At(a) == nil || r.At(b) == nil {
		return ""
	}
	return r.uris.Visual(a, b, r.uriR)
}

// Image returns the absolute address of the picture of the version valid at a datetime, or "". uris are absolute.
func (r *Reel) Image(uris memento.URIs, ts cdx.Timestamp) string {
	return r.address(uris, r.At(ts))
}

// Newest returns the absolute address of the newest picture, or "". uris are absolute.
func (r *Reel) Newest(uris memento.URIs) string {
	return r.address(uris, r.newest())
}

func (r *Reel) address(uris memento.URIs, of *visual.Picture) string {
	if of == nil {
		return ""
	}
	return uris.Thumbnail(of.Time, r.uriR)
}

func (r *Reel) newest() *visual.Picture {
	for _, p := range slices.Backward(r.pictures) {
		if p.HasImage() {
			return p
		}
	}
	return nil
}

// Damaged returns, for each day as YYYYMMDD, the highest percentage of embedded resources that a picture lacks.
func (r *Reel) Damaged() map[int]int {
	days := map[int]int{}
	for _, p := range r.pictures {
		if lost := banner.Percent(p.Damage); lost > 0 {
			day := int(p.Time / 1_000_000)
			days[day] = max(days[day], lost)
		}
	}
	return days
}

// Small returns the small picture of the version of an address that was valid at a datetime, nil if there is none.
func Small(ctx context.Context, a *archive.Archive, uris memento.URIs, uriR string, ts cdx.Timestamp) (*Frame, error) {
	return small(ctx, a, uris, uriR, func(r *Reel) *visual.Picture { return r.At(ts) })
}

// Latest is [Small] for the newest picture that there is.
func Latest(ctx context.Context, a *archive.Archive, uris memento.URIs, uriR string) (*Frame, error) {
	return small(ctx, a, uris, uriR, (*Reel).newest)
}

func small(
	ctx context.Context, a *archive.Archive, uris memento.URIs, uriR string, choose func(*Reel) *visual.Picture,
) (*Frame, error) {
	r, err := Find(ctx, a, uris, uriR)
	if err != nil {
		return nil, err
	}
	p := choose(r)
	if p == nil {
		return nil, nil
	}
	f := FrameOf(uris, p, uriR)
	return &f, nil
}

// Versions returns a row with one picture for each version, nil if there are none. at are the datetimes of the current page.
func (r *Reel) Versions(at ...cdx.Timestamp) *Film {
	var shown []*visual.Picture
	versions := 0
	for i := range r.ranges {
		v := &r.ranges[i]
		if v.Kind != change.Page {
			continue
		}
		versions++
		if p := gallery.Within(r.pictures, v, v.First); p.HasImage() {
			shown = append(shown, p)
		}
	}
	if len(shown) == 0 {
		return nil
	}
	f := &Film{Versions: versions, Pictured: len(shown)}
	if len(shown) > maxFrames {
		shown = r.gallery.Story(shown, maxFrames)
	}
	for i, p := range shown {
		frame := FrameOf(r.uris, p, r.uriR)
		if i > 0 {
			frame.Visual = r.uris.Visual(shown[i-1].Time, p.Time, r.uriR)
		}
		for _, ts := range at {
			frame.Current = frame.Current || r.At(ts) == p
		}
		f.Frames = append(f.Frames, frame)
	}
	return f
}

// Story returns a row of at most most pictures that show how the page developed, nil if there are none.
func (r *Reel) Story(most int) *Film {
	f := &Film{}
	for _, p := range r.gallery.Story(r.pictures, most) {
		f.Frames = append(f.Frames, FrameOf(r.uris, p, r.uriR))
	}
	if len(f.Frames) == 0 {
		return nil
	}
	return f
}

// FrameOf returns a small picture that links to its memento.
func FrameOf(uris memento.URIs, p *visual.Picture, uriR string) Frame {
	return Frame{
		CaptureLink: banner.CaptureLink{Href: uris.Memento(p.Time, "", p.URL), Time: p.Time},
		Thumb:       uris.Thumbnail(p.Time, uriR), Width: p.Thumb.Width, Height: p.Thumb.Height, Damage: banner.Percent(p.Damage),
	}
}
