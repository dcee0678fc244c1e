package search

import "github.com/varve-archive/varve/archive/search/history"

// Postings and facts answer most questions about single words without a page's history: which versions have the word, and mostly how often.
// So a word on every page of a collection costs little more than a rare one. A spot has the postings of one phrase, which are read document
// by document, in order.
type spot struct {
	field   string              // the field that is searched
	single  bool                // one posting is enough: a word, or a pair in the text
	several bool                // the phrase has several words, so in other fields it may be rarer than each of them
	words   []*posting          // its distinct words there
	many    *mergedPostingsWalk // instead of words and beside, for many one-word phrases; nil otherwise
	beside  [besides][]*posting
}

// Other fields that a score needs, by their index in spot.beside.
const (
	besideText = iota
	besideTitle
	besideURL
	besideHeading
	besideFurniture
	besides
)

var besideFields = [besides]string{fieldText, fieldTitle, fieldURL, fieldHeading, fieldFurniture}

// maxSpots bounds the phrases whose postings are read. word* may expand to a thousand.
const maxSpots = 64

// spots opens the postings for conditions, by condition and phrase; those of other fields only if scored is set. It returns nil if there
// are too many phrases.
func (r reader) spots(conditions []condition, scored bool) (out [][]spot, err error) {
	n := 0
	for i := range conditions {
		if conditions[i].many == nil {
			n += len(conditions[i].phrases)
		}
	}
	if n > maxSpots {
		return nil, nil
	}
	out = make([][]spot, len(conditions))
	for i := range conditions {
		c := &conditions[i]
		if c.many != nil {
			out[i] = []spot{{field: c.field.indexed(), single: true, many: c.many.newWalk()}}
			continue
		}
		for _, p := range c.phrases {
			s := spot{single: len(p) == 1, several: len(p) > 1}
			if c.field != FieldNamed {
				s.field = c.field.indexed()
				_, pair := r.pair(s.field, p)
				s.single = s.single || pair
				s.words, err = r.postings(s.field, p)
			}
			for b := range s.beside {
				if err == nil && scored && besideFields[b] != s.field {
					s.beside[b], err = r.postings(besideFields[b], p)
				}
			}
			out[i] = append(out[i], s)
			if err != nil {
				closeSpots(out)
				return nil, err
			}
		}
	}
	return out, nil
}

// postings returns the postings of the distinct words of a phrase.
func (r reader) postings(field string, p Phrase) (out []*posting, err error) {
	walk, err := r.phrase(field, p)
	for _, w := range walk {
		out = append(out, w.(*posting))
	}
	return out, err
}

func closeSpots(spots [][]spot) {
	for _, list := range spots {
		for _, s := range list {
			for _, p := range s.words {
				p.close()
			}
			for _, beside := range s.beside {
				for _, p := range beside {
					p.close()
				}
			}
		}
	}
}

// frequency returns the frequency of the word in a document, 0 if it isn't there.
func (p *posting) frequency(doc uint64) (int, error) {
	at, ok, err := p.seek(doc)
	if err != nil || !ok || at != doc {
		return 0, err
	}
	return int(p.doc.Freq), nil
}

// least returns the least frequency of some words, 0 if there are no words.
func least(words []*posting, doc uint64) (n int, err error) {
	for i, p := range words {
		f, err := p.frequency(doc)
		if err != nil || f == 0 {
			return 0, err
		}
		if i == 0 || f < n {
			n = f
		}
	}
	return n, nil
}

// A postingSummary is what the postings say about a condition in a document.
type postingSummary struct {
	known, exact       bool      // whether they say which versions satisfy the condition, and exactly how often
	runs               []seenRun // rows that satisfy it
	texts              []seenRun // occurrences in the text
	title, url         int
	heading, furniture int
}

// A seenRun says which rows have a phrase, and at most how often.
type seenRun struct {
	history.Run
	most int
}

// at reads the postings at a document with a number of rows. With 0 rows it only reads the other fields.
func (g *postingSummary) at(doc uint64, field Field, spots []spot, rows int) error {
	*g = postingSummary{known: rows > 0 && field != FieldNamed, exact: true, runs: g.runs[:0], texts: g.texts[:0]}
	for i := range spots {
		s := &spots[i]
		if s.many != nil {
			g.addMerged(doc, s, rows)
			continue
		}
		var beside [besides]int
		for b := range s.beside {
			n, err := least(s.beside[b], doc)
			if err != nil {
				return err
			}
			beside[b] = n
		}
		g.title += inTitle(beside[besideTitle])
		g.url += beside[besideURL]
		g.heading += beside[besideHeading]
		g.furniture += beside[besideFurniture]
		if !g.known {
			continue
		}
		n, err := least(s.words, doc)
		if err != nil {
			return err
		}
		switch s.field {
		case fieldTitle:
			g.title += inTitle(n)
			g.exact = g.exact && !severalTitles(n)
		case fieldURL:
			g.url += n
		}
		g.exact = g.exact && !severalTitles(beside[besideTitle])
		if s.several && (beside[besideText] > 0 || beside[besideTitle] > 0 || beside[besideURL] > 0) {
			g.exact = false
		}
		g.text(beside[besideText], rows)
		g.add(n, s, rows)
	}
	return nil
}

