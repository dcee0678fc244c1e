package replay

import (
	"context"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
)

// LandingFacts is the answer of /{coll}/landing: what became of an address that led elsewhere, or nowhere.
type LandingFacts struct {
	Kind          string             `json:"kind"` // redirect, missing or soft404
	Status        int                `json:"status"`
	OriginalURI   string             `json:"original_uri"`
	Datetime      string             `json:"datetime"`
	Target        *string            `json:"target"`
	TargetMemento *string            `json:"target_memento"`
	Similarity    *float64           `json:"similarity"`
	Before        *string            `json:"before"`
	After         *string            `json:"after"`
	Alternatives  []AlternativeEntry `json:"alternatives"`
}

// An AlternativeEntry is a page that may be what was asked for.
type AlternativeEntry struct {
	URIM        string   `json:"uri_m"`
	OriginalURI string   `json:"original_uri"`
	Datetime    string   `json:"datetime"`
	Similarity  *float64 `json:"similarity"`
	Why         string   `json:"why"`
}

// A landing is what there is to say of one capture that is no page.
type landing struct {
	uriR    string
	capture *cdx.Capture // nil: the URI-R has none
	kind    change.Kind
	soft    bool // a soft 404

	target        string       // absolute, "" if there is none
	targetCapture *cdx.Capture // its usable capture nearest the redirect, nil if there is none
	end           *cdx.Capture // the page where the chain ends, nil where it ends in nothing
	hops          []hop        // from the capture on
	before, after *cdx.Capture // the last real capture before it and the first after it
	similarity    *float64     // of end and the last real capture
	alternatives  []alternative
}

// findLanding looks at the capture of uriR at ts, else the nearest.
func (s *Archive) findLanding(ctx context.Context, coll, uriR string, ts cdx.Timestamp) (*landing, error) {
	l := &landing{uriR: uriR}
	tl, err := s.timeline(ctx, coll, surt.Of(uriR))
	if err != nil {
		return nil, err
	}
	if l.capture = landingCapture(tl, ts); l.capture != nil {
		l.uriR = l.capture.URL
		if err := l.place(tl); err != nil {
			return nil, err
		}
		if l.kind == change.Page || l.kind == change.Resource {
			return l, nil
		}
		if err := s.follow(ctx, coll, l); err != nil {
			return nil, err
		}
	}
	if l.alternatives, err = s.alternatives(ctx, coll, l, ts); err != nil {
		return nil, err
	}
	return l, nil
}

// landingCapture is what a URI-M of ts stands for, else the nearest capture; nil if there is none at all.
func landingCapture(tl *timeline, ts cdx.Timestamp) *cdx.Capture {
	if c := tl.stands(ts); c != nil {
		return c
	}
	for c, err := range memento.Preferred(ts, tl.closest(ts)) {
		if err == nil {
			return tl.stands(c.Time)
		}
	}
	return nil
}

// place finds what the capture is and the real captures around it.
func (l *landing) place(tl *timeline) error {
	ranges, err := tl.levels(change.LevelContent)
	if err != nil {
		return err
	}
	i := rangeOf(ranges, l.capture.Time)
	l.kind, l.soft = kindAt(l.capture, ranges, i)
	for j := i; j >= 0; j-- {
		if isReal(&ranges[j]) && ranges[j].Last < l.capture.Time {
			l.before = tl.stands(ranges[j].Last)
			break
		}
	}
	for j := max(i, 0); j < len(ranges); j++ {
		if isReal(&ranges[j]) && ranges[j].First > l.capture.Time {
			l.after = tl.stands(ranges[j].First)
			break
		}
	}
	return nil
}

// kindAt says what the capture itself is: one that failed stands in a range of another kind.
func kindAt(c *cdx.Capture, ranges []change.Range, i int) (kind change.Kind, soft bool) {
	switch {
	case isRedirect(c):
		return change.Redirect, false
	case c.Status >= 400:
		return change.Missing, false
	case i >= 0:
		return ranges[i].Kind, ranges[i].Soft404
	}
	return change.Resource, false
}

func isReal(r *change.Range) bool { return r.Kind == change.Page || r.Kind == change.Resource }

// lastReal is the capture that shows what was here.
func (l *landing) lastReal() *cdx.Capture {
	if l.before != nil {
		return l.before
	}
	return l.after
}

// json gives the landing in the words of the contract.
func (l *landing) json(uris memento.URIs) *LandingFacts {
	v := &LandingFacts{
		Kind: "missing", Status: l.capture.Status, OriginalURI: l.uriR, Datetime: l.capture.Time.String(),
		Similarity: l.similarity, Before: uriM(uris, l.before), After: uriM(uris, l.after),
		Alternatives: []AlternativeEntry{},
	}
	switch {
	case l.kind == change.Redirect:
		v.Kind, v.TargetMemento = "redirect", uriM(uris, l.targetCapture)
		if l.target != "" {
			v.Target = &l.target
		}
	case l.soft:
		v.Kind = "soft404"
	}
	for _, a := range l.alternatives {
		v.Alternatives = append(v.Alternatives, AlternativeEntry{
			URIM: *uriM(uris, a.capture), OriginalURI: a.capture.URL, Datetime: a.capture.Time.String(),
			Similarity: a.similarity, Why: whyWords[a.why],
		})
	}
	return v
}

// whyWords are the reasons in data.
var whyWords = [...]string{
	banner.WhySimilar: "similar content", banner.WhyNoQuery: "same path without query", banner.WhyParent: "parent folder",
	banner.WhyVariant: "variant of the address", banner.WhySpelling: "similar spelling",
}

func uriM(uris memento.URIs, c *cdx.Capture) *string {
	if c == nil {
		return nil
	}
	u := uris.Memento(c.Time, "", c.URL)
	return &u
}

// leadsTo is what a reader gets who goes on: the end of the chain, if there is one.
func (l *landing) leadsTo() *cdx.Capture {
	if l.end != nil {
		return l.end
	}
	return l.targetCapture
}

// endURIR is the address where the chain ends.
func (l *landing) endURIR() string {
	if len(l.hops) == 0 {
		return l.target
	}
	return l.hops[len(l.hops)-1].uriR
}
