package timeline

import (
	"encoding/binary"
	"math"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/packed"
	"github.com/varve-archive/varve/internal/sentinel"
)

// versionsFormat is stored with cached versions. Raise it when versions are determined or packed differently, so that old ones are ignored.
// The head also names the software.
const versionsFormat = 11

const errVersions = sentinel.Error("archive: the versions that are cached of a page are damaged")

// A contents is the head of cached versions, a table of contents of their chapters.
type contents struct {
	software string
	captures int
	versions int
	site     uint64 // what the versions assume about the site ([change.SumOf])
	facts    uint64 // number of the part with the site's facts; 0 if the versions don't depend on them
	chapters []heading
}

// A heading describes a chapter in the head.
type heading struct {
	first    cdx.Timestamp // of its first capture
	number   uint64        // of its part
	captures int
	versions int    // that begin in it
	marks    []mark // some of these, spread over them, the first among them
}

// A mark is the datetime and kind of a version.
type mark struct {
	at   cdx.Timestamp
	kind change.Kind
}

func (c *contents) append(b []byte) []byte {
	b = binary.AppendUvarint(b, versionsFormat)
	b = packed.AppendText(b, c.software)
	b = binary.AppendUvarint(binary.AppendUvarint(b, c.site), c.facts)
	before := cdx.Timestamp(0)
	for i := range c.chapters {
		h := &c.chapters[i]
		b = binary.AppendVarint(b, int64(h.first-before))
		b = binary.AppendUvarint(b, h.number)
		b = binary.AppendUvarint(b, uint64(h.captures))
		b = binary.AppendUvarint(b, uint64(h.versions))
		b = binary.AppendUvarint(b, uint64(len(h.marks)))
		before = h.first
		for _, m := range h.marks {
			b = binary.AppendVarint(b, int64(m.at-before))
			b = binary.AppendUvarint(b, uint64(m.kind))
			before = m.at
		}
		before = h.first
	}
	return b
}

func parseContents(b []byte) (*contents, error) {
	d := decoderOf(b)
	if d.Uint() != versionsFormat {
		return nil, errVersions
	}
	c := &contents{software: d.text(), site: d.Uint(), facts: d.Uint()}
	before := cdx.Timestamp(0)
	for len(d.Rest) > 0 && !d.Failed {
		h := heading{first: before + d.time(), number: d.Uint(), captures: d.count(), versions: d.count()}
		at := h.first
		for range d.Count(2) {
			m := mark{at: at + d.time(), kind: change.Kind(d.Uint())}
			h.marks, at = append(h.marks, m), m.at
		}
		c.captures, c.versions, before = c.captures+h.captures, c.versions+h.versions, h.first
		c.chapters = append(c.chapters, h)
	}
	return c, d.done()
}

// A chapter is a part of cached versions.
type chapter struct {
	change.Chapter
	goesURL string       // of the last capture of Goes
	facts   []rangeFacts // one for each of its ranges
}

// A rangeFacts has the values of a range that are shown and need its captures.
type rangeFacts struct {
	firstURL, lastURL string
	similarity        float64 // to the previous range
}

func (c *chapter) append(b []byte) []byte {
	in := &c.In
	b = appendBool(appendBool(b, in.Begun), in.Good)
	b = binary.AppendUvarint(b, uint64(in.Waiting))
	b = binary.AppendVarint(b, int64(in.Last.Time))
	b = binary.AppendVarint(b, int64(in.Last.Status))
	b = packed.AppendText(packed.AppendText(b, in.Last.Digest), in.Last.Redirect)
	b = binary.AppendUvarint(b, uint64(in.LastKind))
	for _, text := range []uint64{in.Last.Text, in.Real, in.Page} {
		b = binary.LittleEndian.AppendUint64(b, text)
	}
	b = binary.AppendUvarint(b, uint64(c.Captures))
	for _, n := range []int{c.Goes.Captures, c.Goes.LastIndex, int(c.Goes.Last)} {
		b = binary.AppendVarint(b, int64(n))
	}
	b = appendIndices(packed.AppendText(b, c.goesURL), c.Goes.Unshown)
	e := encoder{b: b}
	for i := range c.Ranges {
		e.version(&version{c.Ranges[i], c.facts[i].firstURL, c.facts[i].lastURL, c.facts[i].similarity})
	}
	return e.b
}

func parseChapter(b []byte) (*chapter, error) {
	d, c := decoderOf(b), new(chapter)
	in := &c.In
	in.Begun, in.Good, in.Waiting = d.Byte() == 1, d.Byte() == 1, d.count()
	in.Last.Time, in.Last.Status, in.Last.Digest, in.Last.Redirect = d.time(), d.int(), d.text(), d.text()
	in.LastKind = change.Kind(d.Uint())
	for _, text := range []*uint64{&in.Last.Text, &in.Real, &in.Page} {
		*text = d.Fixed64()
	}
	c.Captures = d.count()
	c.Goes = change.Range{Captures: d.int(), LastIndex: d.int(), Last: d.time()}
	c.goesURL, c.Goes.Unshown = d.text(), d.indices()
	var last version
	for len(d.Rest) > 0 && !d.Failed {
		last = d.version(&last)
		c.Ranges = append(c.Ranges, last.Range)
		c.facts = append(c.facts, rangeFacts{last.FirstURL, last.LastURL, last.Similarity})
	}
	for i := range c.Ranges[:max(0, len(c.Ranges)-1)] {
		c.Ranges[i].Until = c.Ranges[i+1].First
	}
	return c, d.done()
}

