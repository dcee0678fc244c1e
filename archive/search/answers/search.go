package answers

import (
	"context"
	"fmt"
	"iter"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
)

// An Engine finds words in the pages of one collection and in what changed of them. [search.Index] is the one in a folder, and says what
// each method promises; opensearch.Index is the one on other machines.
type Engine interface {
	Columns() []fields.Column
	Fields() *fields.Set
	Present(ctx context.Context, req search.PresentRequest) (*search.PresentAnswer, error)
	Search(ctx context.Context, req search.Request) (*search.Answer, error)
	Totals(ctx context.Context, req search.Request) (n search.Totals, untold int, err error)
	Turns(ctx context.Context, p search.Page, q search.Query) (turns []search.Change, indexed bool, err error)
	Terms(ctx context.Context, req search.TermsRequest) (*search.TermsAnswer, error)
	Rising(ctx context.Context, req search.RisingRequest) ([]search.Rising, error)
	Vocabulary(ctx context.Context, f search.Field, prefix string) iter.Seq2[search.Term, error]
	Similar(ctx context.Context, f search.Field, word string, distance int, prefix string) iter.Seq2[search.Term, error]
	Titles(ctx context.Context, prefix string) iter.Seq2[search.Term, error]
	Languages(ctx context.Context) ([]search.Count, error)
	Inlinks(ctx context.Context, keys []string) ([]int, error)
}

// A Collection answers questions about one collection from its search engine, with the progress of that engine's build.
type Collection struct {
	Engine
	Progress search.Progress
	// Behind reports whether the engine lacks, or may lack, some of what was indexed. It may be nil, for no.
	Behind func(context.Context) (bool, error)

	terms    *termsCache
	words    vocabulary
	settings func() *Settings
}

// New returns the search that answers from an engine. Settings are asked for with each question; without them it is answered in the usual
// way.
func New(x Engine, settings func() *Settings) *Collection {
	return &Collection{Engine: x, terms: newTermsCache(), settings: settings}
}

// Forget is to be called when the index has become another: what is known of its words is read again.
func (s *Collection) Forget() {
	s.terms.forget()
	s.words.forget()
}

// ForgetTerms is to be called when the index begins to become another.
func (s *Collection) ForgetTerms() { s.terms.forget() }

// A QueryError says in a sentence what is wrong with a question. The fault is the caller's, not the archive's.
type QueryError struct{ Say string }

func (e *QueryError) Error() string { return e.Say }

func badQuery(format string, a ...any) error { return &QueryError{fmt.Sprintf(format, a...)} }
