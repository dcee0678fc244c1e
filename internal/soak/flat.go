package main

import (
	"fmt"
	"slices"
)

// A series is one number over time, and how far it may rise.
type series struct {
	name   string
	values []float64
	// slack is how much the median of the last quarter may exceed that of the second, in addition to a tenth of that.
	slack float64
}

// tenth is the share by which a series may rise.
const tenth = 0.1

// minValues is how many values a series needs: a quarter of fewer says nothing.
const minValues = 40

// rise returns how much a series rose, and the reason if that is too much. Values before the second quarter are warm-up.
func (s *series) rise() (before, after float64, verdict string) {
	n := len(s.values)
	if n < minValues {
		return 0, 0, fmt.Sprintf("only %d values, %d are needed", n, minValues)
	}
	before, after = median(s.values[n/4:n/2]), median(s.values[n-n/4:])
	if limit := before*(1+tenth) + s.slack; after > limit {
		return before, after, fmt.Sprintf("rises beyond %.4g", limit)
	}
	return before, after, ""
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// A rest is a measurement while no client asks, after the warm-up and at the end.
type rest struct {
	name          string
	before, after float64
	slack         float64 // by how much it may be more
}

func (r *rest) verdict() string {
	if r.after > r.before+r.slack {
		return fmt.Sprintf("more than %g are left behind", r.slack)
	}
	return ""
}
