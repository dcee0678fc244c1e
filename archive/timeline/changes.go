package timeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// A ChangeList is the answer of /{coll}/changes: the validity ranges of a URI-R, oldest first. For a question about
// one datetime, Ranges holds only the range valid then and its neighbours, Range is the index of that range among all
// ranges, and Versions is the number of all ranges.
type ChangeList struct {
	OriginalURI string          `json:"original_uri"`
	Level       string          `json:"level"`
	Captures    int             `json:"captures"`
	Looked      *int            `json:"looked,omitempty"` // at level visual: the number of captures with a picture
	Range       *int            `json:"range,omitempty"`
	Versions    *int            `json:"versions,omitempty"`
	Ranges      []ValidityRange `json:"ranges"` // last, because Write streams the ranges
}

// A ValidityRange is the longest run of captures, in time order, in which nothing changed that matters at the level.
type ValidityRange struct {
	First        string  `json:"first"`
	Last         string  `json:"last"`
	Until        *string `json:"until"`
	Captures     int     `json:"captures"`
	Kind         string  `json:"kind"`
	Status       int     `json:"status"`
	FirstMemento string  `json:"first_memento"`
	LastMemento  string  `json:"last_memento"`
	Redirect     *string `json:"redirect"`
	Soft404      bool    `json:"soft404"`
	Change       *Delta  `json:"change"`
	Open         bool    `json:"open,omitempty"` // at level visual: some of its captures have no picture
	// AlternatingSince is the datetime from which on two texts alternate in the range; it equals First.
	AlternatingSince string `json:"alternating_since,omitempty"`
}

// A Delta counts the terms by which a version differs from the one before it.
type Delta struct {
	Added       int     `json:"added"`
	Deleted     int     `json:"deleted"`
	SemiDeleted int     `json:"semi_deleted"`
	Pictures    int     `json:"pictures,omitempty"` // pictures whose content differs
	Similarity  float64 `json:"similarity"`
}

// ChangesOf returns the validity ranges of a URI-R, with URI-Ms built by uris. It returns nil if the URI-R has no
// captures.
func (t *Timelines) ChangesOf(ctx context.Context, uris memento.URIs, uriR string, level change.Level) (*ChangeList, error) {
	c, err := t.ChangeRanges(ctx, uris, uriR, level)
	if c == nil || err != nil {
		return nil, err
	}
	out := &c.ChangeList
	out.Ranges = make([]ValidityRange, len(c.ranges))
	for i := range c.ranges {
		out.Ranges[i] = c.at(i)
	}
	return out, nil
}

// A ChangeWriter is a [ChangeList] that builds its ranges only while it writes them.
type ChangeWriter struct {
	ChangeList
	ranges []change.Range
	tell   func(*change.Range) version
	uris   memento.URIs
	open   func(*change.Range) bool // reports whether a range is open; nil if none is
}

// ChangeRanges is [Timelines.ChangesOf] for answers that are streamed.
func (t *Timelines) ChangeRanges(ctx context.Context, uris memento.URIs, uriR string, level change.Level) (*ChangeWriter, error) {
	return t.changeRanges(ctx, uris, uriR, level, func(w *ChangeWriter, s *cachedVersions) ([]version, error) {
		return s.versionsIn(0, len(s.chapters))
	})
}

// ChangesAround is [Timelines.ChangeRanges] with only the range valid at ts and its neighbours.
func (t *Timelines) ChangesAround(
	ctx context.Context, uris memento.URIs, uriR string, level change.Level, ts cdx.Timestamp,
) (*ChangeWriter, error) {
	w, err := t.changeRanges(ctx, uris, uriR, level, func(w *ChangeWriter, s *cachedVersions) ([]version, error) {
		i, err := s.at(ts)
		if err != nil {
			return nil, err
		}
		i = max(i, 0)
		w.Range, w.Versions = &i, &s.versions
		return s.some(i-1, i+2)
	})
	if w != nil && err == nil && w.Range == nil {
		w.around(ts)
	}
	return w, err
}

// changeRanges returns the ranges of a timeline, or calls cached with the cached versions if there are many captures.
func (t *Timelines) changeRanges(
	ctx context.Context, uris memento.URIs, uriR string, level change.Level, cached func(*ChangeWriter, *cachedVersions) ([]version, error),
) (*ChangeWriter, error) {
	o, err := t.Original(ctx, uris.Coll, surt.Of(uriR), 0)
	if err != nil {
		return nil, err
	}
	if o, err = o.Spelled(ctx, uriR); err != nil {
		return nil, err
	}
	w := &ChangeWriter{ChangeList: ChangeList{OriginalURI: uriR, Level: level.String(), Ranges: []ValidityRange{}}, uris: uris}
	if o.whole == nil {
		found, err := t.withVersions(ctx, o.Coll, o.Key, level, func(s *cachedVersions) error {
			all, err := cached(w, s)
			w.setVersions(all)
			w.Captures = s.captures
			return err
		})
		if found || err != nil {
			return w, err
		}
	}
	tl, err := o.Timeline(ctx)
	if err != nil || len(tl.Captures) == 0 {
		return nil, err
	}
	w.Captures, w.tell, w.Range, w.Versions = len(tl.Captures), tl.version, nil, nil
	if w.ranges, err = tl.Ranges(level); err == nil && level == change.LevelVisual {
		err = w.looked(tl)
	}
	return w, err
}

