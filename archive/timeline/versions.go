package timeline

import (
	"context"
	"errors"
	"sort"
	"strings"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/cdx"
)

// The versions of a URI-R with very many captures are cached in the index, so that finding a version needn't read all captures. They are
// derived data. The head is a table of contents of their chapters ([change.Division]), each of which is a part; another part has the site's
// facts. When captures are added, chapters are read again from the first affected one on (revalidate.go). Captures of other pages of the
// site make nothing stale: versions stay based on the old facts until they are recomputed in the background.

// usualDivision makes chapters of such a size that the three chapters usually read around a capture have about a thousand captures.
var usualDivision = change.Division{Whole: 1000, Mean: 512}

// A version is a validity range with values of its first and last capture.
type version struct {
	change.Range
	FirstURL, LastURL string
	Similarity        float64 // to the previous version
}

func (t *Timeline) version(r *change.Range) version {
	v := version{Range: *r, FirstURL: t.Memento(r.First).URL, LastURL: t.Memento(r.Last).URL}
	if r.Change != nil {
		v.Similarity = r.Change.Similarity
	}
	return v
}

// cacheName returns the name under which the versions of a key are cached. ok is false if rules hide captures that the versions may depend
// on, so they aren't cached.
func (t *Timelines) cacheName(coll, key string, level change.Level) (name index.CacheName, ok bool) {
	if level == change.LevelVisual { // its versions change when pictures are added
		return name, false
	}
	of := cdx.Span{Coll: coll, From: key, Exact: true}
	if host, _, found := strings.Cut(key, ")"); found {
		of = spanOf(coll, host)
	}
	return index.CacheName{Coll: coll, Key: key, Sort: byte(level)}, !t.index.Touches(of)
}

// cachedVersions are the cached versions of a URI-R, in one state of the index.
type cachedVersions struct {
	*contents
	entry *index.Cached
	have  map[int]*chapter // chapters that were read
}

// withVersions calls f with the fresh cached versions of a key, and reports whether there are any. Stale ones are revalidated first.
func (t *Timelines) withVersions(
	ctx context.Context, coll, key string, level change.Level, f func(*cachedVersions) error,
) (found bool, err error) {
	name, ok := t.cacheName(coll, key, level)
	if !ok {
		return false, nil
	}
	if found, err = t.withFresh(ctx, name, f); found || err != nil || !(revalidation{t}).revalidated(ctx, name) {
		return found, errors.Join(err, ctx.Err())
	}
	return t.withFresh(ctx, name, f)
}

// withFresh calls f with the cached versions if they are fresh, and reports whether they are.
func (t *Timelines) withFresh(ctx context.Context, name index.CacheName, f func(*cachedVersions) error) (found bool, err error) {
	_, err = t.index.Whole.Cache().Get(ctx, name, func(e *index.Cached) error {
		c := t.contentsOf(e)
		if c == nil || !e.Fresh() {
			return nil
		}
		found = true
		return f(&cachedVersions{c, e, map[int]*chapter{}})
	})
	return asMissing(found && err == nil, err)
}

// contentsOf decodes the head of an entry. It returns nil if that is damaged or from another version of the software.
func (t *Timelines) contentsOf(e *index.Cached) *contents {
	c, err := parseContents(e.Head)
	if err != nil || c.software != t.software {
		return nil
	}
	return c
}

// asMissing treats damaged entries as missing, so that they are recomputed.
func asMissing(found bool, err error) (bool, error) {
	if errors.Is(err, errVersions) || errors.Is(err, index.ErrNoPart) {
		return false, nil
	}
	return found, err
}

