package replay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// A failure is an answer that is no page: a status, what the reader is told, and what only the log is told.
type failure struct {
	status int
	say    string // one sentence, lower-case, without a full stop
	cause  error
	header http.Header
	absent bool          // the URI-R has no usable capture: browsers get its landing page
	others []cdx.Capture // of the same URI-R, for the reader to go to
}

func (f *failure) Error() string {
	if f.cause != nil {
		return f.say + ": " + f.cause.Error()
	}
	return f.say
}

func (f *failure) Unwrap() error { return f.cause }

func notFound(say string) error { return &failure{status: http.StatusNotFound, say: say} }

func badRequest(say string) error { return &failure{status: http.StatusBadRequest, say: say} }

func badURIR() error {
	return badRequest("this path needs an address behind it, such as http://example.org/")
}

// asFailure is the one table from errors to statuses.
func asFailure(err error) *failure {
	var f *failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &failure{status: 499, say: "the request was given up", cause: err}
	}
	return &failure{status: http.StatusInternalServerError, say: "something went wrong on the server; its log says what", cause: err}
}

// fail answers with err, as a page for browsers and as a line of text for others.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, p Path, err error) {
	f := asFailure(err)
	if f.status == 499 {
		return
	}
	level := slog.LevelDebug
	if f.status >= 500 {
		level = slog.LevelError
	}
	s.Log.Log(r.Context(), level, "request failed", "target", r.RequestURI, "status", f.status, "error", err)
	h := w.Header()
	for k, v := range f.header {
		h[k] = v
	}
	h.Set("X-Content-Type-Options", "nosniff")
	vary(h, "Accept")
	if isBrowser(r) {
		s.errorPage(w, r, p, f)
		return
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(f.status)
	if r.Method != http.MethodHead {
		fmt.Fprintf(w, "%s\n", f.say)
	}
}

// isBrowser tells, as the contract has it, who gets pages: those whose Accept names text/html.
func isBrowser(r *http.Request) bool {
	return strings.Contains(strings.ToLower(r.Header.Get("Accept")), "text/html")
}

// unreadable is the failure of an exact URI-M whose file can't be read.
func unreadable(c *cdx.Capture, cause error) error {
	return &failure{
		status: http.StatusServiceUnavailable,
		say:    fmt.Sprintf("the file %s, which holds this capture, can't be read now", c.FileName),
		cause:  cause,
	}
}
