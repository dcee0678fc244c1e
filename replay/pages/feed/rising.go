package feed

import (
	"context"
	"math"
	"net/url"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/memento"
)

const (
	// pastWindows is the number of earlier periods, each as long as the requested one, from which a term's past rate follows.
	pastWindows = 8
	maxRising   = 20
)

// A rising is a term that is added, or deleted, in more changes than its past rate suggests.
type rising struct {
	Term     string  `json:"term"`
	Changes  int     `json:"changes"`
	Expected float64 `json:"expected"`
	Score    float64 `json:"score"`
	Search   string  `json:"search"`
}

// rise returns the rising terms, nil if they were not requested.
func (h *Handler) rise(ctx context.Context, a *ask, uris memento.URIs) ([]rising, error) {
	if a.rising == "" {
		return nil, nil
	}
	of, err := h.searches.Of(a.Coll)
	if err != nil {
		return nil, err
	}
	kind, err := search.ParseKind(a.rising)
	if err != nil {
		return nil, err
	}
	bounds := a.bounds()
	bounds.Since, bounds.Until = a.Since, h.until(a)
	found, err := of.Rising(ctx, search.RisingRequest{Kind: kind, Windows: pastWindows, Limit: maxRising, Bounds: bounds})
	out := []rising{}
	for i := range found {
		r := &found[i]
		v := url.Values{"q": {r.Term}, "change": {a.rising}, "from": {a.Since.String()}}
		out = append(out, rising{
			Term: r.Term, Changes: r.Changes, Expected: math.Round(r.Expected*100) / 100, Score: rounded(r.Score),
			Search: uris.Endpoint("search", v.Encode()),
		})
	}
	return out, err
}
