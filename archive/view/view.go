// Package view restricts the index to what readers may see. Code that answers readers uses a [View], never the index itself.
package view

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A View is the index without the captures that access rules exclude for a group of readers. Blocked captures are included; the archive
// refuses to open them. Where no rules apply, a View costs nothing extra. It implements [cdx.Source].
type View struct {
	Whole  *index.Index   // without restrictions, for work whose results readers don't see
	Policy *access.Policy // nil lets everybody see everything
	Group  string         // of the readers
	Strict bool           // leave out blocked captures too
	Ahead  bool           // also leave out what the rules will exclude within a day
}

// Generation changes whenever answers may: with the index, with the rules, and with the clock while an embargo depends on it.
func (v *View) Generation() uint64 {
	const odd = 0x9E3779B97F4A7C15 // spreads epochs, so that the sum doesn't meet a later generation of the index
	return v.Whole.Generation() + v.Policy.Epoch()*odd
}

// Collections returns the names of the collections, sorted.
func (v *View) Collections() []string { return v.Whole.Collections() }

// CollectionsWith returns the names of the collections and coll, which may not exist yet, sorted.
func (v *View) CollectionsWith(coll string) []string {
	all := slices.Clone(v.Collections())
	if !slices.Contains(all, coll) {
		all = append(all, coll)
	}
	slices.Sort(all)
	return all
}

// Has reports whether there is a collection.
func (v *View) Has(coll string) bool { return v.Whole.Has(coll) }

// Files returns the indexed files.
func (v *View) Files() []index.File { return v.Whole.Files() }

// FileName returns the name of a file, for lines of captures that name the file of a revisit's original.
func (v *View) FileName(id cdx.FileID) (name string, ok bool) { return v.Whole.FileName(id) }

// Text calls f with the sketch of a text. No rules are applied: only a visible capture has its ID.
func (v *View) Text(ctx context.Context, id uint64, f func(sketch []byte) error) error {
	return v.Whole.Texts().Get(ctx, id, f)
}

// Texts calls f with the sketches of texts.
func (v *View) Texts(ctx context.Context, ids []uint64, f func(id uint64, sketch []byte) error) error {
	return v.Whole.Texts().Each(ctx, ids, f)
}

// SimilarTexts is [index.Texts.Similar]. Some of the texts may have no capture in the view; see [View.WhereText].
func (v *View) SimilarTexts(ctx context.Context, coll string, bands []uint32, limit int) ([]uint64, error) {
	return v.Whole.Texts().Similar(ctx, coll, bands, limit)
}

// TextGroups is [index.Texts.Groups]. Some of the texts may have no capture in the view; see [View.WhereText].
func (v *View) TextGroups(ctx context.Context, coll string) iter.Seq2[index.TextGroup, error] {
	return v.Whole.Texts().Groups(ctx, coll)
}

// WhereText is [index.Texts.Captures], restricted to the view.
func (v *View) WhereText(ctx context.Context, coll string, id uint64) iter.Seq2[*cdx.Capture, error] {
	return v.only(v.Whole.Texts().Captures(ctx, coll, id))
}

// ByText is [index.Texts.ByText], restricted to the view.
func (v *View) ByText(ctx context.Context, coll string) iter.Seq2[*cdx.Capture, error] {
	return v.only(v.Whole.Texts().ByText(ctx, coll))
}

// SameDigest is [index.Texts.SameDigest], restricted to the view.
func (v *View) SameDigest(ctx context.Context, coll string) iter.Seq2[*cdx.Capture, error] {
	if v.Policy.Open() {
		return v.Whole.Texts().SameDigest(ctx, coll, nil)
	}
	check := v.checker()
	return v.Whole.Texts().SameDigest(ctx, coll, func(c *cdx.Capture) bool { return !v.hides(check(c).Access) })
}

func (v *View) Closest(ctx context.Context, coll, key string, ts cdx.Timestamp) iter.Seq2[*cdx.Capture, error] {
	return v.only(v.Whole.Closest(ctx, coll, key, ts))
}

// Nearest is [index.Index.Nearest], restricted to the view. It doesn't call pick for keys without a capture in the view.
func (v *View) Nearest(ctx context.Context, coll string, ts cdx.Timestamp, keys []string, pick func(i int,
	candidates iter.Seq2[*cdx.Capture, error]),
) error {
	if v.Policy.Open() {
		return v.Whole.Nearest(ctx, coll, ts, keys, pick)
	}
	return v.Whole.Nearest(ctx, coll, ts, keys, func(i int, candidates iter.Seq2[*cdx.Capture, error]) {
		seen := v.only(candidates)
		for range seen {
			pick(i, seen)
			return
		}
	})
}

// Firsts is [index.Index.Firsts], restricted to the view.
func (v *View) Firsts(ctx context.Context, coll string, keys []string, most int, f func(i int, c *cdx.Capture) bool) error {
	if v.Policy.Open() {
		return v.Whole.Firsts(ctx, coll, keys, most, f)
	}
	check := v.checker()
	return v.Whole.Firsts(ctx, coll, keys, most, func(i int, c *cdx.Capture) bool {
		return v.hides(check(c).Access) || f(i, c)
	})
}

