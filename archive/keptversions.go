package archive

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/index"
	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/internal/packed"
)

// The versions of a URI-R with very many captures are kept in the index, so that nobody has to read all of these only to
// know where a version begins. A version of the program that finds other versions must not take them for its own: its name is
// in the head, and so is versionsFormat.
const versionsFormat = 1

// versionsInPart is how many versions are kept together. Those around a datetime take one part.
const versionsInPart = 256

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
		v.Similarity = t.similarity(r)
	}
	return v
}

// keptName returns the name under which the versions of a key are kept. ok is false if they are not: rules hide captures that
// they may depend on.
func (t *timelines) keptName(coll, key string, level change.Level, host bool) (name index.KeptName, ok bool) {
	of := cdx.Span{Coll: coll, From: key, Exact: true}
	if site, _, found := strings.Cut(key, ")"); found {
		of = cdx.Span{Coll: coll, From: site + ")", To: site + "*"} // "*" sorts after ")"
	}
	return index.KeptName{Coll: coll, Key: key, Sort: byte(level), Host: host}, !t.index.touches(of)
}

// keepsVersions reports whether the versions of a key can be kept.
func (s *Archive) keepsVersions(coll, key string) bool {
	_, ok := s.timelines.keptName(coll, key, change.LevelContent, true)
	return ok && !s.ReadOnly && !s.Index.raw.Imported(coll)
}

// keep stores the versions of a timeline. host says that they depend on what is known of the site.
func (t *timelines) keep(ctx context.Context, tl *Timeline, level change.Level, ranges []change.Range, host bool) error {
	name, ok := t.keptName(tl.Coll, tl.Key, level, host)
	if !ok || tl.Generation != t.index.Generation() {
		return nil
	}
	var parts []index.KeptPart
	before := cdx.Timestamp(0)
	for some := range slices.Chunk(ranges, versionsInPart) {
		e := keptEncoder{b: binary.AppendUvarint(nil, uint64(before))}
		for i := range some {
			v := tl.version(&some[i])
			e.version(&v)
		}
		parts = append(parts, index.KeptPart{First: some[0].First, Value: e.b})
		before = some[len(some)-1].Last
	}
	head := versionsHead{software: t.software, captures: len(tl.Captures), versions: len(ranges)}
	err := t.index.raw.Keep(ctx, name, tl.raw, head.append(nil), parts)
	if errors.Is(err, index.ErrNotKept) || errors.Is(err, store.ErrReadOnly) {
		return nil
	}
	return err
}

// kept calls f with the versions that are kept of a key, and reports whether there are any.
func (t *timelines) kept(
	ctx context.Context, coll, key string, level change.Level, f func(h versionsHead, k *index.Kept) error,
) (bool, error) {
	name, ok := t.keptName(coll, key, level, false)
	if !ok {
		return false, nil
	}
	mine := false
	found, err := t.index.raw.Kept(ctx, name, func(k *index.Kept) error {
		h, err := parseVersionsHead(k.Head)
		if mine = err == nil && h.software == t.software; !mine {
			return nil // another program kept it
		}
		return f(h, k)
	})
	if errors.Is(err, errVersions) { // they are worked out again
		return false, nil
	}
	return found && mine, err
}

// around returns where the version before that of ts ends and where the one after it begins, 0 for none. found is false if the
// versions of the key are not kept.
func (t *timelines) around(
	ctx context.Context, coll, key string, level change.Level, ts cdx.Timestamp,
) (before, after cdx.Timestamp, found bool, err error) {
	inside := false
	found, err = t.kept(ctx, coll, key, level, func(_ versionsHead, k *index.Kept) error {
		inside, err = k.At(ts, func(p index.KeptPart) error {
			last, versions, err := parseKeptPart(p.Value)
			if err != nil {
				return err
			}
			before = last
			for i := range versions {
				if versions[i].First > ts {
					break
				}
				if after = versions[i].Until; i > 0 {
					before = versions[i-1].Last
				}
			}
			return nil
		})
		return err
	})
	return before, after, found && inside, err
}

