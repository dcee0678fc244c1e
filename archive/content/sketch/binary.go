package sketch

import (
	"encoding/binary"
	"fmt"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/internal/packed"
	"github.com/varve-archive/varve/internal/sentinel"
)

// sketchVersion is the first byte of a stored sketch. Raise it when the format or the hashed input changes.
const sketchVersion = 12

// Previous versions can still be read. Version 1 has no NormalHash and fewer regions; where an index has captures of a page in both, only
// common fields are compared. Version 2 has no Address. Up to version 3, the ID covers only the words. Up to version 4, Joined is never
// set; up to version 5, pictures are unknown; up to version 6, there is no Order; up to version 7, ligatures and check marks are hashed
// otherwise; up to version 8, other signs are too, and no line of preformatted text ended a block; up to version 9, there are no films in
// frames; up to version 10, words with soft hyphens or typographic apostrophes are hashed otherwise; up to version 11, XHTML pages lack
// what follows an element that ends with its start tag.
const (
	firstVersion  = 1
	secondVersion = 2
	fourthVersion = 4
	fifthVersion  = 5
	sixthVersion  = 6
	ninthVersion  = 9
)

// Stored flags of a block, next to its region in the low bits.
const (
	flagDigits = 1 << 4
	flagStamp  = 1 << 5
	plainShift = 6
)

// Stored flags of a text.
const (
	flagNotFound = 1 << iota
	flagWall
	flagEnters
	flagNamed // an Address follows the numbers
)

// AppendBinary appends the stored form of s to dst: fixed-width hashes little-endian, numbers as
// uvarints, term hashes and slots as differences.
func (s *Sketch) AppendBinary(dst []byte) []byte {
	le := binary.LittleEndian
	dst = append(dst, sketchVersion, hashing.Bit(s.NotFound)*flagNotFound|hashing.Bit(s.Wall)*flagWall|hashing.Bit(s.Enters)*flagEnters|
		hashing.Bit(s.Address != visible.Unnamed)*flagNamed)
	dst = le.AppendUint64(dst, s.ID)
	dst = le.AppendUint64(dst, s.Core)
	dst = le.AppendUint64(dst, s.Order)
	for _, n := range []int{len(s.Title), s.Size, s.CoreSize, s.Words, len(s.Blocks), len(s.Terms)} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	if s.Address != visible.Unnamed {
		dst = le.AppendUint32(dst, uint32(s.Address))
	}
	dst = append(dst, s.Title...)
	for _, v := range s.MinHash {
		dst = le.AppendUint16(dst, v)
	}
	dst = appendBlocks(dst, s.Blocks)
	last := uint32(0)
	for _, t := range s.Terms {
		// Most terms occur once; the low bit says that a count follows.
		once := uint64(hashing.Bit(t.Count > 1))
		dst = binary.AppendUvarint(dst, uint64(t.Hash-last)<<1|once)
		if t.Count > 1 {
			dst = binary.AppendUvarint(dst, uint64(t.Count))
		}
		last = t.Hash
	}
	dst = binary.AppendUvarint(dst, uint64(len(s.Pictures)))
	for i := range s.Pictures {
		p := &s.Pictures[i]
		dst = binary.AppendUvarint(dst, uint64(p.After)<<1|uint64(hashing.Bit(p.Film)))
		dst = binary.AppendUvarint(dst, uint64(len(p.Address)))
		dst = append(dst, p.Address...)
	}
	return dst
}

// appendBlocks writes a slot in full if it is new, else its number.
func appendBlocks(dst []byte, blocks []Block) []byte {
	le := binary.LittleEndian
	var slots slotNumbers
	for i := range blocks {
		b := &blocks[i]
		dst = append(dst, byte(b.Region)|hashing.Bit(b.Digits)*flagDigits|hashing.Bit(b.Stamp)*flagStamp|b.Plain<<plainShift)
		dst = le.AppendUint64(dst, b.Hash)
		if b.Digits {
			dst = le.AppendUint32(dst, b.Mask)
		}
		marked := b.NormalHash != b.Hash
		dst = binary.AppendUvarint(dst, uint64(b.Fields)<<1|uint64(hashing.Bit(marked)))
		if marked {
			dst = le.AppendUint64(dst, b.NormalHash)
			dst = binary.AppendUvarint(dst, uint64(b.Marks))
		}
		dst = binary.AppendUvarint(dst, uint64(b.Size)<<1|uint64(hashing.Bit(b.Joined)))
		n := slots.number(b.Slot)
		dst = binary.AppendUvarint(dst, n)
		if n == 0 {
			dst = le.AppendUint32(dst, b.Slot)
		}
	}
	return dst
}

// slotNumbers numbers slots 1, 2, … in the order in which they first occur.
type slotNumbers struct {
	few  [256]struct{ slot, n uint32 } // nearly all pages have fewer
	more map[uint32]uint32
	last uint32
}

// number returns the number of a slot, or 0 if this is its first occurrence, which gives it one.
func (s *slotNumbers) number(slot uint32) uint64 {
	const enough = len(s.few) / 4 * 3
	i := slot % uint32(len(s.few))
	for s.few[i].n != 0 {
		if s.few[i].slot == slot {
			return uint64(s.few[i].n)
		}
		i = (i + 1) % uint32(len(s.few))
	}
	if n := s.more[slot]; n != 0 {
		return uint64(n)
	}
	s.last++
	if s.last <= uint32(enough) {
		s.few[i].slot, s.few[i].n = slot, s.last
		return 0
	}
	if s.more == nil {
		s.more = map[uint32]uint32{}
	}
	s.more[slot] = s.last
	return 0
}

