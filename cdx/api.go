package cdx

import (
	"errors"
	"net/http"
)

// An API answers CDX queries as the wayback CDX server does. It is safe for concurrent use.
type API struct {
	source   Source
	annotate Annotator

	// Failed is called with an index error that [API.Serve] met, before the answer ends. It may be nil.
	Failed func(error)
}

// NewAPI returns an API over source. Without an annotator no row has the fields range and change.
func NewAPI(source Source, annotate Annotator) *API {
	return &API{source: source, annotate: annotate}
}

// Serve answers a request for captures of the collection coll; the query string is the query. It answers a malformed query with 400 and a
// sentence. If the index fails while the answer is being sent, or the client gives up, Serve breaks the connection, so that nobody takes a
// part for the whole.
func (a *API) Serve(w http.ResponseWriter, r *http.Request, coll string) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "Link, Memento-Datetime, Location, Vary")
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		h.Set("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
		h.Set("Access-Control-Allow-Headers", "*")
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		h.Set("Allow", "GET, HEAD, OPTIONS")
		refuse(w, r, http.StatusMethodNotAllowed, "the CDX API answers GET and HEAD")
		return
	}
	q, err := ParseQuery(r.URL.RawQuery)
	if err != nil {
		refuse(w, r, http.StatusBadRequest, err.Error())
		return
	}
	h.Set("Content-Type", q.contentType())
	h.Set("X-Content-Type-Options", "nosniff")                          // archived URLs are untrusted text
	if r.Method == http.MethodHead && q.page <= 0 && !q.showDupeCount { // the headers don't depend on the captures
		return
	}
	a.answer(w, r, coll, q)
}

func (a *API) answer(w http.ResponseWriter, r *http.Request, coll string, q *Query) {
	out := countingWriter{w: w}
	err := a.Write(r.Context(), &out, coll, q)
	if err == nil {
		return
	}
	if r.Context().Err() != nil { // a client that only ended its input still reads
		panic(http.ErrAbortHandler)
	}
	if bad, ok := errors.AsType[*QueryError](err); ok {
		refuse(w, r, http.StatusBadRequest, bad.Say)
		return
	}
	if a.Failed != nil {
		a.Failed(err)
	}
	if out.n > 0 {
		panic(http.ErrAbortHandler)
	}
	var passing interface{ Temporary() bool }
	if errors.As(err, &passing) && passing.Temporary() {
		w.Header().Set("Retry-After", "5")
		refuse(w, r, http.StatusServiceUnavailable, "the index can't be reached now, try again soon")
		return
	}
	refuse(w, r, http.StatusInternalServerError, "the index can't be read")
}

func (q *Query) contentType() string {
	switch {
	case q.output == OutputText || q.showNumPages:
		return "text/plain; charset=utf-8"
	case q.output == OutputJSON:
		return "application/json"
	case q.output == OutputNDJSON:
		return "application/x-ndjson"
	}
	return "text/x-cdxj; charset=utf-8"
}

// A countingWriter flushes after each full piece, because a compressing writer below would wait for more.
type countingWriter struct {
	w http.ResponseWriter
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if err == nil && len(p) >= flushSize {
		_ = http.NewResponseController(c.w).Flush() // if the writer can't flush, the bytes are sent later
	}
	return n, err
}
