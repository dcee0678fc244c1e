package respond

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/fuzzy"
	"github.com/varve-archive/varve/archive/requests"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// Redirect redirects to a page, which browsers request by GET.
func Redirect(w http.ResponseWriter, to string) { redirect(w, http.StatusFound, to) }

// RedirectKeepingMethod redirects a request to where it is answered. Methods other than GET and HEAD are kept, with their
// body (RFC 9110 §15.4.8); clients would turn them into GET after a 302.
func RedirectKeepingMethod(w http.ResponseWriter, r *http.Request, to string) {
	if Reads(r) {
		redirect(w, http.StatusFound, to)
		return
	}
	redirect(w, http.StatusTemporaryRedirect, to)
}

func redirect(w http.ResponseWriter, status int, to string) {
	h := w.Header()
	h.Set("Location", string(memento.AppendURI(nil, to)))
	h.Set("Content-Length", "0")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-cache") // a new capture may lead elsewhere
	}
	w.WriteHeader(status)
}

// Reads reports whether the method is GET or HEAD.
func Reads(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// Vary adds names to Vary, each once.
func Vary(h http.Header, names ...string) {
	var have []string
	for _, name := range append(strings.Split(strings.Join(h.Values("Vary"), ","), ","), names...) {
		name = strings.TrimSpace(name)
		if name == "*" { // that covers everything (RFC 9110 §12.5.5)
			have = []string{name}
			break
		}
		if name != "" && !slices.ContainsFunc(have, func(h string) bool { return strings.EqualFold(h, name) }) {
			have = append(have, name)
		}
	}
	h.Set("Vary", strings.Join(have, ", "))
}

// AcceptDatetime reads the header. It returns 0 if there is none, and a failure with status 400 if it is malformed (RFC
// 7089 §4.5.3).
func AcceptDatetime(r *http.Request) (cdx.Timestamp, error) {
	v := r.Header.Get("Accept-Datetime")
	if v == "" {
		return 0, nil
	}
	ts, err := memento.ParseAcceptDatetime(v)
	if err != nil {
		return 0, &Failure{
			Status: http.StatusBadRequest, cause: err, Header: http.Header{"Vary": {"accept-datetime"}},
			Say: "Accept-Datetime is malformed; it must look like Thu, 31 May 2007 20:35:00 GMT",
		}
	}
	return ts, nil
}

// OrNull returns nil, which is null in JSON, for an empty text.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// WriteJSON sends v, as application/json unless another type is set.
func WriteJSON(w http.ResponseWriter, r *http.Request, v any) error {
	AllowOrigins(w.Header())
	return SendJSON(w, r, v)
}

// SendJSON is [WriteJSON] for data that pages of other origins must not read.
func SendJSON(w http.ResponseWriter, r *http.Request, v any) error {
	h := w.Header()
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", "application/json")
	}
	if r.Method == http.MethodHead {
		return nil
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// SendStatusJSON is [SendJSON] with a status, which is sent only if v can be.
func SendStatusJSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	return SendJSON(&withStatus{w, status}, r, v)
}

// A withStatus sends its status before the answer.
type withStatus struct {
	http.ResponseWriter
	status int
}

func (w *withStatus) Write(b []byte) (int, error) {
	w.WriteHeader(w.status)
	return w.ResponseWriter.Write(b)
}

// IsBrowser reports whether a client gets pages rather than data: its Accept names text/html.
func IsBrowser(r *http.Request) bool {
	return strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), "text/html")
}

// Format returns the format that a parameter names, else that of Accept: html, json or csv.
func Format(w http.ResponseWriter, r *http.Request, p Path, param string) (string, error) {
	format := p.Params.Get(param)
	switch format {
	case "html", "json", "csv":
		return format, nil
	case "":
	default:
		return "", BadRequest(fmt.Sprintf("%s %.20q: want html, json or csv", param, format))
	}
	Vary(w.Header(), "Accept")
	switch {
	case IsBrowser(r):
		return "html", nil
	case strings.Contains(strings.ToLower(r.Header.Get("Accept")), "text/csv"):
		return "csv", nil
	}
	return "json", nil
}

