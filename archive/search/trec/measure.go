package trec

import (
	"math"
	"slices"
)

// Scores say how good a ranked list is, each from 0 to 1.
type Scores struct {
	P5, P10, P20 float64 // precision at that rank
	RPrecision   float64
	AP           float64 // its mean over topics is MAP
	NDCG10, NDCG float64
}

// Measure rates a ranked list of distinct documents by their grades. ok is false if the topic has no relevant document.
func Measure(ranked []string, grades map[string]int) (s Scores, ok bool) {
	gains := make([]int, len(ranked))
	for i, doc := range ranked {
		gains[i] = max(grades[doc], 0)
	}
	var ideal []int
	for _, grade := range grades {
		if grade > 0 {
			ideal = append(ideal, grade)
		}
	}
	if len(ideal) == 0 {
		return s, false
	}
	slices.SortFunc(ideal, func(a, b int) int { return b - a })
	return Scores{
		P5: precision(gains, 5), P10: precision(gains, 10), P20: precision(gains, 20), RPrecision: precision(gains, len(ideal)),
		AP: averagePrecision(gains, len(ideal)), NDCG10: gain(gains, 10) / gain(ideal, 10),
		NDCG: gain(gains, len(gains)) / gain(ideal, len(ideal)),
	}, true
}

func precision(gains []int, rank int) float64 {
	relevant := 0
	for _, g := range gains[:min(rank, len(gains))] {
		if g > 0 {
			relevant++
		}
	}
	return float64(relevant) / float64(rank)
}

func averagePrecision(gains []int, all int) float64 {
	sum, relevant := 0.0, 0
	for i, g := range gains {
		if g > 0 {
			relevant++
			sum += float64(relevant) / float64(i+1)
		}
	}
	return sum / float64(all)
}

// gain is the discounted cumulative gain at a rank.
func gain(gains []int, rank int) float64 {
	sum := 0.0
	for i, g := range gains[:min(rank, len(gains))] {
		sum += float64(g) / math.Log2(float64(i+2))
	}
	return sum
}

// Mean returns the mean of the scores of several topics.
func Mean(list []Scores) (mean Scores) {
	for i := range list {
		for j, v := range list[i].values() {
			*mean.values()[j] += *v / float64(len(list))
		}
	}
	return mean
}

// values lists the scores in the order of [Names].
func (s *Scores) values() [7]*float64 {
	return [...]*float64{&s.P5, &s.P10, &s.P20, &s.RPrecision, &s.AP, &s.NDCG10, &s.NDCG}
}

// Names are those of the measures in a table; AP is that of a mean over topics.
func Names() [7]string { return [...]string{"P@5", "P@10", "P@20", "R-prec", "MAP", "nDCG@10", "nDCG"} }

// Values returns the scores in the order of [Names].
func (s Scores) Values() (out [7]float64) {
	for i, v := range s.values() {
		out[i] = *v
	}
	return out
}
