package archive_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/archive/requests"
	"github.com/varve-archive/varve/archive/similar"
)

// A failing index must not look like an archive without captures.
func TestAFailingIndexIsAnError(t *testing.T) {
	questions := map[string]func(s *archive.Archive) error{
		"timeline": func(s *archive.Archive) error {
			_, err := s.Timelines.Get(t.Context(), "web", "example,a)/page")
			return err
		},
		"landing": func(s *archive.Archive) error {
			_, err := landing.Find(t.Context(), s.Timelines, "web", page, at(0))
			return err
		},
		"missing": func(s *archive.Archive) error {
			_, err := landing.Find(t.Context(), s.Timelines, "web", page+"/b?c=1", at(0))
			return err
		},
		"fuzzy": func(s *archive.Archive) error {
			_, _, err := requests.Fuzzy(t.Context(), s, "web", "example,a)/page?_=1", at(0))
			return err
		},
		"similar": func(s *archive.Archive) error {
			_, err := similar.To(t.Context(), s.Timelines, uris, page, at(0), 0, 10)
			return err
		},
		"changes": func(s *archive.Archive) error {
			_, err := s.Timelines.ChangesOf(t.Context(), uris, page, change.LevelContent)
			return err
		},
		"annotate": func(s *archive.Archive) error {
			_, err := s.Timelines.Annotate(t.Context(), "web", "example,a)/page")
			return err
		},
		"duplicates": func(s *archive.Archive) error {
			for _, err := range duplicates.Texts(t.Context(), s, "web", duplicates.Near, false) {
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	text := prose("acid rain harms lakes forests fish soils and stone")
	records := append(days(page, text, "404", ">/other"), days("http://a.example/other", text, prose("snow and ice in winter"))...)
	keeping := []string{"update", "get to update", "commit"} // what was learnt: without it all is learnt again
	for name, ask := range questions {
		t.Run(name, func(t *testing.T) {
			fresh := func(n int) (*archivetest.Shelf, error) { // in which nothing is known yet
				shelf := archivetest.Keep(t, records...)
				shelf.Store.FailAt(n)
				return shelf, ask(over(t, archive.Config{Index: shelf.Index, Records: shelf}))
			}
			shelf, err := fresh(0)
			if err != nil {
				t.Fatal(err)
			}
			steps := shelf.Store.Steps()
			for n := 1; n <= len(steps); n++ {
				if _, err := fresh(n); err == nil && !slices.Contains(keeping, steps[n-1]) {
					t.Errorf("no error when step %d of %d fails: %s", n, len(steps), strconv.Quote(steps[n-1]))
				}
			}
		})
	}
}
