package main

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strings"
	"testing"
)

func TestNoCorpusIsSaidPlainly(t *testing.T) {
	if err := run("varve", t.TempDir(), io.Discard); !errors.Is(err, errNoCorpus) {
		t.Errorf("got %v, want %v", err, errNoCorpus)
	}
}

func TestScores(t *testing.T) {
	var s score
	for range 3 {
		s.add(true, true)
	}
	s.add(true, false)
	s.add(false, true)
	s.add(false, false)
	s.wall(true)
	s.wall(false)
	if s.precision() != 0.75 || s.recall() != 0.75 || s.wallsOf() != "1 of 2" {
		t.Errorf("precision %v, recall %v, walls %q", s.precision(), s.recall(), s.wallsOf())
	}
}

func TestWhatTheTruthSays(t *testing.T) {
	yes, no := true, false
	for _, test := range []struct {
		name string
		v    capture
		want *bool
	}{
		{"a page of the live web that changed", capture{Shown: &yes, Change: &yes}, &yes},
		{"a page of the live web of which nobody knows", capture{Shown: &yes}, nil},
		{"the own text of a page of a site", capture{TextChanged: &yes, MainChanged: &yes}, &yes},
		{"nothing of it", capture{TextChanged: &no, MainChanged: &no}, &no},
		{"the furniture alone", capture{TextChanged: &yes, MainChanged: &no}, nil},
		{"perhaps the furniture alone", capture{TextChanged: &yes, MainChanged: &yes, FurnitureMaybe: true}, nil},
		{"the first capture", capture{}, nil},
	} {
		got := test.v.change()
		if (got == nil) != (test.want == nil) || got != nil && *got != *test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestSimHashMovesWithTheText(t *testing.T) {
	page := `<title>Tides</title><script>var no = 1</script><p>`
	for day := range 4000 {
		page += fmt.Sprintf("high water on day%d ", day)
	}
	a := read([]byte(page + `</p>`))
	if near, _ := read([]byte(page + `and a seal</p>`)).changed(a); near {
		t.Error("three words in thousands moved it by more than three bits")
	}
	other := read([]byte(`<p>The ferry is late because of the fog over the northern islands and will not call there today</p>`))
	if far, own := other.changed(a); !far || !own {
		t.Errorf("another text: SimHash %v, own text %v, distance %d", far, own, bits.OnesCount64(a.simHash^other.simHash))
	}
	if strings.Contains(strings.Join(visibleWords([]byte(page)), " "), "var") {
		t.Error("a script was read")
	}
}
