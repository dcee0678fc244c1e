package searches

import (
	"encoding/binary"
	"sync"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/archive/staging"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/packed"
)

// A Staging holds texts and links of pages from indexing until searches are built from them, so that records need not be read twice. Pages
// that it lacks are read from their records.
type Staging struct {
	kept *staging.Area
	bufs sync.Pool // of *[]byte
}

// NewStaging creates a staging area in a folder that only this process uses.
func NewStaging(dir string) *Staging {
	return &Staging{kept: staging.New(dir), bufs: sync.Pool{New: func() any { return new([]byte) }}}
}

// Close removes the staging area. Keep does nothing afterwards.
func (s *Staging) Close() { s.kept.Close() }

// drop removes the pages of some files.
func (s *Staging) drop(files []cdx.FileID) {
	if s != nil {
		s.kept.Drop(files)
	}
}

// Keep stores what the search needs of a page whose text was just extracted. It is safe for concurrent use.
func (s *Staging) Keep(c *cdx.Capture, t *visible.Text, page []byte, contentType string) {
	buf := s.bufs.Get().(*[]byte)
	defer s.bufs.Put(buf)
	var base string
	var links []visible.Link
	if archive.IsHTML(c) {
		base, links = visible.Links(page, contentType)
	}
	*buf = appendStaged((*buf)[:0], searchText(t), base, links)
	s.kept.Put(c.Location, *buf)
}

// appendStaged encodes a page. All numbers are varints:
//
//	the number of blocks, then for each four times its length, and its kind
//	the texts of the blocks
//	the title with its length, the address of the base element, likewise
//	the number of links, then for each its address and its text, likewise
func appendStaged(out []byte, t history.Text, base string, links []visible.Link) []byte {
	out = binary.AppendUvarint(out, uint64(len(t.Blocks)))
	for i, block := range t.Blocks {
		out = binary.AppendUvarint(out, uint64(len(block))<<2|uint64(t.Kinds[i]))
	}
	for _, block := range t.Blocks {
		out = append(out, block...)
	}
	out = packed.AppendText(packed.AppendText(out, t.Title), base)
	out = binary.AppendUvarint(out, uint64(len(links)))
	for i := range links {
		out = packed.AppendText(packed.AppendText(out, links[i].Href), links[i].Text)
	}
	return out
}

// A staged is a page from the staging area.
type staged struct {
	history.Text
	base  string
	links []visible.Link
}

// get returns the page of a capture; ok is false if it isn't staged. A nil staging area has no pages.
func (s *Staging) get(c *cdx.Capture) (p staged, ok bool) {
	if s == nil {
		return p, false
	}
	raw := s.kept.Get(c.Location)
	if raw == nil {
		return p, false
	}
	r, whole := packed.Reader{Rest: raw}, string(raw)
	next := func(n uint64) string {
		b := r.Bytes(n)
		end := len(whole) - len(r.Rest)
		return whole[end-len(b) : end]
	}
	sizes := make([]uint64, min(r.Uint(), uint64(len(raw))))
	for i := range sizes {
		sizes[i] = r.Uint()
	}
	p.Blocks, p.Kinds = make([]string, len(sizes)), make([]history.Kind, len(sizes))
	for i, n := range sizes {
		p.Blocks[i], p.Kinds[i] = next(n>>2), history.Kind(n&3)
	}
	p.Title = next(r.Uint())
	p.base = next(r.Uint())
	p.links = make([]visible.Link, min(r.Uint(), uint64(len(raw))))
	for i := range p.links {
		p.links[i] = visible.Link{Href: next(r.Uint()), Text: next(r.Uint())}
	}
	return p, !r.Failed
}