// Newest is later than any capture.
const Newest cdx.Timestamp = 9999_12_31_23_59_59

// Datetime reads the datetime of a path; the default is the newest capture.
func Datetime(p Path) (cdx.Timestamp, error) {
	if p.From != "" {
		ts, err := cdx.ParseAsked(p.From)
		if err != nil {
			return 0, BadRequest(fmt.Sprintf("%s is no datetime: want YYYYMMDDhhmmss or its beginning", p.From))
		}
		return ts, nil
	}
	return Newest, nil
}

// Threshold reads the requested lowest similarity.
func Threshold(p Path, unless float64) (float64, error) {
	v := p.Params.Get("threshold")
	if v == "" {
		return unless, nil
	}
	least, err := strconv.ParseFloat(v, 64)
	if err != nil || !(least >= 0 && least <= 1) {
		return 0, BadRequest(fmt.Sprintf("threshold %.20q: want a number from 0 to 1", v))
	}
	return least, nil
}

// Preferred returns the preference that this server applies, or "" (RFC 7240).
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

// RequestKey returns the index key of a request: captures of POST and PUT have the key of their request.
func RequestKey(r *http.Request, uriR string) (string, error) {
	if Reads(r) {
		return surt.Of(uriR), nil
	}
	sent, err := sentBy(r, uriR)
	if err != nil {
		return "", err
	}
	return sent.Key(), nil
}

// sentBy reads a request with its body, and makes the body readable again.
func sentBy(r *http.Request, uriR string) (*fuzzy.Request, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, requests.MaxBody))
	if err != nil {
		return nil, BadRequest("the request's body can't be read")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return &fuzzy.Request{URIR: uriR, Method: r.Method, Type: r.Header.Get("Content-Type"), Body: body}, nil
}

// A Found is the capture that answers a request with a body.
type Found struct {
	Timeline *timeline.Timeline
	Capture  *cdx.Capture // nil if there is none
}

// FindPosted finds the capture that answers a request whose body is too long for its key; it returns nil for other requests. If the capture
// answered another request, the header says so ([FuzzyHeader]).
func FindPosted(w http.ResponseWriter, r *http.Request, a *archive.Archive, coll, uriR string, ts cdx.Timestamp) (*Found, error) {
	if r.Method != http.MethodPost && r.Method != http.MethodPut {
		return nil, nil
	}
	sent, err := sentBy(r, uriR)
	if err != nil || !sent.Long() {
		return nil, err
	}
	tl, c, exact, err := requests.Sent(r.Context(), a, coll, sent, ts)
	if c != nil && !exact {
		w.Header().Set(FuzzyHeader, c.URL)
	}
	return &Found{tl, c}, err
}

// Equivalent finds a capture that is equivalent to a request whose key, by [RequestKey], has no usable capture. It returns nil if there
// is none.
func Equivalent(
	r *http.Request, a *archive.Archive, coll, uriR, key string, ts cdx.Timestamp,
) (*timeline.Timeline, *cdx.Capture, error) {
	tl, c, err := requests.Fuzzy(r.Context(), a, coll, key, ts)
	if c != nil || err != nil || !surt.HasMethod(key) {
		return tl, c, err
	}
	sent, err := sentBy(r, uriR)
	if err != nil || !sent.Bytes() {
		return nil, nil, err
	}
	if tl, c, err = requests.Body(r.Context(), a, coll, key, sent.Body, ts); c == nil && err == nil {
		tl, c, _, err = requests.Sent(r.Context(), a, coll, sent, ts)
	}
	return tl, c, err
}

