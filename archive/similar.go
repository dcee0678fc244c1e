package archive

import (
	"context"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// A SimilarList is the answer of /{coll}/similar: captures of other URI-Rs whose text is similar to that of one
// capture. Each URI-R occurs once, and the most similar comes first.
type SimilarList struct {
	OriginalURI string          `json:"original_uri"`
	Datetime    string          `json:"datetime"`
	Results     []SimilarResult `json:"results"`
	// Looks are captures of other URI-Rs whose pictures look nearly the same, where pictures were made.
	Looks []SimilarLook `json:"looks,omitempty"`
}

// A SimilarLook is a capture that looks alike.
type SimilarLook struct {
	URIM        string `json:"uri_m"`
	OriginalURI string `json:"original_uri"`
	Datetime    string `json:"datetime"`
	Picture     string `json:"picture"`
}

// A SimilarResult is one capture with similar text. Similarity is that of [change.Similarity], from 0 to 1.
type SimilarResult struct {
	URIM        string  `json:"uri_m"`
	OriginalURI string  `json:"original_uri"`
	Datetime    string  `json:"datetime"`
	Similarity  float64 `json:"similarity"`
}

// The default and the largest number of results of [Archive.SimilarTo].
const (
	DefaultSimilar    = 50
	MaxSimilarResults = maxAddresses
)

// SimilarTo returns the captures of other URI-Rs whose text is similar to that of uriR at ts, or at its nearest
// capture that has a text. It returns at most limit results, each with at least the similarity threshold, with URI-Ms
// built by uris. It returns nil if uriR has no captures, and an empty list if none of them has a text.
func (s *Archive) SimilarTo(
	ctx context.Context, uris memento.URIs, uriR string, ts cdx.Timestamp, threshold float64, limit int,
) (*SimilarList, error) {
	found, err := s.FindSimilar(ctx, uris.Coll, uriR, ts, threshold, limit)
	if found == nil || err != nil {
		return nil, err
	}
	return found.List(uris), nil
}

// A SimilarSet is a capture and the places of texts similar to its own.
type SimilarSet struct {
	Capture *cdx.Capture
	Sketch  *sketch.Sketch // nil if it has no text
	Places  []SimilarPlace
}

// FindSimilar is like [Archive.SimilarTo], with captures in place of URI-Ms.
func (s *Archive) FindSimilar(ctx context.Context, coll, uriR string, ts cdx.Timestamp, threshold float64, limit int) (*SimilarSet, error) {
	tl, err := s.Timelines.Spelled(ctx, coll, uriR)
	if err != nil || len(tl.Captures) == 0 {
		return nil, err
	}
	set := &SimilarSet{Capture: withText(tl, ts)}
	if set.Capture == nil {
		set.Capture = landingCapture(tl, ts)
		return set, nil
	}
	src := s.Timelines.Sketches()
	if set.Sketch, err = src.Sketch(set.Capture.Text); err != nil || set.Sketch == nil || set.Sketch.MinHash.Empty() {
		return set, err
	}
	set.Places, err = s.places(ctx, coll, set.Sketch, tl.Key, set.Capture.Time)
	for i := range set.Places {
		if i == limit || set.Places[i].Similarity < threshold {
			set.Places = set.Places[:i]
			break
		}
	}
	return set, err
}

// withText returns the capture nearest to ts that is a page with text, nil if there is none.
func withText(tl *timeline.Timeline, ts cdx.Timestamp) *cdx.Capture {
	for c, err := range memento.Preferred(ts, tl.Closest(ts)) {
		if err == nil && c.Text != 0 && c.Status >= 200 && c.Status <= 299 {
			return c
		}
	}
	return nil
}

// List returns the set in the form that /{coll}/similar answers.
func (f *SimilarSet) List(uris memento.URIs) *SimilarList {
	v := &SimilarList{OriginalURI: f.Capture.URL, Datetime: f.Capture.Time.String(), Results: []SimilarResult{}}
	for i := range f.Places {
		c := &f.Places[i].Capture
		v.Results = append(v.Results, SimilarResult{uris.Memento(c.Time, "", c.URL), c.URL, c.Time.String(), f.Places[i].Similarity})
	}
	return v
}
