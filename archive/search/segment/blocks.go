package segment

import (
	"sort"

	"github.com/klauspost/compress/zstd"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// Blocks returns the sizes of a column's compressed blocks. It is not safe for concurrent use.
type Blocks struct {
	column *columnReader // nil if the segment lacks the column
	end    uint64        // the first document after the current block
}

// BlocksOf returns the blocks of a column in a segment.
func BlocksOf(s segment.Segment, column string) (*Blocks, error) {
	c, err := contentOf(s)
	if err != nil {
		return nil, err
	}
	r, err := c.column(column)
	return &Blocks{column: r}, err
}

// Next returns the unpacked size in bytes of the block of a document. again says that the document before was in the same block. Documents
// must be asked for in order.
func (b *Blocks) Next(doc uint64) (size int64, again bool, err error) {
	r := b.column
	if r == nil {
		return 0, false, nil
	}
	if doc < b.end {
		return 0, true, nil
	}
	after := sort.Search(r.blocks, func(i int) bool { return r.from(i) > doc })
	if after == 0 || doc >= r.of.dir.documents {
		return 0, false, errNoDocument
	}
	b.end = r.from(after)
	packed, err := r.packed(after - 1)
	if err != nil {
		return 0, false, err
	}
	var head zstd.Header
	if head.Decode(packed) != nil || head.FrameContentSize > maxBlock {
		return 0, false, errDamaged
	}
	return int64(head.FrameContentSize), false, nil
}
