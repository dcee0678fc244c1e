package replay

import (
	"context"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/varve-archive/varve/replay/respond"
)

// A recorder records the status, the size and the kind of an answer, for the log and the metrics.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	kind   respond.Kind // set by the handler
}

// recording is the key of the recorder in the context of a request.
type recording struct{}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets [http.ResponseController] reach the wrapped writer.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Flush sends what has been written so far.
func (r *recorder) Flush() { _ = http.NewResponseController(r.ResponseWriter).Flush() }

// observe logs, counts and traces each request. It turns a panic into a 500 if nothing has been sent yet, else it breaks off the answer,
// so that no client takes a part for the whole.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, rec := time.Now(), &recorder{ResponseWriter: w}
		r, traced := s.cfg.Tracer.Request(r.WithContext(context.WithValue(r.Context(), recording{}, rec)))
		defer func() { traced(rec.kind.String(), rec.status) }()
		defer func() {
			p := recover()
			if p != nil && p != http.ErrAbortHandler {
				s.cfg.Log.Error("panic", "target", r.RequestURI, "panic", p, "stack", string(debug.Stack()))
				if p = http.ErrAbortHandler; rec.status == 0 {
					http.Error(rec, "something went wrong on the server; its log says what", http.StatusInternalServerError)
					p = nil
				}
			}
			took := time.Since(start)
			if p == nil || rec.status != 0 { // else nobody waits for an answer
				s.metrics.Count(rec.kind.String(), rec.status, took)
			}
			s.cfg.Log.Debug("request", "method", r.Method, "target", r.RequestURI, "status", rec.status, "bytes", rec.bytes, "took", took)
			if p != nil {
				panic(p)
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

// named refuses requests under a foreign host name, if the server is on loopback (see [respond.Site.Named]). The answer is text, because
// a page would name collections.
func (s *Server) named(next http.Handler) http.Handler {
	if !s.cfg.Loopback {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.site.Named(r); err != nil {
			f := respond.AsFailure(err)
			http.Error(w, f.Say, f.Status)
			return
		}
		next.ServeHTTP(w, r)
	})
}
