package replay

import (
	"context"
	"net/http"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
)

// contextBlocks is how many equal blocks are shown around a change; more are folded.
const contextBlocks = 2

// A DiffAnswer is the answer of /{coll}/diff for two captures: the blocks of the newer text in order, deleted ones where they stood.
type DiffAnswer struct {
	OriginalURI string      `json:"original_uri"`
	From        DiffEnd     `json:"from"`
	To          DiffEnd     `json:"to"`
	Change      *Delta      `json:"change"`
	Blocks      []DiffBlock `json:"blocks"`
}

// A DiffEnd is one of the two captures.
type DiffEnd struct {
	URIM     string `json:"uri_m"`
	Datetime string `json:"datetime"`
	Title    string `json:"title"`
}

// A DiffBlock is a block of text: equal, inserted, deleted, or changed by its edits.
type DiffBlock struct {
	Op     string     `json:"op"`
	Region string     `json:"region"`
	Edits  []DiffEdit `json:"edits"`
}

// A DiffEdit is a run of text that both captures have, or one of them.
type DiffEdit struct {
	Op   string `json:"op"`
	Text string `json:"text"`
}

// A comparison is two captures of a URI-R and how their texts differ.
type comparison struct {
	tl           *timeline
	older, newer *cdx.Capture
	titles       [2]string
	blocks       []change.BlockDiff // nil where one has no text
	delta        *change.Delta
}

// diff answers /{coll}/diff/{tsA}/{tsB}/{URI-R}: a page for browsers, else JSON.
func (s *Server) diff(w http.ResponseWriter, r *http.Request, p Path) error {
	c, err := s.compare(r.Context(), p)
	if err != nil {
		return err
	}
	if c == nil {
		return s.missing(r, p)
	}
	vary(w.Header(), "Accept")
	if isBrowser(r) {
		v, err := s.diffView(r, p, c)
		if err != nil {
			return err
		}
		return render(w, r, http.StatusOK, banner.Diff(v))
	}
	return writeJSON(w, r, c.answer(s.absolute(r, p.Coll), p.URIR))
}

// compare finds the captures nearest to the two datetimes, the older first whatever the order asked for, and compares their texts.
func (s *Server) compare(ctx context.Context, p Path) (*comparison, error) {
	tl, err := s.timelines.get(ctx, p.Coll, cdx.Key(p.URIR))
	if err != nil || len(tl.captures) == 0 {
		return nil, err
	}
	c := &comparison{tl: tl}
	for i, at := range []string{p.From, p.To} {
		ts, err := cdx.ParseTimestamp(at)
		if err != nil {
			return nil, badRequest("a diff needs two datetimes, as in /" + p.Coll + "/diff/20140101000000/20150101000000/" + p.URIR)
		}
		found, err := s.nearest(ctx, tl, ts)
		if err != nil || found == nil {
			return nil, err
		}
		if i == 0 {
			c.older = found
		} else {
			c.newer = found
		}
	}
	if c.older.Time > c.newer.Time {
		c.older, c.newer = c.newer, c.older
	}
	return c, s.compareTexts(ctx, c)
}

func (s *Server) compareTexts(ctx context.Context, c *comparison) error {
	var texts [2]change.Text
	for i, capture := range []*cdx.Capture{c.older, c.newer} {
		var err error
		if texts[i], err = s.text(ctx, capture); err != nil {
			return err
		}
		c.titles[i] = texts[i].Title
	}
	if c.older.Text == 0 || c.newer.Text == 0 {
		return nil
	}
	a, b := texts[0].Sketch(), texts[1].Sketch()
	d := change.Compare(&a, &b)
	c.delta, c.blocks = &d, change.Diff(&texts[0], &texts[1])
	return nil
}

func (c *comparison) answer(uris memento.URIs, uriR string) *DiffAnswer {
	end := func(c *cdx.Capture, title string) DiffEnd {
		return DiffEnd{URIM: uris.Memento(c.Time, "", c.URL), Datetime: c.Time.String(), Title: title}
	}
	out := &DiffAnswer{OriginalURI: uriR, From: end(c.older, c.titles[0]), To: end(c.newer, c.titles[1]), Blocks: []DiffBlock{}}
	if d := c.delta; d != nil {
		out.Change = &Delta{Added: d.Added, Deleted: d.Deleted, SemiDeleted: d.SemiDeleted, Similarity: d.Similarity}
	}
	for _, b := range c.blocks {
		block := DiffBlock{Op: b.Op.String(), Region: b.Region.String()}
		for _, e := range b.Edits {
			block.Edits = append(block.Edits, DiffEdit{Op: e.Op.String(), Text: e.Text})
		}
		out.Blocks = append(out.Blocks, block)
	}
	return out
}

func (s *Server) diffView(r *http.Request, p Path, c *comparison) (banner.DiffView, error) {
	uris := s.local(p.Coll)
	v := banner.DiffView{
		Page:  s.shared(r, p),
		Older: banner.DiffSide{CaptureLink: *captureLink(uris, c.older), Title: c.titles[0]},
		Newer: banner.DiffSide{CaptureLink: *captureLink(uris, c.newer), Title: c.titles[1]},
		Rows:  rows(c.blocks), NoText: c.delta == nil, Calendar: uris.Calendar(p.URIR),
	}
	if d := c.delta; d != nil {
		v.Added, v.Deleted = d.Added, d.Deleted
		v.Similarity = banner.Similarity{Value: d.Similarity, Known: true}
	}
	ranges, err := c.tl.levels(change.LevelContent)
	if err != nil {
		return v, err
	}
	v.Earlier, v.Later = neighbourPairs(ranges, c, uris, p.URIR)
	return v, nil
}

// neighbourPairs returns the diffs of the pair of versions before this one, and of the pair after it.
func neighbourPairs(ranges []change.Range, c *comparison, uris memento.URIs, uriR string) (earlier, later string) {
	if i := rangeOf(ranges, c.older.Time); i > 0 {
		earlier = uris.Diff(ranges[i-1].Last, ranges[i].First, uriR)
	}
	if i := rangeOf(ranges, c.newer.Time); i >= 0 && i+1 < len(ranges) {
		later = uris.Diff(ranges[i].Last, ranges[i+1].First, uriR)
	}
	return earlier, later
}

// rows lays blocks out in two columns and folds long runs of equal ones. Texts without a change give none.
func rows(blocks []change.BlockDiff) []banner.DiffRow {
	near := make([]bool, len(blocks))
	changed := false
	for i := range blocks {
		if blocks[i].Op == change.Equal {
			continue
		}
		changed = true
		for j := max(0, i-contextBlocks); j < min(len(blocks), i+contextBlocks+1); j++ {
			near[j] = true
		}
	}
	if !changed {
		return nil
	}
	var out []banner.DiffRow
	for i := range blocks {
		if near[i] {
			out = append(out, row(&blocks[i]))
			continue
		}
		if len(out) == 0 || out[len(out)-1].Skipped == 0 {
			out = append(out, banner.DiffRow{})
		}
		out[len(out)-1].Skipped++
	}
	return out
}

func row(b *change.BlockDiff) banner.DiffRow {
	var r banner.DiffRow
	for _, e := range b.Edits {
		switch e.Op {
		case change.Inserted:
			r.After = append(r.After, banner.Span{Op: banner.Added, Text: e.Text})
		case change.Deleted:
			r.Before = append(r.Before, banner.Span{Op: banner.Deleted, Text: e.Text})
		default:
			r.Before = append(r.Before, banner.Span{Text: e.Text})
			r.After = append(r.After, banner.Span{Text: e.Text})
		}
	}
	return r
}
