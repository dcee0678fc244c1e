package archive

import (
	"errors"
	"io"
	"strconv"

	"github.com/varve-archive/varve/archive/warc"
)

// A Readable is a body without content coding, as far as it can be read. Where the record was cut off, or can't be decoded any further,
// reading ends with io.EOF, so that readers see what there is. Errors of the storage are returned.
type Readable struct {
	body  io.Reader
	below *watched
	coded io.Reader // the body as [warc.Body] reads it
	known bool      // the index says that the record is cut off
	cut   bool
	ahead int // bytes to read until it is known, for short pages, whether the body is cut off
}

// How many bytes of a page are read before its banner says whether it is cut off.
const (
	lookAheadKnown = 4 << 10   // if it is known in advance
	lookAheadCoded = 256 << 10 // nearly all pages
)

// Readable returns the body of a response as a Readable.
func (a *Response) Readable() (*Readable, error) {
	r := &Readable{below: &watched{r: a.Body}, coded: a.Body, known: a.Capture.Truncated, cut: a.lacks(), ahead: lookAheadKnown}
	if chunks, _ := warc.Chunked(a.Body); chunks || a.Coding() != "" {
		r.ahead = lookAheadCoded
	}
	if a.Body = r.below; r.known {
		a.Length = -1 // the body may be shorter than that
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

// LookAhead returns how many bytes of the body have to be read to know, for nearly all pages, whether it is cut off.
func (r *Readable) LookAhead() int { return r.ahead }

// CutOff reports whether the record is known to be cut off, or reading has met its end, missing chunks, or undecodable data.
func (r *Readable) CutOff() bool {
	_, incomplete := warc.Chunked(r.coded)
	return r.known || r.cut || incomplete
}

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

// A watched is a reader that remembers its error, to distinguish errors of the storage from those of decoders.
type watched struct {
	r   io.Reader
	err error // other than io.EOF
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}