func (c *ChangeWriter) setVersions(all []version) {
	c.ranges = rangesOf(all)
	byFirst := make(map[int]*version, len(all)) // by the capture that begins it
	for i := range all {
		byFirst[all[i].FirstIndex] = &all[i]
	}
	c.tell = func(r *change.Range) version { return *byFirst[r.FirstIndex] }
}

func (c *ChangeWriter) at(i int) ValidityRange {
	v := c.tell(&c.ranges[i])
	out := v.validityRange(c.uris)
	out.Open = c.open != nil && c.open(&c.ranges[i])
	return out
}

// Len returns the number of ranges.
func (c *ChangeWriter) Len() int { return len(c.ranges) }

// Version returns the range with an index, and the URL of its first capture.
func (c *ChangeWriter) Version(i int) (r change.Range, url string) {
	v := c.tell(&c.ranges[i])
	return v.Range, v.FirstURL
}

// around keeps only the range valid at ts and its neighbours.
func (c *ChangeWriter) around(ts cdx.Timestamp) {
	i, n := max(RangeOf(c.ranges, ts), 0), len(c.ranges)
	c.Range, c.Versions = &i, &n
	c.ranges = c.ranges[max(i-1, 0):min(i+2, n)]
}

// Write writes the list as JSON, one range at a time, because at level any a page can have as many ranges as
// captures.
func (c *ChangeWriter) Write(w io.Writer) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(&c.ChangeList); err != nil {
		return err
	}
	const end = "]}\n"
	b.Truncate(b.Len() - len(end))
	for i := range c.ranges {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(c.at(i)); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // the newline
		if b.Len() < changesFlush {
			continue
		}
		if _, err := b.WriteTo(w); err != nil {
			return err
		}
	}
	b.WriteString(end)
	_, err := b.WriteTo(w)
	return err
}

// changesFlush is the number of bytes of an answer that are buffered before they are written.
const changesFlush = 32 << 10

func (r *version) validityRange(uris memento.URIs) ValidityRange {
	v := ValidityRange{
		First: r.First.String(), Last: r.Last.String(), Captures: r.Captures, Kind: r.Kind.String(), Status: r.Status,
		FirstMemento: uris.Memento(r.First, "", r.FirstURL), LastMemento: uris.Memento(r.Last, "", r.LastURL), Soft404: r.Soft404,
	}
	if r.Until != 0 {
		until := r.Until.String()
		v.Until = &until
	}
	if r.Alternates {
		v.AlternatingSince = v.First
	}
	if r.Redirect != "" {
		v.Redirect = &r.Redirect
	}
	if d := r.Change; d != nil {
		v.Change = &Delta{Added: d.Added, Deleted: d.Deleted, SemiDeleted: d.SemiDeleted, Pictures: d.Pictures, Similarity: r.Similarity}
	}
	return v
}

// Annotate returns a function for the CDX API that gives the index of a capture's validity range at level content, and how the capture
// differs from the previous one: none, any, text, visual or content.
func (t *Timelines) Annotate(ctx context.Context, coll, key string) (func(c *cdx.Capture) (int, string), error) {
	tl, err := t.Get(ctx, coll, key)
	if err != nil {
		return nil, err
	}
	return tl.Annotate()
}

// Annotate is [Timelines.Annotate] for the captures of a timeline.
func (t *Timeline) Annotate() (func(c *cdx.Capture) (int, string), error) {
	ranges, err := t.allLevels()
	if err != nil {
		return nil, err
	}
	looks, err := t.Ranges(change.LevelVisual)
	if err != nil && !errors.Is(err, ErrNotPictured) {
		return nil, err
	}
	ordered := [...]levelRanges{
		{change.LevelContent, ranges[change.LevelContent]},
		{change.LevelVisual, looks},
		{change.LevelText, ranges[change.LevelText]},
		{change.LevelAny, ranges[change.LevelAny]},
	}
	return func(c *cdx.Capture) (int, string) {
		return RangeOf(ranges[change.LevelContent], c.Time), t.changeWord(ordered[:], c)
	}, nil
}

type levelRanges struct {
	level  change.Level
	ranges []change.Range
}

// changeWord names the coarsest level at which c begins a version. The very first capture counts as no change, and so does a capture that
// no URI-M shows.
func (t *Timeline) changeWord(levels []levelRanges, c *cdx.Capture) string {
	for _, l := range levels {
		i := RangeOf(l.ranges, c.Time)
		if i > 0 && t.Captures[l.ranges[i].FirstIndex].Location == c.Location {
			return l.level.String()
		}
	}
	return "none"
}
