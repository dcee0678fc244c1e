package replay

import (
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/varve-archive/varve/gather/runs"
)

// mostCrawls is how many crawls have metrics, those that were heard of last: each has a dozen time series.
const mostCrawls = 50

// crawlMetrics say how far crawls are. Of what sites answer they have classes of status codes alone, of which there are few.
type crawlMetrics struct {
	folder runs.Folder
	hidden func(*runs.Run) bool // what readers are not to know of

	state, pages, docs, parts, bytes, seconds, skipped, answers *prometheus.Desc
}

// crawls adds the metrics of the crawls in a folder, but for hidden ones.
func (m *metrics) crawls(folder runs.Folder, hidden func(*runs.Run) bool) {
	of := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("varve_crawl_"+name, help, append([]string{"crawl"}, labels...), nil)
	}
	m.registry.MustRegister(&crawlMetrics{
		folder:  folder,
		hidden:  hidden,
		state:   of("state", "1 for the state in which a crawl is.", "state"),
		pages:   of("pages_total", "Answers to requests for pages that are no redirects."),
		docs:    of("documents_total", "Pages from which a template took something."),
		parts:   of("parts_total", "Images, styles and the like."),
		bytes:   of("bytes_total", "Bytes of answers."),
		seconds: of("seconds_total", "Time that a crawl has run, without pauses."),
		skipped: of("skipped_total", "Addresses that were left out.", "reason"),
		answers: of("answers_total", "Answers by the class of their status.", "status"),
	})
}

// Describe implements [prometheus.Collector].
func (m *crawlMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.state, m.pages, m.docs, m.parts, m.bytes, m.seconds, m.skipped, m.answers} {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (m *crawlMetrics) Collect(out chan<- prometheus.Metric) {
	all, _ := m.folder.All() // what can't be read is logged when it is looked at
	all = slices.DeleteFunc(all, func(r runs.Run) bool { return m.hidden(&r) })
	slices.SortStableFunc(all, func(a, b runs.Run) int { return b.Written.Compare(a.Written) })
	for i := range all[:min(len(all), mostCrawls)] {
		m.collect(&all[i], out)
	}
}

func (m *crawlMetrics) collect(r *runs.Run, out chan<- prometheus.Metric) {
	send := func(d *prometheus.Desc, n float64, labels ...string) {
		kind := prometheus.CounterValue
		if d == m.state {
			kind = prometheus.GaugeValue
		}
		out <- prometheus.MustNewConstMetric(d, kind, n, append([]string{r.Name}, labels...)...)
	}
	send(m.state, 1, string(r.State))
	send(m.pages, float64(r.Pages))
	send(m.docs, float64(r.Docs))
	send(m.parts, float64(r.Parts))
	send(m.bytes, float64(r.Bytes))
	send(m.seconds, r.Seconds)
	for _, reason := range slices.Sorted(maps.Keys(r.Skipped)) {
		send(m.skipped, float64(r.Skipped[reason]), reason)
	}
	classes := map[string]int64{}
	for code, n := range r.Status {
		classes[classOf(code)] += n
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		send(m.answers, float64(classes[class]), class)
	}
}

// classOf returns the class of a status code: 2xx, or "other" for what has none.
func classOf(code string) string {
	if len(code) == 3 && code[0] >= '1' && code[0] <= '5' {
		return code[:1] + "xx"
	}
	return "other"
}