func (v *View) Captures(ctx context.Context, s cdx.Span) iter.Seq2[*cdx.Capture, error] {
	if !v.Touches(s) {
		return v.Whole.Captures(ctx, s)
	}
	whole, skip, newest := s, s.Skip, s.Newest
	whole.Skip, whole.Newest = 0, 0
	if newest > 0 {
		return v.newest(ctx, whole, newest)
	}
	return func(yield func(*cdx.Capture, error) bool) {
		for c, err := range v.only(v.Whole.Captures(ctx, whole)) {
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
		for c, err := range v.only(v.Whole.Captures(ctx, back)) {
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

// A Snapshot is an [index.Snapshot], restricted to a view.
type Snapshot struct {
	*index.Snapshot
	view *View
}

// Read is [index.Index.Read], restricted to the view.
func (v *View) Read(ctx context.Context, p index.Prefetch, f func(*Snapshot) error) error {
	return v.Whole.Read(ctx, p, func(snap *index.Snapshot) error { return f(&Snapshot{snap, v}) })
}

// Captures is [View.Captures] for a span without Newest and Skip.
func (snap *Snapshot) Captures(s cdx.Span) iter.Seq2[*cdx.Capture, error] {
	if !snap.view.Touches(s) {
		return snap.Snapshot.Captures(s)
	}
	return snap.view.only(snap.Snapshot.Captures(s))
}

func (v *View) Count(ctx context.Context, s cdx.Span) (n int64, err error) {
	if !v.Touches(s) {
		return v.Whole.Count(ctx, s)
	}
	for _, err := range v.Captures(ctx, s) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Total returns the number of captures of a collection. It reads only captures for which there are rules; for others it uses the counts in
// the file table.
func (v *View) Total(ctx context.Context, coll string) (n int64, err error) {
	for _, f := range v.Whole.Files() {
		if f.Collection == coll && f.Done {
			n += f.Captures
		}
	}
	for _, r := range v.Policy.Rules().In(coll).Ranges() {
		span := cdx.Span{Coll: coll, From: r[0], To: r[1]}
		all, err := v.Whole.Count(ctx, span)
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
	if !v.Touches(span) {
		return v.Whole.Times(ctx, coll, key)
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
	if !v.Touches(cdx.Span{Coll: coll, From: from, To: to}) {
		return v.Whole.Keys(ctx, coll, from, to)
	}
	return func(yield func(string, error) bool) {
		for key, err := range v.Whole.Keys(ctx, coll, from, to) {
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
	if !surt.HasMethod(key) && v.Policy.Rules().In(coll).For(key, v.Group).Open() {
		return true, nil
	}
	for _, err := range v.Captures(ctx, cdx.Span{Coll: coll, From: key, Exact: true}) {
		return err == nil, err
	}
	return false, nil
}

// Touches reports whether rules may hide captures of a span. For keys of requests with a body, it looks at the rules of their URL's key,
// which comes before.
func (v *View) Touches(s cdx.Span) bool {
	if v.Policy.Open() {
		return false
	}
	from, to := s.From, s.To
	if s.Exact {
		to = from + "!"
	}
	if page, _, found := strings.Cut(from, "?"); found {
		from = page
	}
	return v.Policy.Rules().In(s.Coll).HasRulesIn(from, to)
}

// only yields the captures that are in the view.
func (v *View) only(all iter.Seq2[*cdx.Capture, error]) iter.Seq2[*cdx.Capture, error] {
	if v.Policy.Open() {
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

// hides reports whether a capture with this access is left out of the view.
func (v *View) hides(a access.Access) bool {
	return a == access.Exclude || v.Strict && a == access.Block
}

// Decide returns what the readers get of a capture.
func (v *View) Decide(c *cdx.Capture) access.Decision {
	if v.Policy.Open() {
		return access.Decision{Access: access.Allow}
	}
	return v.checker()(c)
}

// MayNameOriginal reports whether readers may know about the capture that a revisit refers to. The rules of the revisit's collection are
// applied, since the original may be in no indexed file.
func (v *View) MayNameOriginal(revisit *cdx.Capture) bool {
	if revisit.RefersToURI == "" || v.Policy.Open() {
		return true
	}
	original := cdx.Capture{Key: surt.Of(revisit.RefersToURI), URL: revisit.RefersToURI, Time: revisit.RefersToTime}
	original.File = revisit.File
	if original.Time == 0 { // any rule may apply
		rules := v.rulesFor(v.Policy.Rules(), original.File).For(original.Key, v.Group)
		return !slices.ContainsFunc(rules.Rules(), func(rule *access.Rule) bool { return rule.Access == access.Exclude })
	}
	return v.Decide(&original).Access != access.Exclude
}

// checker returns a function that decides on captures. It is fast for consecutive captures of one key.
func (v *View) checker() func(*cdx.Capture) access.Decision {
	rules, now := v.Policy.Rules(), v.Policy.Time()
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
			page, last = in.For(key, v.Group), key
		}
		d := page.Decide(c.Time, now)
		if v.Ahead && !v.hides(d.Access) {
			d = page.Decide(c.Time, now.Add(access.Ahead))
		}
		return d
	}
}

// rulesFor returns the rules for captures in a file. If its collection is no longer known, they hide everything.
func (v *View) rulesFor(rules *access.Rules, file cdx.FileID) *access.Rules {
	if rules.Alike() {
		return rules
	}
	if f, known := v.Whole.File(file); known {
		return rules.In(f.Collection)
	}
	nothing, _ := access.New([]access.Rule{{URL: "*", Access: access.Exclude}})
	return nothing
}
