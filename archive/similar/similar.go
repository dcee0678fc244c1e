package similar

import (
	"context"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// A List is the answer of /{coll}/similar: captures of other URI-Rs whose text is similar to that of one
// capture. Each URI-R occurs once, and the most similar comes first.
type List struct {
	OriginalURI string   `json:"original_uri"`
	Datetime    string   `json:"datetime"`
	Results     []Result `json:"results"`
	// Looks are captures of other URI-Rs whose pictures look nearly the same, where pictures were made.
	Looks []Look `json:"looks,omitempty"`
}

// A Look is a capture that looks alike.
type Look struct {
	URIM        string `json:"uri_m"`
	OriginalURI string `json:"original_uri"`
	Datetime    string `json:"datetime"`
	Picture     string `json:"picture"`
}

// A Result is one capture with similar text. Similarity is that of [change.Similarity], from 0 to 1.
type Result struct {
	URIM        string  `json:"uri_m"`
	OriginalURI string  `json:"original_uri"`
	Datetime    string  `json:"datetime"`
	Similarity  float64 `json:"similarity"`
}

// The default and the largest number of results of [To].
const (
	DefaultResults = 50
	MaxResults     = maxAddresses
)

// To returns the captures of other URI-Rs whose text is similar to that of uriR at ts, or at its nearest
// capture that has a text. It returns at most limit results, each with at least the similarity threshold, with URI-Ms
// built by uris. It returns nil if uriR has no captures, and an empty list if none of them has a text.
func To(
	ctx context.Context, in *timeline.Timelines, uris memento.URIs, uriR string, ts cdx.Timestamp, threshold float64, limit int,
) (*List, error) {
	found, err := Find(ctx, in, uris.Coll, uriR, ts, threshold, limit)
	if found == nil || err != nil {
		return nil, err
	}
	return found.List(uris), nil
}

// A Set is a capture and the places of texts similar to its own.
type Set struct {
	Capture *cdx.Capture
	Sketch  *sketch.Sketch // nil if it has no text
	Places  []Place
}

// Find is like [To], with captures in place of URI-Ms.
func Find(
	ctx context.Context, in *timeline.Timelines, coll, uriR string, ts cdx.Timestamp, threshold float64, limit int,
) (*Set, error) {
	tl, err := in.Spelled(ctx, coll, uriR)
	if err != nil || len(tl.Captures) == 0 {
		return nil, err
	}
	set := &Set{Capture: withText(tl, ts)}
	if set.Capture == nil {
		set.Capture = tl.MementoNear(ts)
		return set, nil
	}
	if set.Sketch, err = in.Sketches().Sketch(set.Capture.Text); err != nil || set.Sketch == nil || set.Sketch.MinHash.Empty() {
		return set, err
	}
	set.Places, err = Places(ctx, in.View(), coll, set.Sketch, tl.Key, set.Capture.Time)
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
func (f *Set) List(uris memento.URIs) *List {
	v := &List{OriginalURI: f.Capture.URL, Datetime: f.Capture.Time.String(), Results: []Result{}}
	for i := range f.Places {
		c := &f.Places[i].Capture
		v.Results = append(v.Results, Result{uris.Memento(c.Time, "", c.URL), c.URL, c.Time.String(), f.Places[i].Similarity})
	}
	return v
}
