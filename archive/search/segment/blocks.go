package segment

import (
	"sort"

	"github.com/klauspost/compress/zstd"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// Blocks tells what has to be unpacked to read values of a column. It is not safe for concurrent use.
type Blocks struct {
	column *columnReader // nil if the segment hasn't it
	end    uint64        // the first document behind the block that was asked for last
}

// BlocksOf returns those of a column of a segment.
func BlocksOf(s segment.Segment, column string) (*Blocks, error) {
	c, err := contentOf(s)
	if err != nil {
		return nil, err
	}
	r, err := c.column(column)
	return &Blocks{column: r}, err
}

// Next returns the size in bytes, unpacked, of the block that has the value of a document. again says that it is the block of
// the document that was asked for before. Documents are asked for in order.
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
