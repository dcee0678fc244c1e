package catalogue

import (
	"encoding/binary"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/packed"
)

// An Entry is an address with a summary of its captures.
type Entry struct {
	Key, URL    string
	Captures    int
	Versions    int
	Changed     cdx.Timestamp // when the newest version began, 0 if there is only one
	First, Last cdx.Timestamp
	Status      int
	MIME        string
	Bytes       int64
	Sum         uint64 // checksum of the captures; an address with the same sum has the same captures
	Began       []int  // the years in which its versions began, in order
}

// blockSize is the number of entries in a block of texts. The first of a block is stored whole, each other as the difference to the
// previous one.
const blockSize = 32

// A Catalogue is an immutable list of entries, ordered by key. It is safe for concurrent use.
type Catalogue struct {
	facts  []facts
	texts  []byte
	blocks []int // start of each block in texts
	mimes  []string
}

// facts has the parts of an entry other than texts.
type facts struct {
	changed, first, last cdx.Timestamp
	bytes                int64
	sum                  uint64
	captures, versions   uint32
	status, mime         uint16
}

// Len returns the number of entries.
func (c *Catalogue) Len() int { return len(c.facts) }

// Size returns roughly its memory in bytes.
func (c *Catalogue) Size() int {
	const each = 56
	return len(c.texts) + each*len(c.facts) + 8*len(c.blocks)
}

// Facts returns entry i without Key, URL and Began, at almost no cost.
func (c *Catalogue) Facts(i int) Entry {
	f := &c.facts[i]
	return Entry{
		Captures: int(f.captures), Versions: int(f.versions), Changed: f.changed, First: f.first, Last: f.last,
		Status: int(f.status), MIME: c.mimes[f.mime], Bytes: f.bytes, Sum: f.sum,
	}
}

// At returns the whole entry i. It unpacks at most one block.
func (c *Catalogue) At(i int) Entry {
	r := c.reader(i / blockSize * blockSize)
	for r.next < i {
		r.texts()
	}
	return r.entry()
}

// All yields each entry with its number, in the order of keys.
func (c *Catalogue) All() iter.Seq2[int, *Entry] { return c.Between("", "") }

// Between yields the entries whose keys are in [from, to) with their numbers; to "" means no end. An *Entry is valid until the
// next step only.
func (c *Catalogue) Between(from, to string) iter.Seq2[int, *Entry] {
	return func(yield func(int, *Entry) bool) {
		block := sort.Search(len(c.blocks), func(b int) bool { r := c.reader(b * blockSize); r.texts(); return r.key > from })
		for r := c.reader(max(0, block-1) * blockSize); r.next < len(c.facts); {
			i := r.next
			e := r.entry()
			if to != "" && e.Key >= to {
				return
			}
			if e.Key >= from && !yield(i, &e) {
				return
			}
		}
	}
}

// A reader unpacks texts from the beginning of a block.
type reader struct {
	of       *Catalogue
	next     int // number of the next entry
	packed   packed.Reader
	key, url string
}

func (c *Catalogue) reader(i int) reader {
	r := reader{of: c, next: i}
	if block := i / blockSize; block < len(c.blocks) {
		r.packed.Rest = c.texts[c.blocks[block]:]
	}
	return r
}

// texts unpacks the texts of the next entry and returns the packed years of its versions.
func (r *reader) texts() (years []byte) {
	if r.next%blockSize == 0 {
		r.key, r.url = "", ""
	}
	r.next++
	r.key = r.text(r.key)
	r.url = r.text(r.url)
	return r.packed.Text()
}

func (r *reader) text(before string) string {
	shared := min(int(r.packed.Uint()), len(before))
	return before[:shared] + string(r.packed.Text())
}

func (r *reader) entry() Entry {
	e := r.of.Facts(r.next)
	years, year := packed.Reader{Rest: r.texts()}, 0
	e.Key, e.URL = r.key, r.url
	for len(years.Rest) > 0 {
		year += int(years.Uint())
		e.Began = append(e.Began, year)
	}
	return e
}

// A Builder packs entries. The zero value is ready to use.
type Builder struct {
	c        Catalogue
	mimes    map[string]uint16
	key, url string
}

// Add adds an entry, whose key comes after those of all before.
func (b *Builder) Add(e *Entry) {
	c := &b.c
	if len(c.facts)%blockSize == 0 {
		c.blocks = append(c.blocks, len(c.texts))
		b.key, b.url = "", ""
	}
	c.facts = append(c.facts, facts{
		changed: e.Changed, first: e.First, last: e.Last, bytes: e.Bytes, sum: e.Sum,
		captures: fit[uint32](e.Captures, math.MaxUint32), versions: fit[uint32](e.Versions, math.MaxUint32),
		status: fit[uint16](e.Status, math.MaxUint16), mime: b.mime(e.MIME),
	})
	c.texts = appendText(c.texts, b.key, e.Key)
	c.texts = appendText(c.texts, b.url, e.URL)
	b.key, b.url = e.Key, e.URL
	var years []byte
	before := 0
	for _, y := range e.Began {
		years = binary.AppendUvarint(years, uint64(y-before))
		before = y
	}
	c.texts = append(binary.AppendUvarint(c.texts, uint64(len(years))), years...)
}

// fit limits n to the range of the type.
func fit[U uint16 | uint32](n, most int) U { return U(max(0, min(n, most))) }

// appendText appends a text as the number of bytes that it shares with the previous one, and the rest with its length.
func appendText(to []byte, before, s string) []byte {
	shared := 0
	for shared < min(len(before), len(s)) && before[shared] == s[shared] {
		shared++
	}
	to = binary.AppendUvarint(to, uint64(shared))
	to = binary.AppendUvarint(to, uint64(len(s)-shared))
	return append(to, s[shared:]...)
}

// mime returns the number of a media type. Servers send arbitrary types; those beyond the last number have no name.
func (b *Builder) mime(name string) uint16 {
	if b.mimes == nil {
		b.mimes = map[string]uint16{"": 0}
		b.c.mimes = []string{""}
	}
	n, known := b.mimes[name]
	if !known && len(b.c.mimes) <= math.MaxUint16 {
		n = uint16(len(b.c.mimes))
		b.mimes[name] = n
		b.c.mimes = append(b.c.mimes, name)
	}
	return n
}

// Done returns the catalogue. The builder must not be used any more.
func (b *Builder) Done() *Catalogue {
	b.c.facts, b.c.texts = slices.Clip(b.c.facts), slices.Clip(b.c.texts)
	return &b.c
}
