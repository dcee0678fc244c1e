package comparison

import (
	"cmp"
	"context"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// A replacedPicture is a picture or a film that was replaced by another one in the newer capture.
type replacedPicture struct{ before, after shownPicture }

// A shownPicture is one of both.
type shownPicture struct {
	address string // absolute, or as in the page if it can't have been archived
	time    cdx.Timestamp
	film    bool // in a frame
}

// comparePictures finds the replaced pictures, which are a change of a page at level content only. Two pictures without a page are a pair
// too.
func (h *Handler) comparePictures(ctx context.Context, c *comparison) error {
	if pictureAlone(c.older) && pictureAlone(c.newer) && c.older.Digest != c.newer.Digest {
		c.pictures = []replacedPicture{{
			shownPicture{address: c.older.URL, time: c.older.Time}, shownPicture{address: c.newer.URL, time: c.newer.Time},
		}}
	}
	if c.level != change.LevelContent || c.noText() {
		return nil
	}
	a, b := sketch.Of(&c.texts[0]), sketch.Of(&c.texts[1])
	if len(a.Pictures) == 0 || len(b.Pictures) == 0 {
		return nil
	}
	known := h.archive.Timelines.PicturesOf(c.tl.Coll, c.newer.URL)
	if err := known.Load(ctx, &a, &b); err != nil {
		return err
	}
	pairs := sketch.Replaced(shownAt(known, &a, c.older.Time), shownAt(known, &b, c.newer.Time))
	for _, p := range pairs {
		c.pictures = append(c.pictures, replacedPicture{
			shownPicture{cmp.Or(known.Address(p[0].Address), p[0].Address), c.older.Time, p[0].Film},
			shownPicture{cmp.Or(known.Address(p[1].Address), p[1].Address), c.newer.Time, p[1].Film},
		})
	}
	if c.delta.Pictures = len(pairs); len(pairs) > 0 {
		c.delta.Similarity = min(c.delta.Similarity, sketch.NearlySame)
	}
	return nil
}

// pictureAlone reports whether a capture is a picture without a page.
func pictureAlone(c *cdx.Capture) bool { return c != nil && c.Text == 0 && c.IsPicture() }

func shownAt(known *timeline.Pictures, text *sketch.Sketch, ts cdx.Timestamp) []sketch.Shown {
	shown := make([]sketch.Shown, len(text.Pictures))
	for i := range shown {
		p := &text.Pictures[i]
		shown[i] = sketch.Shown{Picture: p, Digest: known.Digest(p.Address, ts)}
	}
	return shown
}

// uri returns the URI-M of a picture, at the nearest capture with its bytes.
func (p *shownPicture) uri(uris memento.URIs) string {
	if p.film {
		return uris.Memento(p.time, "", p.address)
	}
	return uris.Memento(p.time, "im_", p.address)
}

// block returns the picture for JSON. It has no edits, which are for words.
func (p *replacedPicture) block(uris memento.URIs) DiffBlock {
	return DiffBlock{
		Op: "change", Region: "main", Edits: []DiffEdit{}, Picture: &DiffPicture{p.before.uri(uris), p.after.uri(uris)},
	}
}

func (p *replacedPicture) view(uris memento.URIs) pictureRow {
	return pictureRow{p.before.view(uris), p.after.view(uris)}
}

func (p *shownPicture) view(uris memento.URIs) pictureView {
	return pictureView{URIM: p.uri(uris), URIR: p.address, Film: p.film}
}
