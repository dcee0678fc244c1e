package answers

import (
	"context"

	"github.com/varve-archive/varve/archive/search"
)

// CountOnce returns what is counted, which is the same each time as long as it is kept.
func (s *Collection) CountOnce(ctx context.Context) (*search.TermsAnswer, error) {
	req, err := (&TermsQuery{}).request()
	if err != nil {
		return nil, err
	}
	return s.countTerms(ctx, req)
}