// Accepts reports whether a client accepts a content coding (RFC 9110 §12.5.3). A client that says nothing accepts
// none.
func Accepts(r *http.Request, coding string) bool {
	for _, c := range strings.Split(coding, ",") {
		if !acceptsOne(strings.Join(r.Header.Values("Accept-Encoding"), ","), strings.TrimPrefix(strings.TrimSpace(c), "x-")) {
			return false
		}
	}
	return true
}

func acceptsOne(accept, coding string) bool {
	any := false
	for item := range strings.SplitSeq(accept, ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(item, " ", ""), ";")
		accepted := !refused(weight)
		if strings.EqualFold(name, coding) {
			return accepted
		}
		if name == "*" { // applies to all that are not named
			any = accepted
		}
	}
	return any
}

// refused reports whether the parameters after an item give it a weight of 0: it is not wanted (RFC 9110 §12.4.2).
func refused(parameters string) bool {
	for one := range strings.SplitSeq(strings.ToLower(strings.ReplaceAll(parameters, " ", "")), ";") {
		if weight, ok := strings.CutPrefix(one, "q="); ok {
			return strings.Trim(weight, "0.") == ""
		}
	}
	return false
}

// exposedHeaders are the headers that scripts of any origin may read (contract, CORS).
const exposedHeaders = "Link, Memento-Datetime, Location, Vary, Content-Location, Preference-Applied"

// AllowOrigins lets any origin read an answer, with the headers of Memento and the archived headers in passed.
func AllowOrigins(h http.Header, passed ...string) {
	h.Set("Access-Control-Allow-Origin", "*")
	slices.Sort(passed)
	names := []string{exposedHeaders}
	for _, name := range passed {
		if !strings.Contains(exposedHeaders, name) && name != "Set-Cookie" {
			names = append(names, name)
		}
	}
	h.Set("Access-Control-Expose-Headers", strings.Join(names, ", "))
}

// Methods returns the methods that a kind of path answers. Captures of methods other than GET, HEAD, POST and PUT are
// rare.
func (k Kind) Methods() string {
	if k == TimeGate || k == Memento {
		return "GET, HEAD, POST, PUT, OPTIONS"
	}
	if k == TermTable {
		return "GET, HEAD, POST, OPTIONS"
	}
	return "GET, HEAD, OPTIONS"
}

// NoMethod returns the failure of a method that nothing answers (RFC 9110 §15.5.6).
func NoMethod(r *http.Request, k Kind) error {
	return &Failure{
		Status: http.StatusMethodNotAllowed, Say: fmt.Sprintf("nothing answers %.20q here; what does is %s", r.Method, k.Methods()),
		Header: http.Header{"Allow": {k.Methods()}},
	}
}

// NoOtherMethod is [NoMethod] for the server's own addresses; takes says that POST is allowed.
func NoOtherMethod(takes bool) error {
	allow := "GET, HEAD, OPTIONS"
	if takes {
		allow = "GET, HEAD, POST, OPTIONS"
	}
	return &Failure{Status: http.StatusMethodNotAllowed, Say: "what answers here is " + allow, Header: http.Header{"Allow": {allow}}}
}

// Preflight answers the request that a browser sends before a cross-origin request.
func Preflight(w http.ResponseWriter, k Kind) {
	h := w.Header()
	AllowOrigins(h)
	h.Set("Access-Control-Allow-Methods", k.Methods())
	h.Set("Access-Control-Allow-Headers", "Accept-Datetime, Content-Type, Prefer, Range")
	h.Set("Access-Control-Max-Age", "86400")
	h.Set("Allow", k.Methods())
	w.WriteHeader(http.StatusNoContent)
}

// FuzzyHeader names the URI-R of an answer whose URI-R isn't the requested one.
const FuzzyHeader = "X-Varve-Fuzzy"

// Stamp returns a time as pages show it, 0 if it is unknown.
func Stamp(t time.Time) cdx.Timestamp {
	if t.IsZero() {
		return 0
	}
	return cdx.FromTime(t)
}
