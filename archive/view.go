package archive

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A View is the index as some readers may see it: without the captures that access rules exclude for them. What is
// blocked is there; [Archive.Open] refuses it. Without rules for what is asked, a View costs nothing beyond the index.
type View struct {
	raw    *index.Index
	policy *Policy // nil lets everybody see everything
	group  string  // of the readers
	strict bool    // what is blocked is left out, too
	ahead  bool    // and what will be left out within a day
}

// Whole returns the index with everything in it, for work that shows nothing to readers.
func (v *View) Whole() *index.Index { return v.raw }

// Generation moves whenever answers may change: with the index, with the rules, and with the clock while an embargo
// depends on it.
func (v *View) Generation() uint64 {
	const odd = 0x9E3779B97F4A7C15 // spreads epochs, so that no later generation of the index meets one
	return v.raw.Generation() + v.policy.epoch()*odd
}

// Collections returns the names of the collections, sorted.
func (v *View) Collections() []string { return v.raw.Collections() }

// Has reports whether there is a collection.
func (v *View) Has(coll string) bool { return v.raw.Has(coll) }

// Files returns the indexed files.
func (v *View) Files() []index.File { return v.raw.Files() }

// FileName returns the name of a file, for lines of captures that say where the original of a revisit is.
func (v *View) FileName(id cdx.FileID) (name string, ok bool) { return v.raw.FileName(id) }

// Text calls f with the sketch of a text. Whoever has the ID of a text has seen a capture of it.
func (v *View) Text(ctx context.Context, id uint64, f func(sketch []byte) error) error {
	return v.raw.Text(ctx, id, f)
}

// Texts calls f with the sketches of texts.
func (v *View) Texts(ctx context.Context, ids []uint64, f func(id uint64, sketch []byte) error) error {
	return v.raw.Texts(ctx, ids, f)
}

// SimilarTexts is that of the index. Some of the texts may have no capture in the view; [View.WhereText] knows.
func (v *View) SimilarTexts(ctx context.Context, coll string, bands []uint32, limit int) ([]uint64, error) {
	return v.raw.SimilarTexts(ctx, coll, bands, limit)
}

// TextGroups is that of the index. Some of the texts may have no capture in the view; [View.WhereText] knows.
func (v *View) TextGroups(ctx context.Context, coll string) iter.Seq2[index.TextGroup, error] {
	return v.raw.TextGroups(ctx, coll)
}

// WhereText is that of the index, with the captures of the view.
func (v *View) WhereText(ctx context.Context, coll string, id uint64) iter.Seq2[*cdx.Capture, error] {
	return v.only(v.raw.WhereText(ctx, coll, id))
}

// ByText is that of the index, with the captures of the view.
func (v *View) ByText(ctx context.Context, coll string) iter.Seq2[*cdx.Capture, error] {
	return v.only(v.raw.ByText(ctx, coll))
}

// Closest implements [cdx.Source].
func (v *View) Closest(ctx context.Context, coll, key string, ts cdx.Timestamp) iter.Seq2[*cdx.Capture, error] {
	return v.only(v.raw.Closest(ctx, coll, key, ts))
}

// Nearest is that of the index. It doesn't call pick for keys that have no capture in the view.
func (v *View) Nearest(ctx context.Context, coll string, ts cdx.Timestamp, keys []string, pick func(i int,
	candidates iter.Seq2[*cdx.Capture, error]),
) error {
	if v.policy.open() {
		return v.raw.Nearest(ctx, coll, ts, keys, pick)
	}
	return v.raw.Nearest(ctx, coll, ts, keys, func(i int, candidates iter.Seq2[*cdx.Capture, error]) {
		seen := v.only(candidates)
		for range seen {
			pick(i, seen)
			return
		}
	})
}

// Firsts is that of the index, with the captures of the view.
func (v *View) Firsts(ctx context.Context, coll string, keys []string, most int, f func(i int, c *cdx.Capture) bool) error {
	if v.policy.open() {
		return v.raw.Firsts(ctx, coll, keys, most, f)
	}
	check := v.checker()
	return v.raw.Firsts(ctx, coll, keys, most, func(i int, c *cdx.Capture) bool {
		return v.hides(check(c).Access) || f(i, c)
	})
}