func appendBool(b []byte, on bool) []byte {
	if on {
		return append(b, 1)
	}
	return append(b, 0)
}

// A encoder packs versions: numbers as varints, strings behind their length, the addresses only where they differ from
// those before.
type encoder struct {
	b    []byte
	last version
}

const (
	hasSoft404    = 1 << iota // a soft 404
	hasChange                 // there is a Change
	hasFirstURL               // FirstURL differs from the LastURL of the previous version
	hasLastURL                // LastURL is another than FirstURL
	hasRedirect               // there is a Redirect
	hasUnshown                // there are Unshown
	hasAlternates             // two wordings take turns
	knownFlags    = 1<<iota - 1
)

func (e *encoder) version(v *version) {
	flags := uint64(0)
	for _, f := range []struct {
		on   bool
		flag uint64
	}{
		{v.Soft404, hasSoft404},
		{v.Change != nil, hasChange},
		{v.FirstURL != e.last.LastURL, hasFirstURL},
		{v.LastURL != v.FirstURL, hasLastURL},
		{v.Redirect != "", hasRedirect},
		{len(v.Unshown) > 0, hasUnshown},
		{v.Alternates, hasAlternates},
	} {
		if f.on {
			flags |= f.flag
		}
	}
	b := binary.AppendUvarint(e.b, flags)
	for _, n := range []int{
		int(v.First - e.last.First), int(v.Last - v.First), v.FirstIndex - e.last.FirstIndex, v.LastIndex - v.FirstIndex,
		v.Captures, int(v.Kind), v.Status,
	} {
		b = binary.AppendVarint(b, int64(n))
	}
	if flags&hasChange != 0 {
		for _, n := range []int{v.Change.Added, v.Change.Deleted, v.Change.SemiDeleted, v.Change.Pictures} {
			b = binary.AppendVarint(b, int64(n))
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Change.Similarity))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Similarity))
	}
	for _, s := range []struct {
		flag uint64
		text string
	}{{hasFirstURL, v.FirstURL}, {hasLastURL, v.LastURL}, {hasRedirect, v.Redirect}} {
		if flags&s.flag != 0 {
			b = packed.AppendText(b, s.text)
		}
	}
	if flags&hasUnshown != 0 {
		b = appendIndices(b, v.Unshown)
	}
	e.b, e.last = b, *v
}

func appendIndices(b []byte, indices []int) []byte {
	b = binary.AppendUvarint(b, uint64(len(indices)))
	before := 0
	for _, i := range indices {
		b = binary.AppendVarint(b, int64(i-before))
		before = i
	}
	return b
}

// A decoder reads from front to back. Reading beyond the end fails and returns zero values.
type decoder struct{ packed.Reader }

func decoderOf(b []byte) *decoder { return &decoder{packed.Reader{Rest: b}} }

func (d *decoder) done() error {
	if d.Failed || len(d.Rest) > 0 {
		return errVersions
	}
	return nil
}

func (d *decoder) int() int { return int(d.Int()) }

func (d *decoder) float() float64 { return math.Float64frombits(d.Fixed64()) }

// count reads the number of things that need not follow.
func (d *decoder) count() int { return int(d.Uint32()) }

func (d *decoder) time() cdx.Timestamp { return cdx.Timestamp(d.int()) }

func (d *decoder) text() string { return string(d.Text()) }

// version reads a version, given the previous one.
func (d *decoder) version(last *version) (v version) {
	flags := d.Uint()
	if flags > knownFlags {
		d.Fail()
	}
	v.First = last.First + cdx.Timestamp(d.int())
	v.Last = v.First + cdx.Timestamp(d.int())
	v.FirstIndex = last.FirstIndex + d.int()
	v.LastIndex = v.FirstIndex + d.int()
	v.Captures, v.Kind, v.Status = d.int(), change.Kind(d.int()), d.int()
	v.Soft404, v.Alternates = flags&hasSoft404 != 0, flags&hasAlternates != 0
	if flags&hasChange != 0 {
		v.Change = &sketch.Delta{Added: d.int(), Deleted: d.int(), SemiDeleted: d.int(), Pictures: d.int(), Similarity: d.float()}
		v.Similarity = d.float()
	}
	v.FirstURL = last.LastURL
	if flags&hasFirstURL != 0 {
		v.FirstURL = d.text()
	}
	v.LastURL = v.FirstURL
	if flags&hasLastURL != 0 {
		v.LastURL = d.text()
	}
	if flags&hasRedirect != 0 {
		v.Redirect = d.text()
	}
	if flags&hasUnshown != 0 {
		v.Unshown = d.indices()
	}
	return v
}

func (d *decoder) indices() (all []int) {
	before := 0
	for range d.Count(1) {
		before += d.int()
		all = append(all, before)
	}
	return all
}
