package rank

import (
	"math"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
)

// Score returns the function that rates the matches of a prepared query. Its clauses are those of the request's All, in
// order.
func (r *Ranking) Score(q query.Query) func(*search.Statistics, *search.Match) float64 {
	var weights []float64
	for _, c := range q.Wanted() {
		weights = append(weights, r.weight(&c))
	}
	return func(s *search.Statistics, m *search.Match) float64 {
		score := r.relevance(weights, s, m)
		if r.boost == nil {
			return score
		}
		return boosted(r.boost, score, m)
	}
}

// Whole reports whether matches have to be read whole to be rated; see [search.PresentRequest].
func (r *Ranking) Whole() bool { return r.whole }

// Anchors reports whether the texts of links to a page count. A text counts by the logarithm of how many pages link to the
// page by it: one link counts as one occurrence, three as two, a thousand as ten. Otherwise what is in the menu of a large
// site would come first.
func (r *Ranking) Anchors() bool { return r.anchors > 0 }

// Inlinks reports whether the formula uses inlinks.
func (r *Ranking) Inlinks() bool { return r.inlinks }

// weight returns the greatest weight of a clause's words, because words with a weight of their own are few.
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
func (r *Ranking) relevance(weights []float64, s *search.Statistics, m *search.Match) float64 {
	score := 0.0
	length := 1.0
	if s.MeanWords > 0 {
		length = 1 - r.b + r.b*float64(m.Words)/s.MeanWords
	}
	for i, weight := range weights {
		text, furniture := count(m.Text, i), count(m.Furniture, i)
		furniture = min(furniture, text) // another version may have less of it
		times := r.text*(text-furniture) + r.furniture*furniture + r.headings*count(m.Heading, i) +
			r.title*count(m.Title, i) + r.url*count(m.URL, i) + r.anchors*math.Log2(1+count(m.Anchors, i))
		if times > 0 {
			if i < len(m.Formed) && m.Formed[i] {
				weight *= search.FormWeight
			}
			score += weight * rarity(s.Documents, having(s, i)) * times * (r.k1 + 1) / (times + r.k1*length)
		}
	}
	return score
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
