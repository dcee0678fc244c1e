package search

import (
	"context"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/archive/search/language"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/best"
)

// A PageDocument is a page for a search engine on other machines: its history in the form of an [Index], and what is looked up.
type PageDocument struct {
	Page
	Parts      [][]byte // the tables of its history, see [history.ParseTable]
	Versions   int
	Words      []string // distinct words of all versions
	Address    []string // the words of the address
	TitleWords []string // words of all titles, perhaps repeated
	Titles     []string // as [Index.Titles] has them: the words, 0, the title
	Heading    map[string]int
	Furniture  map[string]int
	Links      []string // keys that the newest version that shows the page links to
	Anchors    []string // for each word of a link's text: the word, 0, and the link's target
	Changes    int
}

// A VersionDocument is a version of a page, with the step that led to it.
type VersionDocument struct {
	history.Row
	Change
	Until cdx.Timestamp // when the next version began, 0 if there is none
	Text  []string
	Older []string // words of the version before
	// OlderTitle is the title of the version before.
	OlderTitle string
	Fewer      []string // words in both versions, less often in this one
	Edit       bool     // the change is an edit
	Cut        map[string]int
	Put        map[string]int
}

// A DocumentMaker makes documents of pages, one after the other.
type DocumentMaker struct {
	builder *history.Builder
	stop    *language.Lists
}

// NewDocumentMaker returns a maker.
func NewDocumentMaker() (*DocumentMaker, error) {
	stop, err := language.New()
	if err != nil {
		return nil, err
	}
	return &DocumentMaker{history.NewBuilder(history.DefaultSizes, history.DefaultLimits), stop}, nil
}

// Make returns the document of a page. It first calls each with every version, oldest first. The error is an [UnreadableError] if the
// page's texts can't be read.
func (m *DocumentMaker) Make(ctx context.Context, a Archive, p Page, each func(*VersionDocument) error) (*PageDocument, error) {
	m.builder.Reset()
	d := &documentOf{
		PageDocument: &PageDocument{Page: p, Address: query.AddressWords(p.Key), Heading: map[string]int{}, Furniture: map[string]int{}},
		pageReader:   pageReader{Builder: m.builder, key: p.Key, stop: m.stop},
		words:        map[string]bool{}, titles: map[string]bool{}, each: each,
	}
	if err := d.read(ctx, a, d); err != nil {
		return nil, err
	}
	d.Changes = d.changes
	return d.PageDocument, d.take()
}

// A documentOf is a document being made. It implements [pageSink].
type documentOf struct {
	*PageDocument
	pageReader
	words    map[string]bool
	titles   map[string]bool
	versions []VersionDocument // of the current part; their texts are added when it ends
	each     func(*VersionDocument) error
}

// until sets the end of the newest version to the beginning of the next.
func (d *documentOf) until(next Version) {
	if n := len(d.versions); n > 0 {
		d.versions[n-1].Until = next.First
	}
}

func (d *documentOf) part(_ context.Context, next Version) error {
	d.until(next)
	return d.take()
}

// version implements [pageSink]. The text is added when the part ends.
func (d *documentOf) version(_ context.Context, s *versionStep) error {
	out := VersionDocument{Edit: s.counts != nil, Cut: map[string]int{}, Put: map[string]int{}}
	if !s.Same() {
		s.Changed(func(w string, before, after int) {
			if after > 0 && before > after {
				out.Fewer = append(out.Fewer, w)
			}
			if s.counts == nil || !s.counts(w) {
				return
			}
			if after == 0 {
				out.Cut[w] = before
			} else if before == 0 {
				out.Put[w] = after
			}
		})
	}
	d.until(s.of)
	d.versions = append(d.versions, out)
	return nil
}

// take ends the current part and calls each with its versions.
func (d *documentOf) take() error {
	part := d.Take()
	table := slices.Clone(part.Table)
	t, err := history.ParseTable(table)
	if err != nil {
		return err
	}
	d.Parts = append(d.Parts, table)
	for w := range part.Words() {
		if !d.words[w.Text] {
			d.words[w.Text] = true
			d.Words = append(d.Words, w.Text)
		}
		if w.Heading > 0 {
			d.Heading[w.Text] = w.Heading
		}
		if w.Furniture > 0 {
			d.Furniture[w.Text] = w.Furniture
		}
	}
	var older []string
	for i, done := 0, 0; i < len(t.Rows); i++ {
		text := t.Text(i)
		if !t.Rows[i].Carried {
			v := &d.versions[done]
			v.Row, v.Change, v.Text, v.Older = t.Rows[i], changeTo(d.Key, t.Rows, i), text, older
			if i > 0 {
				v.OlderTitle = t.Rows[i-1].Title
			}
			if err := d.each(v); err != nil {
				return err
			}
			d.Versions++
			done++
		}
		older = text
		if title := t.Rows[i].Title; title != "" && !d.titles[title] {
			d.titles[title] = true
			d.Titles = append(d.Titles, nameTerm(title))
			for _, w := range Words(title) {
				d.TitleWords = append(d.TitleWords, term(w))
			}
		}
	}
	d.versions = nil
	return nil
}

