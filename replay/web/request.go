package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

func Redirect(w http.ResponseWriter, to string) {
	w.Header().Set("Location", string(memento.AppendURI(nil, to)))
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusFound)
}

// Vary adds names to Vary, each once.
func Vary(h http.Header, names ...string) {
	have := strings.Join(h.Values("Vary"), ", ")
	for _, n := range names {
		if strings.Contains(strings.ToLower(have), strings.ToLower(n)) {
			continue
		}
		if have != "" {
			have += ", "
		}
		have += n
	}
	h.Set("Vary", have)
}

// AcceptDatetime reads the header; 0 where there is none, a failure of 400 where it is malformed (RFC 7089 §4.5.3).
func AcceptDatetime(r *http.Request) (cdx.Timestamp, error) {
	v := r.Header.Get("Accept-Datetime")
	if v == "" {
		return 0, nil
	}
	ts, err := memento.ParseAcceptDatetime(v)
	if err != nil {
		return 0, &Failure{
			Status: http.StatusBadRequest, cause: err,
			Say: "Accept-Datetime is malformed; it must look like Thu, 31 May 2007 20:35:00 GMT",
		}
	}
	return ts, nil
}

func WriteJSON(w http.ResponseWriter, r *http.Request, v any) error {
	h := w.Header()
	AllowOrigins(h)
	h.Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return nil
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// IsBrowser tells who gets pages rather than data: those whose Accept names text/html.
func IsBrowser(r *http.Request) bool {
	return strings.Contains(strings.ToLower(r.Header.Get("Accept")), "text/html")
}

// newest is later than any capture.
const newest cdx.Timestamp = 9999_12_31_23_59_59

// Moment reads the datetime of a path; without one the newest capture is meant.
func Moment(p Path) (cdx.Timestamp, error) {
	if p.From != "" {
		ts, err := cdx.ParseTimestamp(p.From)
		if err != nil {
			return 0, BadRequest(fmt.Sprintf("%s is no datetime: want YYYYMMDDhhmmss or its beginning", p.From))
		}
		return ts, nil
	}
	return newest, nil
}

// Preferred returns the preference that this server applies, "" for none (RFC 7240).
func Preferred(r *http.Request) string {
	for _, v := range r.Header.Values("Prefer") {
		for _, p := range strings.Split(v, ",") {
			p, _, _ = strings.Cut(strings.TrimSpace(p), ";")
			switch p = strings.ToLower(strings.TrimSpace(p)); p {
			case "raw", "rewritten", "banner-only":
				return p
			}
		}
	}
	return ""
}

// RequestKey is the index key of what r asks for: POST and PUT captures have the key of their request.
func RequestKey(r *http.Request, uriR string) (string, error) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return surt.Of(uriR), nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBody))
	if err != nil {
		return "", BadRequest("the request's body can't be read")
	}
	return surt.OfRequest(uriR, r.Method, body, r.Header.Get("Content-Type")), nil
}

// maxRequestBody is how much of a POST body goes into the key, as in indexing.
const maxRequestBody = 16 << 10

// Charset returns the charset parameter of a Content-Type, however badly the rest is written.
func Charset(contentType string) string {
	_, after, ok := strings.Cut(strings.ToLower(contentType), "charset=")
	if !ok {
		return ""
	}
	after, _, _ = strings.Cut(after, ";")
	return strings.Trim(strings.TrimSpace(after), `"'`)
}

// Accepts reports whether a client takes a content coding (RFC 9110 §12.5.3). One that says nothing gets none.
func Accepts(r *http.Request, coding string) bool {
	for _, c := range strings.Split(coding, ",") {
		if !acceptsOne(r.Header.Get("Accept-Encoding"), strings.TrimPrefix(strings.TrimSpace(c), "x-")) {
			return false
		}
	}
	return true
}

func acceptsOne(accept, coding string) bool {
	for item := range strings.SplitSeq(accept, ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(item, " ", ""), ";")
		if strings.EqualFold(name, coding) || name == "*" {
			return weight == "" || strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != ""
		}
	}
	return false
}

// exposed are the headers that scripts of any origin may read (contract, CORS).
const exposed = "Link, Memento-Datetime, Location, Vary, Content-Location, Preference-Applied"

// AllowOrigins lets any origin read an answer.
func AllowOrigins(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposed)
}

// Preflight answers what a browser asks before a request of another origin.
func Preflight(w http.ResponseWriter) {
	h := w.Header()
	AllowOrigins(h)
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
	h.Set("Access-Control-Allow-Headers", "Accept-Datetime, Prefer, Range")
	h.Set("Access-Control-Max-Age", "86400")
	h.Set("Allow", "GET, HEAD, OPTIONS")
	w.WriteHeader(http.StatusNoContent)
}

// FuzzyHeader marks an answer that another URI-R gave than the one asked for, and names it.
const FuzzyHeader = "X-Varve-Fuzzy"