const errSketchShort = sentinel.Error("sketch: ends too early")

// Parse reads what [Sketch.AppendBinary] wrote. Invalid data leads to an error, never to a panic, and to no more memory than a small
// multiple of its length.
func Parse(data []byte) (Sketch, error) {
	r := reader{Reader: packed.Reader{Rest: data}}
	var s Sketch
	blocks, terms, err := r.head(&s)
	if err != nil {
		return Sketch{}, err
	}
	s.Blocks = r.blocks(blocks)
	s.Terms = r.terms(terms)
	r.pictures(&s)
	switch {
	case r.Failed:
		return Sketch{}, errSketchShort
	case len(r.Rest) > 0:
		return Sketch{}, fmt.Errorf("sketch: %d bytes too many", len(r.Rest))
	}
	return s, nil
}

// ParseHead is [Parse] without Blocks and Terms, for comparing many texts by [Similarity] alone. It doesn't notice damage in these.
func ParseHead(data []byte) (Sketch, error) {
	r := reader{Reader: packed.Reader{Rest: data}}
	var s Sketch
	_, _, err := r.head(&s)
	if err == nil && r.Failed {
		err = errSketchShort
	}
	return s, err
}

// head reads all but the blocks and terms, and the number of those.
func (r *reader) head(s *Sketch) (blocks, terms int, err error) {
	version, flags := r.Byte(), r.Byte()
	if !r.Failed && (version < firstVersion || version > sketchVersion) {
		return 0, 0, fmt.Errorf("sketch: format %d, want %d", version, sketchVersion)
	}
	r.version, s.Older = version, version == firstVersion
	s.NotFound, s.Wall, s.Enters = flags&flagNotFound != 0, flags&flagWall != 0, flags&flagEnters != 0
	s.ID, s.Core = r.Fixed64(), r.Fixed64()
	if version > sixthVersion {
		s.Order = r.Fixed64()
	}
	title := r.Count(1)
	s.Size, s.CoreSize, s.Words = int(r.Uint32()), int(r.Uint32()), int(r.Uint32())
	blocks, terms = r.Count(minBlockLen), r.Count(1)
	if flags&flagNamed != 0 && version > secondVersion {
		s.Address = visible.Address(r.Fixed32())
	}
	s.Title = string(r.Bytes(uint64(title)))
	for i := range s.MinHash {
		s.MinHash[i] = r.Fixed16()
	}
	return blocks, terms, nil
}

// minBlockLen is the length of the shortest stored block.
const minBlockLen = 12

// A reader parses a stored sketch.
type reader struct {
	packed.Reader
	version byte
}

func (r *reader) blocks(n int) []Block {
	older := r.version == firstVersion
	if r.Failed {
		return nil
	}
	blocks := make([]Block, n)
	var slots []uint32
	for i := range blocks {
		b := &blocks[i]
		flags := r.Byte()
		b.Region = visible.Region(flags & 0x0f)
		r.Failed = r.Failed || b.Region >= visible.Regions
		b.Digits, b.Stamp, b.Plain = flags&flagDigits != 0, flags&flagStamp != 0, flags>>plainShift
		b.Hash = r.Fixed64()
		b.Mask = maskOfHash(b.Hash)
		if b.Digits {
			b.Mask = r.Fixed32()
		}
		b.Fields, b.NormalHash = r.Uint32(), b.Hash
		if marked := !older && b.Fields&1 != 0; marked {
			b.NormalHash, b.Marks = r.Fixed64(), r.Uint32()
		}
		if !older {
			b.Fields >>= 1
		}
		r.Failed = r.Failed || b.Marks > b.Fields
		if b.Size = r.Uint32(); r.version > fourthVersion {
			b.Joined, b.Size = b.Size&1 != 0, b.Size>>1
		}
		b.Slot = r.slot(&slots)
	}
	return blocks
}

func (r *reader) slot(known *[]uint32) uint32 {
	n := int(r.Uint32())
	if n == 0 {
		*known = append(*known, r.Fixed32())
		n = len(*known)
	}
	if n > len(*known) {
		r.Failed = true
		return 0
	}
	return (*known)[n-1]
}

func (r *reader) pictures(s *Sketch) {
	if s.PicturesUnknown = r.version <= fifthVersion; s.PicturesUnknown || r.Failed {
		return
	}
	const least = 2 // bytes of a stored picture
	if n := r.Count(least); n > 0 {
		s.Pictures = make([]Picture, n)
	}
	for i := range s.Pictures {
		p := &s.Pictures[i]
		if p.After = int(r.Uint32()); r.version > ninthVersion {
			p.Film, p.After = p.After&1 != 0, p.After>>1
		}
		p.Address = string(r.Text())
	}
	s.placePictures()
}

func (r *reader) terms(n int) []TermCount {
	if r.Failed {
		return nil
	}
	terms := make([]TermCount, n)
	last := uint32(0)
	for i := range terms {
		v := r.Uint()
		if r.Failed = r.Failed || v>>1 > 1<<termBits; r.Failed {
			return nil
		}
		last += uint32(v >> 1)
		terms[i] = TermCount{last, 1}
		if v&1 == 1 {
			terms[i].Count = r.Uint32()
		}
	}
	return terms
}
