package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
)

// magic is the beginning of a file of weights. It is followed by the number of tensors (uint32), the tensors, and the CRC-32 (IEEE) of
// everything before it. A tensor is the length of its name (uint8), its name, its number of values (uint32), and the values (float32).
// Numbers are little-endian; matrices are stored by rows, in PyTorch's order of dimensions.
const magic = "varve-visual-2\n"

// Parse reads weights as tools/train/export.py writes them. The error says what is wrong with a damaged file.
func Parse(file []byte) (*Model, error) {
	tensors, err := readTensors(file)
	if err != nil {
		return nil, fmt.Errorf("model: weights: %w", err)
	}
	m := &Model{}
	m.network.steps = make([]step, len(dilations()))
	if err := tensors.into(m.destinations()); err != nil {
		return nil, fmt.Errorf("model: weights: %w", err)
	}
	return m, nil
}

type tensors map[string][]float32

func readTensors(file []byte) (tensors, error) {
	if len(file) < len(magic)+8 || string(file[:len(magic)]) != magic {
		return nil, fmt.Errorf("%d bytes that do not begin with %q", len(file), magic)
	}
	end := len(file) - 4
	if want, is := binary.LittleEndian.Uint32(file[end:]), crc32.ChecksumIEEE(file[:end]); want != is {
		return nil, fmt.Errorf("the checksum is %08x, but the file says %08x", is, want)
	}
	r := &reader{left: file[len(magic):end]}
	found := tensors{}
	for range r.uint32() {
		name := string(r.take(int(r.uint8())))
		numbers := r.floats(int(r.uint32()))
		if r.short {
			return nil, fmt.Errorf("the file ends within tensor %d, %q", len(found), name)
		}
		if _, twice := found[name]; twice {
			return nil, fmt.Errorf("tensor %q is there twice", name)
		}
		found[name] = numbers
	}
	if len(r.left) > 0 {
		return nil, fmt.Errorf("%d bytes behind the last tensor", len(r.left))
	}
	return found, nil
}

// A reader reads numbers from bytes; short says that there were too few.
type reader struct {
	left  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if r.short || n > len(r.left) {
		r.short = true
		return nil
	}
	taken := r.left[:n]
	r.left = r.left[n:]
	return taken
}

func (r *reader) uint8() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) floats(n int) []float32 {
	if n > len(r.left)/4 {
		r.short = true
		return nil
	}
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = math.Float32frombits(r.uint32())
	}
	return numbers
}

// A destination is the place for the values of a tensor.
type destination struct {
	count int
	put   func(n int, v float32)
}

// destinations maps the names of tensors in model.py to their places in the model.
func (m *Model) destinations() map[string]destination {
	n, a, h := &m.network, &m.network.attention, &m.head
	all := map[string]destination{
		"enter.weight":          {width * channels, func(i int, v float32) { n.enter[i%channels][i/channels] = v }},
		"enter.bias":            {width, func(i int, v float32) { n.enterBias[i] = v }},
		"attention.down.weight": {squeezed * width, func(i int, v float32) { a.down[i/width][i%width] = v }},
		"attention.down.bias":   {squeezed, func(i int, v float32) { a.downBias[i] = v }},
		"attention.up.weight":   {width * squeezed, func(i int, v float32) { a.up[i/squeezed][i%squeezed] = v }},
		"attention.up.bias":     {width, func(i int, v float32) { a.upBias[i] = v }},
		"leave.weight":          {width, func(i int, v float32) { n.leave[i] = v }},
		"leave.bias":            {1, func(_ int, v float32) { n.leaveBias = v }},
		"direct.weight":         {channels, func(i int, v float32) { n.direct[i] = v }},
		"head.weight":           {features, func(i int, v float32) { h.weight[i] = v }},
		"head.bias":             {1, func(_ int, v float32) { h.bias = v }},
		"bend.0.weight":         {hidden * features, func(i int, v float32) { h.into[i/features][i%features] = v }},
		"bend.0.bias":           {hidden, func(i int, v float32) { h.intoBias[i] = v }},
		"bend.2.weight":         {hidden, func(i int, v float32) { h.out[i] = v }},
		"bend.2.bias":           {1, func(_ int, v float32) { h.outBias = v }},
	}
	for i, dilation := range dilations() {
		s, name := &n.steps[i], fmt.Sprintf("steps.%d.", i)
		s.dilation = dilation
		all[name+"depth.weight"] = destination{width * 9, func(i int, v float32) { s.depth[i%9][i/9] = v }}
		all[name+"depth.bias"] = destination{width, func(i int, v float32) { s.depthBias[i] = v }}
		all[name+"point.weight"] = destination{width * width, func(i int, v float32) { s.point[i%width][i/width] = v }}
		all[name+"point.bias"] = destination{width, func(i int, v float32) { s.pointBias[i] = v }}
	}
	return all
}

// into stores every value in its place.
func (t tensors) into(all map[string]destination) error {
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(all)) {
		to := all[name]
		from, there := t[name]
		switch {
		case !there:
			wrong = append(wrong, fmt.Errorf("tensor %q is missing", name))
		case len(from) != to.count:
			wrong = append(wrong, fmt.Errorf("tensor %q has %d numbers, want %d", name, len(from), to.count))
		}
		for i, v := range from[:min(len(from), to.count)] {
			if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
				return fmt.Errorf("number %d of tensor %q is %v", i, name, v)
			}
			to.put(i, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if _, known := all[name]; !known {
			wrong = append(wrong, fmt.Errorf("tensor %q is not part of the model", name))
		}
	}
	return errors.Join(wrong...)
}
