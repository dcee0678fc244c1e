package comparison

import (
	"errors"
	"strings"

	"github.com/varve-archive/varve/archive/change/diff"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A wanted is the text that a reader looks for in a page; nil means none.
type wanted struct {
	q     string // as it was typed
	query search.Query
}

// wantedIn reads the parameter term. If it is empty, nothing is wanted; if it has no words, that is the client's
// mistake.
func wantedIn(p respond.Path) (*wanted, error) {
	q := strings.TrimSpace(p.Params.Get("term"))
	query, err := search.Parse(q)
	switch {
	case errors.Is(err, search.ErrEmpty):
		return nil, nil
	case err != nil:
		return nil, respond.BadRequest(err.Error())
	}
	return &wanted{q, query}, nil
}

// count returns how many times each phrase occurs in a text.
func (w *wanted) count(t *visible.Text) []int {
	words := search.Words(t.String())
	out := make([]int, len(w.query.Phrases))
	for i, p := range w.query.Phrases {
		out[i] = p.Count(words)
	}
	return out
}

// counts returns how many times each phrase occurs in the older and in the newer text.
func (w *wanted) counts(texts *[2]visible.Text) []TermCount {
	if w == nil {
		return nil
	}
	before, after := w.count(&texts[0]), w.count(&texts[1])
	out := make([]TermCount, len(before))
	for i, p := range w.query.Phrases {
		out[i] = TermCount{Text: p.String(), Before: before[i], After: after[i]}
	}
	return out
}

// A marker cuts the pieces of one side of a diff where a wanted phrase begins and ends: it may begin in a word that
// stays and end in a deleted one.
type marker struct {
	places []search.Place // those still ahead, in order
	at     int            // where in the side's text the next piece begins
}

// newMarker finds the places in one side; stands tells which edits are on that side.
func (w *wanted) newMarker(blocks []diff.Block, stands func(diff.Op) bool) *marker {
	if w == nil {
		return nil
	}
	var b strings.Builder
	for i := range blocks {
		for _, e := range blocks[i].Edits {
			if stands(e.Op) { // pieces end between words, so that an additional space changes no phrase
				b.WriteString(e.Text)
				b.WriteByte(' ')
			}
		}
	}
	return &marker{places: w.query.Places(b.String())}
}

// cut appends the next piece to spans.
func (m *marker) cut(spans []layout.Span, op layout.SpanOp, text string) []layout.Span {
	if m == nil {
		return append(spans, layout.Span{Op: op, Text: text})
	}
	from, to := m.at, m.at+len(text)
	m.at = to + 1
	for pos := from; pos < to; {
		for len(m.places) > 0 && m.places[0].End <= pos {
			m.places = m.places[1:]
		}
		end, mark := to, false
		if len(m.places) > 0 {
			if p := m.places[0]; p.Start > pos {
				end = min(end, p.Start)
			} else {
				end, mark = min(end, p.End), true
			}
		}
		spans = append(spans, layout.Span{Op: op, Text: text[pos-from : end-from], Mark: mark})
		pos = end
	}
	return spans
}
