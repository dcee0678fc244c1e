package model

import "math"

const (
	width    = 16 // channels inside the network
	squeezed = 4  // channels inside the attention
)

// dilations returns the distance of the points of each convolution.
func dilations() []int { return []int{1, 2, 4} }

// A network computes for each place of a map how likely it belongs to the content.
type network struct {
	enter     [channels][width]float32 // by input
	enterBias [width]float32
	steps     []step
	attention attention
	leave     [width]float32
	leaveBias float32
	direct    [channels]float32 // shortcut from the map to the output
}

// A step is a depthwise 3 x 3 convolution followed by a 1 x 1 convolution, added to its input.
type step struct {
	dilation  int
	depth     [9][width]float32 // by point
	depthBias [width]float32
	point     [width][width]float32 // by input
	pointBias [width]float32
}

// attention scales the channels by an MLP over their averages and maxima.
type attention struct {
	down     [squeezed][width]float32
	downBias [squeezed]float32
	up       [width][squeezed]float32
	upBias   [width]float32
}

type inner = [width]float32

// content returns how much each place belongs to the content, from 0 to 1.
func (n *network) content(g *grid) []float32 {
	x := make([]inner, g.rows*g.columns)
	for place := range x {
		x[place] = n.entered(g.at[place*channels : (place+1)*channels])
	}
	next := make([]inner, len(x))
	for s := range n.steps {
		n.steps[s].apply(next, x, g.rows, g.columns)
		x, next = next, x
	}
	scale := n.attention.scale(x)
	for c := range scale {
		scale[c] *= n.leave[c]
	}
	weights := make([]float32, len(x))
	for place := range x {
		sum := n.leaveBias
		for c, v := range &x[place] {
			sum += v * scale[c]
		}
		for c, v := range g.at[place*channels : (place+1)*channels] {
			sum += v * n.direct[c]
		}
		weights[place] = sigmoid(sum)
	}
	return weights
}

func (n *network) entered(place []float32) inner {
	sum := n.enterBias
	for channel, v := range place {
		if v == 0 {
			continue // as for most kinds of blocks at most places
		}
		for c, w := range &n.enter[channel] {
			sum[c] += v * w
		}
	}
	return relu(sum)
}

// apply sets next to the result of the step for x. Points beyond the edge have the values of the edge.
func (s *step) apply(next, x []inner, rows, columns int) {
	for row := range rows {
		for column := range columns {
			sum := s.depthBias
			for point := range 9 {
				r := min(rows-1, max(0, row+(point/3-1)*s.dilation))
				c := min(columns-1, max(0, column+(point%3-1)*s.dilation))
				from, weight := &x[r*columns+c], &s.depth[point]
				for channel := range sum {
					sum[channel] += from[channel] * weight[channel]
				}
			}
			place := row*columns + column
			mixed := s.mixed(&sum)
			for channel, v := range &x[place] {
				mixed[channel] += v
			}
			next[place] = mixed
		}
	}
}

func (s *step) mixed(x *inner) inner {
	sum := s.pointBias
	for channel, v := range x {
		weight := &s.point[channel]
		for c := range sum {
			sum[c] += v * weight[c]
		}
	}
	return relu(sum)
}

// scale returns the factor of each channel.
func (a *attention) scale(x []inner) inner {
	var average [width]float64
	largest := x[0]
	for place := range x {
		for c, v := range &x[place] {
			average[c] += float64(v)
			largest[c] = max(largest[c], v)
		}
	}
	var mean inner
	for c := range mean {
		mean[c] = float32(average[c] / float64(len(x)))
	}
	left, right := a.mlp(&mean), a.mlp(&largest)
	for c := range left {
		left[c] = sigmoid(left[c] + right[c])
	}
	return left
}

func (a *attention) mlp(x *inner) inner {
	out := a.upBias
	for s := range a.down {
		sum := a.downBias[s]
		for c, v := range x {
			sum += v * a.down[s][c]
		}
		for c := range out {
			out[c] += max(0, sum) * a.up[c][s]
		}
	}
	return out
}

func relu(x inner) inner {
	for c := range x {
		x[c] = max(0, x[c])
	}
	return x
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
