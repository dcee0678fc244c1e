package answers

import (
	"context"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive/search"
)

// cachedAnswers bounds the cached answers about terms. To compute one, every term is read.
const cachedAnswers = 32

// termsCache caches answers about terms until the search changes.
type termsCache struct {
	answers *lru.Cache[search.TermsRequest, *search.TermsAnswer]
	builds  atomic.Int64 // builds that began or ended
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

// countTerms returns a cached or computed answer, which callers must not modify. It does not cache an answer computed during a build.
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
