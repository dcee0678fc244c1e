package runs

import "time"

// Stats are what one run of a crawl found.
type Stats struct {
	Started time.Time `json:"started,omitzero"`
	// Found counts links to pages: to addresses that the run knew (Known), outside of the scope, excluded, and others.
	Found      int64 `json:"found"`
	Known      int64 `json:"known"`
	OutOfScope int64 `json:"out_of_scope"`
	Excluded   int64 `json:"excluded"`
	// Visited are pages that answered.
	Visited int64            `json:"visited"`
	Status  map[string]int64 `json:"status"` // of these answers, by status code
	Bytes   int64            `json:"bytes"`  // of these answers
	// Documents counts those of the template; Duplicates those of them that equal an earlier one of the crawl; Harvested pages with
	// a document.
	Documents  int64 `json:"documents"`
	Duplicates int64 `json:"duplicates"`
	Harvested  int64 `json:"harvested"`
	// FetchSeconds is the total time of all answers, RenderSeconds the total time of pages in the browser, Rendered their number.
	FetchSeconds  float64     `json:"fetch_seconds"`
	RenderSeconds float64     `json:"render_seconds"`
	Rendered      int64       `json:"rendered"`
	Parameters    []Parameter `json:"parameters,omitempty"`
}

// A Parameter is a query parameter of a host whose values don't affect pages.
type Parameter struct {
	Host string `json:"host"`
	Name string `json:"name"`
	// Equal counts addresses whose page has the same text as another that differs only in this parameter.
	Equal int `json:"equal"`
}