// maxLinked bounds the bytes of a page's links and anchors. Each word of a link is an anchor with the whole target, and engines refuse
// documents of 100 MB.
const maxLinked = 8 << 20

// link adds the links of the newest version that shows the page, except those to the page itself.
func (d *documentOf) link(t Text) {
	known, size := map[string]bool{}, 0
	add := func(to *[]string, what string) {
		if known[what] || size+len(what) > maxLinked {
			return
		}
		known[what] = true
		size += len(what)
		*to = append(*to, what)
	}
	for l := range t.Links {
		if l.Key == d.Key {
			continue
		}
		add(&d.Links, l.Key)
		for _, w := range Words(l.Text) {
			add(&d.Anchors, AnchorOf(w, l.Key))
		}
	}
}

// AnchorOf returns an entry of a PageDocument's Anchors.
func AnchorOf(word, key string) string { return term(word) + nameMark + key }

// Clip returns the form in which documents have a word.
func Clip(w string) string { return term(w) }

// A StoredPage is what an engine returns for a page: its history, and how often words occur in headings and furniture of its newest
// version.
type StoredPage struct {
	Key                string
	Parts              [][]byte
	Heading, Furniture map[string]int
	Anchors            []int // by scored clause, as in [Match]
	Inlinks            int
}

// Rate rates pages that an engine found for a request, exactly as an [Index] does, and returns those that match, best first. It ignores
// Skip and Limit. The answer has no Statistics.
func Rate(set *fields.Set, req PresentRequest, of Statistics, pages []StoredPage) (*PresentAnswer, error) {
	if req.Score == nil {
		req.Score = UsualBM25.Score
	}
	x := &Index{}
	x.SetFields(set)
	p := &presence{index: x, req: req, stats: of, facets: newFacets(), parts: map[string]*pageHit{}}
	if err := p.sort(set, len(pages)+1); err != nil {
		return nil, err
	}
	var err error
	if p.asked, err = x.newConditions(&req); err != nil {
		return nil, err
	}
	links := keptLinks{}
	p.pointing = links
	for i := range pages {
		page := &pages[i]
		links[page.Key] = linkCounts{page.Anchors, page.Inlinks}
		err := page.each(func(c *candidate) error {
			c.beside = page.besides(p.asked.list)
			return p.match(c)
		})
		if err != nil {
			return nil, err
		}
	}
	p.finish()
	out := p.facets.answer()
	out.Total, out.Ordered, out.Whole = p.total, p.total, p.whole
	for _, h := range p.best.Take(0) {
		out.Hits = append(out.Hits, h.Found)
	}
	return out, nil
}

// keptLinks has the link counts of pages by key.
type keptLinks map[string]linkCounts

func (k keptLinks) at(key string) linkCounts { return k[key] }

// each calls f with each part of the page's history.
func (k *StoredPage) each(f func(*candidate) error) error {
	for i, raw := range k.Parts {
		t, err := history.ParseTable(raw)
		if err != nil {
			return err
		}
		if err := f(&candidate{docName: docName{key: k.Key, last: i == len(k.Parts)-1}, Table: t}); err != nil {
			return err
		}
	}
	return nil
}

// besides returns how often conditions occur in headings and furniture. As in an [Index], only [maxSpots] phrases are counted.
func (k *StoredPage) besides(of []condition) []placeCounts {
	out := make([]placeCounts, len(of))
	for i := range of {
		for _, p := range of[i].phrases[:min(len(of[i].phrases), maxSpots)] {
			out[i].heading += rarest(k.Heading, p)
			out[i].furniture += rarest(k.Furniture, p)
		}
	}
	return out
}

// rarest returns the number of the rarest word of a phrase.
func rarest(numbers map[string]int, p Phrase) (least int) {
	for i, w := range p {
		if n := numbers[term(w)]; i == 0 || n < least {
			least = n
		}
	}
	return least
}

// RateChanges finds the requested changes in pages that an engine found, best first. It ignores Skip and Limit. documents has, for each
// phrase, how many of all pages have it.
func RateChanges(req Request, documents []int, all int, pages []StoredPage) (*Answer, error) {
	s := &search{req: req, needles: req.Query.needles(), hosts: map[string]int{}, years: map[string]int{}}
	s.best = best.Of(max(maxHits, req.Skip+req.Limit), req.CompareChanges)
	for i := range s.needles {
		s.weights = append(s.weights, idf(uint64(documents[i]), uint64(all)))
	}
	for i := range pages {
		err := pages[i].each(func(c *candidate) error {
			s.take(s.hits(c, s.counts(c)))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	req.Skip = 0
	s.req = req
	return s.answer(0), nil
}

// maxHits bounds the changes that are sorted.
const maxHits = 100_000

// TurnsOf is [Index.Turns] for a page that an engine returned.
func TurnsOf(page *StoredPage, q Query) (turns []Change, err error) {
	needles := q.needles()
	err = page.each(func(c *candidate) error {
		turns = append(turns, turnsOf(c, needles)...)
		return nil
	})
	return turns, err
}

// IsWhole reports whether a word of a document is unclipped.
func IsWhole(w string) bool { return !strings.Contains(w, clipped) }
