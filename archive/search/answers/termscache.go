package answers

import (
	"context"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive/search"
)

// cachedAnswers bounds how many answers about the terms of a collection are kept. Computing one looks at every term.
const cachedAnswers = 32

// termsCache holds answers about terms until the search is built further.
type termsCache struct {
	answers *lru.Cache[search.TermsRequest, *search.TermsAnswer]
	builds  atomic.Int64 // how many builds began or ended
}

func newTermsCache() *termsCache {
	k := &termsCache{}
	k.answers, _ = lru.New[search.TermsRequest, *search.TermsAnswer](cachedAnswers)
	return k
}

func (k *termsCache) forget() {
	k.builds.Add(1)
	k.answers.Purge()
}

// countTerms returns an answer that callers must not modify. It does not cache an answer computed during a build.
func (s *Collection) countTerms(ctx context.Context, req search.TermsRequest) (*search.TermsAnswer, error) {
	if a, ok := s.terms.answers.Get(req); ok {
		return a, nil
	}
	before := s.terms.builds.Load()
	a, err := s.Terms(ctx, req)
	if err == nil && !s.Progress.Running.Load() && s.terms.builds.Load() == before {
		s.terms.answers.Add(req, a)
	}
	return a, err
}
