package comparison

import (
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/replay/respond"
)

// A SlidingAnswer is the answer of /{coll}/diff for all versions of a URI-R: one pair of neighbours, and the addresses
// of other pairs. Versions are validity ranges at Level.
type SlidingAnswer struct {
	OriginalURI string          `json:"original_uri"`
	Level       string          `json:"level"`
	Versions    int             `json:"versions"`
	Index       int             `json:"index"` // of the older version, from 0
	From        SlidingEnd      `json:"from"`
	To          *SlidingEnd     `json:"to"` // null if there is only one version
	First       *string         `json:"first"`
	Previous    *string         `json:"previous"`
	Next        *string         `json:"next"`
	Last        *string         `json:"last"`
	Change      *timeline.Delta `json:"change"`
	Shown       *DiffShown      `json:"shown"`
	Blocks      []DiffBlock     `json:"blocks"`
	Term        *SlidingTerm    `json:"term"`
}

// A SlidingEnd is one of two versions: its capture nearest to the other version, and a description of the version.
type SlidingEnd struct {
	DiffEnd
	First    string  `json:"first"`
	Last     string  `json:"last"`
	Captures int     `json:"captures"`
	Kind     string  `json:"kind"`
	Status   int     `json:"status"`
	Redirect *string `json:"redirect"`
	Soft404  bool    `json:"soft404"`
}

// A SlidingTerm says where the requested words change. Previous and Next are the nearest pairs in which they do. If the
// search for these stopped early, the Unseen fields name the pair at which to continue.
type SlidingTerm struct {
	Q              string      `json:"q"`
	Counts         []TermCount `json:"counts"`
	Previous       *string     `json:"previous"`
	Next           *string     `json:"next"`
	PreviousUnseen *string     `json:"previous_unseen"`
	NextUnseen     *string     `json:"next_unseen"`
}

func (sl *slide) answer() *SlidingAnswer {
	pair := sl.comparison.answer(sl.uris, sl.uriR)
	steps := sl.steps()
	out := &SlidingAnswer{
		OriginalURI: sl.uriR, Level: sl.level.String(), Versions: len(sl.ranges), Index: sl.index,
		From: sl.end(pair.From, &sl.ranges[sl.index]), Change: pair.Change, Shown: pair.Shown, Blocks: pair.Blocks,
		First: respond.OrNull(sl.linkTo(0)), Previous: respond.OrNull(steps.Earlier), Next: respond.OrNull(steps.Later),
		Last: respond.OrNull(sl.linkTo(sl.pairs() - 1)),
	}
	if sl.newer != nil {
		to := sl.end(pair.To, &sl.ranges[sl.index+1])
		out.To = &to
	}
	if w := sl.wanted; w != nil {
		out.Term = &SlidingTerm{
			Q: w.q, Counts: sl.terms, Previous: respond.OrNull(sl.linkTo(sl.places.prev)), Next: respond.OrNull(sl.linkTo(sl.places.next)),
			PreviousUnseen: respond.OrNull(sl.linkTo(sl.places.prevUnseen)), NextUnseen: respond.OrNull(sl.linkTo(sl.places.nextUnseen)),
		}
	}
	return out
}

func (sl *slide) end(e DiffEnd, r *change.Range) SlidingEnd {
	return SlidingEnd{
		DiffEnd: e, First: r.First.String(), Last: r.Last.String(), Captures: r.Captures,
		Kind: r.Kind.String(), Status: r.Status, Redirect: respond.OrNull(r.Redirect), Soft404: r.Soft404,
	}
}
