package respond

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite/uses"
)

// A Failure is an error answer: a status, a sentence for the reader, and a cause for the log.
type Failure struct {
	Status int
	Say    string // one sentence, lower-case, without a full stop
	cause  error
	Header http.Header
	Absent bool          // the URI-R has no usable capture: browsers get its landing page
	Others []cdx.Capture // of the same URI-R, as alternatives for the reader
}

func (f *Failure) Error() string {
	if f.cause != nil {
		return f.Say + ": " + f.cause.Error()
	}
	return f.Say
}

func (f *Failure) Unwrap() error { return f.cause }

func NotFound(say string) error { return &Failure{Status: http.StatusNotFound, Say: say} }

func BadRequest(say string) error { return &Failure{Status: http.StatusBadRequest, Say: say} }

func BadURIR() error {
	return BadRequest("this path needs an address behind it, such as http://example.org/")
}

// NoAddress is the failure of a text in the box that should be an address.
func NoAddress() error { return BadRequest("that is no address; one looks like http://example.org/") }

// AsFailure is the only table from errors to statuses.
func AsFailure(err error) *Failure {
	var f *Failure
	var query *answers.QueryError
	var gone *archive.UnreadableError
	var blocked *archive.BlockedError
	var unsearched *searches.NoSearchError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &query):
		return &Failure{Status: http.StatusBadRequest, Say: query.Say}
	case errors.Is(err, context.Canceled): // whatever could not be read for that reason
		return givenUp(err)
	case errors.As(err, &gone):
		say := fmt.Sprintf("the file %s, which holds this capture, can't be read now", gone.Capture.FileName)
		return &Failure{
			Status: http.StatusServiceUnavailable, Say: say, cause: gone.Cause, Header: http.Header{"Retry-After": {"120"}},
		}
	case errors.As(err, &blocked):
		return &Failure{Status: http.StatusUnavailableForLegalReasons, Say: blocked.Error()}
	case errors.Is(err, searches.ErrSearchBehind):
		return &Failure{
			Status: http.StatusServiceUnavailable, Say: searches.ErrSearchBehind.Error(), Header: http.Header{"Retry-After": {"5"}},
		}
	case errors.Is(err, opensearch.ErrAway):
		return &Failure{
			Status: http.StatusServiceUnavailable, Say: opensearch.ErrAway.Error(), cause: err, Header: http.Header{"Retry-After": {"5"}},
		}
	case errors.Is(err, archive.ErrUnavailable):
		return &Failure{
			Status: http.StatusServiceUnavailable, Say: "the index of the archive can't be reached now, try again soon", cause: err,
			Header: http.Header{"Retry-After": {"5"}},
		}
	case errors.Is(err, timeline.ErrNotPictured):
		return &Failure{Status: http.StatusNotFound, Say: timeline.ErrNotPictured.Error()}
	case errors.As(err, &unsearched):
		return &Failure{Status: http.StatusNotFound, Say: unsearched.Say}
	case errors.Is(err, searches.ErrNoSearch):
		return &Failure{Status: http.StatusNotFound, Say: searches.ErrNoSearch.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return givenUp(err)
	}
	return &Failure{Status: http.StatusInternalServerError, Say: "something went wrong on the server; its log says what", cause: err}
}

func givenUp(err error) *Failure {
	return &Failure{Status: 499, Say: "the request was given up", cause: err}
}

// Missing returns the failure of a URI-R without usable captures. Browsers get the missing page as its body.
func (s *Site) Missing(r *http.Request, p Path) error {
	return &Failure{
		Status: http.StatusNotFound,
		Say:    "the collection " + p.Coll + " has no capture of " + p.URIR,
		Absent: true,
		Header: http.Header{
			"Link":                        {memento.FormatLinks(s.Absolute(r, p.Coll).TimeGateLinks(&memento.Neighbourhood{Original: p.URIR}))},
			"Access-Control-Allow-Origin": {"*"}, "Access-Control-Expose-Headers": {exposedHeaders},
		},
	}
}

// MaxOthers bounds how many other captures a failure names.
const MaxOthers = 20

// WantsJSON reports whether a failure is sent as JSON: if the client asks for JSON, by its Accept, by a parameter, or by
// a path at which there is nothing else.
func WantsJSON(r *http.Request, p Path) bool {
	switch p.Kind {
	case TimeMap:
		if p.Format == "json" {
			return true
		}
	case Internal:
		if p.Internal == "available" && p.Params.Get("callback") == "" || strings.HasSuffix(p.Internal, ".json") {
			return true
		}
	}
	for _, output := range p.Params["output"] {
		if output == "json" || output == "ndjson" {
			return true
		}
	}
	return acceptsJSON(r.Header.Values("Accept"))
}

// acceptsJSON reports whether an Accept names a media type that is JSON (RFC 9110 §12.5.1, RFC 6839 §3.1).
func acceptsJSON(accept []string) bool {
	for item := range strings.SplitSeq(strings.ToLower(strings.Join(accept, ",")), ",") {
		name, rest, _ := strings.Cut(item, ";")
		name = strings.TrimSpace(name)
		if (name == "application/json" || strings.HasSuffix(name, "+json")) && !refused(rest) {
			return true
		}
	}
	return false
}

// FailureLine returns the text of a failure and its media type. Browsers log a second error, besides the 404, for a missing script or
// style sheet of another type; a comment is valid in both.
func FailureLine(r *http.Request, p Path, say string) (kind, line string) {
	use, _ := uses.Parse(p.Mod)
	switch dest := r.Header.Get("Sec-Fetch-Dest"); {
	case p.Kind != Memento:
	case dest == "script" || dest == "" && (use == uses.Script || use == uses.Module):
		kind = "text/javascript"
	case dest == "style" || dest == "" && use == uses.Style:
		kind = "text/css"
	}
	if kind == "" {
		return "text/plain", say
	}
	return kind, "/* " + strings.ReplaceAll(say, "*/", "* /") + " */"
}

// FailJSON sends a failure as JSON.
func FailJSON(w http.ResponseWriter, r *http.Request, f *Failure) {
	AllowOrigins(w.Header())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.Status)
	if r.Method == http.MethodHead {
		return
	}
	_ = json.NewEncoder(w).Encode(struct { // the client may be gone
		Status int    `json:"status"`
		Error  string `json:"error"`
	}{f.Status, f.Say})
}
