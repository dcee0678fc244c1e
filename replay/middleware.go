package replay

import (
	"context"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/varve-archive/varve/replay/respond"
)

// A recorder records the status and size of an answer, and what was asked for, for the log and the metrics.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	kind   respond.Kind // as whoever answers notes it
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

// observe logs, counts and traces each request. It turns a panic into a 500 if nothing has been sent yet.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, rec := time.Now(), &recorder{ResponseWriter: w}
		r, traced := s.cfg.Tracer.Request(r.WithContext(context.WithValue(r.Context(), recording{}, rec)))
		defer func() { traced(rec.kind.String(), rec.status) }()
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				s.cfg.Log.Error("panic", "target", r.RequestURI, "panic", p, "stack", string(debug.Stack()))
				if rec.status == 0 {
					http.Error(rec, "something went wrong on the server; its log says what", http.StatusInternalServerError)
				}
			}
			took := time.Since(start)
			s.metrics.Count(rec.kind.String(), rec.status, took)
			s.cfg.Log.Debug("request", "method", r.Method, "target", r.RequestURI, "status", rec.status, "bytes", rec.bytes, "took", took)
		}()
		next.ServeHTTP(rec, r)
	})
}

// named answers nothing of the archive to a request under a name that isn't the server's, if the server is on loopback. The answer is text:
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
