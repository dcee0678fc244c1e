package comparison

import (
	"context"
	"net/http"
	"net/url"

	"github.com/varve-archive/varve/replay/pages/versions"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/change/diff"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A DiffAnswer is the answer of /{coll}/diff for two captures: the blocks of the newer text in order, with deleted ones
// where they were.
type DiffAnswer struct {
	OriginalURI string          `json:"original_uri"`
	From        DiffEnd         `json:"from"`
	To          DiffEnd         `json:"to"`
	Change      *timeline.Delta `json:"change"`
	Shown       *DiffShown      `json:"shown"`
	Blocks      []DiffBlock     `json:"blocks"`
}

// A DiffShown counts the words in the edits of a diff.
type DiffShown struct {
	Added   int `json:"added"`
	Deleted int `json:"deleted"`
	Moved   int `json:"moved"`
}

// A DiffEnd is one of the two captures.
type DiffEnd struct {
	URIM     string `json:"uri_m"`
	Datetime string `json:"datetime"`
	Title    string `json:"title"`
}

// A DiffBlock is a block of text. Its edits say how it changed. Op is equal, insert, delete, change or move (it was
// elsewhere).
type DiffBlock struct {
	Op     string     `json:"op"`
	Region string     `json:"region"`
	Edits  []DiffEdit `json:"edits"`
	// Picture is the replaced picture or film; there are no edits then.
	Picture *DiffPicture `json:"picture,omitempty"`
}

// A DiffPicture is a picture before and after, as URI-Ms.
type DiffPicture struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// A DiffEdit is a run of text that both captures have (equal, move) or one of them (insert, delete).
type DiffEdit struct {
	Op   string `json:"op"`
	Text string `json:"text"`
}

// A comparison is two captures of a URI-R and how their texts differ.
type comparison struct {
	tl           *timeline.Timeline
	older, newer *cdx.Capture // newer is nil if there is nothing to compare with
	wanted       *wanted
	level        change.Level // of the versions to which links lead
	away         bool         // at an address that shows nothing archived, see [respond.Site.Away]
	texts        [2]visible.Text
	blocks       []diff.Block // nil if one capture has no text
	shown        diff.Shown   // what the blocks show
	pictures     []replacedPicture
	delta        *sketch.Delta
	terms        []TermCount // how many times the wanted phrases occur in both
}

// Diff answers /{coll}/diff/{tsA}/{tsB}/{URI-R}: a page for browsers, else JSON.
func (h *Handler) Diff(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	c, err := h.compare(r.Context(), p)
	if err != nil {
		return err
	}
	if c == nil {
		return h.site.Missing(r, p)
	}
	respond.Vary(w.Header(), "Accept")
	if respond.IsBrowser(r) {
		v, err := h.diffView(r, p, c)
		if err != nil {
			return err
		}
		return respond.Render(w, r, http.StatusOK, Diff(v))
	}
	return respond.WriteJSON(w, r, c.answer(h.site.Absolute(r, p.Coll), p.URIR))
}

// compare compares the texts of the captures nearest to the two datetimes.
func (h *Handler) compare(ctx context.Context, p respond.Path) (*comparison, error) {
	c, err := h.pair(ctx, p)
	if err == nil && c != nil {
		c.compare()
		err = h.comparePictures(ctx, c)
	}
	return c, err
}

// begin reads what is asked for, and the captures of the URI-R. It returns nil if there are none.
func (h *Handler) begin(ctx context.Context, p respond.Path) (*comparison, error) {
	w, err := wantedIn(p)
	if err != nil {
		return nil, err
	}
	level, err := versions.LevelIn(p)
	if err != nil {
		return nil, err
	}
	tl, err := h.archive.Timelines.Spelled(ctx, p.Coll, p.URIR)
	if err != nil || len(tl.Captures) == 0 {
		return nil, err
	}
	return &comparison{tl: tl, wanted: w, level: level, away: h.site.Away()}, nil
}

// pair finds the captures nearest to the two datetimes, the older one first in whatever order they are requested, and
// reads their texts. It returns nil if the URI-R has no usable capture.
func (h *Handler) pair(ctx context.Context, p respond.Path) (*comparison, error) {
	c, err := h.begin(ctx, p)
	if err != nil || c == nil {
		return nil, err
	}
	for _, end := range []struct {
		at string
		of **cdx.Capture
	}{{p.From, &c.older}, {p.To, &c.newer}} {
		ts, err := cdx.ParseAsked(end.at)
		if err != nil {
			example := h.site.Local(p.Coll).Diff(20140101000000, 20150101000000, p.URIR)
			if p.Kind == respond.Animate {
				example = h.site.Local(p.Coll).Animate(20140101000000, 20150101000000, p.URIR)
			}
			return nil, respond.BadRequest("two datetimes are needed, as in " + example)
		}
		if *end.of, err = h.archive.Timelines.Nearest(ctx, c.tl, ts); err != nil || *end.of == nil {
			return nil, err
		}
	}
	if c.older.Time > c.newer.Time {
		c.older, c.newer = c.newer, c.older
	}
	for i, capture := range []*cdx.Capture{c.older, c.newer} {
		if c.texts[i], err = h.archive.Text(ctx, capture); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *comparison) noText() bool {
	return c.older.Text == 0 || c.newer == nil || c.newer.Text == 0
}

func (c *comparison) compare() {
	c.terms = c.wanted.counts(&c.texts)
	if c.noText() {
		return
	}
	a, b := sketch.Of(&c.texts[0]), sketch.Of(&c.texts[1])
	d := sketch.Compare(&a, &b)
	if c.level == change.LevelContent {
		c.blocks = diff.Words(&c.texts[0], &c.texts[1])
	} else {
		c.blocks = diff.Texts(&c.texts[0], &c.texts[1])
	}
	c.shown = diff.Count(c.blocks)
	d.Similarity = c.shown.Similarity(d.Similarity)
	c.delta = &d
}

// ends returns the two captures for JSON.
func (c *comparison) ends(uris memento.URIs) (from, to DiffEnd) {
	end := func(c *cdx.Capture, t *visible.Text) DiffEnd {
		if c == nil {
			return DiffEnd{}
		}
		return DiffEnd{URIM: uris.Memento(c.Time, "", c.URL), Datetime: c.Time.String(), Title: t.Title}
	}
	return end(c.older, &c.texts[0]), end(c.newer, &c.texts[1])
}

// sides returns the two captures for pages.
func (c *comparison) sides(uris memento.URIs) (older, newer DiffSide, err error) {
	ranges, err := c.tl.Ranges(c.level)
	if err != nil {
		return older, newer, err
	}
	side := func(of *cdx.Capture, title string) DiffSide {
		return DiffSide{CaptureLink: *respond.CaptureLink(uris, of), Title: title, Note: versions.NoteAt(c.tl, ranges, of)}
	}
	return side(c.older, c.texts[0].Title), side(c.newer, c.texts[1].Title), nil
}

func (c *comparison) answer(uris memento.URIs, uriR string) *DiffAnswer {
	out := &DiffAnswer{OriginalURI: uriR, Blocks: []DiffBlock{}}
	out.From, out.To = c.ends(uris)
	for _, p := range c.pictures {
		out.Blocks = append(out.Blocks, p.block(uris))
	}
	if d := c.delta; d != nil {
		out.Change = &timeline.Delta{
			Added: d.Added, Deleted: d.Deleted, SemiDeleted: d.SemiDeleted, Pictures: d.Pictures, Similarity: d.Similarity,
		}
		out.Shown = &DiffShown{Added: c.shown.Added, Deleted: c.shown.Deleted, Moved: c.shown.Moved}
	}
	for _, b := range c.blocks {
		block := DiffBlock{Op: b.Op.String(), Region: b.Region.String()}
		if b.Op == diff.Left {
			block.Op = diff.Changed.String()
		}
		for _, e := range b.Edits {
			if e.Op != diff.Left { // reported where the newer text has it
				block.Edits = append(block.Edits, DiffEdit{Op: e.Op.String(), Text: e.Text})
			}
		}
		if len(block.Edits) > 0 {
			out.Blocks = append(out.Blocks, block)
		}
	}
	return out
}

func (h *Handler) diffView(r *http.Request, p respond.Path, c *comparison) (DiffView, error) {
	uris := h.site.Local(p.Coll)
	v := DiffView{
		Page: h.shared(r, p), Difference: c.difference(uris), Terms: c.terms,
		Slider: c.sliderURI(uris, p.URIR), Calendar: versions.CalendarAt(c.level, uris, p.URIR), Watch: c.watchURI(uris, p.URIR),
	}
	var err error
	if v.Older, v.Newer, err = c.sides(uris); err != nil {
		return v, err
	}
	ranges, err := c.tl.Ranges(c.level)
	if err != nil {
		return v, err
	}
	v.Earlier, v.Later = c.neighbourPairs(ranges, uris, p.URIR)
	reel, err := film.Of(r.Context(), h.archive, uris, c.tl, p.URIR)
	if err != nil {
		return v, err
	}
	v.Visual, v.Image = reel.Visual(c.older.Time, c.newer.Time), reel.Image(h.site.Absolute(r, p.Coll), c.newer.Time)
	return v, nil
}

// difference returns what pages show of a comparison.
func (c *comparison) difference(uris memento.URIs) Difference {
	d := Difference{Rows: rows(c.blocks, c.wanted), NoText: c.delta == nil}
	if c.delta != nil {
		d.Added, d.Deleted, d.Moved = c.shown.Added, c.shown.Deleted, c.shown.Moved
		d.Similarity = layout.Similarity{Value: c.delta.Similarity, Known: true}
	}
	for _, p := range c.pictures {
		d.Pictures = append(d.Pictures, p.view(uris))
	}
	return d
}

// diffURI returns the address of a diff that marks what is wanted and whose links keep the level.
func (c *comparison) diffURI(uris memento.URIs, a, b cdx.Timestamp, uriR string) string {
	if c.wanted == nil {
		return versions.DiffAt(c.level, uris, a, b, uriR)
	}
	return uris.Endpoint("diff", c.params(url.Values{"url": {uriR}, "from": {a.String()}, "to": {b.String()}}).Encode())
}

// params adds what links pass on: what is wanted, and the level.
func (c *comparison) params(v url.Values) url.Values {
	if c.wanted != nil {
		v.Set("term", c.wanted.q)
	}
	return versions.WithLevel(v, c.level)
}

// sliderURI returns the address of the sliding diff at the version that was valid when the older capture was made.
func (c *comparison) sliderURI(uris memento.URIs, uriR string) string {
	return uris.Endpoint("diff", c.params(url.Values{"url": {uriR}, "at": {c.older.Time.String()}}).Encode())
}

// neighbourPairs returns the diffs of the pair of versions before this one, and of the pair after it.
func (c *comparison) neighbourPairs(ranges []change.Range, uris memento.URIs, uriR string) (earlier, later string) {
	if i := timeline.RangeOf(ranges, c.older.Time); i > 0 {
		earlier = c.diffURI(uris, ranges[i-1].Last, ranges[i].First, uriR)
	}
	if i := timeline.RangeOf(ranges, c.newer.Time); i >= 0 && i+1 < len(ranges) {
		later = c.diffURI(uris, ranges[i].Last, ranges[i+1].First, uriR)
	}
	return earlier, later
}
