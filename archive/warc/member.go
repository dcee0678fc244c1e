package warc

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/gzip"
)

// packing says how a record is stored at some offset of a file.
type packing uint8

const (
	nothing   packing = iota // the file's end
	notRecord                // no record starts here
	plain
	gzipped
	zstandard
	skippable // a zstd frame without content: the dictionary, or padding
)

// sniff returns what starts at the input's offset.
func (r *reader) sniff() packing {
	b, _ := r.in.buf.Peek(5)
	if p := packingOf(b); p != notRecord {
		return p
	}
	if b, _ = r.in.buf.Peek(maxARCLine); looksLikeARC(b) {
		return plain
	}
	return notRecord
}

// packingOf returns what starts with b, which has at least 5 bytes if there are so many. It doesn't know ARC records.
func packingOf(b []byte) packing {
	switch {
	case len(b) == 0:
		return nothing
	case len(b) >= 2 && b[0] == 0x1f && b[1] == 0x8b:
		return gzipped
	case bytes.HasPrefix(b, []byte("WARC/")):
		return plain
	}
	if len(b) >= 4 {
		magic := binary.LittleEndian.Uint32(b)
		switch {
		case magic == zstdMagic:
			return zstandard
		case magic&^0xf == zstdSkippable:
			return skippable
		}
	}
	return notRecord
}

// skipBlank skips the line ends between records.
func skipBlank(from *bufio.Reader) {
	for {
		b, _ := from.Peek(1)
		if len(b) == 0 || b[0] != '\r' && b[0] != '\n' {
			return
		}
		_, _ = from.Discard(1)
	}
}

// skipFrame skips a skippable zstd frame.
func (r *reader) skipFrame() error {
	var head [8]byte
	start := r.in.offset()
	_, err := io.ReadFull(r.in.buf, head[:])
	if err == nil {
		_, err = discard(r.in.buf, int64(binary.LittleEndian.Uint32(head[4:])))
	}
	if err != nil {
		return r.damaged(start, "skippable zstd frame is cut off", io.ErrUnexpectedEOF)
	}
	return nil
}

// inflate returns the reader for the record that starts at the input's offset, behind line ends that its member begins with.
func (r *reader) inflate(p packing) (*bufio.Reader, error) {
	if p == plain {
		return r.in.buf, nil
	}
	if r.body == nil {
		r.body = bufio.NewReaderSize(nil, bufferSize)
	}
	var err error
	if p == zstandard {
		err = r.startZstd()
	} else {
		err = r.resetGzip(r.in.buf)
		r.body.Reset(r.gz)
	}
	if err == nil {
		skipBlank(r.body)
	}
	return r.body, err
}

// resetGzip begins to read a single gzip member.
func (r *reader) resetGzip(from io.Reader) error {
	if r.gz == nil {
		r.gz = new(gzip.Reader)
	}
	err := r.gz.Reset(from)
	r.gz.Multistream(false)
	return err
}

func (r *reader) startZstd() error {
	if r.zs == nil {
		start := cursor{ctx: r.in.cursor.ctx, file: r.in.cursor.file, name: r.name}
		zs, err := r.zstds.get(&start)
		if err != nil {
			r.in.cursor.err = start.err
			return err
		}
		r.zs = zs
	}
	if err := r.frame.start(r.in.buf); err != nil {
		return err
	}
	err := r.zs.Reset(&r.frame)
	r.body.Reset(r.zs)
	return err
}
