package metrics

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/internal/loadlimit"
)

// Searches adds how far the search of each collection of an archive is built, and how long building has waited for requests. gate may be
// nil.
func (m *Metrics) Searches(a *archive.Archive, of *searches.Searches, gate *loadlimit.Gate) {
	if !of.Exist() {
		return
	}
	f := &family{}
	pages := f.add("search_pages", "Pages that the search should know.", "collection")
	done := f.add("search_pages_done", "Pages that the search knows as they are.", "collection")
	building := f.add("search_building", "Whether the search is being built.", "collection")
	waited := f.add("search_waited_seconds_total", "Time that building searches stood back for requests.")
	f.collect = func(out chan<- prometheus.Metric) {
		for _, coll := range a.Index.Collections() {
			search, err := of.Of(coll)
			if errors.Is(err, searches.ErrNoSearch) {
				continue
			}
			if err != nil {
				out <- prometheus.NewInvalidMetric(pages, err)
				continue
			}
			out <- gauge(pages, search.Progress.Pages.Load(), coll)
			out <- gauge(done, search.Progress.Done.Load(), coll)
			out <- gauge(building, isBuilding(search), coll)
		}
		if gate != nil {
			out <- counter(waited, gate.Waited().Seconds())
		}
	}
	m.registry.MustRegister(f)
}

func isBuilding(s *searches.Collection) int {
	if state, err := s.State(context.Background()); err != nil || state.Building || s.Progress.Running.Load() {
		return 1
	}
	return 0
}
