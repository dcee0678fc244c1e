package segment

import (
	"math"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// A list is the postings of a term.
type list struct {
	silent
	entry
	data      []byte // the encoded postings, unless there is only one
	documents uint64 // number of documents in the file
	except    *roaring.Bitmap
}

// Size implements segment.PostingsList.
func (l *list) Size() int { return listSize }

// listSize is roughly the memory of a list or an iterator in bytes.
const listSize = 128

// Count implements segment.PostingsList.
func (l *list) Count() uint64 {
	if l.except == nil || l.except.IsEmpty() {
		return l.count
	}
	n := uint64(0)
	for it := l.iterator(); it.next(); n++ {
	}
	return n
}

// Iterator implements segment.PostingsList.
func (l *list) Iterator(_, _, _ bool, _ segment.PostingsIterator) segment.PostingsIterator {
	return l.iterator()
}

func (l *list) iterator() *iterator {
	it := &iterator{list: l, rest: decoderOf(l.data), left: l.count}
	if l.count > postingsBlock {
		it.skips()
	}
	return it
}

// An iterator iterates over a list.
type iterator struct {
	silent
	*list
	rest decoder
	left uint64
	last uint32 // previous document
	now  found
	run  uint64 // documents left of a run of consecutive documents with the same number

	blocks []byte // the postings after the heads
	ends   []skip // of all blocks except the last
}

// A skip says where a block ends.
type skip struct {
	last uint32 // last document of the block
	at   uint64
}

// skips reads the heads of the blocks.
func (it *iterator) skips() {
	n := (it.count - 1) / postingsBlock
	if n > uint64(len(it.rest.Rest)) {
		it.rest.Fail()
		return
	}
	it.ends = make([]skip, 0, n)
	last := uint64(0)
	for range n {
		last += it.rest.Uint()
		at := it.rest.Uint()
		it.ends = append(it.ends, skip{uint32(last), at})
	}
	it.blocks = it.rest.Rest
}

// next moves to the next document that isn't in except.
func (it *iterator) next() bool {
	for it.left > 0 {
		it.left--
		if !it.read() {
			it.left = 0
			return false
		}
		if it.except == nil || !it.except.Contains(it.now.doc) {
			return true
		}
	}
	return false
}

func (it *iterator) read() bool {
	if it.count == 1 {
		it.now = found{doc: it.only.doc, number: uint64(it.only.number)}
		return uint64(it.now.doc) < it.documents
	}
	doc, number := it.posting()
	if it.rest.Failed || doc >= it.documents || number > math.MaxUint32 {
		it.rest.Fail()
		return false
	}
	it.last = uint32(doc)
	it.now = found{it.last, number}
	return true
}

// posting decodes the next document and its number.
func (it *iterator) posting() (doc, number uint64) {
	if it.run == 0 {
		step := it.rest.Uint()
		if step != again || it.left+1 == it.count {
			if number = 1; step&1 == 0 {
				number = it.rest.Uint()
			}
			return uint64(it.last) + step>>1, number
		}
		if it.run = it.rest.Uint(); it.run == 0 || it.run > it.left+1 {
			it.rest.Fail()
			return 0, 0
		}
	}
	it.run--
	return uint64(it.last) + 1, it.now.number
}

// Next implements segment.PostingsIterator.
func (it *iterator) Next() (segment.Posting, error) {
	if !it.next() {
		return nil, it.rest.err()
	}
	return &it.now, nil
}

// Advance implements segment.PostingsIterator.
func (it *iterator) Advance(doc uint64) (segment.Posting, error) {
	it.skipTo(doc)
	for it.next() {
		if uint64(it.now.doc) >= doc {
			return &it.now, nil
		}
	}
	return nil, it.rest.err()
}

// skipTo skips whole blocks that end before doc.
func (it *iterator) skipTo(doc uint64) {
	here := (it.count - it.left) / postingsBlock // block of the next document
	block := uint64(sort.Search(len(it.ends), func(i int) bool { return uint64(it.ends[i].last) >= doc }))
	if it.left == 0 || block <= here {
		return
	}
	end := it.ends[block-1]
	b, err := between(it.blocks, end.at, uint64(len(it.blocks)))
	if err != nil {
		it.rest.Fail()
		it.left = 0
		return
	}
	it.rest, it.last, it.left, it.run = decoderOf(b), end.last, it.count-block*postingsBlock, 0
}

// A found is a posting.
type found struct {
	doc    uint32
	number uint64
}

// Number implements segment.Posting: the number of the document.
func (f *found) Number() uint64 { return uint64(f.doc) }

// Frequency implements segment.Posting: the number stored with the document.
func (f *found) Frequency() uint64 { return f.number }

// Norm implements segment.Posting; the format has no norms.
func (f *found) Norm() float64 { return 1 }

// Locations implements segment.Posting; the format has no locations.
func (f *found) Locations() []segment.Location { return nil }

// Size implements segment.Posting.
func (f *found) Size() int { return listSize }

// silent implements scorch's statistics of bytes by counting nothing.
type silent struct{}

// BytesRead implements segment.DiskStatsReporter.
func (silent) BytesRead() uint64 { return 0 }

// ResetBytesRead implements segment.DiskStatsReporter.
func (silent) ResetBytesRead(uint64) {}

// BytesWritten implements segment.DiskStatsReporter.
func (silent) BytesWritten() uint64 { return 0 }
