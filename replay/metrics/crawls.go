package metrics

import (
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/varve-archive/varve/gather/runs"
)

// maxCrawls is how many crawls have metrics, those that were heard of last: each has a dozen time series.
const maxCrawls = 50

// Crawls adds how far the crawls in a folder are, but for hidden ones. Of what sites answer they have classes of status codes alone, of
// which there are few.
func (m *Metrics) Crawls(folder runs.Folder, hidden func(*runs.Run) bool) {
	f := &family{}
	state := f.add("crawl_state", "1 for the state in which a crawl is.", "crawl", "state")
	pages := f.add("crawl_pages_total", "Answers to requests for pages that are no redirects.", "crawl")
	docs := f.add("crawl_documents_total", "Pages from which a template took something.", "crawl")
	parts := f.add("crawl_parts_total", "Images, styles and the like.", "crawl")
	size := f.add("crawl_bytes_total", "Bytes of answers.", "crawl")
	seconds := f.add("crawl_seconds_total", "Time that a crawl has run, without pauses.", "crawl")
	skipped := f.add("crawl_skipped_total", "Addresses that were left out.", "crawl", "reason")
	answers := f.add("crawl_answers_total", "Answers by the class of their status.", "crawl", "status")
	f.collect = func(out chan<- prometheus.Metric) {
		all, _ := folder.All() // what can't be read is logged when it is looked at
		all = slices.DeleteFunc(all, func(r runs.Run) bool { return hidden(&r) })
		slices.SortStableFunc(all, func(a, b runs.Run) int { return b.Written.Compare(a.Written) })
		for _, r := range all[:min(len(all), maxCrawls)] {
			out <- gauge(state, 1, r.Name, string(r.State))
			out <- counter(pages, r.Pages, r.Name)
			out <- counter(docs, r.Docs, r.Name)
			out <- counter(parts, r.Parts, r.Name)
			out <- counter(size, r.Bytes, r.Name)
			out <- counter(seconds, r.Seconds, r.Name)
			for _, reason := range slices.Sorted(maps.Keys(r.Skipped)) {
				out <- counter(skipped, r.Skipped[reason], r.Name, reason)
			}
			classes := map[string]int64{}
			for code, n := range r.Status {
				classes[classOf(code)] += n
			}
			for _, class := range slices.Sorted(maps.Keys(classes)) {
				out <- counter(answers, classes[class], r.Name, class)
			}
		}
	}
	m.registry.MustRegister(f)
}

// classOf returns the class of a status code: 2xx, or "other" for what has none.
func classOf(code string) string {
	if len(code) == 3 && code[0] >= '1' && code[0] <= '5' {
		return code[:1] + "xx"
	}
	return "other"
}
