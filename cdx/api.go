package cdx

import (
	"errors"
	"net/http"
)

// An API answers CDX queries as the wayback CDX server does. It is safe for concurrent use.
type API struct {
	source   Source
	annotate Annotator

	// Failed is told of an error of the index that [API.Serve] met, before the answer is ended. It may be nil.
	Failed func(error)
}

// NewAPI returns an API over source. Without an annotator the fields range and change are missing in all rows.
func NewAPI(source Source, annotate Annotator) *API {
	return &API{source: source, annotate: annotate}
}

// contentTypes are those of the outputs.
var contentTypes = map[Output]string{
	OutputText:   "text/plain; charset=utf-8",
	OutputJSON:   "application/json",
	OutputNDJSON: "application/x-ndjson",
	OutputCDXJ:   "text/x-cdxj; charset=utf-8",
}

// Serve answers a request for captures of the collection coll; its query string is the query. A malformed one is
// answered by 400 and a sentence. An index that fails while the answer is being sent cuts the connection, so
// that nobody takes a part for the whole.
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
	h.Set("X-Content-Type-Options", "nosniff")                          // archived URLs are foreign text
	if r.Method == http.MethodHead && q.page <= 0 && !q.showDupeCount { // headers don't depend on what is found
		return
	}
	a.answer(w, r, coll, q)
}

func (a *API) answer(w http.ResponseWriter, r *http.Request, coll string, q *Query) {
	out := countingWriter{w: w}
	err := a.Write(r.Context(), &out, coll, q)
	if err == nil || r.Context().Err() != nil {
		return
	}
	var bad *QueryError
	if errors.As(err, &bad) {
		refuse(w, r, http.StatusBadRequest, bad.Say)
		return
	}
	if a.Failed != nil {
		a.Failed(err)
	}
	if out.n > 0 {
		panic(http.ErrAbortHandler)
	}
	refuse(w, r, http.StatusInternalServerError, "the index can't be read")
}

func (q *Query) contentType() string {
	if q.showNumPages {
		return contentTypes[OutputText]
	}
	return contentTypes[q.output]
}

// A countingWriter sends on at once what it gets, for a writer below may hold it back to compress more of it together.
type countingWriter struct {
	w http.ResponseWriter
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if err == nil && len(p) >= flushSize {
		_ = http.NewResponseController(c.w).Flush() // where it can't be, it comes later
	}
	return n, err
}
