package landing

import (
	"context"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// Facts is the answer of /{coll}/landing: where a redirect leads, or what can replace a missing page.
type Facts struct {
	Kind          string   `json:"kind"` // redirect, missing or soft404
	Status        int      `json:"status"`
	OriginalURI   string   `json:"original_uri"`
	Datetime      string   `json:"datetime"`
	Target        *string  `json:"target"`
	TargetMemento *string  `json:"target_memento"`
	Similarity    *float64 `json:"similarity"`
	Before        *string  `json:"before"`
	After         *string  `json:"after"`
	Alternatives  []Entry  `json:"alternatives"`
}

// An Entry is a page that may be the one that was asked for.
type Entry struct {
	URIM        string   `json:"uri_m"`
	OriginalURI string   `json:"original_uri"`
	Datetime    string   `json:"datetime"`
	Similarity  *float64 `json:"similarity"`
	Why         string   `json:"why"`
}

// A Landing describes a capture that is a redirect, an error or a soft 404.
type Landing struct {
	URIR    string
	Capture *cdx.Capture // nil if the URI-R has none
	Kind    change.Kind
	Soft    bool // a soft 404

	Target        string       // absolute; "" if there is none
	targetCapture *cdx.Capture // the usable capture of Target nearest to the redirect; nil if there is none
	end           *cdx.Capture // the page at the end of the redirects; nil if they end without one
	Hops          []Hop        // the first is Capture itself
	Before, After *cdx.Capture // the last real capture before Capture and the first after it
	Similarity    *float64     // between the end and the last real capture
	Alternatives  []Alternative
}

type finder struct{ in *timeline.Timelines }

// Find describes the capture of uriR at ts or, if there is none, the nearest one.
func Find(ctx context.Context, in *timeline.Timelines, coll, uriR string, ts cdx.Timestamp) (*Landing, error) {
	f := &finder{in}
	l := &Landing{URIR: uriR}
	tl, err := f.in.Spelled(ctx, coll, uriR)
	if err != nil {
		return nil, err
	}
	if l.Capture = tl.MementoNear(ts); l.Capture != nil {
		l.URIR = l.Capture.URL
		if err := l.locate(tl); err != nil {
			return nil, err
		}
		if l.Kind.Shown() {
			return l, nil
		}
		if err := f.followRedirects(ctx, coll, l); err != nil {
			return nil, err
		}
	}
	if l.Alternatives, err = f.alternatives(ctx, coll, l, ts); err != nil {
		return nil, err
	}
	return l, nil
}

// locate sets what kind of capture it is and which real captures surround it.
func (l *Landing) locate(tl *timeline.Timeline) error {
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		return err
	}
	i := timeline.RangeOf(ranges, l.Capture.Time)
	l.Kind, l.Soft = timeline.KindAt(l.Capture, ranges, i)
	l.Before, l.After = around(tl, ranges, i, l.Capture.Time)
	return nil
}

// around returns the last real capture before ts, which is in ranges[i], and the first after it; nil if there is none.
func around(tl *timeline.Timeline, ranges []change.Range, i int, ts cdx.Timestamp) (before, after *cdx.Capture) {
	for j := i; j >= 0; j-- {
		if ranges[j].Kind.Shown() && ranges[j].Last < ts {
			before = tl.Memento(ranges[j].Last)
			break
		}
	}
	for j := max(i, 0); j < len(ranges); j++ {
		if ranges[j].Kind.Shown() && ranges[j].First > ts {
			after = tl.Memento(ranges[j].First)
			break
		}
	}
	return before, after
}

// lastReal returns the capture that shows what the URI-R used to be: the last real one before, else the first after.
func (l *Landing) lastReal() *cdx.Capture {
	if l.Before != nil {
		return l.Before
	}
	return l.After
}

// Facts returns the landing in the form that /{coll}/landing answers.
func (l *Landing) Facts(uris memento.URIs) *Facts {
	v := &Facts{
		Kind: "missing", Status: l.Capture.Status, OriginalURI: l.URIR, Datetime: l.Capture.Time.String(),
		Similarity: l.Similarity, Before: uris.OrNull(l.Before), After: uris.OrNull(l.After),
		Alternatives: []Entry{},
	}
	switch {
	case l.Kind == change.Redirect:
		v.Kind, v.TargetMemento = "redirect", uris.OrNull(l.targetCapture)
		if l.Target != "" {
			v.Target = &l.Target
		}
	case l.Soft:
		v.Kind = "soft404"
	}
	for _, a := range l.Alternatives {
		v.Alternatives = append(v.Alternatives, Entry{
			URIM: *uris.OrNull(a.Capture), OriginalURI: a.Capture.URL, Datetime: a.Capture.Time.String(),
			Similarity: a.Similarity, Why: a.Why.String(),
		})
	}
	return v
}

// A Why is the reason for proposing an alternative.
type Why int

// The reasons, in the order in which their alternatives are listed.
const (
	WhySimilar Why = iota
	WhyNoQuery
	WhyParent
	WhyVariant
	WhySpelling
)

// String returns the reason as the JSON names it.
func (w Why) String() string {
	return [...]string{
		WhySimilar: "similar content", WhyNoQuery: "same path without query", WhyParent: "parent folder",
		WhyVariant: "variant of the address", WhySpelling: "similar spelling",
	}[w]
}

// LeadsTo returns where a reader who follows the redirects arrives: the page at their end, else the first target.
func (l *Landing) LeadsTo() *cdx.Capture {
	if l.end != nil {
		return l.end
	}
	return l.targetCapture
}

// EndURIR returns the URI-R at which the redirects end.
func (l *Landing) EndURIR() string {
	if len(l.Hops) == 0 {
		return l.Target
	}
	return l.Hops[len(l.Hops)-1].URIR
}
