package runs

import "time"

// Stats are what one run of a crawl found.
type Stats struct {
	Started time.Time `json:"started,omitzero"`
	// Found are links to pages: to addresses that the run met before (Known), outside of the scope, excluded, and others.
	Found      int64 `json:"found"`
	Known      int64 `json:"known"`
	OutOfScope int64 `json:"out_of_scope"`
	Excluded   int64 `json:"excluded"`
	// Visited are pages that answered.
	Visited int64            `json:"visited"`
	Status  map[string]int64 `json:"status"` // of these answers, by status code
	Bytes   int64            `json:"bytes"`  // of these answers
	// Documents are those that templates took; Duplicates of them equal an earlier one of the crawl; Harvested are pages with a document.
	Documents  int64 `json:"documents"`
	Duplicates int64 `json:"duplicates"`
	Harvested  int64 `json:"harvested"`
	// FetchSeconds is how long all these answers took, RenderSeconds how long pages were open in the browser, Rendered of them.
	FetchSeconds  float64     `json:"fetch_seconds"`
	RenderSeconds float64     `json:"render_seconds"`
	Rendered      int64       `json:"rendered"`
	Parameters    []Parameter `json:"parameters,omitempty"`
}

// A Parameter is one of the addresses of a host whose values make no difference to pages.
type Parameter struct {
	Host string `json:"host"`
	Name string `json:"name"`
	// Equal counts addresses whose page shows the text of another that differs from it in this parameter alone.
	Equal int `json:"equal"`
}
