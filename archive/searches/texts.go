package searches

import (
	"context"
	"encoding/binary"
	"iter"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/tokenize"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// cachedWordTexts bounds the cached texts of results. Adjacent versions and the next page of results often need the same ones.
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

// maxKey is the length in bytes of keys of pages that are searched. Engines refuse terms of more than 32,766 bytes, among them the key of a
// link on a page, which has the folder of the page's address and what is written, escaped.
const maxKey = 16 << 10

// Pages implements [search.Archive]. The signature of a page covers everything that affects where its versions begin.
func (b *Source) Pages(ctx context.Context) iter.Seq2[search.Page, error] {
	return b.pagesOf(ctx, cdx.Span{Coll: b.coll})
}

func (b *Source) Page(ctx context.Context, key string) (page search.Page, ok bool, err error) {
	for page, err := range b.pagesOf(ctx, cdx.Span{Coll: b.coll, From: key, Exact: true}) {
		return page, err == nil, err
	}
	return page, false, nil
}

func (b *Source) pagesOf(ctx context.Context, span cdx.Span) iter.Seq2[search.Page, error] {
	return func(yield func(search.Page, error) bool) {
		var page search.Page
		text := false
		h := xxh3.New()
		end := func() bool {
			page.Signature = sum(h, b.fields, page.Key)
			return !text || surt.HasMethod(page.Key) || len(page.Key) > maxKey || yield(page, nil)
		}
		for c, err := range b.archive.Index.Captures(ctx, span) {
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

// PageOf returns the page of a timeline, with its signature.
func (s *Searches) PageOf(tl *timeline.Timeline) search.Page {
	h := xxh3.New()
	for i := range tl.Captures {
		sign(h, &tl.Captures[i])
	}
	return search.Page{Key: tl.Key, Signature: sum(h, s.fields(tl.Coll), tl.Key)}
}

// sum adds to h what the template values of a page depend on, beside its captures.
func sum(h *xxh3.Hasher, of *fields.Set, key string) uint64 {
	if _, sum := of.For(key); sum != 0 {
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

// Words returns the words of the version valid at ts. They are empty if there is none or it has no text.
func (s *Searches) Words(ctx context.Context, tl *timeline.Timeline, ts cdx.Timestamp) (*WordText, error) {
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
	key := s.archive.TextKey(tl, ranges[i].First, id)
	if t, ok := s.texts.Get(key); ok {
		return t, nil
	}
	text, err := s.archive.VersionText(ctx, tl, ranges[i].First, id)
	if err != nil {
		return &WordText{}, err
	}
	t := newWordText(text.String())
	s.texts.Add(key, t)
	return t, nil
}
