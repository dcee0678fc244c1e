package sketch

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/varve-archive/varve/archive/content/tokenize"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/visible"
)

// A Sketch is what the index keeps of a visible text. It tells whether, where and by how much two texts differ, but contains nothing
// readable except the title.
type Sketch struct {
	// ID is that of the text, never 0. Sketches with equal ID are equal.
	ID uint64
	// Title is cut to maxTitle bytes.
	Title string
	// Size is the length of the visible text in bytes.
	Size int
	// Words counts the words of the visible text, including furniture.
	Words int
	// Core is the hash of the page's own content without stamps, 0 if it has none. CoreSize is the length of that
	// content in bytes, with stamps.
	Core     uint64
	CoreSize int
	// Order is the hash of all words in order, as they are counted as terms: in lower case and without punctuation, and of the meaningful
	// signs of each block ([visible.Signs]). It is 0 in older sketches.
	Order uint64
	// NotFound says that the title or a heading reads like that of a "not found" page.
	NotFound bool
	// Wall says that the text is short and reads like that of a page that did not show its content.
	Wall bool
	// Enters says that something on the page asks the reader to log in or to register.
	Enters bool
	// Address is the address that the page gives itself.
	Address visible.Address
	// Older says that the sketch was stored before [Block.NormalHash] existed.
	Older bool
	// Blocks are the blocks in document order. Beyond maxBlocks the rest is one block.
	Blocks []Block
	// Terms are sorted by hash, each once.
	Terms []TermCount
	// Pictures are the pictures in the page's own text, in document order. PicturesUnknown says that the sketch was stored before they
	// existed.
	Pictures        []Picture
	PicturesUnknown bool
	// MinHash is over the word 5-shingles of the page's own content, digits aside.
	MinHash MinHash
}

// A Picture is a picture or a film. Place identifies the position, Name the picture if its content is unknown.
type Picture struct {
	visible.Picture
	Place, Name uint64
}

// A Block is what is kept of a block of text.
type Block struct {
	// Hash covers the words, which white space separates. The hash of a run of blocks follows from those of the blocks,
	// however the page divides it.
	Hash uint64
	// NormalHash is that hash without anchor signs, invisible characters, and the Marks words that carry no meaning (bullets, dashes). Most
	// blocks have none of these, so it equals Hash.
	NormalHash uint64
	Marks      uint32
	// Mask is a hash of the words in which all numbers, dates and tokens are equal.
	Mask uint32
	// Slot is the hash of the innermost block element with its class and id, without digits.
	Slot uint32
	// Fields counts the words, which white space separates, Size the bytes.
	Fields, Size uint32
	Region       visible.Region
	// Digits says that the block contains numbers, other than prices and figures in sentences, so Mask ignores something.
	Digits bool
	// Joined says that the block belongs to the same list item or table row as the block before.
	Joined bool
	// Stamp says that it reads like a clock, a counter or a "generated at".
	Stamp bool
	// Plain counts the words that Mask leaves as they are, up to 3.
	Plain uint8
}

// A TermCount says how many times the term with this hash occurs in the text.
type TermCount struct {
	Hash  uint32 // termBits bits
	Count uint32
}

const (
	maxTitle  = 160
	maxBlocks = 4096
	// termBits keeps the delta-coded terms short. In a page of 2,000 distinct words one in 8,000 changed terms is
	// mistaken for another.
	termBits = 24
	// maxPlain is the greatest number that two stored bits can hold.
	maxPlain = 3
)

// Of returns the sketch of a text.
func Of(t *visible.Text) Sketch {
	b := sketchers.Get().(*sketcher)
	defer sketchers.Put(b)
	b.sketch(t)
	out := b.out
	out.Title, out.Blocks, out.Terms = strings.Clone(out.Title), slices.Clone(out.Blocks), slices.Clone(out.Terms)
	out.Pictures = append([]Picture(nil), out.Pictures...) // nil if there are none, whatever was read before
	return out
}

// Append appends the stored form of a text's sketch, [Sketch.AppendBinary], to dst and also returns the MinHash.
func Append(dst []byte, t *visible.Text) ([]byte, MinHash) {
	b := sketchers.Get().(*sketcher)
	defer sketchers.Put(b)
	b.sketch(t)
	return b.out.AppendBinary(dst), b.out.MinHash
}

