package replay

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/internal/loadlimit"
)

// searchMetrics say how far the search of each collection is built, and how long building has waited for requests.
type searchMetrics struct {
	archive  *archive.Archive
	searches *searches.Searches
	gate     *loadlimit.Gate

	pages, done, building, shown, shards, waited *prometheus.Desc
}

// searches adds the metrics of the searches of an archive. gate may be nil.
func (m *metrics) searches(a *archive.Archive, of *searches.Searches, gate *loadlimit.Gate) {
	if !of.Exist() {
		return
	}
	by := []string{"collection"}
	m.registry.MustRegister(&searchMetrics{
		archive: a, searches: of, gate: gate,
		pages:    prometheus.NewDesc("varve_search_pages", "Pages that the search should know.", by, nil),
		done:     prometheus.NewDesc("varve_search_pages_done", "Pages that the search knows as they are.", by, nil),
		building: prometheus.NewDesc("varve_search_building", "Whether the search is being built.", by, nil),
		shown:    prometheus.NewDesc("varve_search_shards_shown", "Shards of a shared search that this server answers from.", by, nil),
		shards:   prometheus.NewDesc("varve_search_shards", "Shards of a shared search.", by, nil),
		waited:   prometheus.NewDesc("varve_search_waited_seconds_total", "Time that building searches stood back for requests.", nil, nil),
	})
}

// Describe implements [prometheus.Collector].
func (m *searchMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.pages, m.done, m.building, m.shown, m.shards, m.waited} {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (m *searchMetrics) Collect(out chan<- prometheus.Metric) {
	for _, coll := range m.archive.Index.Collections() {
		search, err := m.searches.Of(coll)
		if errors.Is(err, searches.ErrNoSearch) {
			continue
		}
		if err != nil {
			out <- prometheus.NewInvalidMetric(m.pages, err)
			continue
		}
		gauge := func(d *prometheus.Desc, n int64) {
			out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), coll)
		}
		building := int64(0)
		if state, err := search.State(context.Background()); err != nil || state.Building || search.Progress.Running.Load() {
			building = 1
		}
		gauge(m.pages, search.Progress.Pages.Load())
		gauge(m.done, search.Progress.Done.Load())
		gauge(m.building, building)
		if shown, all := search.ShardsShown(); all > 0 {
			gauge(m.shown, int64(shown))
			gauge(m.shards, int64(all))
		}
	}
	if m.gate != nil {
		out <- prometheus.MustNewConstMetric(m.waited, prometheus.CounterValue, m.gate.Waited().Seconds())
	}
}
