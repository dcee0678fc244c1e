package warc

import (
	"bufio"
	"context"
	"io"
)

// bufferSize is the size of the buffers for files and for inflated members.
const bufferSize = 64 << 10

// An input reads a stored file forwards and always knows its offset.
type input struct {
	cursor cursor
	buf    *bufio.Reader // not an interface, because flate has a fast path for *bufio.Reader that never reads too far
}

func newInput() *input {
	in := new(input)
	in.buf = bufio.NewReaderSize(&in.cursor, bufferSize)
	return in
}

// reset begins at the start of another file.
func (in *input) reset(ctx context.Context, f io.ReaderAt, name string) {
	in.cursor = cursor{ctx: ctx, file: f, name: name}
	in.buf.Reset(&in.cursor)
}

// offset returns the file offset of the next byte.
func (in *input) offset() int64 { return in.cursor.offset - int64(in.buf.Buffered()) }

func (in *input) seek(offset int64) {
	if ahead := offset - in.offset(); ahead >= 0 && ahead <= int64(in.buf.Buffered()) {
		_, _ = in.buf.Discard(int(ahead))
		return
	}
	in.cursor.offset = offset
	in.buf.Reset(&in.cursor)
}

// A cursor reads an io.ReaderAt forwards.
type cursor struct {
	ctx    context.Context // reading fails when it is done
	file   io.ReaderAt
	name   string // the file's base name, for errors
	offset int64
	ahead  int64 // how many of the next bytes will certainly be read; 0 if unknown
	err    error // read error, other than the end of the file
}

// Read reads at the cursor's offset and advances it.
func (c *cursor) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		c.err = err
		return 0, err
	}
	if c.ahead > 0 {
		p = p[:min(int64(len(p)), c.ahead)]
	}
	n, err := c.file.ReadAt(p, c.offset)
	c.offset += int64(n)
	c.ahead = max(0, c.ahead-int64(n))
	switch {
	case err == io.EOF && n > 0:
		return n, nil
	case err == nil || err == io.EOF:
		return n, err
	}
	c.err = unreadable(c.name, err)
	return n, c.err
}
