package archive_test

import (
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/search"
)

// A query of changes is corrected as it was typed, word by word.
func TestCorrectPhrases(t *testing.T) {
	shelf := archivetest.Keep(t,
		on("2020", page, "<p>air pollution and smoke"), on("2021", page, "<p>air and smoke"), on("2022", page, "<p>pollutant, clean"),
		on("2023", page, "<p>soil pollution"),
	)
	s := over(t, archive.Config{Index: shelf.Index, Records: shelf, SearchDir: t.TempDir()})
	defer s.CloseSearch()
	if _, err := s.BuildSearch(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	of, err := s.Search("web")
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
