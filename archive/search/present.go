package search

import (
	"context"
	"iter"
	"slices"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A Field is a part of a page in which words are searched.
type Field uint8

const (
	FieldText  Field = iota // the visible text of a version, its title included
	FieldTitle              // the title of a version
	FieldURL                // the words of the page's address
	FieldNamed              // what a template reads; see [Clause.Name]
)

// A Clause is one condition on a version: at least one of its phrases occurs in its field. A plain word is a clause of one phrase of one
// word; word* and word~ are a clause of all words of the vocabulary that they expand to.
type Clause struct {
	Field Field
	Any   []Phrase
	// Forms are other forms of a word. They count, with less weight, on pages that never have the word itself.
	Forms []Phrase
	// Name names a field of [Index.Columns], for FieldNamed. Numbers asks for values in a range, instead of Any.
	Name    string
	Numbers *Range
}

// A PresentRequest asks which pages had something in any of their versions. A version matches if it satisfies all filters, every clause of
// All, one of each group of Any and none of None. Those of Optional may be missing; but if no required clause is about the text, one of
// them has to hold. If a version of a page satisfies all optional clauses, only such versions of it count, and the page comes before those
// without one. Redirects, missing pages and soft 404s never match.
type PresentRequest struct {
	All      []Clause
	Any      [][]Clause
	Optional []Clause
	None     []Clause
	Page     string      // key of a single page; "" searches all
	Off      []surt.Keys // pages that don't match
	// Bounds restrict the keys. Since and Until restrict the versions to those with a capture in between, both inclusive.
	Bounds
	At cdx.Timestamp // only the version of each page that was valid at this time; 0 for all
	// MIME, Lang and Status restrict the versions; "" and 0 don't. MIME has no parameters; Lang is an ISO 639 code.
	MIME, Lang string
	Status     int

	Order
	Skip, Limit int // the number of hits to leave out at the beginning, and the most to return
	// Score rates a version that matches. It may be called from several goroutines and must not keep the Match. nil is [BM25.Score] with the
	// usual parameters. The score of a page is that of its best version, the newest if several are best.
	Score func(*Statistics, *Match) float64
	// Whole says that Score uses titles or template values, or may fall when something occurs more often. Then the history of every match is
	// read.
	Whole bool
	// Anchors and Inlinks say that Score uses these fields of a Match. Both cost additional reads of the index.
	Anchors, Inlinks bool
	// Work bounds the bytes of the index that are unpacked; 0 means no limit. Pages beyond it are left out and counted as untold.
	Work int64
}

// wantsKey reports whether a page may match.
func (r *PresentRequest) wantsKey(key string) bool {
	return r.Bounds.wantsKey(key) && !surt.InAny(r.Off, key)
}

// Scored returns the scored clauses in order: All, those of Any, Optional.
func (r *PresentRequest) Scored() []Clause {
	return slices.Concat(r.All, slices.Concat(r.Any...), r.Optional)
}

// Statistics describe the collection for a [PresentRequest]. They count documents: one for most pages, several for pages with a long
// history.
type Statistics struct {
	Documents int     // in the collection
	MeanWords float64 // of all versions
	Having    []int   // by scored clause: documents that have it, estimated for phrases by their rarest word
}

// A Match is a version that matches, with the numbers that a score is computed from.
type Match struct {
	Key     string
	Version Version
	Words   int // in the text of the version
	// Versions is the number of versions of the page, or of the part for a page with a very long history. Newest says that this version is the
	// page's last.
	Versions int
	Newest   bool
	// Text, Title and URL have, by scored clause, how often its phrases occur in that part, whatever the clause's own field is.
	Text, Title, URL []int
	// Heading and Furniture have, by scored clause, how often it occurs in headings and furniture of the page's newest version; for phrases,
	// the count of their rarest word.
	Heading, Furniture []int
	// Formed says, by scored clause, that the page has only other forms of the word. Missing lists the scored clauses that the version lacks,
	// by index.
	Formed  []bool
	Missing []int
	// Anchors has, by scored clause, how many other pages link to this page with all words of one of its phrases, in any order. Inlinks is how
	// many link to it at all. Only the newest version that shows a linking page counts. Both are set only if the request asks for them.
	Anchors []int
	Inlinks int
}

// room allocates the slices for n clauses.
func (m *Match) room(n int) {
	list := make([]int, 5*n)
	m.Formed = make([]bool, n)
	for i, to := range []*[]int{&m.Text, &m.Title, &m.URL, &m.Heading, &m.Furniture} {
		*to = list[i*n : (i+1)*n : (i+1)*n]
	}
}

// A Found is a page with at least one version that matches.
type Found struct {
	Key         string
	Row         int           // 0 for the page; otherwise the number of the row, from 1, whose values Fields of the best version then has
	Versions    int           // versions that match
	Best        Match         // the version with the highest score
	First, Last cdx.Timestamp // first capture of the first and last capture of the last version that matches
	Still       bool          // the newest version of the page matches
	Whole       bool          // a version has all that is optional, and only such versions are counted
	Score       float64

	place place // in the order of the request
}

// A PresentAnswer is the result of [Index.Present].
type PresentAnswer struct {
	Total int // pages
	// Whole is the number of these with all that is optional. Ordered is the number that were rated, the best by an estimate if very many
	// match; then it is less than Total. Facets and Whole count rated pages.
	Whole, Ordered int
	Hits           []Found
	Statistics     Statistics
	Hosts          []Count // pages by host, most first
	Years          []Count // pages by the years in which a version that matches was captured, oldest first
	MIMEs          []Count // pages by media type of a version that matches, most first
	Langs          []Count // pages by language of a version that matches, most first
	Chart          []Count // versions that match by the years in which they were captured, oldest first
	// Untold counts documents that may match too, but were not read because of Work.
	Untold int
}

// Present finds the pages that had words and phrases in any version. The order of hits doesn't depend on Skip and Limit. The answer is
// exact, except for Untold pages.
func (x *Index) Present(ctx context.Context, req PresentRequest) (*PresentAnswer, error) {
	out := &PresentAnswer{}
	err := x.view(func(r reader) error {
		p, err := x.newPresence(r, req, nil)
		if err != nil {
			return err
		}
		defer p.close()
		if p.walk == nil {
			return nil
		}
		out, err = p.run(ctx)
		return err
	})
	return out, err
}

// Each yields every page that matches, as [Index.Present] describes them but in no order, and keeps only few of them in memory. The order,
// Skip, Limit and Work of the request don't count.
func (x *Index) Each(ctx context.Context, req PresentRequest) iter.Seq2[Found, error] {
	req.Order, req.Skip, req.Limit, req.Work = Order{}, 0, 0, 0
	return func(yield func(Found, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		found := make(chan Found)
		var err error
		go func() {
			defer close(found)
			err = x.view(func(r reader) error { return x.each(ctx, r, req, found) })
		}()
		defer func() {
			stop()
			for range found { // until the view is closed
			}
		}()
		for f := range found {
			if !yield(f, nil) {
				return
			}
		}
		if err != nil {
			yield(Found{}, err)
		}
	}
}

func (x *Index) each(ctx context.Context, r reader, req PresentRequest, found chan<- Found) error {
	send := func(f Found) error {
		select {
		case found <- f:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	p, err := x.newPresence(r, req, send)
	if err != nil {
		return err
	}
	defer p.close()
	if p.walk == nil {
		return nil
	}
	if err := p.evaluate(ctx); err != nil {
		return err
	}
	for _, s := range p.parts {
		if err := send(s.found); err != nil {
			return err
		}
	}
	return nil
}
