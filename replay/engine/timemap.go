package engine

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// A timeMapWriter writes a TimeMap in one format.
type timeMapWriter func(io.Writer, iter.Seq2[*cdx.Capture, error], *memento.TimeMapInfo) error

// timeMapFormat returns the media type of a format of TimeMaps, "" if there is none of this name. A page for readers has no writer.
func timeMapFormat(name string) (contentType string, write timeMapWriter) {
	switch name {
	case "link":
		return "application/link-format", memento.WriteLink
	case "json":
		return "application/json", memento.WriteJSON
	case "cdxj":
		return "application/cdxj+ors", memento.WriteCDXJ
	case "html":
		return "text/html; charset=utf-8", nil
	}
	return "", nil
}

// TimeMap streams a TimeMap, or one page of it (RFC 7089 §5).
func (s *Handler) TimeMap(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	if p.Format == "" {
		p.Format = "link"
	}
	contentType, write := timeMapFormat(p.Format)
	if contentType == "" {
		return respond.BadRequest(fmt.Sprintf("there is no TimeMap format %q: want link, json, cdxj or html", p.Format))
	}
	if p.Page < 1 {
		return respond.BadRequest("page 0: the pages of a TimeMap are counted from 1")
	}
	span := cdx.Span{Coll: p.Coll, From: surt.Of(p.URIR), Exact: true}
	first, last, err := s.ends(r, span)
	if err != nil {
		return err
	}
	if first == nil {
		return s.site.Missing(r, p)
	}
	info := &memento.TimeMapInfo{
		URIs: s.site.Absolute(r, p.Coll), Original: p.URIR, Page: p.Page, First: first, Last: last,
		Pages: func() ([]memento.PageRange, error) {
			return s.pageRanges(r.Context(), span)
		},
	}
	captures, err := s.page(r, span, info)
	if err != nil {
		return err
	}
	if p.Format == "json" && info.Pages == nil { // not for several pages, so that memory stays constant: /changes has their versions
		if info.Version, err = s.versions(r.Context(), span); err != nil {
			return err
		}
	}
	h := w.Header()
	respond.AllowOrigins(h)
	h.Set("Content-Type", contentType)
	if write == nil {
		return s.TimeMapPage(w, r, p, captures, info)
	}
	if r.Method == http.MethodHead {
		return nil
	}
	return write(&respond.Streaming{W: w}, captures, info)
}

// versions returns a function from a capture's datetime to its validity range.
func (s *Handler) versions(ctx context.Context, span cdx.Span) (func(cdx.Timestamp) int, error) {
	tl, err := s.Timelines.Get(ctx, span.Coll, span.From)
	if err != nil {
		return nil, err
	}
	ranges, err := tl.Ranges(change.LevelContent)
	return func(ts cdx.Timestamp) int { return timeline.RangeOf(ranges, ts) }, err
}

// pageRanges divides a TimeMap into its pages. Counting half a million captures takes a while, so the result is cached
// until the index changes.
func (s *Handler) pageRanges(ctx context.Context, span cdx.Span) ([]memento.PageRange, error) {
	id, generation := span.Coll+"\x00"+span.From, s.Index.Generation()
	if kept, ok := s.timeMapPages.Get(id); ok && kept.generation == generation {
		return kept.pages, nil
	}
	pages, err := memento.PageRanges(s.Index.Times(ctx, span.Coll, span.From))
	if err == nil {
		s.timeMapPages.Add(id, keptRanges{generation, pages})
	}
	return pages, err
}

// cachedPageRanges is for how many long TimeMaps the pages are cached, some kilobytes each.
const cachedPageRanges = 256

type keptRanges struct {
	generation uint64
	pages      []memento.PageRange
}

// ends returns the first and the last capture of a key, or nil.
func (s *Handler) ends(r *http.Request, span cdx.Span) (first, last *cdx.Capture, err error) {
	back := span
	back.Reverse = true
	if first, err = timeline.FirstOf(s.Index.Captures(r.Context(), span)); err != nil || first == nil {
		return nil, nil, err
	}
	last, err = timeline.FirstOf(s.Index.Captures(r.Context(), back))
	return first, last, err
}

// page returns the captures from the start of the requested page on. Pages beyond the last are not found.
func (s *Handler) page(r *http.Request, span cdx.Span, info *memento.TimeMapInfo) (iter.Seq2[*cdx.Capture, error], error) {
	var err error
	if info.Page <= 1 {
		info.From = info.First.Time
		more := false
		if info.Until, more, err = s.pageEnd(r, span); !more {
			info.Pages = nil
		}
		return s.Index.Captures(r.Context(), span), err
	}
	pages, err := info.Pages()
	if err != nil {
		return nil, err
	}
	if info.Page > len(pages) {
		return nil, respond.NotFound(fmt.Sprintf("the last page of this TimeMap is %d", len(pages)))
	}
	info.Pages = func() ([]memento.PageRange, error) { return pages, nil }
	info.From, info.Until = pages[info.Page-1].From, pages[info.Page-1].Until
	span.Since = info.From
	if span.Skip, err = s.cutOff(r.Context(), span, pages, info.Page); err != nil {
		return nil, err
	}
	return s.Index.Captures(r.Context(), span), nil
}

// cutOff returns the number of captures that are in the first second of a page but belong to the previous page.
func (s *Handler) cutOff(ctx context.Context, span cdx.Span, pages []memento.PageRange, page int) (int64, error) {
	if pages[page-2].Until != span.Since {
		return 0, nil
	}
	before := span
	before.Since, before.Until = 0, span.Since-1
	n, err := s.Index.Count(ctx, before)
	return int64(page-1)*memento.PageSize - n, err
}

// pageEnd returns the datetime of the last memento of the first page, and whether there are more pages.
func (s *Handler) pageEnd(r *http.Request, span cdx.Span) (end cdx.Timestamp, more bool, err error) {
	n := 0
	for ts, err := range s.Index.Times(r.Context(), span.Coll, span.From) {
		if err != nil {
			return 0, false, err
		}
		if n++; n > memento.PageSize {
			return end, true, nil
		}
		end = ts
	}
	return end, false, nil
}
