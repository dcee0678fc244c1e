package history

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// A Codec compresses tables. It is safe for concurrent use.
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

// Pack compresses.
func (c *Codec) Pack(raw []byte) []byte { return c.enc.EncodeAll(raw, make([]byte, 0, len(raw)/3)) }

// Unpack is the inverse of Pack. It uses the memory of buf, and returns it even after an error.
func (c *Codec) Unpack(packed, buf []byte) ([]byte, error) {
	raw, err := c.dec.DecodeAll(packed, buf[:0])
	if err != nil {
		return buf, fmt.Errorf("history: %w", err)
	}
	return raw, nil
}
