package history

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// A Codec compresses parts. It is safe for concurrent use.
type Codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

// maxTable bounds the size of a table in memory.
const maxTable = 1 << 28

// NewCodec returns a codec. level is that of zstd.
func NewCodec(level int) (*Codec, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)), zstd.WithWindowSize(4<<20),
		zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true), zstd.WithEncoderConcurrency(0))
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxTable))
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	return &Codec{enc, dec}, nil
}

// Pack returns the table of a part, compressed.
func (c *Codec) Pack(p *Part) []byte {
	return c.enc.EncodeAll(p.table, make([]byte, 0, len(p.table)/3))
}

// Raw returns the table of a part as [ParseTable] reads it, from what Pack returned.
func (c *Codec) Raw(packed []byte) ([]byte, error) { return c.dec.DecodeAll(packed, nil) }

// Unpack reads what Pack returned. It uses the memory of buf if that is large enough, and returns what it used.
func (c *Codec) Unpack(packed, buf []byte) (t *Table, used []byte, err error) {
	raw, err := c.dec.DecodeAll(packed, buf[:0])
	if err != nil {
		return nil, buf, fmt.Errorf("history: %w", err)
	}
	t, err = ParseTable(raw)
	return t, raw, err
}
