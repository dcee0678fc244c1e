package answers_test

import (
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
)

// A query of changes is corrected as it was typed, word by word.
func TestCorrectPhrases(t *testing.T) {
	const page = "http://a.example/page"
	shelf := archivetest.Keep(t,
		archivetest.On("2020", page, "<p>air pollution and smoke"),
		archivetest.On("2021", page, "<p>air and smoke"),
		archivetest.On("2022", page, "<p>pollutant, clean"),
		archivetest.On("2023", page, "<p>soil pollution"),
	)
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	s := searches.New(searches.Config{Archive: a, Dir: t.TempDir()})
	defer s.Close()
	if _, err := s.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	of, err := s.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string]string{
		"polution": "pollution", "polltion": "pollution", `"air polution"`: `"air pollution"`, "pollution": "", "smoke": "", "xyzzy": "",
		"ar": "", "smoke polution": "smoke pollution",
	} {
		query, err := search.Parse(q)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := of.CorrectPhrases(t.Context(), query); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", q, got, err, want)
		}
	}
}