// versions returns the versions that are kept of a key, and of how many captures they are.
func (t *timelines) versions(
	ctx context.Context, coll, key string, level change.Level,
) (all []version, captures int, found bool, err error) {
	found, err = t.kept(ctx, coll, key, level, func(h versionsHead, k *index.Kept) error {
		captures = h.captures
		for p, err := range k.Parts() {
			if err != nil {
				return err
			}
			_, some, err := parseKeptPart(p.Value)
			if err != nil {
				return err
			}
			all = append(all, some...)
		}
		if len(all) != h.versions {
			return errVersions
		}
		return nil
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

var errVersions = errors.New("archive: the versions that are kept of a page are damaged")

// A versionsHead is what is known of kept versions without their parts.
type versionsHead struct {
	software           string
	captures, versions int
}

func (h versionsHead) append(b []byte) []byte {
	b = binary.AppendUvarint(b, versionsFormat)
	b = appendText(b, h.software)
	b = binary.AppendVarint(b, int64(h.captures))
	return binary.AppendVarint(b, int64(h.versions))
}

func parseVersionsHead(b []byte) (h versionsHead, err error) {
	d := decoderOf(b)
	if d.Uint() != versionsFormat {
		return h, errVersions
	}
	h = versionsHead{d.text(), d.int(), d.int()}
	return h, d.done()
}

// A keptEncoder packs versions: numbers as varints, strings behind their length, the addresses only where they differ from
// those before.
type keptEncoder struct {
	b    []byte
	last version
}

const (
	keptSoft       = 1 << iota // a soft 404
	keptChange                 // there is a Change
	keptFirstURL               // FirstURL is another than LastURL of the version before
	keptLastURL                // LastURL is another than FirstURL
	keptRedirect               // there is a Redirect
	keptNotShown               // there are Unshown
	keptFlagsKnown = 1<<iota - 1
)

func (e *keptEncoder) version(v *version) {
	flags := uint64(0)
	for _, f := range []struct {
		on   bool
		flag uint64
	}{
		{v.Soft404, keptSoft},
		{v.Change != nil, keptChange},
		{v.FirstURL != e.last.LastURL, keptFirstURL},
		{v.LastURL != v.FirstURL, keptLastURL},
		{v.Redirect != "", keptRedirect},
		{len(v.Unshown) > 0, keptNotShown},
	} {
		if f.on {
			flags |= f.flag
		}
	}
	b := binary.AppendUvarint(e.b, flags)
	for _, n := range []int{
		int(v.First - e.last.First), int(v.Last - v.First), int(v.Until), v.FirstIndex - e.last.FirstIndex, v.LastIndex - v.FirstIndex,
		v.Captures, int(v.Kind), v.Status,
	} {
		b = binary.AppendVarint(b, int64(n))
	}
	if flags&keptChange != 0 {
		for _, n := range []int{v.Change.Added, v.Change.Deleted, v.Change.SemiDeleted} {
			b = binary.AppendVarint(b, int64(n))
		}
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(v.Change.Similarity))
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(v.Similarity))
	}
	for _, s := range []struct {
		flag uint64
		text string
	}{{keptFirstURL, v.FirstURL}, {keptLastURL, v.LastURL}, {keptRedirect, v.Redirect}} {
		if flags&s.flag != 0 {
			b = appendText(b, s.text)
		}
	}
	if flags&keptNotShown != 0 {
		b = binary.AppendUvarint(b, uint64(len(v.Unshown)))
		before := 0
		for _, i := range v.Unshown {
			b = binary.AppendVarint(b, int64(i-before))
			before = i
		}
	}
	e.b, e.last = b, *v
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// parseKeptPart unpacks the versions of a part, and where the version before them ends.
func parseKeptPart(b []byte) (before cdx.Timestamp, all []version, err error) {
	d := decoderOf(b)
	before = cdx.Timestamp(d.Uint())
	var last version
	for len(d.Rest) > 0 && !d.Failed {
		last = d.version(&last)
		all = append(all, last)
	}
	return before, all, d.done()
}

// A keptDecoder reads from front to back. What is beyond the end is empty, and a failure.
type keptDecoder struct{ packed.Reader }

func decoderOf(b []byte) *keptDecoder { return &keptDecoder{packed.Reader{Rest: b}} }

func (d *keptDecoder) done() error {
	if d.Failed || len(d.Rest) > 0 {
		return errVersions
	}
	return nil
}

// int reads a number that may be negative, as [binary.AppendVarint] writes it.
func (d *keptDecoder) int() int {
	n := d.Uint()
	return int(int64(n>>1) ^ -int64(n&1))
}

func (d *keptDecoder) float() float64 {
	b := d.Bytes(8)
	if d.Failed {
		return 0
	}
	return math.Float64frombits(binary.BigEndian.Uint64(b))
}

func (d *keptDecoder) text() string { return string(d.Text()) }

// version reads a version, given the one before.
func (d *keptDecoder) version(last *version) (v version) {
	flags := d.Uint()
	if flags > keptFlagsKnown {
		d.Fail()
	}
	v.First = last.First + cdx.Timestamp(d.int())
	v.Last = v.First + cdx.Timestamp(d.int())
	v.Until = cdx.Timestamp(d.int())
	v.FirstIndex = last.FirstIndex + d.int()
	v.LastIndex = v.FirstIndex + d.int()
	v.Captures, v.Kind, v.Status = d.int(), change.Kind(d.int()), d.int()
	v.Soft404 = flags&keptSoft != 0
	if flags&keptChange != 0 {
		v.Change = &change.Delta{Added: d.int(), Deleted: d.int(), SemiDeleted: d.int(), Similarity: d.float()}
		v.Similarity = d.float()
	}
	v.FirstURL = last.LastURL
	if flags&keptFirstURL != 0 {
		v.FirstURL = d.text()
	}
	v.LastURL = v.FirstURL
	if flags&keptLastURL != 0 {
		v.LastURL = d.text()
	}
	if flags&keptRedirect != 0 {
		v.Redirect = d.text()
	}
	if flags&keptNotShown != 0 {
		v.Unshown = d.indices()
	}
	return v
}

func (d *keptDecoder) indices() (all []int) {
	n := d.Uint()
	if n > uint64(len(d.Rest)) { // each takes a byte at least
		d.Fail()
		return nil
	}
	before := 0
	for range n {
		before += d.int()
		all = append(all, before)
	}
	return all
}