// Captures implements [cdx.Source].
func (v *View) Captures(ctx context.Context, s cdx.Span) iter.Seq2[*cdx.Capture, error] {
	if !v.touches(s) {
		return v.raw.Captures(ctx, s)
	}
	whole, skip, newest := s, s.Skip, s.Newest
	whole.Skip, whole.Newest = 0, 0
	if newest > 0 {
		return v.newest(ctx, whole, newest)
	}
	return func(yield func(*cdx.Capture, error) bool) {
		for c, err := range v.only(v.raw.Captures(ctx, whole)) {
			if err == nil && skip > 0 {
				skip--
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// newest yields the last n captures of s, in ascending order.
func (v *View) newest(ctx context.Context, s cdx.Span, n int) iter.Seq2[*cdx.Capture, error] {
	return func(yield func(*cdx.Capture, error) bool) {
		back := s
		back.Reverse = true
		var last []cdx.Capture
		for c, err := range v.only(v.raw.Captures(ctx, back)) {
			if err != nil {
				yield(nil, err)
				return
			}
			if last = append(last, *c); len(last) == n {
				break
			}
		}
		for i := range slices.Backward(last) {
			if !yield(&last[i], nil) {
				return
			}
		}
	}
}

// A look is an [index.Look] with the captures of a view.
type look struct {
	*index.Look
	view *View
}

// Look is that of the index, with the captures of the view.
func (v *View) Look(ctx context.Context, w index.Prefetch, f func(*look) error) error {
	return v.raw.Look(ctx, w, func(l *index.Look) error { return f(&look{l, v}) })
}

// Captures is [View.Captures] for a span without Newest and Skip.
func (l *look) Captures(s cdx.Span) iter.Seq2[*cdx.Capture, error] {
	if !l.view.touches(s) {
		return l.Look.Captures(s)
	}
	return l.view.only(l.Look.Captures(s))
}

// Count implements [cdx.Source].
func (v *View) Count(ctx context.Context, s cdx.Span) (n int64, err error) {
	if !v.touches(s) {
		return v.raw.Count(ctx, s)
	}
	for _, err := range v.Captures(ctx, s) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Total returns how many captures a collection has. Only where there are rules does it read captures; of all others the
// table of files knows the number.
func (v *View) Total(ctx context.Context, coll string) (n int64, err error) {
	for _, f := range v.raw.Files() {
		if f.Collection == coll && f.Done {
			n += f.Captures
		}
	}
	for _, r := range v.policy.rules().In(coll).Ranges() {
		span := cdx.Span{Coll: coll, From: r[0], To: r[1]}
		all, err := v.raw.Count(ctx, span)
		if err != nil {
			return 0, err
		}
		shown, err := v.Count(ctx, span)
		if err != nil {
			return 0, err
		}
		n -= all - shown
	}
	return n, nil
}

// Times yields the datetimes of a key's captures, oldest first.
func (v *View) Times(ctx context.Context, coll, key string) iter.Seq2[cdx.Timestamp, error] {
	span := cdx.Span{Coll: coll, From: key, Exact: true}
	if !v.touches(span) {
		return v.raw.Times(ctx, coll, key)
	}
	return func(yield func(cdx.Timestamp, error) bool) {
		for c, err := range v.Captures(ctx, span) {
			var ts cdx.Timestamp
			if err == nil {
				ts = c.Time
			}
			if !yield(ts, err) || err != nil {
				return
			}
		}
	}
}

// Keys yields, in order, each key of a collection that is in [from, to) and has a capture in the view. to "" means no end.
func (v *View) Keys(ctx context.Context, coll, from, to string) iter.Seq2[string, error] {
	if !v.touches(cdx.Span{Coll: coll, From: from, To: to}) {
		return v.raw.Keys(ctx, coll, from, to)
	}
	return func(yield func(string, error) bool) {
		for key, err := range v.raw.Keys(ctx, coll, from, to) {
			if err == nil {
				var any bool
				if any, err = v.shows(ctx, coll, key); err == nil && !any {
					continue
				}
			}
			if !yield(key, err) || err != nil {
				return
			}
		}
	}
}

// shows reports whether any capture of a key is in the view.
func (v *View) shows(ctx context.Context, coll, key string) (bool, error) {
	if !surt.HasMethod(key) && v.policy.rules().In(coll).For(key, v.group).Open() {
		return true, nil
	}
	for _, err := range v.Captures(ctx, cdx.Span{Coll: coll, From: key, Exact: true}) {
		return err == nil, err
	}
	return false, nil
}

// touches reports whether any rule may hide captures of a span. The keys of requests with a body don't tell: their rules
// are those of their URL, whose key comes before.
func (v *View) touches(s cdx.Span) bool {
	if v.policy.open() {
		return false
	}
	from, to := s.From, s.To
	if s.Exact {
		to = from + "!"
	}
	if page, _, found := strings.Cut(from, "?"); found {
		from = page
	}
	return v.policy.rules().In(s.Coll).Touches(from, to)
}

// only yields those of some captures that are in the view.
func (v *View) only(all iter.Seq2[*cdx.Capture, error]) iter.Seq2[*cdx.Capture, error] {
	if v.policy.open() {
		return all
	}
	return func(yield func(*cdx.Capture, error) bool) {
		check := v.checker()
		for c, err := range all {
			if err == nil && v.hides(check(c).Access) {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// hides reports whether what readers get of a capture leaves it out of the view.
func (v *View) hides(a access.Access) bool {
	return a == access.Exclude || v.strict && a == access.Block
}

// decide returns what the readers get of a capture.
func (v *View) decide(c *cdx.Capture) access.Decision {
	if v.policy.open() {
		return access.Decision{Access: access.Allow}
	}
	return v.checker()(c)
}

// ahead is how far some views look into the future. What is built from them is built anew each day, which takes some time.
const ahead = 26 * time.Hour

// checker returns a function that decides on captures, quickly if those of one key follow each other.
func (v *View) checker() func(*cdx.Capture) access.Decision {
	rules, now := v.policy.rules(), v.policy.now()
	var page access.Page
	var in *access.Rules
	var file cdx.FileID
	last := "\x00"
	return func(c *cdx.Capture) access.Decision {
		key := c.Key
		if surt.HasMethod(key) {
			key = surt.Of(c.URL)
		}
		if in == nil || c.File != file && !rules.Alike() {
			in, file, last = v.rulesFor(rules, c.File), c.File, "\x00"
		}
		if key != last {
			page, last = in.For(key, v.group), key
		}
		d := page.Decide(c.Time, now)
		if v.ahead && !v.hides(d.Access) {
			d = page.Decide(c.Time, now.Add(ahead))
		}
		return d
	}
}

// rulesFor returns the rules for captures in a file. If nobody knows any more in which collection it was, they hide everything.
func (v *View) rulesFor(rules *access.Rules, file cdx.FileID) *access.Rules {
	if rules.Alike() {
		return rules
	}
	if f, known := v.raw.File(file); known {
		return rules.In(f.Collection)
	}
	nothing, _ := access.New([]access.Rule{{URL: "*", Access: access.Exclude}})
	return nothing
}
