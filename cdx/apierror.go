package cdx

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// A QueryError says what is wrong with a query, in a sentence for the client. It comes before the first row.
type QueryError struct{ Say string }

func (e *QueryError) Error() string { return e.Say }

// refuse answers with an error, as JSON if the client asked for JSON.
func refuse(w http.ResponseWriter, r *http.Request, status int, say string) {
	if !wantsJSON(r) {
		http.Error(w, say, status)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(append(appendJSONString(fmt.Appendf(nil, `{"status":%d,"error":`, status), say), "}\n"...))
	}
}

// wantsJSON reports whether the client wants JSON: as output says or, if that names no known output, as Accept says.
func wantsJSON(r *http.Request) bool {
	query, _ := url.ParseQuery(r.URL.RawQuery) // on an error it returns what it could parse
	output := Output("")
	for _, value := range query["output"] {
		if value != "" {
			output = Output(value)
		}
	}
	switch output {
	case OutputJSON, OutputNDJSON, outbackObjects:
		return true
	case OutputText, OutputCDXJ:
		return false
	}
	return strings.Contains(strings.ToLower(r.Header.Get("Accept")), "application/json")
}
