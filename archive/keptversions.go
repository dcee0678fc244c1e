package archive

import (
	"context"
	"errors"
	"strings"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/cdx"
)

// The versions of a URI-R with very many captures are kept in the index, so that nobody has to read all of these only to know
// where a version begins. They are kept by chapters ([change.Division]), one part each; the head is their table of contents. One more
// part has what was known of the site by which they were told. What comes to other pages of the site alone keeps nobody from what is
// kept: it is shown as it was told until somebody behind requests has learnt the site anew.

// usualDivision divides captures so that what is read around one of them, three chapters mostly, is some thousand others.
var usualDivision = change.Division{Whole: 1000, Mean: 512}

// A version is a validity range with what is told of its first and its last capture.
type version struct {
	change.Range
	FirstURL, LastURL string
	Similarity        float64 // to the version before, as it is shown
}

// version returns the version of a range.
func (t *Timeline) version(r *change.Range) version {
	v := version{Range: *r, FirstURL: t.Memento(r.First).URL, LastURL: t.Memento(r.Last).URL}
	if r.Change != nil {
		v.Similarity = r.Change.Similarity
	}
	return v
}

// keptName returns the name under which the versions of a key are kept. ok is false if they are not: rules hide captures that
// they may depend on.
func (t *timelines) keptName(coll, key string, level change.Level, host bool) (name index.KeptName, ok bool) {
	of := cdx.Span{Coll: coll, From: key, Exact: true}
	if host, _, found := strings.Cut(key, ")"); found {
		of = spanOf(coll, host)
	}
	return index.KeptName{Coll: coll, Key: key, Sort: byte(level), Host: host}, !t.index.touches(of)
}

// keepsVersions reports whether the versions of a key can be kept.
func (s *Archive) keepsVersions(coll, key string) bool {
	_, ok := s.timelines.keptName(coll, key, change.LevelContent, true)
	return ok && !s.ReadOnly && !s.Index.raw.Imported(coll)
}

// A shelved is what is kept of a URI-R's versions, in one state of the index.
type shelved struct {
	*contents
	kept *index.Kept
	have map[int]*chapter // what was read of it
}

// kept calls f with the versions that are kept of a key, and reports whether there are any. Those whose captures are in doubt are looked
// at again before.
func (t *timelines) kept(ctx context.Context, coll, key string, level change.Level, f func(*shelved) error) (bool, error) {
	name, ok := t.keptName(coll, key, level, false)
	if !ok {
		return false, nil
	}
	found, err := t.keptNow(ctx, name, f)
	if found || err != nil {
		return found, err
	}
	if ok, err := t.looksAgain(ctx, name); !ok || err != nil {
		return false, err
	}
	return t.keptNow(ctx, name, f)
}

// looksAgain looks again at what is kept but in doubt, and reports whether it could. It fails only with ctx.
func (t *timelines) looksAgain(ctx context.Context, name index.KeptName) (bool, error) {
	err := t.renewOnce(ctx, name)
	if err != nil && ctx.Err() != nil {
		return false, err
	}
	if err != nil {
		t.log.Warn("what is kept of a page could not be brought up to date; its versions are worked out from all captures",
			"collection", name.Coll, "key", name.Key, "error", err)
	}
	return err == nil, nil
}

func (t *timelines) keptNow(ctx context.Context, name index.KeptName, f func(*shelved) error) (bool, error) {
	mine := false
	found, err := t.index.raw.Kept(ctx, name, func(k *index.Kept) error {
		c, err := parseContents(k.Head)
		if mine = err == nil && c.software == t.software; !mine {
			return nil // another program kept it
		}
		return f(&shelved{c, k, map[int]*chapter{}})
	})
	if errors.Is(err, errVersions) || errors.Is(err, index.ErrNoPart) { // they are worked out again
		return false, nil
	}
	return found && mine, err
}

