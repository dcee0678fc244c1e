package model

import (
	_ "embed"
	"image"
	"math"
)

const (
	bins = 1024 // into which words fall by their checksums

	// Dimensions is the length of a vector: for each bin the mass of the words in it, then for each bin the mass that is content.
	Dimensions = 2 * bins
)

// A Model compares pictures of pages. It is safe for concurrent use.
type Model struct {
	network   network
	head      [features]float32
	headBias  float32
	threshold float64
}

//go:embed weights.bin
var embedded []byte

// Load returns the model whose weights are part of the program.
func Load() (*Model, error) { return Parse(embedded) }

// Vector turns the picture of a whole page into a vector of [Dimensions] numbers, none below 0. The picture is 2 to 4,096 pixels wide, and of
// its rows the first 16,384 count; transparency is ignored. Blocks are those of the document, as [BlocksScript] finds them; without any, the
// picture alone says what is content. Vectors can be compared if both were made with blocks, or both without.
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
		bin, mass := w.sum%bins, w.mass()
		vector[bin] += mass
		vector[bins+bin] += mass * content[grid.placeOf(w)]
	}
	return vector, nil
}

// Distance says how much of the content differs between two pages, from 0 to 1. It is the same in both directions. Both vectors must have
// [Dimensions] numbers; else the answer is NaN, as of vectors of another model.
func (m *Model) Distance(a, b []float32) float64 {
	if len(a) != Dimensions || len(b) != Dimensions {
		return math.NaN()
	}
	sum := float64(m.headBias)
	for n, feature := range difference(a, b) {
		sum += feature * float64(m.head[n])
	}
	return 1 / (1 + math.Exp(-sum))
}

// Important says whether a distance is that of an important change: whether it is at least the threshold with the best balance of precision
// and recall on the sites of the training.
func (m *Model) Important(distance float64) bool { return distance >= m.threshold }

// Threshold is the least distance that is important.
func (m *Model) Threshold() float64 { return m.threshold }

const features = 4

// difference returns what the distance is made of: the log of the content that changed, of the rest that changed, the share of the content
// that changed, and the log of the content there is.
func difference(a, b []float32) [features]float64 {
	var changed, every, contentA, contentB float64
	for n := range bins {
		all := math.Abs(float64(a[n] - b[n]))
		every += all
		changed += min(all, math.Abs(float64(a[bins+n]-b[bins+n])))
		contentA += float64(a[bins+n])
		contentB += float64(b[bins+n])
	}
	size := max(contentA, contentB)
	return [features]float64{math.Log(changed + least), math.Log(every - changed + least), changed / (size + 1), math.Log(size + 1)}
}

const least = 0.05 // of a word's mass, so that no change has a logarithm
