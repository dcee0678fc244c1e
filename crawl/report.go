package crawl

import (
	"github.com/varve-archive/varve/crawl/frontier"
)

// A State is what a crawl is doing.
type State string

// The states.
const (
	Running   State = "running"
	Completed State = "completed" // nothing is left, or a limit of pages, documents or bytes is reached
	Stopped   State = "stopped"   // it can go on
	Failed    State = "failed"    // it can go on once what failed is mended
)

// A Report says how far a crawl is.
type Report struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	frontier.Totals
	// Processes is how many are at work on it, if they share its frontier.
	Processes int    `json:"processes,omitempty"`
	Limit     string `json:"limit,omitempty"` // the key of the limit that ended it
	URL       string `json:"url,omitempty"`   // what was asked for last, while it runs
}