// read returns the chapters from one up to another, which is not among them.
func (s *shelved) read(from, to int) ([]chapter, error) {
	var missing []int
	var parts []index.KeptPart
	for i := from; i < to; i++ {
		if s.have[i] == nil {
			missing, parts = append(missing, i), append(parts, partsOf(s.chapters[i:i+1])...)
		}
	}
	if len(parts) > 0 { // a store on another machine is asked once
		err := s.kept.Parts(parts, func(i int, value []byte) (err error) {
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

// partOfFacts returns the part with what was known of the site, without its value. It is beside those of chapters.
func (c *contents) partOfFacts() index.KeptPart { return index.KeptPart{Number: c.facts} }

// partsOf returns the parts of chapters, without their values.
func partsOf(chapters []heading) []index.KeptPart {
	parts := make([]index.KeptPart, len(chapters))
	for i := range chapters {
		parts[i] = index.KeptPart{First: chapters[i].first, Number: chapters[i].number}
	}
	return parts
}

// versionsIn returns the versions that begin in the chapters from one up to another. They are whole if they end there, too.
func (s *shelved) versionsIn(from, to int) ([]version, error) {
	chapters, err := s.read(from, to)
	if err != nil {
		return nil, err
	}
	before := 0
	for i := range s.chapters[:from] {
		before += s.chapters[i].captures
	}
	out := joined(chapters, before)
	for i := to; i < len(s.chapters) && len(out) > 0; i++ {
		if h := &s.chapters[i]; h.versions > 0 && len(h.marks) > 0 {
			out[len(out)-1].Until = h.marks[0].at
			break
		}
	}
	return out, nil
}

// joined returns the versions that begin in chapters. The first begins with the capture of an index.
func joined(chapters []chapter, at int) []version {
	said := make([]change.Chapter, len(chapters))
	var tells []tell
	for i := range chapters {
		c := &chapters[i]
		if n := len(tells); n > 0 && c.Goes.LastIndex >= 0 {
			tells[n-1].lastURL = c.goesURL
		}
		said[i], tells = c.Chapter, append(tells, c.tells...)
	}
	ranges := change.Join(said, at)
	out := make([]version, len(ranges))
	for i := range ranges {
		out[i] = version{ranges[i], tells[i].firstURL, tells[i].lastURL, tells[i].similarity}
	}
	return out
}

// at returns the number of the version to which a capture at ts belongs, as [RangeOf] does.
func (s *shelved) at(ts cdx.Timestamp) (int, error) {
	before, in := 0, -1
	for i := range s.chapters {
		if s.chapters[i].first > ts {
			break
		}
		if in >= 0 {
			before += s.chapters[in].versions
		}
		in = i
	}
	if in < 0 || s.chapters[in].versions == 0 {
		return min(max(before-1, 0), s.versions-1), nil
	}
	c, err := s.read(in, in+1)
	if err != nil {
		return 0, err
	}
	return max(before+begunBy(c[0].Ranges, ts), 0), nil
}

// chapterOf returns the chapter in which a version begins, and the number of the first that does; the last chapter for a version
// behind the last.
func (s *shelved) chapterOf(number int) (chapter, first int) {
	for i := range s.chapters {
		if number < first+s.chapters[i].versions {
			return i, first
		}
		first += s.chapters[i].versions
	}
	return len(s.chapters) - 1, first
}

// some returns the versions from a number up to another, as far as there are such.
func (s *shelved) some(from, to int) ([]version, error) {
	from, to = max(from, 0), min(to, s.versions)
	if from >= to {
		return nil, nil
	}
	begin, first := s.chapterOf(from)
	end, _ := s.chapterOf(to) // the last of them ends where the next begins
	all, err := s.versionsIn(begin, end+1)
	if err != nil {
		return nil, err
	}
	if len(all) < to-first {
		return nil, errVersions
	}
	return all[from-first : to-first], nil
}

// versions returns the versions that are kept of a key, and of how many captures they are.
func (t *timelines) versions(
	ctx context.Context, coll, key string, level change.Level,
) (all []version, captures int, found bool, err error) {
	found, err = t.kept(ctx, coll, key, level, func(s *shelved) error {
		captures = s.captures
		all, err = s.versionsIn(0, len(s.chapters))
		if err == nil && len(all) != s.versions {
			err = errVersions
		}
		return err
	})
	return all, captures, found, err
}

// ranges returns the validity ranges that are kept of a timeline.
func (t *timelines) ranges(ctx context.Context, tl *Timeline, level change.Level) (ranges []change.Range, found bool, err error) {
	all, captures, found, err := t.versions(ctx, tl.Coll, tl.Key, level)
	if !found || err != nil || captures != len(tl.Captures) || t.index.raw.Generation() != tl.raw {
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
