package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The judge of flatness lets noise and saws pass, and no leak that matters in an hour.
func TestRise(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := func() float64 { return 10 * (random.Float64() - 0.5) }
	for name, tt := range map[string]struct {
		value func(i int) float64
		n     int
		slack float64
		flat  bool
	}{
		"a constant":                     {func(int) float64 { return 100 }, 720, 0, true},
		"noise":                          {func(int) float64 { return 100 + noise() }, 720, 0, true},
		"a saw of the garbage collector": {func(i int) float64 { return 100 + float64(i%37) }, 720, 0, true},
		"warming up":                     {func(i int) float64 { return 100 - 90*math.Exp(-float64(i)/50) }, 720, 0, true},
		"one peak in the end":            {func(i int) float64 { return 100 + 1000*float64(i/719) }, 720, 0, true},
		"a fall":                         {func(i int) float64 { return 1000 - float64(i) }, 720, 0, true},
		"a slow leak":                    {func(i int) float64 { return 100 + float64(i)/20 + noise() }, 720, 0, false},
		"a leak under a saw":             {func(i int) float64 { return 100 + float64(i%37) + float64(i)/15 }, 720, 0, false},
		"a leak in steps":                {func(i int) float64 { return 100 + 30*float64(i/300) }, 720, 0, false},
		"from nothing":                   {func(i int) float64 { return float64(i) }, 720, 0, false},
		"within the slack":               {func(i int) float64 { return float64(i) / 100 }, 720, 5, true},
		"too few values":                 {func(int) float64 { return 100 }, minValues - 1, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := series{name: name, slack: tt.slack}
			for i := range tt.n {
				s.values = append(s.values, tt.value(i))
			}
			if before, after, verdict := s.rise(); (verdict == "") != tt.flat {
				t.Errorf("from %.1f to %.1f: %q", before, after, verdict)
			}
		})
	}
}

func TestRest(t *testing.T) {
	for _, tt := range []struct {
		before, after float64
		ok            bool
	}{{30, 30, true}, {30, 12, true}, {30, 40, true}, {30, 41, false}} {
		r := rest{before: tt.before, after: tt.after, slack: 10}
		if got := r.verdict(); (got == "") != tt.ok {
			t.Errorf("%+v: %q", r, got)
		}
	}
}
