package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kv"
)

// A Foundation is what a server stands on. Any of its functions may be nil.
type Foundation struct {
	Needs   func() map[string]bool // whether each of them is met, by name
	Pools   func() []kv.Pool       // of connections to the database of the index
	Storage func() s3.Counts
	Ranges  func() (hits, misses int64) // of ranges of remote files
}

// Index adds what an index has: files and captures by collection, and when one was indexed last.
func (m *Metrics) Index(x *index.Index) {
	f := &family{}
	files := f.add("index_files", "Files that the index knows: done, or begun and not at their end.", "collection", "state")
	captures := f.add("index_captures", "Captures indexed.", "collection")
	damaged := f.add("index_damaged", "Damaged places that were met while indexing.", "collection")
	last := f.add("index_last_timestamp_seconds", "When a file was indexed last, in Unix time.", "collection")
	f.collect = func(out chan<- prometheus.Metric) {
		counts := map[string]*fileCounts{}
		for _, file := range x.Files() {
			c := counts[file.Collection]
			if c == nil {
				c = &fileCounts{}
				counts[file.Collection] = c
			}
			c.add(&file)
		}
		for coll, c := range counts {
			out <- gauge(files, c.done, coll, "done")
			out <- gauge(files, c.begun, coll, "begun")
			out <- gauge(captures, c.captures, coll)
			out <- gauge(damaged, c.damaged, coll)
			out <- gauge(last, c.last.Unix(), coll)
		}
	}
	m.registry.MustRegister(f)
}

type fileCounts struct {
	done, begun       int
	captures, damaged int64
	last              time.Time
}

func (c *fileCounts) add(f *index.File) {
	if f.Done {
		c.done++
	} else {
		c.begun++
	}
	c.captures, c.damaged = c.captures+f.Captures, c.damaged+f.Damaged
	if f.Indexed.After(c.last) {
		c.last = f.Indexed
	}
}

// Foundation adds what a server stands on.
func (m *Metrics) Foundation(of Foundation) {
	f := &family{}
	need := f.add("need_met", "Whether something that the server needs can be reached.", "need")
	connections := f.add("database_connections", "Connections to the database of the index.", "pool", "state")
	limit := f.add("database_connections_limit", "Most connections of a pool.", "pool")
	waits := f.add("database_waits_total", "How often a connection was waited for.", "pool")
	waited := f.add("database_waited_seconds_total", "How long connections were waited for.", "pool")
	requests := f.add("storage_requests_total", "Requests to object storage.", "method")
	failures := f.add("storage_failures_total", "Requests to object storage without an answer, or answered with 429 or 5xx.")
	received := f.add("storage_received_bytes_total", "Bytes of answers of object storage.")
	ranges := f.add("range_cache_requests_total", "Ranges of remote files that were asked for.", "result")
	f.collect = func(out chan<- prometheus.Metric) {
		if of.Needs != nil {
			for name, met := range of.Needs() {
				n := 0
				if met {
					n = 1
				}
				out <- gauge(need, n, name)
			}
		}
		if of.Pools != nil {
			for _, p := range of.Pools() {
				out <- gauge(connections, p.Used, p.Name, "used")
				out <- gauge(connections, p.Idle, p.Name, "idle")
				out <- gauge(limit, p.Limit, p.Name)
				out <- counter(waits, p.Waits, p.Name)
				out <- counter(waited, p.Waited.Seconds(), p.Name)
			}
		}
		if of.Storage != nil {
			counts := of.Storage()
			for method, n := range counts.Requests {
				out <- counter(requests, n, method)
			}
			out <- counter(failures, counts.Failures)
			out <- counter(received, counts.Received)
		}
		if of.Ranges != nil {
			hits, misses := of.Ranges()
			out <- counter(ranges, hits, "hit")
			out <- counter(ranges, misses, "miss")
		}
	}
	m.registry.MustRegister(f)
}
