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
)

// A presence is one run over the matches of a [PresentRequest].
type presence struct {
	index     *Index
	reader    reader
	req       PresentRequest
	by        fields.Column // to sort by
	all, none []condition
	stats     Statistics
	walk      allOf      // over the documents that may match
	previewer *previewer // nil if every match is read whole
	pointing  pointing

	mu     sync.Mutex
	total  int
	best   top[hit]
	open   []hit // whose score is an upper bound
	facets facets
	parts  map[string]*sighting // pages whose history has several parts, until all are read
}

// A condition is a clause, ready to count.
type condition struct {
	field   Field
	name    string
	column  fields.Column // of name
	numbers *Range
	phrases []Phrase
	needles []history.Needle
	words   history.Words // phrases of one word, if there are too many to look for each; they are among phrases too
	many    *many         // the postings of words, if they are read whole
}

// manyWords is how many words are counted at once rather than one by one. word* may stand for a thousand.
const manyWords = 8

func (x *Index) newCondition(c Clause) (condition, error) {
	out := condition{field: c.Field, name: c.Name, numbers: c.Numbers, phrases: c.Any}
	if c.Field == FieldNamed {
		var ok bool
		if out.column, ok = x.Fields().Column(c.Name); !ok {
			return out, fmt.Errorf("%w: %s", errNoColumn, c.Name)
		}
	}
	var single []string
	for _, p := range c.Any {
		if len(p) == 1 {
			single = append(single, p[0])
		}
	}
	if len(single) > manyWords {
		out.words = history.NewWords(single)
	}
	for _, p := range c.Any {
		if out.words == nil || len(p) != 1 {
			out.needles = append(out.needles, history.NewNeedle(p))
		}
	}
	return out, nil
}

