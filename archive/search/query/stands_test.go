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

func TestWhatABeginningFits(t *testing.T) {
	c := Clause{Match: Prefix, Words: []string{"zur"}, Forms: []string{"zür"}}
	for word, want := range map[string]bool{"zur": true, "zurück": true, "zürich": true, "zug": false, "zü": false} {
		if got := c.Fits(word); got != want {
			t.Errorf("%s: %t", word, got)
		}
	}
}
