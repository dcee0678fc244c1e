package replay

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/varve-archive/varve/gather/follow/status"
)

// followMetrics say how those who follow sources do: how late what is published is captured, and for how many requests.
type followMetrics struct {
	folder status.Folder
	hidden func(*status.Status) bool // what readers are not to know of

	sources, waiting, requests, bytes, polls, useful, news, changed, pushed, forged, lag *prometheus.Desc
}

// follow adds the metrics of those who follow in a folder, but for hidden ones.
func (m *metrics) follow(folder status.Folder, hidden func(*status.Status) bool) {
	of := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc("varve_follow_"+name, help, []string{"follow"}, nil)
	}
	m.registry.MustRegister(&followMetrics{
		folder: folder, hidden: hidden,
		sources:  of("sources", "Sources that are followed."),
		waiting:  of("waiting_pages", "Pages that are to be visited."),
		requests: of("requests_total", "Requests to the live web."),
		bytes:    of("bytes_total", "Bytes of answers."),
		polls:    of("polls_total", "Requests to sources."),
		useful:   of("useful_polls_total", "Requests to sources that found something new."),
		news:     of("new_total", "Entries and pages that were new."),
		changed:  of("changed_total", "Entries and pages that were known, and changed."),
		pushed:   of("pushed_total", "Deliveries and pings that counted."),
		forged:   of("forged_total", "Deliveries and pings that did not."),
		lag:      of("lag_seconds", "From published to captured."),
	})
}

// Describe implements [prometheus.Collector].
func (m *followMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		m.sources, m.waiting, m.requests, m.bytes, m.polls, m.useful, m.news, m.changed, m.pushed, m.forged, m.lag,
	} {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (m *followMetrics) Collect(out chan<- prometheus.Metric) {
	all, _ := m.folder.All() // what can't be read has no metrics
	all = slices.DeleteFunc(all, func(s status.Status) bool { return m.hidden(&s) })
	slices.SortStableFunc(all, func(a, b status.Status) int { return b.Written.Compare(a.Written) })
	for i := range all[:min(len(all), mostCrawls)] {
		m.collect(&all[i], out)
	}
}

func (m *followMetrics) collect(s *status.Status, out chan<- prometheus.Metric) {
	gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
	for _, v := range []struct {
		of   *prometheus.Desc
		kind prometheus.ValueType
		n    float64
	}{
		{m.sources, gauge, float64(len(s.Sources))},
		{m.waiting, gauge, float64(s.Waiting)},
		{m.requests, counter, float64(s.Totals.Requests)},
		{m.bytes, counter, float64(s.Totals.Bytes)},
		{m.polls, counter, float64(s.Polls)},
		{m.useful, counter, float64(s.Useful)},
		{m.news, counter, float64(s.New)},
		{m.changed, counter, float64(s.Changed)},
		{m.pushed, counter, float64(s.Pushed)},
		{m.forged, counter, float64(s.Forged)},
	} {
		out <- prometheus.MustNewConstMetric(v.of, v.kind, v.n, s.Name)
	}
	buckets, sum, limit := map[float64]uint64{}, uint64(0), 1.0
	for _, n := range s.Lag.Buckets[:len(s.Lag.Buckets)-1] {
		sum += uint64(max(n, 0))
		buckets[limit] = sum
		limit *= 2
	}
	out <- prometheus.MustNewConstHistogram(m.lag, uint64(max(s.Lag.Count, 0)), s.Lag.Sum, buckets, s.Name)
}
