package archive

import (
	"errors"
	"io"
	"strconv"

	"github.com/varve-archive/varve/archive/warc"
)

// A Readable is a body without content coding, as far as the record has it. Where the record was cut off, or what it has can't be decoded
// any more, reading ends as at the end of a file: readers see what is there. What the storage can't give now is an error.
type Readable struct {
	body  io.Reader
	below *watched
	coded io.Reader // the body as [warc.Body] reads it
	known bool      // the index has seen that the record is cut off
	cut   bool
	ahead int // how many bytes of it have to be read until a page that isn't long is known to be cut off
}

// How much of a page is read before its banner says whether it is cut off.
const (
	aheadOfBytes = 4 << 10   // enough where it is known before
	aheadOfCodes = 256 << 10 // nearly all pages
)

// AsFar returns the body of a response for those who read it as a page.
func (a *Response) AsFar() (*Readable, error) {
	r := &Readable{below: &watched{r: a.Body}, coded: a.Body, known: a.Capture.Truncated, cut: a.lacks(), ahead: aheadOfBytes}
	if chunks, _ := warc.Chunked(a.Body); chunks || a.Coding() != "" {
		r.ahead = aheadOfCodes
	}
	if a.Body = r.below; r.known {
		a.Length = -1 // it has less than it says
	}
	var err error
	r.body, err = a.Decoded()
	return r, err
}

// lacks reports whether a body is shorter than its head says.
func (a *Response) lacks() bool {
	said, err := strconv.ParseInt(a.Header.Get("Content-Length"), 10, 64)
	return err == nil && a.Length >= 0 && a.Length < said
}

// Ahead returns how many bytes of the body tell, for nearly all pages, whether it is cut off.
func (r *Readable) Ahead() int { return r.ahead }

// CutOff reports whether the record is known to be cut off, or reading has come to where it can't be decoded or chunks are missing.
func (r *Readable) CutOff() bool {
	_, incomplete := warc.Chunked(r.coded)
	return r.known || r.cut || incomplete
}

// Read implements [io.Reader].
func (r *Readable) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	var damage *warc.Damage
	if r.below.err == nil || r.known && errors.As(r.below.err, &damage) {
		r.cut = true
		return n, io.EOF
	}
	return n, err
}

// A watched reader knows why reading failed below what decodes it.
type watched struct {
	r   io.Reader
	err error // other than io.EOF
}

// Read implements [io.Reader].
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}
