package answers_test

import (
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/searches"
)

func TestAnswersAboutTermsAreKeptUntilABuild(t *testing.T) {
	shelf := archivetest.Keep(t,
		archivetest.Record{Date: "2020", URI: "http://a.example/", Body: "<p>one mill"},
		archivetest.Record{Date: "2021", URI: "http://a.example/", Body: "<p>one house"})
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	s := searches.New(searches.Config{Archive: a, Dir: t.TempDir()})
	defer s.Close()
	if _, err := s.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	cs, err := s.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	kept := func() bool {
		t.Helper()
		a, err := cs.CountOnce(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b, err := cs.CountOnce(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return a == b
	}
	cs.Progress.Running.Store(true)
	if kept() {
		t.Error("an answer from the middle of a build is kept")
	}
	cs.Progress.Running.Store(false)
	if !kept() {
		t.Error("an answer is counted twice")
	}
	before, _ := cs.CountOnce(t.Context())
	if _, err := s.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	if after, _ := cs.CountOnce(t.Context()); after == before {
		t.Error("an answer outlives a build")
	}
}
