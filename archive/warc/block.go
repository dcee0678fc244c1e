package warc

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
)

// A LineReader is a source of heads and chunked bodies: a *bufio.Reader or a *[Block].
type LineReader interface {
	io.Reader
	// Peek returns the next n bytes without consuming them. If there are fewer, it returns those and an error.
	Peek(n int) ([]byte, error)
	// ReadSlice reads up to and including delim, as [bufio.Reader.ReadSlice] does.
	ReadSlice(delim byte) ([]byte, error)
}

// A Block is the content of a record (ISO 28500 §4): as many bytes as its Content-Length says. If the file has fewer,
// or they can't be inflated, reading ends with a *[Damage].
type Block struct {
	rec  *Record
	buf  *bufio.Reader
	left int64
	err  error
}

// Read reads the next bytes of the block.
func (b *Block) Read(p []byte) (int, error) {
	if b.err != nil || b.left == 0 {
		return 0, cmp.Or(b.err, io.EOF)
	}
	n, err := b.buf.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil {
		b.fail(err)
	}
	if n > 0 {
		return n, nil
	}
	return 0, b.err
}

// WriteTo writes the rest of the block to w straight from the file's buffer.
func (b *Block) WriteTo(w io.Writer) (written int64, err error) {
	for {
		p, err := b.Peek(int(min(b.left, int64(b.buf.Size()))))
		if len(p) == 0 {
			if err == io.EOF || err == nil {
				return written, nil
			}
			return written, err
		}
		n, err := w.Write(p)
		_, _ = b.buf.Discard(n)
		b.left -= int64(n)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
}

// Peek returns the next n bytes without consuming them. If it returns fewer, the error says why: io.EOF at the end of
// the block, [bufio.ErrBufferFull] if n is more than 64 KiB, else what went wrong.
func (b *Block) Peek(n int) ([]byte, error) {
	if b.err != nil {
		return nil, b.err
	}
	if int64(n) > b.left {
		p, err := b.peek(int(b.left))
		if err == nil {
			err = io.EOF
		}
		return p, err
	}
	return b.peek(n)
}

func (b *Block) peek(n int) ([]byte, error) {
	p, err := b.buf.Peek(n)
	if err == nil || err == bufio.ErrBufferFull {
		return p, err
	}
	if len(p) == 0 {
		b.fail(err)
		return nil, b.err
	}
	return p, err
}

// ReadSlice reads up to and including delim; the slice is valid until the next read. If delim isn't among the next 64
// KiB, it returns those with [bufio.ErrBufferFull]; if it isn't in the rest of the block, it returns the rest with
// io.EOF.
func (b *Block) ReadSlice(delim byte) ([]byte, error) {
	p, err := b.Peek(int(min(b.left, int64(b.buf.Buffered()))))
	i := bytes.IndexByte(p, delim)
	if i < 0 {
		full := b.buf.Size()
		p, err = b.Peek(int(min(b.left, int64(full))))
		i = bytes.IndexByte(p, delim)
		if i < 0 && err == nil {
			err = io.EOF
			if len(p) == full {
				err = bufio.ErrBufferFull
			}
		}
	}
	if i >= 0 {
		p, err = p[:i+1], nil
	}
	_, _ = b.buf.Discard(len(p))
	b.left -= int64(len(p))
	return p, err
}

// discard skips the rest of the block.
func (b *Block) discard() {
	if b.err != nil {
		return
	}
	n, err := discard(b.buf, b.left)
	b.left -= n
	if err != nil {
		b.fail(err)
	}
}

func discard(r *bufio.Reader, n int64) (int64, error) {
	var done int64
	for done < n {
		d, err := r.Discard(int(min(n-done, 1<<30)))
		done += int64(d)
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// fail records that the block ends too early.
func (b *Block) fail(err error) { b.err = b.rec.cut(b.rec.ContentLength-b.left, err) }
