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

// A replacedPicture is a picture or a film that was replaced by another one in the newer capture. The addresses are absolute, or as in
// the page if they can't have been archived.
type replacedPicture struct {
	before, after         string
	beforeTime, afterTime cdx.Timestamp
}

// comparePictures finds the replaced pictures, which are a change of a page at level content only. Two pictures without a page are a pair
// too.
func (h *Handler) comparePictures(ctx context.Context, c *comparison) error {
	if pictureAlone(c.older) && pictureAlone(c.newer) && c.older.Digest != c.newer.Digest {
		c.pictures = []replacedPicture{{c.older.URL, c.newer.URL, c.older.Time, c.newer.Time}}
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
			cmp.Or(known.Address(p[0].Address), p[0].Address), cmp.Or(known.Address(p[1].Address), p[1].Address), c.older.Time, c.newer.Time,
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

// uris returns the URI-Ms of both pictures, at the nearest captures with their bytes.
func (p *replacedPicture) uris(uris memento.URIs) (before, after string) {
	return uris.Memento(p.beforeTime, "im_", p.before), uris.Memento(p.afterTime, "im_", p.after)
}

// block returns the picture for JSON. It has no edits, which are for words.
func (p *replacedPicture) block(uris memento.URIs) DiffBlock {
	before, after := p.uris(uris)
	return DiffBlock{
		Op: "change", Region: "main", Edits: []DiffEdit{}, Picture: &DiffPicture{before, after},
	}
}

func (p *replacedPicture) view(uris memento.URIs) pictureRow {
	before, after := p.uris(uris)
	return pictureRow{Before: before, After: after, BeforeURI: p.before, AfterURI: p.after}
}
