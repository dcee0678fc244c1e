package metrics

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/varve-archive/varve/gather/follow/status"
)

// Follow adds how those who follow sources in a folder do, but for hidden ones: how late what is published is captured, and for how many
// requests.
func (m *Metrics) Follow(folder status.Folder, hidden func(*status.Status) bool) {
	f := &family{}
	add := func(name, help string) *prometheus.Desc { return f.add("follow_"+name, help, "follow") }
	sources := add("sources", "Sources that are followed.")
	waiting := add("waiting_pages", "Pages that are to be visited.")
	requests := add("requests_total", "Requests to the live web.")
	size := add("bytes_total", "Bytes of answers.")
	polls := add("polls_total", "Requests to sources.")
	useful := add("useful_polls_total", "Requests to sources that found something new.")
	news := add("new_total", "Entries and pages that were new.")
	changed := add("changed_total", "Entries and pages that were known, and changed.")
	pushed := add("pushed_total", "Deliveries and pings that counted.")
	forged := add("forged_total", "Deliveries and pings that did not.")
	lag := add("lag_seconds", "From published to captured.")
	f.collect = func(out chan<- prometheus.Metric) {
		all, _ := folder.All() // what can't be read has no metrics
		all = slices.DeleteFunc(all, func(s status.Status) bool { return hidden(&s) })
		slices.SortStableFunc(all, func(a, b status.Status) int { return b.Written.Compare(a.Written) })
		for _, s := range all[:min(len(all), maxCrawls)] {
			out <- gauge(sources, len(s.Sources), s.Name)
			out <- gauge(waiting, s.Waiting, s.Name)
			out <- counter(requests, s.Totals.Requests, s.Name)
			out <- counter(size, s.Totals.Bytes, s.Name)
			out <- counter(polls, s.Polls, s.Name)
			out <- counter(useful, s.Useful, s.Name)
			out <- counter(news, s.New, s.Name)
			out <- counter(changed, s.Changed, s.Name)
			out <- counter(pushed, s.Pushed, s.Name)
			out <- counter(forged, s.Forged, s.Name)
			out <- lagHistogram(lag, &s)
		}
	}
	m.registry.MustRegister(f)
}

// lagHistogram is the histogram of how late what is published was captured: up to 1, 2, 4, … seconds.
func lagHistogram(d *prometheus.Desc, s *status.Status) prometheus.Metric {
	buckets, sum, limit := map[float64]uint64{}, uint64(0), 1.0
	for _, n := range s.Lag.Buckets[:len(s.Lag.Buckets)-1] {
		sum += uint64(max(n, 0))
		buckets[limit] = sum
		limit *= 2
	}
	return prometheus.MustNewConstHistogram(d, uint64(max(s.Lag.Count, 0)), s.Lag.Sum, buckets, s.Name)
}
