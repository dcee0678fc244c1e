package search

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/search/history"
)

// A candidate is a document that may match, with its history.
type candidate struct {
	docName
	*history.Table
	beside []beside // by condition, nil if it is not known
}

// An evaluation reads the histories of candidates, on all cores.
type evaluation struct {
	documents
	walk walker
	work int64 // greatest size of the histories to read; 0 means no limit
	// found is called with each candidate, from several goroutines.
	found func(*candidate) error
	// glance answers for a document without its history, or returns done false and what is known beside it; nil can't.
	glance func(doc uint64) (done bool, known []beside, err error)

	untold int // candidates not read, because there is too much work
}

// evaluation returns an evaluation of the documents at which walk stops, if wants is nil or wants their key.
func (x *Index) evaluation(r reader, walk walker, wants func(key string) bool, found func(*candidate) error) *evaluation {
	return &evaluation{documents: documents{reader: r, wants: wants, field: fieldHistory}, walk: walk, found: found}
}

// run reads the candidates.
func (e *evaluation) run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	work := make(chan storedDoc, 64)
	g.Go(func() error {
		defer close(work)
		return e.collect(ctx, work)
	})
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error { return e.evaluate(work) })
	}
	return g.Wait()
}

func (e *evaluation) evaluate(work <-chan storedDoc) error {
	for p := range work {
		t, err := history.ParseTable(p.value)
		if err != nil {
			return fmt.Errorf("%s: %w", p.key, err)
		}
		if err := e.found(&candidate{p.docName, t, p.beside}); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluation) collect(ctx context.Context, work chan<- storedDoc) error {
	bounded, left := e.work > 0, e.work
	for doc := uint64(0); ; doc++ {
		at, ok, err := e.walk.seek(doc)
		if err = errors.Join(err, ctx.Err()); err != nil || !ok {
			return err
		}
		doc = at
		var known []beside
		if e.glance != nil {
			done, beside, err := e.glance(doc)
			if err != nil {
				return err
			}
			if done {
				continue
			}
			known = beside
		}
		late := bounded && left <= 0
		p, ok, err := e.read(doc, late)
		if err != nil {
			return err
		}
		switch {
		case !ok:
			continue
		case late:
			e.untold++
			continue
		}
		left -= int64(len(p.value))
		p.beside = known
		select {
		case work <- p:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// A storedDoc is a document with what it stores in a field.
type storedDoc struct {
	docName
	value  []byte
	beside []beside
}

// documents reads documents.
type documents struct {
	reader
	wants    func(key string) bool // nil wants all
	field    string                // the column to read
	column   index.DocValueReader  // of it, nil until something was read
	complete map[string]bool       // by ID, whether a page whose history has several parts is complete
}

// read reads a document; ok is false if it isn't wanted.
func (d *documents) read(doc uint64, nameOnly bool) (p storedDoc, ok bool, err error) {
	id, err := d.id(doc)
	if err != nil {
		return p, false, err
	}
	p.docName, ok = parseDocID(id)
	if ok = ok && (d.wants == nil || d.wants(p.key)); ok && !nameOnly {
		p.value, err = d.value(doc)
	}
	if err == nil && ok && !p.last {
		ok, err = d.isComplete(p.docName)
	}
	return p, ok, err
}

// value returns the value of a document in the column. Documents are best read in order.
func (d *documents) value(doc uint64) (out []byte, err error) {
	if d.column == nil {
		if d.column, err = d.DocValueReader([]string{d.field}); err != nil {
			return nil, err
		}
	}
	err = d.column.VisitDocValues(docID(doc), func(_ string, b []byte) { out = slices.Clone(b) })
	return out, err
}

// isComplete reports whether the last part of a page is in the index, without which the earlier ones don't count.
func (d *documents) isComplete(n docName) (bool, error) {
	id := pageDocID(n.key, n.signature)
	ok, known := d.complete[id]
	if known {
		return ok, nil
	}
	ok, err := d.live(id)
	if d.complete == nil {
		d.complete = map[string]bool{}
	}
	d.complete[id] = ok
	return ok, err
}