// sketch leaves the sketch of t in b.out, whose lists are reused for the next one.
func (b *sketcher) sketch(t *visible.Text) {
	b.reset(t)
	b.out = Sketch{
		ID: t.ID(), Title: cutTitle(t.Title), Size: t.Size(), Enters: t.Enters, Address: t.Address,
		Blocks: b.out.Blocks[:0], Terms: b.out.Terms[:0], Pictures: b.out.Pictures[:0],
	}
	order := hashing.Words{Hash: 1} // so that a text without words has an Order too
	for i := range t.Blocks {
		w := b.words(t, i)
		order.Append(w.order)
		b.add(&t.Blocks[i], w)
	}
	b.nameSite(t)
	b.out.Order = order.Hash
	b.out.Words = b.terms.total
	for _, p := range t.Pictures {
		b.out.Pictures = append(b.out.Pictures, Picture{Picture: p})
	}
	b.out.placePictures()
	if b.out.CoreSize <= maxWall {
		b.own = ownText(b.own[:0], t)
		own := string(b.own)
		b.out.Wall = t.Forwards || saysWall(own)
		b.out.NotFound = b.out.NotFound || saysGone(own)
	}
	b.out.Terms = b.terms.appendSorted(b.out.Terms)
	b.out.MinHash = b.shingles.minHash()
}

// SaysSame reports whether two texts have the same words in the same order, whatever their mark-up. Neither may be nil.
func (s *Sketch) SaysSame(o *Sketch) bool {
	return s == o || s.Size == o.Size && s.allWords() == o.allWords()
}

// allWords returns the hash of all words.
func (s *Sketch) allWords() (h uint64) {
	for i := range s.Blocks {
		h = hashing.Concat(h, s.Blocks[i].Hash, s.Blocks[i].Fields)
	}
	return h
}

// cutTitle cuts between characters, not within one.
func cutTitle(s string) string {
	if len(s) <= maxTitle {
		return s
	}
	n := maxTitle
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

type sketcher struct {
	out      Sketch
	segments tokenize.Segmenter
	norm     tokenize.Normalizer
	memory   *visible.Memory // may be nil
	own      []byte          // text that is not furniture
	last     blockWords      // of a block that isn't cached
	terms    termTable
	shingles shingler
}

// sketchers reuses sketchers for their tables, which are larger than most sketches.
var sketchers = sync.Pool{New: func() any { return new(sketcher) }}

func (b *sketcher) reset(t *visible.Text) {
	b.memory = t.Memory()
	b.terms.reset(t.Size())
	b.shingles.reset()
	if cap(b.out.Terms) > maxShingles {
		b.out.Terms = nil
	}
}

// nameSite makes numbers in the name of the site, in the title, carry no meaning: "Archivers — GNU Mailman 3.3.8 documentation".
func (b *sketcher) nameSite(t *visible.Text) {
	site := t.SiteName()
	i := slices.IndexFunc(b.out.Blocks, func(b Block) bool { return b.Region == visible.Title })
	if site == "" || i < 0 || b.out.Blocks[i].Stamp {
		return
	}
	name := slices.DeleteFunc(strings.Split(site, " "), func(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) })
	said := strings.Fields(strings.Replace(t.Title, site, strings.Join(name, " "), 1))
	_, says := hashFields(strings.Join(said, " "), false)
	title := &b.out.Blocks[i]
	title.NormalHash, title.Marks = says.Hash, title.Fields-says.N
}

func (b *sketcher) add(block *visible.Block, w *blockWords) {
	b.terms.add(w.words)
	if !block.Region.Furniture() {
		b.shingles.add(w.words)
	}
	s := w.sketch
	s.Region, s.Slot, s.Joined = block.Region, block.Slot, block.Joined
	if block.MayName() {
		b.out.NotFound = b.out.NotFound || w.saysNotFound(block.Text)
	}
	if !s.Region.Furniture() {
		b.out.CoreSize += int(s.Size)
		if !s.Stamp {
			b.out.Core = hashing.Concat(b.out.Core, s.Hash, s.Fields)
		}
	}
	if n := len(b.out.Blocks); n == maxBlocks {
		b.out.Blocks[n-1].absorb(&s)
		return
	}
	b.out.Blocks = append(b.out.Blocks, s)
}

// absorb appends the block o to s, and keeps only the hash and the number of words.
func (s *Block) absorb(o *Block) {
	s.NormalHash = hashing.Concat(s.NormalHash, o.NormalHash, o.Fields-o.Marks)
	s.Marks += o.Marks
	s.Hash = hashing.Concat(s.Hash, o.Hash, o.Fields)
	s.Mask, s.Plain, s.Digits, s.Stamp = maskOfHash(s.Hash), maxPlain, false, false
	s.Fields += o.Fields
	s.Size += o.Size
}

// MaskKey identifies a block by its mask, and also by its slot if the mask has no words of its own.
func (b *Block) MaskKey() uint64 {
	if b.Plain > 0 {
		return uint64(b.Mask)
	}
	return uint64(b.Slot)<<32 | uint64(b.Mask)
}

// AddTo returns the hash of a text with hash h that continues with b.
func (b *Block) AddTo(h uint64, whole bool) uint64 {
	switch {
	case b.Stamp:
		return hashing.Concat(h, uint64(b.Mask), 1)
	case whole:
		return hashing.Concat(h, b.Hash, b.Fields)
	}
	return hashing.Concat(h, b.NormalHash, b.Fields-b.Marks)
}
