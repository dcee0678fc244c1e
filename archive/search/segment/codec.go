package segment

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// A codec compresses blocks of columns. It is safe for concurrent use.
type codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

// maxBlock bounds the unpacked size of a block in bytes. It is large because a single value may be.
const maxBlock = 1 << 28

func newCodec() (*codec, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(4<<20),
		zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true), zstd.WithEncoderConcurrency(0))
	if err != nil {
		return nil, fmt.Errorf("segment: %w", err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxBlock))
	if err != nil {
		return nil, fmt.Errorf("segment: %w", err)
	}
	return &codec{enc, dec}, nil
}

func (c *codec) pack(raw []byte) []byte { return c.enc.EncodeAll(raw, make([]byte, 0, len(raw)/2)) }

// unpack is the inverse of pack. It reuses the memory of buf.
func (c *codec) unpack(packed, buf []byte) ([]byte, error) { return c.dec.DecodeAll(packed, buf[:0]) }
