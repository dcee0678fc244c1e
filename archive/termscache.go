package archive

import (
	"context"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/search"
)

// keptAnswers is how many answers of a collection's terms are kept: each is made by a look at every term.
const keptAnswers = 32

// keptTerms holds answers to questions for terms until the search is built further.
type keptTerms struct {
	answers *lru.Cache[search.TermsRequest, *search.TermsAnswer]
	builds  atomic.Int64 // begun and ended
}

func newKeptTerms() *keptTerms {
	k := &keptTerms{}
	k.answers, _ = lru.New[search.TermsRequest, *search.TermsAnswer](keptAnswers)
	return k
}

func (k *keptTerms) forget() {
	k.builds.Add(1)
	k.answers.Purge()
}

// countTerms returns an answer, which is not to be altered. One that was made while the search was built is not kept.
func (of *CollectionSearch) countTerms(ctx context.Context, req search.TermsRequest) (*search.TermsAnswer, error) {
	if a, ok := of.terms.answers.Get(req); ok {
		return a, nil
	}
	before := of.terms.builds.Load()
	a, err := of.Terms(ctx, req)
	if err == nil && !of.Progress.Running.Load() && of.terms.builds.Load() == before {
		of.terms.answers.Add(req, a)
	}
	return a, err
}