// read returns the chapters from to to-1.
func (s *cachedVersions) read(from, to int) ([]chapter, error) {
	var missing []int
	for i := from; i < to; i++ {
		if s.have[i] == nil {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 { // in one call, since the store may be on another machine
		err := s.entry.Parts(s.missing(from, to), func(i int, value []byte) (err error) {
			s.have[missing[i]], err = parseChapter(value)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	out := make([]chapter, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, *s.have[i])
	}
	return out, nil
}

// versionsIn returns the versions that begin in the chapters from to to-1. The last is complete only if it ends there too.
func (s *cachedVersions) versionsIn(from, to int) ([]version, error) {
	chapters, err := s.read(from, to)
	if err != nil {
		return nil, err
	}
	before, _ := s.before(from)
	out := joined(chapters, before)
	for i := to; i < len(s.chapters) && len(out) > 0; i++ {
		if h := &s.chapters[i]; len(h.marks) > 0 {
			out[len(out)-1].Until = h.marks[0].at
			break
		}
	}
	return out, nil
}

// joined returns the versions that begin in chapters. at is the index of the first capture of the first.
func joined(chapters []chapter, at int) []version {
	said := make([]change.Chapter, len(chapters))
	var facts []rangeFacts
	for i := range chapters {
		c := &chapters[i]
		if n := len(facts); n > 0 && c.Goes.LastIndex >= 0 {
			facts[n-1].lastURL = c.goesURL
		}
		said[i], facts = c.Chapter, append(facts, c.facts...)
	}
	ranges := change.Join(said, at)
	out := make([]version, len(ranges))
	for i := range ranges {
		out[i] = version{ranges[i], facts[i].firstURL, facts[i].lastURL, facts[i].similarity}
	}
	return out
}

// chapterAt returns the index of the chapter of a capture at ts, -1 before the first.
func (c *contents) chapterAt(ts cdx.Timestamp) int {
	return sort.Search(len(c.chapters), func(i int) bool { return c.chapters[i].first > ts }) - 1
}

// before returns the number of captures before a chapter, and that of the versions that begin before it.
func (c *contents) before(chapter int) (captures, versions int) {
	for i := range chapter {
		captures += c.chapters[i].captures
		versions += c.chapters[i].versions
	}
	return captures, versions
}

// at returns the number of the version of a capture at ts, as [RangeOf] does.
func (s *cachedVersions) at(ts cdx.Timestamp) (int, error) {
	in := s.chapterAt(ts)
	_, before := s.before(in)
	if in < 0 || s.chapters[in].versions == 0 {
		return min(max(before-1, 0), s.versions-1), nil
	}
	c, err := s.read(in, in+1)
	if err != nil {
		return 0, err
	}
	return max(before+BegunBy(c[0].Ranges, ts), 0), nil
}

// around returns the number of the version of a capture at ts, and this version with those before and after it, as far as they exist.
func (s *cachedVersions) around(ts cdx.Timestamp) (n int, some []version, err error) {
	if n, err = s.at(ts); err == nil {
		some, err = s.some(n-1, n+2)
	}
	return n, some, err
}

// chapterOf returns the chapter in which a version begins, and the number of the first version that begins there. Beyond the last version
// it returns the last chapter.
func (s *cachedVersions) chapterOf(number int) (chapter, first int) {
	for i := range s.chapters {
		if number < first+s.chapters[i].versions {
			return i, first
		}
		first += s.chapters[i].versions
	}
	return len(s.chapters) - 1, first
}

// some returns the versions from to to-1, as far as they exist.
func (s *cachedVersions) some(from, to int) ([]version, error) {
	from, to = max(from, 0), min(to, s.versions)
	if from >= to {
		return nil, nil
	}
	begin, first := s.chapterOf(from)
	end, _ := s.chapterOf(to) // version to-1 ends where version to begins
	all, err := s.versionsIn(begin, end+1)
	if err != nil {
		return nil, err
	}
	if len(all) < to-first {
		return nil, errVersions
	}
	return all[from-first : to-first], nil
}

// versions returns the cached versions of a key, and the number of captures that they cover.
func (t *Timelines) versions(
	ctx context.Context, coll, key string, level change.Level,
) (all []version, captures int, found bool, err error) {
	found, err = t.withVersions(ctx, coll, key, level, func(s *cachedVersions) error {
		captures = s.captures
		all, err = s.versionsIn(0, len(s.chapters))
		if err == nil && len(all) != s.versions {
			err = errVersions
		}
		return err
	})
	return all, captures, found, err
}

// Ranges returns the validity ranges of a key with so many captures. At level visual they are those at level content if the page was never
// pictured. It doesn't cache the timeline, for callers that need each once.
func (t *Timelines) Ranges(ctx context.Context, coll, key string, captures int, level change.Level) ([]change.Range, error) {
	tl, ok := t.cached(coll + "\x00" + key)
	if !ok && captures > t.many {
		if all, n, found, err := t.versions(ctx, coll, key, level); err != nil || found && n == captures {
			return rangesOf(all), err
		}
	}
	if !ok {
		var err error
		if tl, err = t.Read(ctx, coll, key); err != nil {
			return nil, err
		}
	}
	ranges, err := tl.Ranges(level)
	if errors.Is(err, ErrNotPictured) {
		return tl.Ranges(change.LevelContent)
	}
	return ranges, err
}

// ranges returns the cached validity ranges of a timeline.
func (t *Timelines) ranges(ctx context.Context, tl *Timeline, level change.Level) (ranges []change.Range, found bool, err error) {
	all, captures, found, err := t.versions(ctx, tl.Coll, tl.Key, level)
	if !found || err != nil || captures != len(tl.Captures) || t.index.Whole.Generation() != tl.raw {
		return nil, false, err
	}
	return rangesOf(all), true, nil
}

func rangesOf(all []version) []change.Range {
	out := make([]change.Range, len(all))
	for i := range all {
		out[i] = all[i].Range
	}
	return out
}
