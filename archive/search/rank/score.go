package rank

import (
	"math"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
)

// Score returns the function that rates the matches of a prepared query. q's wanted clauses are the request's scored ones, in order.
func (r *Ranking) Score(q query.Query) func(*search.Statistics, *search.Match) float64 {
	var weights []float64
	wanted := q.Wanted()
	for _, c := range wanted {
		weights = append(weights, r.weight(&c))
	}
	return func(s *search.Statistics, m *search.Match) float64 {
		score := r.relevance(wanted, weights, s, m)
		return max(0, r.boosted(score, m)+r.added(score, m))
	}
}

// boosted returns the score multiplied by the formula's result. It is 0 if that is negative.
func (r *Ranking) boosted(score float64, m *search.Match) float64 {
	if r.boost == nil {
		return score
	}
	return score * max(0, r.boost.result(score, m))
}

// added returns the result of the formula that is added to a score.
func (r *Ranking) added(score float64, m *search.Match) float64 {
	if r.add == nil {
		return 0
	}
	return r.add.result(score, m)
}

// Whole reports whether rating a match needs its history; see [search.PresentRequest].
func (r *Ranking) Whole() bool { return r.boost.whole() || r.add.whole() || len(r.fields) > 0 }

// Anchors reports whether the texts of links to a page count. They count by the logarithm of the number of linking pages: one link is one
// occurrence, three are two, a thousand are ten. Otherwise the menu of a large site would dominate.
func (r *Ranking) Anchors() bool { return r.anchors > 0 }

// Inlinks reports whether a formula uses inlinks.
func (r *Ranking) Inlinks() bool { return r.boost.has("inlinks") || r.add.has("inlinks") }

// weight returns the greatest weight that is set for a clause's words, 1 if none is.
func (r *Ranking) weight(c *query.Clause) float64 {
	most, found := 0.0, false
	for _, w := range c.Words {
		if weight, ok := r.words[w]; ok {
			most, found = max(most, weight), true
		}
	}
	if !found {
		return 1
	}
	return most
}

// relevance is BM25 over the weighted fields.
func (r *Ranking) relevance(wanted []query.Clause, weights []float64, s *search.Statistics, m *search.Match) float64 {
	score := 0.0
	length := 1.0
	if s.MeanWords > 0 {
		length = 1 - r.b + r.b*float64(m.Words)/s.MeanWords
	}
	named := r.named(wanted, m)
	for i, weight := range weights {
		text, furniture := count(m.Text, i), count(m.Furniture, i)
		furniture = min(furniture, text) // in an older version there may be less of it
		times := r.text*(text-furniture) + r.furniture*furniture + r.headings*count(m.Heading, i) +
			r.title*count(m.Title, i) + r.url*count(m.URL, i) + r.anchors*math.Log2(1+count(m.Anchors, i))
		if named != nil {
			times += named[i]
		}
		if times > 0 {
			if i < len(m.Formed) && m.Formed[i] {
				weight *= search.FormWeight
			}
			score += weight * rarity(s.Documents, having(s, i)) * times * (r.k1 + 1) / (times + r.k1*length)
		}
	}
	return score
}

// named returns, by clause, the weighted occurrences in template fields, nil if no fields count.
func (r *Ranking) named(wanted []query.Clause, m *search.Match) []float64 {
	if len(r.fields) == 0 {
		return nil
	}
	out := make([]float64, len(wanted))
	values := fields.Unpack(m.Version.Fields)
	for name, weight := range r.fields {
		for _, v := range values[name] {
			words := query.Words(v)
			for i := range wanted {
				out[i] += weight * float64(occurrences(&wanted[i], words))
			}
		}
	}
	return out
}

// occurrences counts how often a clause occurs among words, in any wording or form.
func occurrences(c *query.Clause, words []string) (n int) {
	for at := range words {
		if c.StandsAt(words, at) {
			n++
		}
	}
	return n
}

func count(list []int, i int) float64 {
	if i < len(list) {
		return float64(list[i])
	}
	return 0
}

func having(s *search.Statistics, i int) int {
	if i < len(s.Having) {
		return min(s.Having[i], s.Documents)
	}
	return s.Documents
}

// rarity is the inverse document frequency of BM25.
func rarity(documents, having int) float64 {
	return math.Log(1 + (float64(documents-having)+0.5)/(float64(having)+0.5))
}
