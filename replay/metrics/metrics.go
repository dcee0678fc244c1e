// Package metrics has the metrics of a server in the form of Prometheus: what it answered, and how its index, its searches, what it stands
// on, and the crawls that it shows are doing.
//
// docs/deploy has a dashboard and alert rules for them.
package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are those of a server.
type Metrics struct {
	registry prometheus.Registerer
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	handler  http.Handler
}

// New returns metrics of requests, of Go and of the process.
func New() *Metrics {
	registry := prometheus.NewRegistry()
	return within(registry, promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
}

func within(registry prometheus.Registerer, handler http.Handler) *Metrics {
	m := &Metrics{
		registry: registry, handler: handler,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "varve_http_requests_total", Help: "Requests answered, by route and status.",
		}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "varve_http_request_seconds", Help: "Time to answer a request, by route.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 9),
		}, []string{"route"}),
	}
	registry.MustRegister(m.requests, m.seconds)
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// ServeHTTP answers with all metrics.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.handler.ServeHTTP(w, r) }

// Count counts a request. There have to be few routes.
func (m *Metrics) Count(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// A family has metrics that are worked out when they are asked for. It implements [prometheus.Collector].
type family struct {
	descs   []*prometheus.Desc
	collect func(out chan<- prometheus.Metric)
}

func (f *family) add(name, help string, labels ...string) *prometheus.Desc {
	d := prometheus.NewDesc("varve_"+name, help, labels, nil)
	f.descs = append(f.descs, d)
	return d
}

func (f *family) Describe(out chan<- *prometheus.Desc) {
	for _, d := range f.descs {
		out <- d
	}
}

func (f *family) Collect(out chan<- prometheus.Metric) { f.collect(out) }

func gauge[N int | int64 | float64](d *prometheus.Desc, n N, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), labels...)
}

func counter[N int | int64 | float64](d *prometheus.Desc, n N, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
}
