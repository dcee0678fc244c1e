package search

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive/search/history"
)

// A candidate is a document that may match, with its history.
type candidate struct {
	docName
	*history.Table
	beside []placeCounts // by condition, nil if unknown
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
	preview func(doc uint64) (done bool, known []placeCounts, err error)

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
	beside []placeCounts
}

func (e *evaluation) run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	all := make(chan unread, 64)
	g.Go(func() error {
		defer close(all)
		return e.collect(ctx, all)
	})
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error { return e.evaluate(all) })
	}
	return g.Wait()
}

func (e *evaluation) evaluate(all <-chan unread) (err error) {
	defer asDamaged(&err)
	histories := documents{reader: e.reader, field: e.field}
	for p := range all {
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
	return nil
}

// collect finds the documents to read and charges their sizes to the work bound before they are read, so that the choice of documents
// doesn't depend on timing.
func (e *evaluation) collect(ctx context.Context, all chan<- unread) (err error) {
	defer asDamaged(&err)
	sizes, err := e.posting(fieldSize, presentTerm)
	if err != nil {
		return err
	}
	defer sizes.close()
	left := e.work
	for doc := uint64(0); ; doc++ {
		p, ok, err := e.next(ctx, doc)
		if err != nil || !ok {
			return err
		}
		doc = p.doc
		if e.work > 0 && left <= 0 {
			e.untold++
			continue
		}
		size, err := sizes.frequency(doc)
		if err != nil {
			return err
		}
		left -= int64(size)
		select {
		case all <- p:
		case <-ctx.Done():
			return ctx.Err()
		}
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

// documents reads the names of documents and one of their columns.
type documents struct {
	reader
	wants    func(key string) bool // nil wants all
	field    string                // the column to read
	buf      []byte                // the last value
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

// value returns the value of a document in the column, valid until the next call.
func (d *documents) value(doc uint64) ([]byte, error) {
	d.buf = d.buf[:0]
	err := d.column(d.field, doc, func(b []byte) { d.buf = append(d.buf, b...) })
	return d.buf, err
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
