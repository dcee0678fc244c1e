package jobs

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/varve-archive/varve/internal/sentinel"
)

// A State is what a job is doing.
type State string

// The states.
const (
	Waiting  State = "waiting"
	Running  State = "running"
	Done     State = "done"     // its crawl has ended, or was stopped
	Failed   State = "failed"   // Error says why
	Canceled State = "canceled" // before it was taken
)

// A Job is a crawl that is to be run.
type Job struct {
	ID         string    `json:"id"`
	State      State     `json:"state"`
	Name       string    `json:"name"` // of the crawl
	Collection string    `json:"collection"`
	Seeds      []string  `json:"seeds"`
	File       string    `json:"file"`           // the crawl file
	New        bool      `json:"new,omitempty"`  // begin anew, instead of going on with the crawl of the name
	Left       time.Time `json:"left"`           // when it was
	Begun      time.Time `json:"begun,omitzero"` // when it was taken
	Ended      time.Time `json:"ended,omitzero"`
	Error      string    `json:"error,omitempty"`
}

// Errors of questions about jobs.
const (
	ErrUnknown = sentinel.Error("there is no such job")
	ErrTaken   = sentinel.Error("the job doesn't wait any more")
	ErrFull    = sentinel.Error("too many jobs wait already")
	// ErrComplete is why a job has nothing to do: its crawl has ended, and goes on only with seeds that it doesn't know.
	ErrComplete = sentinel.Error("the crawl of this name is complete, whatever else is set now: begin it anew, or give this one another name")
)

// Bounds of what is kept.
const (
	MostWaiting = 100
	MostOver    = 100
	MaxFile     = 64 << 10 // bytes of a crawl file
)

// idRandom is how many characters of an ID are random, so that no two that are left at once have the same.
const idRandom = 6

// newID returns an ID that follows those of before.
func newID(now time.Time) string {
	return now.UTC().Format("20060102-150405.000000") + "-" + strings.ToLower(rand.Text()[:idRandom])
}

// IsID reports whether a job can have an ID, so that no path leads out of the folder.
func IsID(id string) bool {
	at, random, ok := strings.Cut(strings.Replace(id, "-", " ", 1), "-")
	_, err := time.Parse("20060102 150405.000000", at)
	return ok && err == nil && len(random) == idRandom && !strings.ContainsFunc(random, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}
