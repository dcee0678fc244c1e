package replay

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/change"
	"github.com/varve-archive/varve/memento"
)

// A ChangeList is the answer of /{coll}/changes: the validity ranges of a URI-R, oldest first.
type ChangeList struct {
	OriginalURI string          `json:"original_uri"`
	Level       string          `json:"level"`
	Captures    int             `json:"captures"`
	Ranges      []ValidityRange `json:"ranges"`
}

// A ValidityRange is the longest run of captures in which nothing that matters at the level changed.
type ValidityRange struct {
	First        string  `json:"first"`
	Last         string  `json:"last"`
	Until        *string `json:"until"`
	Captures     int     `json:"captures"`
	Kind         string  `json:"kind"`
	Status       int     `json:"status"`
	FirstMemento string  `json:"first_memento"`
	LastMemento  string  `json:"last_memento"`
	Redirect     *string `json:"redirect"`
	Soft404      bool    `json:"soft404"`
	Change       *Delta  `json:"change"`
}

// A Delta is how a version differs from the one before it, in terms.
type Delta struct {
	Added       int     `json:"added"`
	Deleted     int     `json:"deleted"`
	SemiDeleted int     `json:"semi_deleted"`
	Similarity  float64 `json:"similarity"`
}

// ChangesOf returns the validity ranges of a URI-R, with URI-Ms made by uris; nil where it has no captures.
func (s *Server) ChangesOf(ctx context.Context, uris memento.URIs, uriR string, level change.Level) (*ChangeList, error) {
	tl, err := s.timelines.get(ctx, uris.Coll, cdx.Key(uriR))
	if err != nil || len(tl.captures) == 0 {
		return nil, err
	}
	ranges, err := tl.levels(level)
	if err != nil {
		return nil, err
	}
	out := &ChangeList{OriginalURI: uriR, Level: level.String(), Captures: len(tl.captures), Ranges: make([]ValidityRange, len(ranges))}
	for i := range ranges {
		out.Ranges[i] = tl.validityRange(&ranges[i], uris)
	}
	return out, nil
}

func (t *timeline) validityRange(r *change.Range, uris memento.URIs) ValidityRange {
	first, last := t.stands(r.First), t.stands(r.Last)
	v := ValidityRange{
		First: r.First.String(), Last: r.Last.String(), Captures: r.Captures, Kind: r.Kind.String(), Status: r.Status,
		FirstMemento: uris.Memento(r.First, "", first.URL), LastMemento: uris.Memento(r.Last, "", last.URL), Soft404: r.Soft404,
	}
	if r.Until != 0 {
		until := r.Until.String()
		v.Until = &until
	}
	if r.Redirect != "" {
		v.Redirect = &r.Redirect
	}
	if d := r.Change; d != nil {
		v.Change = &Delta{Added: d.Added, Deleted: d.Deleted, SemiDeleted: d.SemiDeleted, Similarity: d.Similarity}
	}
	return v
}

// changes answers /{coll}/changes.
func (s *Server) changes(w http.ResponseWriter, r *http.Request, p Path) error {
	level, err := change.ParseLevel(p.Params.Get("level"))
	if err != nil {
		return badRequest(err.Error())
	}
	out, err := s.ChangesOf(r.Context(), s.absolute(r, p.Coll), p.URIR, level)
	if err != nil {
		return err
	}
	if out == nil {
		return s.missing(r, p)
	}
	return writeJSON(w, r, out)
}

func writeJSON(w http.ResponseWriter, r *http.Request, v any) error {
	h := w.Header()
	allowOrigins(h)
	h.Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return nil
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// annotate tells the CDX API the validity range of each capture of a key, and how it differs from the one before.
func (s *Server) annotate(ctx context.Context, coll, key string) (func(c *cdx.Capture) (int, string), error) {
	tl, err := s.timelines.get(ctx, coll, key)
	if err != nil {
		return nil, err
	}
	ranges, err := tl.allLevels()
	if err != nil {
		return nil, err
	}
	return func(c *cdx.Capture) (int, string) {
		return rangeOf(ranges[change.LevelContent], c.Time), changeWord(&ranges, c)
	}, nil
}

// changeWord names the coarsest level at which a capture begins a version; the first of all changes nothing.
func changeWord(ranges *[3][]change.Range, c *cdx.Capture) string {
	for _, l := range []change.Level{change.LevelContent, change.LevelText, change.LevelAny} {
		if i := rangeOf(ranges[l], c.Time); i > 0 && ranges[l][i].First == c.Time {
			return l.String()
		}
	}
	return "none"
}
