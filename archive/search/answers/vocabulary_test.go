package answers_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/searches"
)

// Queries are completed with words, and with titles as phrases; what nothing begins with is corrected.
func TestComplete(t *testing.T) {
	const north, south = `"water mills of the north"`, `"water mills of the south"`
	of := collection(t,
		archivetest.On("2019", "http://a.example/one", "<title>Water mills of the north</title><p>water turns the wheel"),
		archivetest.On("2020", "http://a.example/two", "<title>Water mills of the south</title><p>watermarks and pollution"),
		archivetest.On("2021", "http://a.example/three", "<title>Water mills of the north</title><p>again"),
		archivetest.On("2022", "http://a.example/four", "<title>Washing day</title><p>wash"),
	)
	for _, tt := range []struct {
		typed string
		n     int
		want  []string
	}{
		{"water", 9, []string{"water", "watermarks", north, south}},
		{"water", 3, []string{"water", north, south}},
		{"water", 2, []string{north, south}},
		{"water", 1, []string{north}},
		{"wa", 9, []string{"water", "wash", "washing", "watermarks", `"washing day"`, north, south}}, // of all words that begin so
		{"watr", 9, []string{"water", "watermarks", north, south}},
		{"polution", 9, []string{"pollution"}},
		{"mill", 9, []string{"mills"}},
		{"polution xyzzy", 9, []string{"pollution xyzzy"}},
		{"xyzzy", 9, nil},
		{"", 9, nil},
	} {
		got, err := of.Complete(t.Context(), tt.typed, tt.n)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %s %v", tt.typed, diff, err)
		}
	}
}

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

// Where the vocabulary can't be read, nothing is corrected or completed, and that is an error; the next question reads it anew.
func TestAVocabularyThatCannotBeRead(t *testing.T) {
	of := collection(t, archivetest.On("2019", "http://a.example/one", "<p>water turns the wheel"))
	ended, end := context.WithCancel(t.Context())
	end()
	phrase, err := search.Parse("watr")
	if err != nil {
		t.Fatal(err)
	}
	asked, err := of.Parse("watr")
	if err != nil {
		t.Fatal(err)
	}
	if better, ok, err := of.Correct(ended, asked); err == nil || ok || better.String() != asked.String() {
		t.Errorf("corrected to %q, %t, %v", better, ok, err)
	}
	if better, err := of.CorrectPhrases(ended, phrase); err == nil || better != "" {
		t.Errorf("corrected to %q, %v", better, err)
	}
	if got, err := of.Complete(ended, "wat", 9); err == nil || got != nil {
		t.Errorf("completed to %q, %v", got, err)
	}
	if better, ok, err := of.Correct(t.Context(), asked); err != nil || !ok || better.String() != "water" {
		t.Errorf("then corrected to %q, %t, %v", better, ok, err)
	}
}
