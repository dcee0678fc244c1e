package archive

import (
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
)

func TestAnswersAboutTermsAreKeptUntilABuild(t *testing.T) {
	shelf := archivetest.Keep(t,
		archivetest.Record{Date: "2020", URI: "http://a.example/", Body: "<p>one mill"},
		archivetest.Record{Date: "2021", URI: "http://a.example/", Body: "<p>one house"})
	s, err := New(Config{Index: shelf.Index, Records: shelf, SearchDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.CloseSearch()
	if _, err := s.BuildSearch(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	cs, err := s.Search("web")
	if err != nil {
		t.Fatal(err)
	}
	req, err := (&TermsQuery{}).request()
	if err != nil {
		t.Fatal(err)
	}
	kept := func() bool {
		t.Helper()
		a, err := cs.countTerms(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		b, err := cs.countTerms(t.Context(), req)
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
	before, _ := cs.countTerms(t.Context(), req)
	if _, err := s.BuildSearch(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	if after, _ := cs.countTerms(t.Context(), req); after == before {
		t.Error("an answer outlives a build")
	}
}
