package search

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/internal/best"
)

// A presence is one run of [Index.Present].
type presence struct {
	index     *Index
	reader    reader
	req       PresentRequest
	by        fields.Column // to sort by
	asked     conditions
	stats     Statistics
	walk      walker     // over the documents that may match; nil for none
	unordered int        // estimate of the matching documents that walk leaves out
	previewer *previewer // nil if every match's history is read
	pointing  interface{ at(key string) linkCounts }
	send      func(Found) error // takes every match at once; nil collects the best

	mu     sync.Mutex
	total  int
	untold int
	whole  int // pages with all optional clauses, part of total
	best   best.List[hit]
	open   []hit // hits whose score is only an upper bound
	facets facets
	parts  map[string]*pageHit // pages with several parts, until all parts are read
}

// newPresence prepares a request; send may be nil. Close the result, unless there is an error.
func (x *Index) newPresence(r reader, req PresentRequest, send func(Found) error) (p *presence, err error) {
	if req.Score == nil {
		req.Score = UsualBM25.Score
	}
	p = &presence{index: x, reader: r, req: req, send: send, facets: newFacets(), parts: map[string]*pageHit{}}
	if err := p.sort(x.Fields(), req.Skip+req.Limit); err != nil {
		return nil, err
	}
	if p.asked, err = x.newConditions(&req); err != nil {
		return nil, err
	}
	if err := p.prepare(r); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// sort prepares to keep the first most hits.
func (p *presence) sort(set *fields.Set, most int) error {
	p.best = best.Of(most, func(a, b *hit) int { return p.req.Compare(&a.Found, &b.Found) })
	ok := p.req.Sort != ByField
	if !ok {
		p.by, ok = set.Column(p.req.By)
	}
	if !ok {
		return fmt.Errorf("%w: %s", errNoColumn, p.req.By)
	}
	return nil
}

// prepare opens the walk and the previewer.
func (p *presence) prepare(r reader) (err error) {
	if p.stats, err = r.statistics(); err != nil {
		return err
	}
	if err := p.readMany(r); err != nil {
		return err
	}
	if err := p.openWalk(r); err != nil {
		return err
	}
	pointing, err := p.index.newPointing(r, p.req.Scored(), p.req.Anchors, p.req.Inlinks)
	if err != nil {
		return err
	}
	p.pointing = &pointing
	p.previewer, err = r.newPreviewer(p.asked.list, true)
	return err
}

// openWalk counts the documents that have each scored clause, and opens a walk over those that may match.
func (p *presence) openWalk(r reader) error {
	walks := make([]walker, 0, p.asked.scored)
	for i, clause := range p.req.Scored() {
		walk, err := p.walkOf(r, i, &clause)
		if err != nil {
			allOf(walks).close()
			return err
		}
		walks = append(walks, walk)
		p.stats.Having = append(p.stats.Having, min(int(walk.documents()), p.stats.Documents))
	}
	needed := allOf(slices.Clip(walks[:p.asked.must]))
	for _, g := range p.asked.groups {
		needed = append(needed, anyOf(walks[g[0]:g[1]]))
	}
	from, to := p.asked.optional()
	optional := anyOf(walks[from:to])
	if !p.asked.text && len(optional) > 0 && (len(needed) > 0 || len(optional) == 1 || p.send != nil) { // one of these has to hold
		needed, optional = append(needed, optional), nil
	}
	defer optional.close()
	if len(needed) == 0 && len(optional) > 0 {
		docs, err := p.optionalWalk(r)
		if err != nil {
			return err
		}
		needed = allOf{docs}
	}
	if len(needed) == 0 {
		return nil
	}
	needed, err := r.withinPage(needed, p.req.Page)
	p.walk = needed
	return err
}

// walkOf returns a walker over the documents that may satisfy scored clause i, in any form.
func (p *presence) walkOf(r reader, i int, c *Clause) (walker, error) {
	walk, err := r.clauseWalk(c, p.asked.list[i].many)
	if err != nil || p.asked.forms[i] == 0 {
		return walk, err
	}
	forms, err := r.clauseWalk(&Clause{Field: c.Field, Any: c.Forms}, p.asked.list[p.asked.forms[i]].many)
	if err != nil {
		walk.close()
		return nil, err
	}
	return anyOf{walk, forms}, nil
}

// fewCandidates is the number of documents up to which postings are read document by document, not joined.
const fewCandidates = 1000

// readMany joins the postings of conditions of many words, unless a required condition leaves few documents.
func (p *presence) readMany(r reader) error {
	for i := range p.asked.must {
		if p.asked.list[i].isMany() {
			continue
		}
		walk, err := p.walkOf(r, i, &p.req.All[i])
		if err != nil {
			return err
		}
		n := walk.documents()
		if walk.close(); n <= fewCandidates {
			return nil
		}
	}
	if p.req.Page != "" {
		return nil
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range p.asked.list {
		c := &p.asked.list[i]
		if c.isMany() || i >= p.asked.barred {
			g.Go(func() (err error) {
				defer asDamaged(&err)
				c.many, err = r.mergePostings(c)
				return err
			})
		}
	}
	return g.Wait()
}

// clauseWalk returns a walker over the documents that may satisfy a clause. all has the joined postings of its words, or is nil.
func (r reader) clauseWalk(c *Clause, all *mergedPostings) (walker, error) {
	if all != nil {
		return all.in.walk(), nil
	}
	if c.Field == FieldNamed {
		return r.namedWalk(c)
	}
	var any anyOf
	for _, phrase := range c.Any {
		words, err := r.phrase(c.Field.indexed(), phrase)
		if err != nil {
			any.close()
			return nil, err
		}
		any = append(any, words)
	}
	return any, nil
}

func (p *presence) close() {
	if p.walk != nil {
		p.walk.close()
	}
	p.previewer.close()
}

// A hit is a matching page. previewed says that its history wasn't read; doc is then its document.
type hit struct {
	Found
	doc       uint64
	previewed bool
}

// evaluate rates all matches by previews or histories.
func (p *presence) evaluate(ctx context.Context) error {
	e := p.index.evaluation(p.reader, p.walk, p.req.wantsKey, p.match)
	e.work = p.req.Work
	if p.previewer != nil {
		e.preview = p.preview
	}
	err := e.run(ctx)
	p.untold = e.untold
	return err
}

// run rates all matches, and reads the histories of the pages that are returned.
func (p *presence) run(ctx context.Context) (*PresentAnswer, error) {
	if err := p.evaluate(ctx); err != nil {
		return nil, err
	}
	p.finish()
	if err := p.settle(ctx); err != nil {
		return nil, err
	}
	hits, err := p.read(ctx, p.best.Take(p.req.Skip))
	if err != nil {
		return nil, err
	}
	out := p.facets.answer()
	out.Total, out.Ordered, out.Whole, out.Statistics, out.Untold = p.total+p.unordered, p.total, p.whole, p.stats, p.untold
	for i := range hits {
		out.Hits = append(out.Hits, hits[i].Found)
	}
	return out, nil
}

// preview rates a document from its postings and facts. done is false if that needs its history; known then has what the postings say.
func (p *presence) preview(doc uint64) (done bool, known []placeCounts, err error) {
	key, ok, err := p.previewer.at(doc)
	switch {
	case err != nil:
		return false, nil, err
	case !ok, p.req.Whole, p.req.isOfBest():
		return false, p.previewer.beside(), nil
	case !p.req.wantsKey(key):
		return true, nil, nil
	}
	s := p.hitOf(&candidate{docName: docName{key: key, last: true}, Table: &history.Table{Rows: p.previewer.rows}}, &p.previewer.preview)
	switch {
	case s == nil:
		return true, nil, nil
	case p.send != nil:
		return false, p.previewer.beside(), nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count(s)
	h := hit{s.found, doc, true}
	switch {
	case p.previewer.exact:
		p.best.Add(h)
	case p.best.Wants(&h):
		h.Best = Match{}
		p.open = append(p.open, h)
	}
	return true, nil, nil
}

// settleStep is the number of pages whose histories are read at a time to settle scores.
const settleStep = 64

// settle reads previewed pages with inexact scores, as long as they may be among the first.
func (p *presence) settle(ctx context.Context) error {
	slices.SortFunc(p.open, func(a, b hit) int { return p.req.Compare(&a.Found, &b.Found) })
	for len(p.open) > 0 && p.best.Wants(&p.open[0]) {
		n := min(settleStep, len(p.open))
		for i := range p.open[:n] {
			p.open[i].previewed = true
		}
		hits, err := p.read(ctx, p.open[:n])
		if err != nil {
			return err
		}
		for _, h := range hits {
			p.best.Add(h)
		}
		p.open = p.open[n:]
	}
	return nil
}

// read replaces previewed hits by hits from their histories, in the same order.
func (p *presence) read(ctx context.Context, hits []hit) ([]hit, error) {
	at := map[string]int{}
	var docs documentList
	known := map[uint64][]placeCounts{}
	for i := range hits {
		if hits[i].previewed {
			at[hits[i].Key] = i
			docs = append(docs, hits[i].doc)
		}
	}
	if len(docs) == 0 {
		return hits, nil
	}
	slices.Sort(docs)
	g, err := p.reader.newPreviewer(p.asked.list, true)
	if err != nil {
		return nil, err
	}
	defer g.close()
	for _, doc := range docs {
		if _, _, err := g.at(doc); err != nil {
			return nil, err
		}
		known[doc] = g.beside()
	}
	e := p.index.evaluation(p.reader, &docs, nil, func(c *candidate) error {
		if s := p.hitOf(c, newCounter(c, p.asked.list)); s != nil {
			hits[at[c.key]] = hit{Found: s.found}
		}
		return nil
	})
	e.preview = func(doc uint64) (bool, []placeCounts, error) { return false, known[doc], nil }
	return hits, e.run(ctx)
}
