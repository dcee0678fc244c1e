package model

import (
	_ "embed"
	"image"
	"math"
)

const (
	bins = 512 // into which words are sorted by their ink, and by their shape

	// Dimensions is the length of a vector: for each bin of ink the mass of its words, then for each the part of it that is content; both for
	// each bin of shapes; and the number of words of content.
	Dimensions = 4*bins + 1
)

// A Model compares pictures of pages. It is safe for concurrent use.
type Model struct {
	network network
	head    head
}

//go:embed weights.bin
var embedded []byte

// Load returns the model with the embedded weights. It panics if these are damaged, which a test rules out.
func Load() *Model {
	m, err := Parse(embedded)
	if err != nil {
		panic(err)
	}
	return m
}

// Vector returns the vector of a picture of a whole page: [Dimensions] numbers, none below 0. The picture must be 2 to 4,096 pixels wide;
// its first 16,384 rows count; transparency is ignored. blocks are those that [BlocksScript] finds; without them, content is recognized by
// the picture alone. Compare only vectors that were both made with blocks, or both without.
func (m *Model) Vector(img image.Image, blocks []Block) ([]float32, error) {
	ink, grid, err := scan(img)
	if err != nil {
		return nil, err
	}
	words := ink.words()
	if err := grid.describe(ink, words, blocks); err != nil {
		return nil, err
	}
	content := m.network.content(grid)
	vector := make([]float32, Dimensions)
	for _, w := range words {
		mass, ink, weight := w.mass(), int(w.sum%bins), content[grid.placeOf(w)]
		vector[ink] += mass
		vector[bins+ink] += mass * weight
		for _, s := range w.shapes() {
			vector[2*bins+s.bin] += mass * s.share
			vector[3*bins+s.bin] += mass * weight * s.share
		}
		vector[4*bins] += weight
	}
	return vector, nil
}

// Distance returns how much of the content differs between two pages, from 0 to 1. It is symmetric. If a vector doesn't have [Dimensions]
// numbers, because it is of another model, the result is NaN.
func (m *Model) Distance(a, b []float32) float64 {
	if len(a) != Dimensions || len(b) != Dimensions {
		return math.NaN()
	}
	return 1 / (1 + math.Exp(-m.head.logit(difference(a, b))))
}

// ContentInk returns the part of a vector that says how much of the content is words of each ink. It is empty if the vector is of another
// model.
func ContentInk(vector []float32) []float32 {
	if len(vector) != Dimensions {
		return nil
	}
	return vector[bins : 2*bins]
}

const (
	features = 10   // values that describe a difference
	hidden   = 12   // width of the head's hidden layer
	minMass  = 0.05 // of a word's mass; added so that logarithms are finite
)

// A head reduces a difference to one number: a weighted sum plus a small network for what isn't linear.
type head struct {
	weight   [features]float32
	bias     float32
	into     [hidden][features]float32
	intoBias [hidden]float32
	out      [hidden]float32
	outBias  float32
}

func (h *head) logit(x [features]float64) float64 {
	sum := float64(h.bias + h.outBias)
	for n, v := range x {
		sum += v * float64(h.weight[n])
	}
	for n := range h.into {
		inner := float64(h.intoBias[n])
		for i, v := range x {
			inner += v * float64(h.into[n][i])
		}
		sum += max(0, inner) * float64(h.out[n])
	}
	return sum
}

// difference returns the values that a distance is computed from: the content whose ink and whose shape changed, the same of all words, and
// by how many words the contents differ. First come the logarithms of these amounts, then their shares.
func difference(a, b []float32) (values [features]float64) {
	size := max(sum(a[bins:2*bins]), sum(b[bins:2*bins])) + 1
	whole := max(sum(a[:bins]), sum(b[:bins])) + 1
	wordsA, wordsB := float64(a[4*bins]), float64(b[4*bins])
	amounts := [features / 2]struct{ amount, of float64 }{
		{changed(a[:2*bins], b[:2*bins]), size},
		{changed(a[2*bins:4*bins], b[2*bins:4*bins]), size},
		{apart(a[:bins], b[:bins]), whole},
		{apart(a[2*bins:3*bins], b[2*bins:3*bins]), whole},
		{math.Abs(wordsA - wordsB), max(wordsA, wordsB) + 1},
	}
	for n, x := range amounts {
		values[n], values[features/2+n] = math.Log(x.amount+minMass), x.amount/x.of
	}
	return values
}

func sum(values []float32) (sum float64) {
	for _, v := range values {
		sum += float64(v)
	}
	return sum
}

// apart returns the sum of the differences of two lists.
func apart(a, b []float32) (sum float64) {
	for n := range a {
		sum += math.Abs(float64(a[n] - b[n]))
	}
	return sum
}

// changed returns the content that differs: for each bin the difference of its content, but at most that of all its words.
func changed(a, b []float32) float64 {
	var sum float64
	for n := range bins {
		sum += min(math.Abs(float64(a[n]-b[n])), math.Abs(float64(a[bins+n]-b[bins+n])))
	}
	return sum
}
