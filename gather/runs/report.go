package runs

import "time"

// A State is the state of a crawl.
type State string

const (
	New       State = "new" // it is being opened, and has asked for nothing yet
	Running   State = "running"
	Paused    State = "paused"    // what was asked for is taken in, and nothing more asked for
	Completed State = "completed" // nothing is left, or a limit of pages, documents or bytes is reached
	Stopped   State = "stopped"   // it can go on
	Failed    State = "failed"    // it can go on once what failed is mended
)

// IsAlive reports whether a crawl in this state has a process.
func (s State) IsAlive() bool { return s == New || s == Running || s == Paused }

// Totals count the outcomes of a crawl.
type Totals struct {
	Pages   int64            `json:"pages"`
	Docs    int64            `json:"docs"`
	Parts   int64            `json:"parts"`
	Bytes   int64            `json:"bytes"`   // of answers
	Skipped map[string]int64 `json:"skipped"` // addresses left out, by reason
	Traps   map[string]int64 `json:"traps,omitempty"`
	Status  map[string]int64 `json:"status"` // answers, by status code
	// FailedSteps are actions that could not be performed on their pages.
	FailedSteps int64   `json:"failed_steps,omitempty"`
	Seconds     float64 `json:"seconds"`
}

// A Report describes the progress of a crawl.
type Report struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Totals
	// Processes is the number of processes that share its frontier.
	Processes int    `json:"processes,omitempty"`
	Limit     string `json:"limit,omitempty"` // the key of the limit that ended it
	// PendingRetries is the number of addresses that wait for another attempt.
	PendingRetries int    `json:"pending_retries,omitempty"`
	URL            string `json:"url,omitempty"` // what was asked for last, while it lives
	// Run describes the last run of this process; nil if there was none.
	Run *Stats `json:"run,omitempty"`
}

// Complete reports whether nothing is left: only a new seed would continue the crawl.
func (r *Report) Complete() bool { return r.State == Completed && r.Limit == "" }

// A Run is a report with further data about a crawl and its last run.
type Run struct {
	Report
	Collection string    `json:"collection"`
	Begun      time.Time `json:"begun,omitzero"`   // when the crawl was
	Started    time.Time `json:"started,omitzero"` // when its last run was
	Written    time.Time `json:"written,omitzero"` // when this was
	Error      string    `json:"error,omitempty"`  // what it failed for
	Settings   Settings  `json:"settings"`
	Documents  string    `json:"documents,omitempty"` // path of the files with its documents, without .csv or .jsonl; "" for none
	Runs       []Stats   `json:"runs,omitempty"`      // what runs before the last one found, the oldest first, at most [KeptRuns]
	Recent     []Asked   `json:"recent"`              // what was asked for last, the newest first, at most [MaxKept]
	Failed     []Asked   `json:"failed"`              // what gave no page, likewise
}

// KeptRuns is the number of runs before the last one that are remembered.
const KeptRuns = 12

// MaxKept is the number of addresses that a run names.
const MaxKept = 100

// Settings are the published settings of a crawl. A limit of 0 is no limit.
type Settings struct {
	Seeds    []string `json:"seeds"` // at most [MaxKept]
	Scope    string   `json:"scope"`
	Order    string   `json:"order"`
	MaxPages int64    `json:"max_pages"`
	MaxDocs  int64    `json:"max_docs"`
	MaxDepth int      `json:"max_depth"`
	MaxBytes int64    `json:"max_bytes"`
	Walltime float64  `json:"walltime"` // seconds
	Threads  int      `json:"threads"`
	Delay    float64  `json:"delay"` // seconds
	Robots   string   `json:"robots"`
	Fields   []string `json:"fields,omitempty"` // names of the template's
}

// An Asked address was requested, or skipped.
type Asked struct {
	Time   time.Time `json:"time"`
	URL    string    `json:"url"`
	Kind   string    `json:"kind"` // page, part or sitemap
	Status int       `json:"status,omitempty"`
	Bytes  int64     `json:"bytes,omitempty"`  // of the answer
	Reason string    `json:"reason,omitempty"` // why there is no answer, as in [Totals.Skipped]
	Error  string    `json:"error,omitempty"`  // the same in the words of who tried
}
