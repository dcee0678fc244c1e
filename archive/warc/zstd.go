package warc

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Magic numbers of RFC 8878 §3.1 and of the IIPC's "Zstandard Compression for WARC Files" 1.0, which puts the
// dictionary into a skippable frame at the start of the file.
const (
	zstdMagic           = 0xFD2FB528
	zstdSkippable       = 0x184D2A50 // to 0x184D2A5F
	zstdDictionaryFrame = 0x184D2A5D
	zstdDictionary      = 0xEC30A437
)

const (
	maxZstdWindow     = 128 << 20 // what the reference decoder accepts by default
	maxZstdDictionary = 32 << 20
)

// readDictionary returns the dictionary at the start of a .warc.zst, nil if there is none.
func readDictionary(f io.Reader) ([]byte, error) {
	var head [8]byte
	if _, err := io.ReadFull(f, head[:]); err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(head[:]) != zstdDictionaryFrame {
		return nil, nil
	}
	size := binary.LittleEndian.Uint32(head[4:])
	if size > maxZstdDictionary {
		return nil, fmt.Errorf("zstd dictionary of %d bytes is more than %d", size, maxZstdDictionary)
	}
	dict := make([]byte, size)
	if _, err := io.ReadFull(f, dict); err != nil {
		return nil, fmt.Errorf("zstd dictionary is cut off: %w", err)
	}
	if len(dict) < 4 || binary.LittleEndian.Uint32(dict) != zstdMagic {
		return dict, nil
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxZstdDictionary))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	dict, err = d.DecodeAll(dict, nil)
	if err != nil {
		return nil, fmt.Errorf("zstd dictionary: %w", err)
	}
	return dict, nil
}

// zstdDecoders are the decoders of one file, which share its dictionary. The zero value is ready to use.
type zstdDecoders struct {
	mu   sync.Mutex
	read bool // the dictionary, or why there is none that can be used
	dict []byte
	err  error
	idle sync.Pool
}

// dictionary returns the dictionary of a file. f is at the start of the file, and has the error if that can't be read at the moment.
func (z *zstdDecoders) dictionary(f *cursor) ([]byte, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.read {
		return z.dict, z.err
	}
	dict, err := readDictionary(f)
	if f.err != nil {
		return nil, f.err
	}
	z.dict, z.err, z.read = dict, err, true
	return dict, err
}

func (z *zstdDecoders) get(f *cursor) (*zstd.Decoder, error) {
	dict, err := z.dictionary(f)
	if err != nil {
		return nil, err
	}
	if d, ok := z.idle.Get().(*zstd.Decoder); ok {
		return d, nil
	}
	d, err := newZstdDecoder(dict)
	if err != nil {
		return nil, fmt.Errorf("zstd dictionary: %w", err)
	}
	return d, nil
}

// put returns a decoder to the pool. A pooled decoder may be dropped without Close, because it has no goroutines.
func (z *zstdDecoders) put(d *zstd.Decoder) {
	_ = d.Reset(nil)
	z.idle.Put(d)
}

// newZstdDecoder returns a decoder that works in its reader's goroutine.
func newZstdDecoder(dict []byte) (*zstd.Decoder, error) {
	opts := []zstd.DOption{
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow),
	}
	switch {
	case len(dict) >= 8 && binary.LittleEndian.Uint32(dict) == zstdDictionary:
		opts = append(opts, zstd.WithDecoderDicts(dict))
	case len(dict) > 0:
		opts = append(opts, zstd.WithDecoderDictRaw(0, dict))
	}
	return zstd.NewReader(nil, opts...)
}

// A zstdFrame reads exactly one zstd frame. The decoder alone doesn't tell where the frame ends.
type zstdFrame struct {
	buf      *bufio.Reader
	left     int64 // bytes to read before the next block's header
	checksum bool
	last     bool // the last block is being read
	done     bool // only left bytes remain
}

// start begins at the frame's magic number.
func (z *zstdFrame) start(r *bufio.Reader) error {
	*z = zstdFrame{buf: r}
	head, _ := r.Peek(zstd.HeaderMaxSize)
	var h zstd.Header
	if err := h.Decode(head); err != nil {
		return err
	}
	if h.Skippable {
		return errors.New("a skippable frame holds no record")
	}
	z.left, z.checksum = int64(h.HeaderSize), h.HasCheckSum
	return nil
}

func (z *zstdFrame) Read(p []byte) (int, error) {
	if z.left == 0 {
		if err := z.next(); err != nil {
			return 0, err
		}
	}
	n, err := z.buf.Read(p[:min(int64(len(p)), z.left)])
	z.left -= int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// next examines what follows: another block (RFC 8878 §3.1.1.2), the checksum, or nothing.
func (z *zstdFrame) next() error {
	switch {
	case z.done || z.last && !z.checksum:
		return io.EOF
	case z.last:
		z.left, z.done = 4, true
		return nil
	}
	head, err := z.buf.Peek(3)
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	block := uint32(head[0]) | uint32(head[1])<<8 | uint32(head[2])<<16
	z.last = block&1 == 1
	size := int64(block >> 3)
	if block>>1&3 == 1 { // run-length: one byte for the whole block
		size = 1
	}
	z.left = 3 + size
	return nil
}
