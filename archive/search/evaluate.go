package search

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/archive/search/segment"
)

// A candidate is a document that may match, with its history.
type candidate struct {
	docName
	*history.Table
	beside []beside // by condition, nil if unknown
}

// An evaluation reads the histories of candidates, with one goroutine for each core.
type evaluation struct {
	documents
	walk walker
	work int64 // the most bytes of histories to unpack; 0 means no limit
	// found is called with each candidate, from several goroutines. It must not keep the candidate's table.
	found func(*candidate) error
	// preview handles a document from its postings alone and returns done, or returns what the postings say for use beside the history. It may
	// be nil.
	preview func(doc uint64) (done bool, known []beside, err error)

	untold int // candidates that were not read because of work
}

// evaluation returns an evaluation of the documents of walk whose key wants accepts; nil accepts all.
func (x *Index) evaluation(r reader, walk walker, wants func(key string) bool, found func(*candidate) error) *evaluation {
	return &evaluation{documents: documents{reader: r, wants: wants, field: fieldHistory}, walk: walk, found: found}
}

// An unread is a document whose history has to be read.
type unread struct {
	docName
	doc    uint64
	beside []beside
}

// run reads the candidates. Most of the time goes into unpacking, so documents of the same compressed block are read together.
func (e *evaluation) run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	blocks := make(chan []unread, 64)
	g.Go(func() error {
		defer close(blocks)
		return e.collect(ctx, blocks)
	})
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error { return e.evaluate(blocks) })
	}
	return g.Wait()
}

func (e *evaluation) evaluate(blocks <-chan []unread) error {
	histories := documents{reader: e.reader, field: e.field}
	for block := range blocks {
		for _, p := range block {
			raw, err := histories.value(p.doc)
			if err != nil {
				return err
			}
			t, err := history.ParseTable(raw)
			if err != nil {
				return fmt.Errorf("%s: %w", p.key, err)
			}
			if err := e.found(&candidate{p.docName, t, p.beside}); err != nil {
				return err
			}
		}
	}
	return nil
}

// collect finds the documents to read and charges their sizes to the work bound before they are read, so that the choice of documents
// doesn't depend on timing.
func (e *evaluation) collect(ctx context.Context, blocks chan<- []unread) error {
	sizes := blockSizes{reader: e.reader, column: e.field}
	bounded, left, late := e.work > 0, e.work, false
	var block []unread
	send := func() error {
		select {
		case blocks <- block:
			block = nil
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for doc := uint64(0); ; doc++ {
		p, ok, err := e.next(ctx, doc)
		if err != nil {
			return err
		}
		if !ok {
			return send()
		}
		doc = p.doc
		size, again, err := sizes.of(doc)
		if err != nil {
			return err
		}
		if !again {
			if err := send(); err != nil {
				return err
			}
			late = bounded && left <= 0
			left -= size
		}
		if late {
			e.untold++
			continue
		}
		block = append(block, p)
	}
}

// next returns the first document from doc on whose history has to be read.
func (e *evaluation) next(ctx context.Context, doc uint64) (p unread, ok bool, err error) {
	for ; ; doc++ {
		doc, ok, err = e.walk.seek(doc)
		if err = errors.Join(err, ctx.Err()); err != nil || !ok {
			return p, false, err
		}
		p = unread{doc: doc}
		if e.preview != nil {
			var done bool
			if done, p.beside, err = e.preview(doc); err != nil {
				return p, false, err
			}
			if done {
				continue
			}
		}
		if p.docName, ok, err = e.name(doc); err != nil || ok {
			return p, ok, err
		}
	}
}

// blockSizes returns the sizes of the compressed blocks that documents are in. Documents must be asked for in order.
type blockSizes struct {
	reader  reader
	column  string
	segment *scorch.SegmentSnapshot // the segment that blocks belongs to
	blocks  *segment.Blocks
}

// of returns the unpacked size of the block of a document. again says that the document before was in the same block.
func (b *blockSizes) of(doc uint64) (size int64, again bool, err error) {
	part, local := b.reader.segment(doc)
	if part != b.segment {
		b.segment = part
		if b.blocks, err = segment.BlocksOf(part.Segment(), b.column); err != nil {
			return 0, false, err
		}
	}
	return b.blocks.Next(local)
}

// documents reads the names of documents and one of their columns.
type documents struct {
	reader
	wants    func(key string) bool // nil wants all
	field    string                // the column to read
	column   *columnReader         // reader of field, nil until it is needed
	complete map[string]bool       // by ID of the last part: whether the page is complete in the index
}

// name parses the ID of a document; ok is false if the document isn't wanted.
func (d *documents) name(doc uint64) (n docName, ok bool, err error) {
	id, err := d.id(doc)
	if err != nil {
		return n, false, err
	}
	n, ok = parseDocID(id)
	if ok = ok && (d.wants == nil || d.wants(n.key)); ok && !n.last {
		ok, err = d.isComplete(n)
	}
	return n, ok, err
}

// value returns the value of a document in the column, valid until the next call. Documents are best read in order.
func (d *documents) value(doc uint64) (out []byte, err error) {
	if d.column == nil {
		d.column = &columnReader{reader: d.reader, name: d.field}
	}
	err = d.column.visit(doc, func(b []byte) { out = b })
	return out, err
}

// isComplete reports whether the last part of a page is in the index. Without it, the earlier parts don't count.
func (d *documents) isComplete(n docName) (bool, error) {
	id := pageDocID(n.key, n.signature)
	ok, known := d.complete[id]
	if known {
		return ok, nil
	}
	ok, err := d.live(n.key, n.signature)
	if d.complete == nil {
		d.complete = map[string]bool{}
	}
	d.complete[id] = ok
	return ok, err
}
