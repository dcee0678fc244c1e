package archive

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// cachedWordTexts bounds how many texts are kept after a search read them. Neighbouring versions and the next page of
// results often need the same ones.
const cachedWordTexts = 128

// A WordText is a visible text with its words and their places.
type WordText struct {
	Text  string
	Words []string
	At    []search.Place
}

func newWordText(text string) *WordText {
	w := &WordText{Text: text}
	tokenize.Terms(text, func(t tokenize.Term) bool {
		w.Words, w.At = append(w.Words, string(t.Norm)), append(w.At, search.Place{Start: t.Start, End: t.End})
		return true
	})
	return w
}

// Pages implements [search.Archive]. The signature of a page covers everything that decides where its versions begin.
func (b *CollectionBuild) Pages(ctx context.Context) iter.Seq2[search.Page, error] {
	return b.pagesOf(ctx, cdx.Span{Coll: b.coll})
}

// Page implements [search.Archive].
func (b *CollectionBuild) Page(ctx context.Context, key string) (page search.Page, ok bool, err error) {
	for page, err := range b.pagesOf(ctx, cdx.Span{Coll: b.coll, From: key, Exact: true}) {
		return page, err == nil, err
	}
	return page, false, nil
}

func (b *CollectionBuild) pagesOf(ctx context.Context, span cdx.Span) iter.Seq2[search.Page, error] {
	return b.pagesAmong(b.s.Index.Captures(ctx, span))
}

// pagesAmong yields the pages of captures, which are ordered by key.
func (b *CollectionBuild) pagesAmong(captures iter.Seq2[*cdx.Capture, error]) iter.Seq2[search.Page, error] {
	return func(yield func(search.Page, error) bool) {
		var page search.Page
		text := false
		h := xxh3.New()
		end := func() bool {
			page.Signature = b.s.signature(h, b.coll, page.Key)
			return !text || surt.HasMethod(page.Key) || yield(page, nil)
		}
		for c, err := range captures {
			if err != nil {
				yield(search.Page{}, err)
				return
			}
			if c.Key != page.Key {
				if !end() {
					return
				}
				page.Key, text = c.Key, false
				h.Reset()
			}
			text = text || c.Text != 0
			sign(h, c)
		}
		end()
	}
}

// SearchPage returns the timeline in the form that the search compares.
func (s *Archive) SearchPage(tl *timeline.Timeline) search.Page {
	h := xxh3.New()
	for i := range tl.Captures {
		sign(h, &tl.Captures[i])
	}
	return search.Page{Key: tl.Key, Signature: s.signature(h, tl.Coll, tl.Key)}
}

// signature adds to h what decides what is read from the versions of a page, beside its captures.
func (s *Archive) signature(h *xxh3.Hasher, coll, key string) uint64 {
	if _, sum := s.fields(coll).For(key); sum != 0 {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], sum)
		_, _ = h.Write(b[:])
	}
	return h.Sum64()
}

// sign adds to h what decides whether c begins a version.
func sign(h *xxh3.Hasher, c *cdx.Capture) {
	s := change.StateOf(c)
	var b [27]byte
	binary.LittleEndian.PutUint64(b[:], uint64(s.Time))
	binary.LittleEndian.PutUint64(b[8:], s.Text)
	binary.LittleEndian.PutUint64(b[16:], uint64(s.Status))
	for i, yes := range []bool{s.Failed, s.ToSelf, c.Unresolved()} {
		if yes {
			b[24+i] = 1
		}
	}
	_, _ = h.Write(b[:])
	_, _ = h.WriteString(s.Redirect)
}

// searchVersions returns the versions of a page at level text.
func searchVersions(t *timeline.Timeline) ([]search.Version, error) {
	ranges, content, err := t.TextAndContent()
	if err != nil {
		return nil, err
	}
	out := make([]search.Version, len(ranges))
	for i, r := range ranges {
		first := &t.Captures[r.FirstIndex]
		out[i] = search.Version{
			Minor: i > 0 && timeline.RangeOf(content, r.First) == timeline.RangeOf(content, ranges[i-1].Last),
			First: r.First, Last: r.Last, Text: first.Text, MIME: first.MIME, Status: first.Status,
			Missing: r.Kind != change.Page && r.Kind != change.Resource, Soft404: r.Soft404,
		}
	}
	return out, nil
}

// LogUnreadable logs that the text of a version can't be read, for those who look after the files.
func (s *Archive) LogUnreadable(key string, ts cdx.Timestamp, err error) {
	s.Log.Warn("search: a version can't be read back", "page", key, "datetime", ts, "error", err)
}

// Words returns the words of the version valid at ts. They are empty if there is none or it has no text.
func (s *Archive) Words(ctx context.Context, tl *timeline.Timeline, ts cdx.Timestamp) (*WordText, error) {
	ranges, err := tl.Ranges(change.LevelText)
	if err != nil {
		return &WordText{}, err
	}
	i := timeline.BegunBy(ranges, ts)
	if i < 0 {
		return &WordText{}, nil
	}
	id := tl.Captures[ranges[i].FirstIndex].Text
	if id == 0 {
		return &WordText{}, nil
	}
	if t, ok := s.searches.texts.Get(id); ok {
		return t, nil
	}
	text, err := s.VersionText(ctx, tl, ranges[i].First, id)
	if err != nil {
		return &WordText{}, err
	}
	t := newWordText(text.String())
	s.searches.texts.Add(id, t)
	return t, nil
}

// readTries bounds how many captures of a version are tried if the first can't be read.
const readTries = 5

// VersionText reads the visible text of the version that begins at first. id is the text's ID in the index; any
// capture that has it may be read.
func (s *Archive) VersionText(ctx context.Context, tl *timeline.Timeline, first cdx.Timestamp, id uint64) (visible.Text, error) {
	return s.versionTextBy(ctx, tl, first, id, &visible.Extractor{Layout: true})
}

func (s *Archive) versionTextBy(
	ctx context.Context, tl *timeline.Timeline, first cdx.Timestamp, id uint64, e *visible.Extractor,
) (t visible.Text, err error) {
	err = tryVersion(tl, first, id, func(c *cdx.Capture) (err error) {
		t, err = s.textBy(ctx, c, e)
		return err
	})
	return t, err
}

// tryVersion calls read with the captures of a version that have its text, some of them, until it returns nil.
func tryVersion(tl *timeline.Timeline, first cdx.Timestamp, id uint64, read func(*cdx.Capture) error) error {
	from, _ := tl.Second(first)
	var failed error
	for i, tries := from, 0; i < len(tl.Captures) && tries < readTries; i++ {
		c := &tl.Captures[i]
		if c.Text != id {
			continue
		}
		tries++
		err := read(c)
		if err == nil {
			return nil
		}
		failed = errors.Join(failed, err)
	}
	if failed == nil {
		failed = errors.New("no capture has its text")
	}
	return fmt.Errorf("version of %s: %w", first, failed)
}

// Title returns the title of a capture's page from the index, "" if there is none. The error is [ErrUnavailable], or that of ctx.
func (s *Archive) Title(ctx context.Context, c *cdx.Capture) (title string, err error) {
	if c.Text == 0 {
		return "", nil
	}
	err = s.Index.Text(ctx, c.Text, func(b []byte) error {
		k, err := sketch.ParseHead(b)
		title = k.Title
		return err
	})
	if errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
		return "", err
	}
	return title, nil // a page without a title is shown by its address
}
