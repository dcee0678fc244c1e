package model

import (
	_ "embed"
	"image"
	"math"
)

const (
	bins = 512 // into which words are sorted by their ink, and by their shape

	// Dimensions is the length of a vector: for each bin of ink the mass of its words and the part of it that is content, and both for each
	// bin of shapes.
	Dimensions = 4 * bins
)

// A Model compares pictures of pages. It is safe for concurrent use.
type Model struct {
	network   network
	head      head
	threshold float64
	text      textChoice
}

// textChoice has the weights for combining a distance with the comparison of texts.
type textChoice struct {
	weight    [4]float32
	bias      float32
	threshold float64
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
		mass, ink, shape := w.mass(), int(w.sum%bins), 2*bins+w.shape()
		part := mass * content[grid.placeOf(w)]
		vector[ink] += mass
		vector[bins+ink] += part
		vector[shape] += mass
		vector[bins+shape] += part
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

// Important reports whether a distance is that of an important change. The threshold has the best balance of precision and recall on the
// training sites.
func (m *Model) Important(distance float64) bool { return distance >= m.threshold }

// Threshold returns the least distance that is important.
func (m *Model) Threshold() float64 { return m.threshold }

// A Text is the result of comparing the visible texts of the same two pages.
type Text struct {
	Content bool // they differ at level content
	Any     bool // they differ at level text
}

// WithText combines a picture's distance with the comparison of texts to a distance from 0 to 1, which is more reliable than either.
func (m *Model) WithText(distance float64, text Text) float64 {
	distance = min(1-nearly, max(nearly, distance))
	logit := math.Log(distance / (1 - distance))
	sum := float64(m.text.bias) + logit*float64(m.text.weight[0])
	if text.Content {
		sum += float64(m.text.weight[1]) + logit*float64(m.text.weight[3])
	}
	if text.Any {
		sum += float64(m.text.weight[2])
	}
	return 1 / (1 + math.Exp(-sum))
}

const nearly = 1e-6 // distances are clamped to this distance from 0 and 1

// ImportantWithText is [Model.Important] for a result of [Model.WithText].
func (m *Model) ImportantWithText(distance float64) bool { return distance >= m.text.threshold }

const (
	features = 4    // values that describe a difference
	hidden   = 8    // width of the head's hidden layer
	least    = 0.05 // of a word's mass; added so that logarithms are finite
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

// difference returns the values that a distance is computed from: the logarithms of the content whose ink and whose shape changed, and both
// as shares of the content.
func difference(a, b []float32) [features]float64 {
	var sizeA, sizeB float64
	for n := range bins {
		sizeA += float64(a[bins+n])
		sizeB += float64(b[bins+n])
	}
	size := max(sizeA, sizeB) + 1
	ink, shapes := changed(a[:2*bins], b[:2*bins]), changed(a[2*bins:], b[2*bins:])
	return [features]float64{math.Log(ink + least), math.Log(shapes + least), ink / size, shapes / size}
}

// changed returns the content that differs: for each bin the difference of its content, but at most that of all its words.
func changed(a, b []float32) float64 {
	var sum float64
	for n := range bins {
		sum += min(math.Abs(float64(a[n]-b[n])), math.Abs(float64(a[bins+n]-b[bins+n])))
	}
	return sum
}
