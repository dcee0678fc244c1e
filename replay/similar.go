package replay

import (
	"context"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
)

// SimilarList is the answer of /{coll}/similar: captures of other addresses whose text is like that of one
// capture, one for each address, the most similar first.
type SimilarList struct {
	OriginalURI string          `json:"original_uri"`
	Datetime    string          `json:"datetime"`
	Results     []SimilarResult `json:"results"`
}

// A SimilarResult is one of them. Similarity is that of [change.Similarity].
type SimilarResult struct {
	URIM        string  `json:"uri_m"`
	OriginalURI string  `json:"original_uri"`
	Datetime    string  `json:"datetime"`
	Similarity  float64 `json:"similarity"`
}

// DefaultSimilar and maxSimilarResults are how many results [Server.SimilarTo] gives unless asked, and at most.
const (
	DefaultSimilar    = 50
	maxSimilarResults = maxAddresses
)

// SimilarTo returns the captures of other addresses whose text is like that of uriR at ts, or at the capture nearest
// to it that has a text, with a similarity of at least least; at most limit. URI-Ms are made by uris. nil where
// uriR has no captures; without any text the list is empty.
func (s *Archive) SimilarTo(ctx context.Context, uris memento.URIs, uriR string, ts cdx.Timestamp, least float64, limit int) (*SimilarList, error) {
	found, err := s.findSimilar(ctx, uris.Coll, uriR, ts, least, limit)
	if found == nil || err != nil {
		return nil, err
	}
	return found.json(uris), nil
}

// A similarSet is a capture and where there are texts like its own.
type similarSet struct {
	capture *cdx.Capture
	sketch  *change.Sketch // nil: it has no text
	places  []place
}

func (s *Archive) findSimilar(ctx context.Context, coll, uriR string, ts cdx.Timestamp, least float64, limit int) (*similarSet, error) {
	tl, err := s.timeline(ctx, coll, surt.Of(uriR))
	if err != nil || len(tl.captures) == 0 {
		return nil, err
	}
	set := &similarSet{capture: withText(tl, ts)}
	if set.capture == nil {
		set.capture = landingCapture(tl, ts)
		return set, nil
	}
	src := &sketches{index: s.Index}
	if set.sketch, err = src.Sketch(set.capture.Text); err != nil || set.sketch == nil || set.sketch.MinHash.Empty() {
		return set, err
	}
	set.places, err = s.places(ctx, coll, set.sketch, tl.key, set.capture.Time)
	for i := range set.places {
		if i == limit || set.places[i].similarity < least {
			set.places = set.places[:i]
			break
		}
	}
	return set, err
}

// withText is the capture nearest to ts that is a page with text, nil if there is none.
func withText(tl *timeline, ts cdx.Timestamp) *cdx.Capture {
	for c, err := range memento.Preferred(ts, tl.closest(ts)) {
		if err == nil && c.Text != 0 && c.Status >= 200 && c.Status <= 299 {
			return c
		}
	}
	return nil
}

func (f *similarSet) json(uris memento.URIs) *SimilarList {
	v := &SimilarList{OriginalURI: f.capture.URL, Datetime: f.capture.Time.String(), Results: []SimilarResult{}}
	for i := range f.places {
		c := &f.places[i].capture
		v.Results = append(v.Results, SimilarResult{*uriM(uris, c), c.URL, c.Time.String(), f.places[i].similarity})
	}
	return v
}
