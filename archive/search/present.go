package search

import (
	"context"
	"slices"

	"github.com/varve-archive/varve/cdx"
)

// A Field is a part of a page in which words are searched.
type Field uint8

// The fields.
const (
	FieldText  Field = iota // the visible text of a version, its title included
	FieldTitle              // the title of a version
	FieldURL                // the words of the page's address
	FieldNamed              // what a template reads; see [Clause.Name]
)

// A Clause is one condition on a version: any of its phrases occurs in its field. A word that was typed plainly is a
// clause of one phrase of one word; word* and word~ are a clause of all words of the vocabulary that they stand for.
type Clause struct {
	Field Field
	Any   []Phrase
	// Forms are other forms of a word. They count where a page never has the word itself, and weigh less.
	Forms []Phrase
	// Name is that of a FieldNamed, one of [Index.Columns]. Numbers asks for values in a range, instead of Any.
	Name    string
	Numbers *Range
}

// A Sort is an order of hits.
type Sort uint8

// The orders.
const (
	ByScore Sort = iota // best first
	Newest              // by the last capture of the last version that matches, newest first
	Oldest              // by the first capture of the first version that matches, oldest first
	ByField             // by a value of the best version; see [PresentRequest.By]
)

// A PresentRequest asks which pages had something in any of their versions. A version matches if it satisfies every
// clause of All, one of each group of Any and none of None, and all filters. What else is wished for may be missing; but
// if nothing of the text has to be there, one wish has to. A page that has all wishes in one version is found by such versions
// alone, and comes before those that haven't. Versions that are missing pages, redirects or soft 404s never match.
type PresentRequest struct {
	All    []Clause
	Any    [][]Clause
	Wishes []Clause
	None   []Clause
	Page   string // key of a single page; "" searches all
	// Bounds restrict the keys. Since and Until restrict the versions to those with a capture between them, both
	// inclusive.
	Bounds
	At cdx.Timestamp // only the version of each page that was valid then; 0 for every version
	// MIME, Lang and Status restrict the versions; "" and 0 don't. MIME is without parameters, Lang an ISO 639 code.
	MIME, Lang string
	Status     int

	Sort Sort
	// By is the field by which to sort, smallest first; Falling puts the greatest first. Pages without a value come last.
	By          string
	Falling     bool
	Skip, Limit int // leave out that many of the first hits, return at most Limit
	// Score rates a version that matches; it may be called from several goroutines and must keep nothing of the Match. nil
	// is [BM25.Score] with the usual parameters. A page has the score of its best version, the newest of several.
	Score func(*Statistics, *Match) float64
	// Whole says that Score depends on titles or values of versions, or that it may be less for something that occurs more
	// often. Then every page that matches is read whole.
	Whole bool
	// Anchors and Inlinks say that Score reads these of a Match. Each takes a look at the index that others need not wait for.
	Anchors, Inlinks bool
	// Work bounds how much of the index is unpacked, in bytes; 0 means no limit. Pages beyond it are left out and counted
	// as untold.
	Work int64
}

// Scored returns the clauses that are scored, in order: All, those of Any, Wishes.
func (r *PresentRequest) Scored() []Clause {
	return slices.Concat(r.All, slices.Concat(r.Any...), r.Wishes)
}

// Statistics describe the collection for a [PresentRequest]. Documents are pages: a long history may count as several.
type Statistics struct {
	Documents int     // in the collection
	MeanWords float64 // of all versions
	Having    []int   // by scored clause: documents that have it, estimated for phrases by their rarest word
}

// A Match is a version that matches, with what a score is made of.
type Match struct {
	Key     string
	Version Version
	Words   int // in the text of the version
	// Versions is the number of versions of the page, of a very long history those of a part. Newest says that this is
	// the page's last.
	Versions int
	Newest   bool
	// Text, Title and URL have for each scored clause how often its phrases occur in that part, whatever the clause's
	// own field is.
	Text, Title, URL []int
	// Heading and Furniture have how often they occur in headings and in furniture of the page's newest version; for phrases,
	// how often the rarest of their words does.
	Heading, Furniture []int
	// Formed says of each scored clause that the page has other forms of the word alone. Missing are the scored clauses
	// that the version lacks, by their numbers.
	Formed  []bool
	Missing []int
	// Anchors has for each scored clause how many other pages link to this one by its phrases: by all words of a phrase,
	// whatever their order. Inlinks is how many link to it at all. A page links as its newest version does that shows it.
	// They are known if the request asks for them.
	Anchors []int
	Inlinks int
}

// room makes room for so many clauses.
func (m *Match) room(n int) {
	list := make([]int, 5*n)
	m.Formed = make([]bool, n)
	for i, to := range []*[]int{&m.Text, &m.Title, &m.URL, &m.Heading, &m.Furniture} {
		*to = list[i*n : (i+1)*n : (i+1)*n]
	}
}

// A Found is a page of which at least one version matches.
type Found struct {
	Key         string
	Row         int           // of the best version, from 1; 0 for the page. Fields of the best version are then those of the row
	Versions    int           // how many versions match
	Best        Match         // the version with the highest score
	First, Last cdx.Timestamp // first capture of the first and last capture of the last version that matches
	Still       bool          // the newest version of the page matches
	Whole       bool          // one version has all that was wished for, and only such versions are counted
	Score       float64

	place place // by which it is sorted, if by a field
}

// A PresentAnswer is the result of [Index.Present].
type PresentAnswer struct {
	Total int // pages
	// Whole is how many of these have all that was wished for. Ordered is how many were put in order, the best by an
	// estimate; it is less than Total if very many match. Facets and Whole count these.
	Whole, Ordered int
	Hits           []Found
	Statistics     Statistics
	Hosts          []Count // pages by host, most first
	Years          []Count // pages by the years in which a version that matches was captured, oldest first
	MIMEs          []Count // pages by media type of a version that matches, most first
	Langs          []Count // pages by language of a version that matches, most first
	Chart          []Count // versions that match by the years in which they were captured, oldest first
	// Untold counts documents that may match as well: the work that the request allows was done before their turn.
	Untold int
}

// Present answers which pages had words and phrases in any version. The order of all hits is the same for every page
// of results. Its answers are exact, but for Untold.
func (x *Index) Present(ctx context.Context, req PresentRequest) (*PresentAnswer, error) {
	out := &PresentAnswer{}
	err := x.view(func(r reader) error {
		p, err := x.newPresence(r, req)
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