// inTitle decodes from a frequency in fieldTitle the most occurrences of a word in one title; see [titleField].
func inTitle(frequency int) int {
	if frequency == 0 {
		return 0
	}
	return (frequency-1)>>1 + 1
}

// severalTitles decodes from a frequency in fieldTitle whether the rows' titles differ.
func severalTitles(frequency int) bool { return frequency > 0 && (frequency-1)&1 == 1 }

// text adds the occurrences of a phrase in the text.
func (g *postingSummary) text(n, rows int) {
	if n == 0 {
		return
	}
	run, most, ok := occurrence(n).run(rows)
	if !ok {
		run = history.Run{To: rows}
	}
	g.exact = g.exact && ok && run.Steady
	g.texts = append(g.texts, seenRun{run, most})
}

// add adds the occurrences of a phrase in the condition's field.
func (g *postingSummary) add(n int, s *spot, rows int) {
	switch {
	case n == 0:
	case !s.single, s.field == fieldTitle && severalTitles(n):
		g.known = false // the posting doesn't say which versions have it
	case s.field == fieldText:
		run, most, ok := occurrence(n).run(rows)
		g.known = g.known && ok
		g.runs = append(g.runs, seenRun{run, most})
		g.text(n, rows)
	default:
		g.runs = append(g.runs, seenRun{history.Run{To: rows}, 1})
	}
}

// sum returns at most how often something occurs in a row.
func sum(runs []seenRun, row int) (n int) {
	for i := range runs {
		if r := &runs[i]; row >= r.From && row < r.To {
			n += r.most
		}
	}
	return n
}

// A preview is what is known about a document without its history. It implements [counts].
type preview struct {
	rows  []history.Row
	seen  []postingSummary // by condition
	exact bool             // counts are exact, not upper bounds
}

func (g *preview) count(i, row int) int { return sum(g.seen[i].runs, row) }

func (g *preview) places(i, row int) places {
	s := &g.seen[i]
	return places{sum(s.texts, row), s.title, s.url, s.heading, s.furniture}
}

// A previewer previews documents, in order.
type previewer struct {
	facts *factReader
	spots [][]spot
	of    []condition
	preview
}

// newPreviewer returns nil if the conditions have too many phrases. scored says that other fields are needed for a score.
func (r reader) newPreviewer(of []condition, scored bool) (*previewer, error) {
	g := &previewer{of: of}
	var err error
	if g.spots, err = r.spots(g.of, scored); err != nil || g.spots == nil {
		return nil, err
	}
	g.seen = make([]postingSummary, len(g.of))
	g.facts = r.facts()
	return g, nil
}

func (g *previewer) close() {
	if g != nil {
		closeSpots(g.spots)
	}
}

// at previews a document. known is false if the request needs its history; the preview then still has headings and furniture.
func (g *previewer) at(doc uint64) (key string, known bool, err error) {
	f, ok, err := g.facts.of(doc)
	if err != nil {
		return "", false, err
	}
	g.rows, g.exact = f.rows, true
	known = ok
	for i := range g.of {
		s := &g.seen[i]
		if err := s.at(doc, g.of[i].field, g.spots[i], len(g.rows)); err != nil {
			return "", false, err
		}
		known = known && s.known
		g.exact = g.exact && s.exact
	}
	return f.key, known, nil
}

// beside returns what only the postings know: occurrences in headings and furniture, by condition.
func (g *previewer) beside() []placeCounts {
	if g == nil {
		return nil
	}
	out := make([]placeCounts, len(g.seen))
	for i := range out {
		out[i] = placeCounts{g.seen[i].heading, g.seen[i].furniture}
	}
	return out
}

// placeCounts are the numbers of occurrences of a condition in headings and in furniture.
type placeCounts struct{ heading, furniture int }

// isEnough reports whether enough holds for all runs.
func (g *preview) isEnough(enough func(*history.Run) bool) bool {
	for i := range g.seen {
		for j := range g.seen[i].runs {
			if !enough(&g.seen[i].runs[j].Run) {
				return false
			}
		}
	}
	return true
}

// counts returns how often each condition occurs in each row.
func (g *preview) counts() [][]int {
	out := make([][]int, len(g.seen))
	for i := range out {
		out[i] = make([]int, len(g.rows))
		for row := range out[i] {
			out[i][row] = sum(g.seen[i].runs, row)
		}
	}
	return out
}
