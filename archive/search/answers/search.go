package answers

import (
	"context"
	"fmt"
	"iter"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
)

// An Engine searches the versions and changes of one collection's pages. [search.Index], the engine in a folder, documents each method;
// opensearch.Index asks a search cluster.
type Engine interface {
	Columns() []fields.Column
	Fields() *fields.Set
	Present(ctx context.Context, req search.PresentRequest) (*search.PresentAnswer, error)
	Each(ctx context.Context, req search.PresentRequest) iter.Seq2[search.Found, error]
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

// A Collection answers questions about one collection with a search engine.
type Collection struct {
	Engine
	Progress search.Progress
	// Behind reports whether the engine lacks, or may lack, captures that are indexed. nil means never.
	Behind func(context.Context) (bool, error)

	terms    *termsCache
	words    vocabulary
	settings func() *Settings
}

// New returns a collection that is searched by engine x. settings is called for each question; nil, or a nil result, means the defaults.
func New(x Engine, settings func() *Settings) *Collection {
	return &Collection{Engine: x, terms: newTermsCache(), settings: settings}
}

// Forget drops the cached vocabulary and terms. Call it when the index has changed.
func (s *Collection) Forget() {
	s.terms.forget()
	s.words.forget()
}

// ForgetTerms drops the cached terms. Call it when the index begins to change.
func (s *Collection) ForgetTerms() { s.terms.forget() }

// A QueryError says in one sentence what is wrong with a query. It is the caller's error, not the archive's.
type QueryError struct{ Say string }

func (e *QueryError) Error() string { return e.Say }

func badQuery(format string, a ...any) error { return &QueryError{fmt.Sprintf(format, a...)} }
