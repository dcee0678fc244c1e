package model

import (
	_ "embed"
	"image"
	"math"
)

const (
	bins = 512 // into which words fall by their ink, and again by their shape

	// Dimensions is the length of a vector: for each bin of ink the mass of the words in it, for each bin of ink the mass that is content,
	// and both for each bin of shapes.
	Dimensions = 4 * bins
)

// A Model compares pictures of pages. It is safe for concurrent use.
type Model struct {
	network   network
	head      head
	threshold float64
	text      textChoice
}

// textChoice is how a distance and what the text says are weighed together.
type textChoice struct {
	weight    [4]float32
	bias      float32
	threshold float64
}

//go:embed weights.bin
var embedded []byte

// Load returns the model whose weights are part of the program. It panics if these are damaged, which a test rules out.
func Load() *Model {
	m, err := Parse(embedded)
	if err != nil {
		panic(err)
	}
	return m
}

// Vector turns the picture of a whole page into a vector of [Dimensions] numbers, none below 0. The picture is 2 to 4,096 pixels
// wide, and of its rows the first 16,384 count; transparency is ignored. Blocks are those of the document, as [BlocksScript] finds
// them; without any, the picture alone says what is content. Vectors can be compared if both were made with blocks, or both
// without.
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

// Distance says how much of the content differs between two pages, from 0 to 1. It is the same in both directions. Both vectors must have
// [Dimensions] numbers; else the answer is NaN, as of vectors of another model.
func (m *Model) Distance(a, b []float32) float64 {
	if len(a) != Dimensions || len(b) != Dimensions {
		return math.NaN()
	}
	return 1 / (1 + math.Exp(-m.head.logit(difference(a, b))))
}

// Important says whether a distance is that of an important change: whether it is at least the threshold with the best balance of precision
// and recall on the sites of the training.
func (m *Model) Important(distance float64) bool { return distance >= m.threshold }

// Threshold is the least distance that is important.
func (m *Model) Threshold() float64 { return m.threshold }

// A Text is what the comparison of the visible texts says of the same two pages.
type Text struct {
	Content bool // they differ at level content
	Any     bool // they differ at level text
}

// WithText is the distance, from 0 to 1, that a picture's distance and the text say together. It knows more than either.
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

const nearly = 1e-6 // as near to 0 and 1 as a distance counts

// ImportantWithText is [Model.Important] for what [Model.WithText] answers.
func (m *Model) ImportantWithText(distance float64) bool { return distance >= m.text.threshold }

const (
	features = 4    // numbers of a difference
	hidden   = 8    // numbers inside of the head
	least    = 0.05 // of a word's mass, so that no change has a logarithm
)

// A head makes one number of a difference: a weighted sum, and a small network for where that bends.
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

// difference returns what a distance is made of: the logs of the content whose ink and whose shape changed, and both as shares of
// the content.
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

// changed is the content that differs: in each bin what of its content differs, and no more than differs of all that is in it.
func changed(a, b []float32) float64 {
	var sum float64
	for n := range bins {
		sum += min(math.Abs(float64(a[n]-b[n])), math.Abs(float64(a[bins+n]-b[bins+n])))
	}
	return sum
}
