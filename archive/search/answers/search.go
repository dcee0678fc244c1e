package answers

import (
	"fmt"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/rank"
)

// A Collection answers questions about one collection from its search index, with the progress of that index's build.
type Collection struct {
	*search.Index
	Progress search.Progress
	terms    *termsCache
	words    vocabulary
	ranking  *rank.Ranking
}

// New returns the search that answers from an index. Without a ranking results are ranked in the usual way.
func New(x *search.Index, ranking *rank.Ranking) *Collection {
	if ranking == nil {
		ranking = rank.Usual()
	}
	return &Collection{Index: x, terms: newTermsCache(), ranking: ranking}
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
