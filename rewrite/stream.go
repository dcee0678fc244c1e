package rewrite

import (
	"io"
	"sync"

	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/uses"
)

const (
	// windowSize is the number of bytes that are scanned and looked up at once. Nearly every page fits.
	windowSize = 1 << 20
	// maxToken bounds the memory for one token (a script, a data: URI, a comment). A longer one is not rewritten.
	maxToken = 16 << 20
	// firstRead is the first size of a buffer: most documents are smaller.
	firstRead = 64 << 10
	// maxPooled is the largest buffer worth keeping for the next document.
	maxPooled = 2 * windowSize
)

// A scanner finds what to rewrite in a document.
type scanner interface {
	// scan scans src, the document from where the last scan stopped, and records edits in its coordinates. It returns
	// how many bytes are settled; the rest comes again with more after it. last says that nothing follows: then all of
	// src is settled. scan may overwrite the byte after src.
	scan(src []byte, last bool, e *edit.List) (settled int)
}

// A workspace is the memory of one rewriting, reused for the next.
type workspace struct {
	src   []byte
	edits edit.List
}

var workspaces = sync.Pool{New: func() any { return &workspace{src: make([]byte, 0, firstRead)} }}

func (ws *workspace) release() {
	if cap(ws.src) > maxPooled || ws.edits.Memory() > maxPooled {
		return
	}
	ws.src = ws.src[:0]
	ws.edits.Reset()
	workspaces.Put(ws)
}

// inserts reports whether something is put into the document.
func (o *Options) inserts() bool { return o.Head != nil || o.Banner != nil || o.LateBanner != nil }

// rewrite copies r to w through s, window bytes at a time. If r fails, rewrite still writes what was read, and returns r's error.
func rewrite(w io.Writer, r io.Reader, s scanner, o Options, window int) error {
	ws := workspaces.Get().(*workspace)
	defer ws.release()
	ws.edits.Server = o.Server
	ws.edits.Active = o.JS || o.Use != uses.BannerOnly && o.inserts()
	for {
		// Read at least as much as an incomplete token left over, so that a long token isn't scanned too often.
		readErr := ws.fill(r, len(ws.src)+max(window, len(ws.src)))
		last := readErr != nil
		n := s.scan(ws.src, last, &ws.edits)
		if err := ws.edits.Splice(w, ws.src[:n], o.Resolve); err != nil {
			return err
		}
		if last {
			if readErr == io.EOF {
				return nil
			}
			return readErr
		}
		ws.src = ws.src[:copy(ws.src, ws.src[n:])]
	}
}

// fill reads until there are limit bytes or r ends. It always leaves room for the NUL that the lexers append.
func (ws *workspace) fill(r io.Reader, limit int) error {
	for empty := 0; len(ws.src) < limit; {
		if len(ws.src)+1 >= cap(ws.src) {
			grown := make([]byte, len(ws.src), min(2*cap(ws.src), limit+firstRead))
			copy(grown, ws.src)
			ws.src = grown
		}
		n, err := r.Read(ws.src[len(ws.src) : cap(ws.src)-1])
		ws.src = ws.src[:len(ws.src)+n]
		if err != nil {
			return err
		}
		if n > 0 {
			empty = 0
		} else if empty++; empty > 100 {
			return io.ErrNoProgress
		}
	}
	return nil
}
