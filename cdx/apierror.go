package cdx

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// A QueryError is what is wrong with a query, as a sentence for who asked. One that comes while rows are looked for comes
// before the first of them.
type QueryError struct{ Say string }

func (e *QueryError) Error() string { return e.Say }

// refuse answers with what is wrong, as JSON where the client asked for JSON.
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

// wantsJSON reports whether an answer would be JSON: output says it, and where it says nothing that is there, Accept.
func wantsJSON(r *http.Request) bool {
	query, _ := url.ParseQuery(r.URL.RawQuery) // what can be read counts
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
