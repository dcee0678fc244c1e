package search

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// result converts one change into the page's terms.
func (g *searchPage) result(ctx context.Context, r *SearchResult) (*shownChange, error) {
	tl, err := g.s.archive.Timelines.Get(ctx, g.coll, surt.Of(r.OriginalURI))
	if err != nil {
		return nil, err
	}
	ranges, err := tl.Ranges(change.LevelText)
	if err != nil {
		return nil, err
	}
	out := &shownChange{
		Title: r.Title, URIR: r.OriginalURI, Change: textChange(g.ask.request.Kind), After: side(&r.After), Unreadable: r.Unreadable,
		Diff: r.Links.Diff, Sliding: r.Links.Sliding, Animate: r.Links.Animation,
	}
	if g.s.site.Away() { // varve.proxy shows nothing archived
		out.Animate = ""
	}
	if r.Before != nil {
		before := side(r.Before)
		out.Before = &before
	}
	if r.Addition != nil {
		addition := side(r.Addition)
		out.Addition = &addition.CaptureLink
		out.FromStart = len(ranges) > 0 && out.Addition.Time <= ranges[0].First
	}
	shown := out.After.Time // added text is in this capture, deleted text in the one before
	if out.Before != nil && g.ask.request.Kind != search.Added {
		shown = out.Before.Time
	}
	if out.Thumb, err = film.Small(ctx, g.s.archive, g.uris, r.OriginalURI, shown); err != nil {
		return nil, err
	}
	for _, s := range r.Snippets {
		out.Snippets = append(out.Snippets, s.spans())
	}
	out.Remark = g.remark(ctx, tl, ranges, r, out)
	return out, nil
}

func side(e *SearchEnd) changeSide {
	ts, _ := cdx.ParseTimestamp(e.Datetime) // it was formatted from a timestamp
	out := changeSide{CaptureLink: banner.CaptureLink{Href: e.URIM, Time: ts}}
	if e.Count != nil {
		out.Count = *e.Count
	}
	return out
}

// spans cuts a snippet at the ends of the searched words and of the deleted or added text.
func (s *Snippet) spans() shownLine {
	op := layout.Deleted
	if s.Op == "+" {
		op = layout.Added
	}
	var out shownLine
	for at, r := range []rune(s.Text) {
		p := layout.Span{Mark: inside(s.Marks, at)}
		if inside(s.Changed, at) {
			p.Op = op
		}
		if n := len(out); n == 0 || out[n-1].Op != p.Op || out[n-1].Mark != p.Mark {
			out = append(out, p)
		}
		out[len(out)-1].Text += string(r)
	}
	return out
}

func inside(stretches [][2]int, at int) bool {
	return slices.ContainsFunc(stretches, func(s [2]int) bool { return s[0] <= at && at < s[1] })
}

// remark says why a change may not be an edit of the text.
func (g *searchPage) remark(
	ctx context.Context, tl *timeline.Timeline, ranges []change.Range, r *SearchResult, c *shownChange,
) remark {
	if c.Change == textAdded {
		return cameAs(ranges, r, c)
	}
	after := rangeAt(ranges, c.After.Time)
	switch {
	case r.Soft404 || after.Soft404:
		return remarkSoft404
	case after.Kind == change.Missing:
		return remarkMissing
	case after.Kind == change.Redirect:
		return remarkRedirect
	case r.Whole && g.scripted(ctx, tl, c.After.Time):
		return remarkScript
	case r.Whole:
		return remarkEmptied
	}
	return remarkNone
}

func cameAs(ranges []change.Range, r *SearchResult, c *shownChange) remark {
	if c.Before == nil {
		return remarkFirst
	}
	before := rangeAt(ranges, c.Before.Time)
	switch {
	case r.Soft404 || before.Soft404 || before.Kind == change.Missing || before.Kind == change.Redirect:
		return remarkCame
	case r.Whole:
		return remarkFilled
	}
	return remarkNone
}

// rangeAt returns the version with the capture at ts, or a zero one.
func rangeAt(ranges []change.Range, ts cdx.Timestamp) *change.Range {
	if i := timeline.RangeOf(ranges, ts); i >= 0 {
		return &ranges[i]
	}
	return &change.Range{}
}

// A page with fewer than fewWords words and a script in its first scriptReach bytes may load its content by that
// script.
const (
	fewWords    = 50
	scriptReach = 256 << 10
)

// scripted reports whether a page that lost its text has scripts that may load it.
func (g *searchPage) scripted(ctx context.Context, tl *timeline.Timeline, ts cdx.Timestamp) bool {
	text, err := g.s.searches.Words(ctx, tl, ts)
	c := tl.Memento(ts)
	if err != nil || c == nil || len(text.Words) >= fewWords {
		return false
	}
	a, err := g.s.archive.Open(ctx, c)
	if err != nil {
		return false
	}
	defer a.Close()
	body, err := warc.Decode(a.Coding(), a.Body)
	if err != nil {
		return false
	}
	start, _ := io.ReadAll(io.LimitReader(body, scriptReach)) // an incomplete body is checked as far as it goes
	return bytes.Contains(bytes.ToLower(start), []byte("<script"))
}

// newest returns a memento of the newest version of a page if it contains the whole query, else nil.
func (g *searchPage) newest(ctx context.Context, key string, q *search.Query) (*standing, error) {
	tl, err := g.s.archive.Timelines.Get(ctx, g.coll, key)
	if err != nil {
		return nil, err
	}
	ranges, err := tl.Ranges(change.LevelText)
	if err != nil || len(ranges) == 0 {
		return nil, err
	}
	last := ranges[len(ranges)-1]
	text, _, err := g.s.words(ctx, tl, last.First)
	if err != nil || slices.ContainsFunc(q.Phrases, func(p search.Phrase) bool { return p.Count(text.Words) == 0 }) {
		return nil, err
	}
	c := timeline.MementoAt(tl, last.Last)
	link := banner.CaptureLink{Href: g.uris.Memento(c.Time, "", c.URL), Time: c.Time}
	title, err := g.s.archive.Title(ctx, c)
	return &standing{CaptureLink: link, URIR: c.URL, Title: title}, err
}
