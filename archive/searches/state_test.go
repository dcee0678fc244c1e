package searches_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/searches"
)

// A search knows whether it lacks what is indexed, whoever opens it; one that may not be built says why it doesn't answer.
func TestStateOfASearch(t *testing.T) {
	shelf, dir := archivetest.Keep(t, edits()...), t.TempDir()
	opened := func(readOnly bool, rules string) *searches.Searches {
		cfg := archive.Config{Index: shelf.Index, Records: shelf, Access: &access.Policy{}}
		if rules != "" {
			cfg.Access.Put(archivetest.Rules(t, rules))
		}
		s := over(t, cfg, searches.Config{Dir: dir, ReadOnly: readOnly})
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	check := func(when string, s *searches.Searches, want answers.State) {
		t.Helper()
		for range 2 { // it is asked again only after a change
			got, err := s.State(t.Context())
			lacks, failed := s.Lacks(t.Context(), "web")
			if err != nil || failed != nil || got != want || lacks != want.Building {
				t.Errorf("%s: %+v, lacks %t, %v, want %+v", when, got, lacks, errors.Join(err, failed), want)
			}
		}
	}
	refused := func(when string, s *searches.Searches) {
		t.Helper()
		var say *searches.NoSearchError
		if _, err := s.Of("web"); !errors.As(err, &say) || !errors.Is(err, searches.ErrNoSearch) {
			t.Errorf("%s: %v", when, err)
		}
	}
	refused("never built", opened(true, ""))
	s := opened(false, "")
	check("before it is built", s, answers.State{Building: true})
	build(t, s)
	check("built", s, answers.State{Pages: 2, Searched: 2})
	shelf.Add(t, on("2021", "http://c.example/", fog+"<p>River."))
	check("a page more", s, answers.State{Pages: 2, Searched: 2, Building: true})
	build(t, s)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, rebuild := range []bool{false, true} { // neither leaves a search that has what rules exclude, so it answers
		if _, err := s.Build(stopped, "web", rebuild, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
		if _, err := s.Of("web"); err != nil {
			t.Errorf("after a build that was stopped: %v", err)
		}
	}
	check("emptied to be built anew", s, answers.State{Pages: 3, Building: true})
	build(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = opened(true, "")
	check("opened again", s, answers.State{Pages: 3, Searched: 3})
	if n := hits(t, s, "web", "lakes"); n != 2 {
		t.Errorf("opened again: %d hits", n)
	}
	shelf.Add(t, on("2022", "http://c.example/", fog+"<p>Lake."))
	s.Keep(t.Context()) // returns at once
	check("a version more", s, answers.State{Pages: 3, Searched: 3, Building: true})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	refused("under other rules", opened(true, `rules: [{url: "http://a.example/", access: exclude}]`))
}

// An archive without searches has none, whatever lies in the folder in which the server was started.
func TestAnArchiveWithoutSearches(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.Mkdir("web", 0o755), os.WriteFile(filepath.Join("web", "file"), []byte("a file"), 0o600)); err != nil {
		t.Fatal(err)
	}
	s, _ := open(t, edits()...)
	_, err := s.Of("web")
	state, failed := s.State(t.Context())
	if !errors.Is(err, searches.ErrNoSearch) || failed != nil || state != (answers.State{}) || s.Exist() || s.Size("web") != 0 {
		t.Errorf("%v, %+v, %v, exist %t, %d bytes", err, state, failed, s.Exist(), s.Size("web"))
	}
	if _, err := s.Build(t.Context(), "web", false, nil); err == nil {
		t.Error("one is built")
	}
	s.Keep(t.Context()) // returns at once
}
