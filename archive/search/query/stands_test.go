package query

import (
	"strings"
	"testing"
)

func TestWhereAClauseStands(t *testing.T) {
	c := Clause{Words: []string{"river", "gauge"}, Or: [][]string{{"water", "mark"}, nil}, Forms: []string{"gauges"}}
	for text, want := range map[string]string{
		"the river gauge": ".x.", "river": ".", "gauge river": "..", "river river gauge": ".x.", "a water mark": ".x.", "old gauges": ".x",
	} {
		words, got := strings.Fields(text), ""
		for at := range words {
			if c.StandsAt(words, at) {
				got += "x"
			} else {
				got += "."
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
