package replay

import (
	"context"
	"errors"
	"fmt"
	"net/http"

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
	var query *QueryError
	var gone *UnreadableError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &query):
		return &failure{status: http.StatusBadRequest, say: query.Say}
	case errors.As(err, &gone):
		say := fmt.Sprintf("the file %s, which holds this capture, can't be read now", gone.Capture.FileName)
		return &failure{status: http.StatusServiceUnavailable, say: say, cause: gone.Cause}
	case errors.Is(err, ErrNoSearch):
		return &failure{status: http.StatusNotFound, say: ErrNoSearch.Error()}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &failure{status: 499, say: "the request was given up", cause: err}
	}
	return &failure{status: http.StatusInternalServerError, say: "something went wrong on the server; its log says what", cause: err}
}