// newPresence prepares a request. What it returns is to be closed, unless there is an error.
func (x *Index) newPresence(r reader, req PresentRequest) (p *presence, err error) {
	if req.Score == nil {
		req.Score = UsualBM25.Score
	}
	p = &presence{index: x, reader: r, req: req, facets: newFacets(), parts: map[string]*sighting{}}
	p.best = top[hit]{limit: req.Skip + req.Limit, compare: func(a, b *hit) int { return p.compare(&a.Found, &b.Found) }}
	if req.Sort == ByField {
		var ok bool
		if p.by, ok = x.Fields().Column(req.By); !ok {
			return nil, fmt.Errorf("%w: %s", errNoColumn, req.By)
		}
	}
	for _, list := range []struct {
		clauses []Clause
		to      *[]condition
	}{{req.All, &p.all}, {req.None, &p.none}} {
		for _, c := range list.clauses {
			condition, err := x.newCondition(c)
			if err != nil {
				return nil, err
			}
			*list.to = append(*list.to, condition)
		}
	}
	if err := p.prepare(r); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// prepare opens what is walked over and looked at.
func (p *presence) prepare(r reader) (err error) {
	if p.stats, err = r.statistics(); err != nil {
		return err
	}
	if err := p.readMany(r); err != nil {
		return err
	}
	for i := range p.req.All {
		walk, err := r.clauseWalk(&p.req.All[i], p.all[i].many)
		if err != nil {
			return err
		}
		p.stats.Having = append(p.stats.Having, min(int(walk.documents()), p.stats.Documents))
		p.walk = append(p.walk, walk)
	}
	if p.walk, err = r.narrowed(p.walk, p.req.Page); err != nil {
		return err
	}
	if p.pointing, err = p.index.newPointing(r, &p.req); err != nil {
		return err
	}
	p.previewer, err = r.newPreviewer(p.all, p.none, true)
	return err
}

// fewCandidates is how many documents are better looked at one by one than that the postings of many words are read.
const fewCandidates = 1000

// readMany reads the postings of conditions of many words, unless another condition leaves few documents.
func (p *presence) readMany(r reader) error {
	for i := range p.all {
		if p.all[i].isMany() {
			continue
		}
		walk, err := r.clauseWalk(&p.req.All[i], nil)
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
	for _, list := range [][]condition{p.all, p.none} {
		for i := range list {
			if c := &list[i]; c.isMany() {
				g.Go(func() (err error) {
					c.many, err = r.many(c)
					return err
				})
			}
		}
	}
	return g.Wait()
}

// clauseWalk returns a walker over the documents that may have what a clause means. all has the postings of its words, if they
// were read.
func (r reader) clauseWalk(c *Clause, all *many) (walker, error) {
	if all != nil {
		return all.in.walk(), nil
	}
	if c.Field == FieldNamed {
		return r.namedWalk(c)
	}
	var any anyOf
	for _, phrase := range c.Any {
		words, err := r.phrase(fieldNames[c.Field], phrase)
		if err != nil {
			any.close()
			return nil, err
		}
		any = append(any, words)
	}
	return any, nil
}

func (p *presence) close() {
	p.walk.close()
	p.previewer.close()
}

// A hit is a found page. doc is its document if the page was only previewed.
type hit struct {
	Found
	doc       uint64
	previewed bool
}

// run walks over the matches, and reads whole what is among the first.
func (p *presence) run(ctx context.Context) (*PresentAnswer, error) {
	e := p.index.evaluation(p.reader, p.walk, p.req.wantsKey, p.look)
	e.work = p.req.Work
	if p.previewer != nil {
		e.preview = p.preview
	}
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	for _, s := range p.parts {
		p.add(s)
	}
	if err := p.settle(ctx); err != nil {
		return nil, err
	}
	hits, err := p.read(ctx, p.best.from(p.req.Skip))
	if err != nil {
		return nil, err
	}
	out := p.facets.answer()
	out.Total, out.Statistics, out.Untold = p.total, p.stats, e.untold
	for i := range hits {
		out.Hits = append(out.Hits, hits[i].Found)
	}
	return out, nil
}

// preview answers for a document from postings and facts, if they tell enough.
func (p *presence) preview(doc uint64) (done bool, known []beside, err error) {
	key, ok, err := p.previewer.at(doc)
	switch {
	case err != nil:
		return false, nil, err
	case !ok, p.req.Whole, p.req.Sort == ByField:
		return false, p.previewer.beside(), nil
	case !p.req.wantsKey(key):
		return true, nil, nil
	}
	s := p.sight(&candidate{docName: docName{key: key, last: true}, Table: &history.Table{Rows: p.previewer.rows}}, &p.previewer.preview)
	if s == nil {
		return true, nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count(s)
	h := hit{s.found, doc, true}
	switch {
	case p.previewer.exact:
		p.best.add(h)
	case p.best.wants(&h):
		p.open = append(p.open, hit{doc: doc, Found: Found{Key: key, Score: s.found.Score, First: s.found.First, Last: s.found.Last}})
	}
	return true, nil, nil
}

// settleStep is how many pages are read at a time to find out their scores.
const settleStep = 64

// settle reads those pages that were previewed and may be among the first.
func (p *presence) settle(ctx context.Context) error {
	slices.SortFunc(p.open, func(a, b hit) int { return p.compare(&a.Found, &b.Found) })
	for len(p.open) > 0 && p.best.wants(&p.open[0]) {
		n := min(settleStep, len(p.open))
		for i := range p.open[:n] {
			p.open[i].previewed = true
		}
		hits, err := p.read(ctx, p.open[:n])
		if err != nil {
			return err
		}
		for _, h := range hits {
			p.best.add(h)
		}
		p.open = p.open[n:]
	}
	return nil
}

// read reads the pages that were only previewed. The hits keep their order.
func (p *presence) read(ctx context.Context, hits []hit) ([]hit, error) {
	at := map[string]int{}
	var docs these
	known := map[uint64][]beside{}
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
	g, err := p.reader.newPreviewer(p.all, nil, true)
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
		if s := p.sight(c, newCounter(c, p.all, p.none)); s != nil {
			i := at[c.key]
			hits[i] = hit{Found: s.found}
		}
		return nil
	})
	e.preview = func(doc uint64) (bool, []beside, error) { return false, known[doc], nil }
	return hits, e.run(ctx)
}
