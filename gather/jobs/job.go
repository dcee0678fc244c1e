package jobs

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/varve-archive/varve/internal/sentinel"
)

// A State is the state of a job.
type State string

const (
	Waiting  State = "waiting"
	Running  State = "running"
	Done     State = "done"     // its crawl has ended, or was stopped
	Failed   State = "failed"   // Error says why
	Canceled State = "canceled" // before it was taken
)

// A Job is an order for a crawl.
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

// Errors about jobs.
const (
	ErrUnknown = sentinel.Error("there is no such job")
	ErrTaken   = sentinel.Error("the job doesn't wait any more")
	ErrFull    = sentinel.Error("too many jobs wait already")
	ErrLong    = sentinel.Error("a crawl file may have at most 64 KB here") // of [MaxFile]
	// ErrComplete says that a job has nothing to do: its crawl is complete, and only a new seed would continue it.
	ErrComplete = sentinel.Error("the crawl of this name is complete, whatever else is set now: begin it anew, or give this one another name")
)

// Limits of the folder.
const (
	MostWaiting = 100
	MostOver    = 100
	MaxFile     = 64 << 10 // bytes of a crawl file
)

// idRandom is the number of random characters in an ID, so that two jobs left at the same time have different ones.
const idRandom = 6

// newID returns an ID that sorts after earlier ones.
func newID(now time.Time) string {
	return now.UTC().Format("20060102-150405.000000") + "-" + strings.ToLower(rand.Text()[:idRandom])
}

// IsID reports whether id has the form of an ID, so that it can't be a path out of the folder.
func IsID(id string) bool {
	at, random, ok := strings.Cut(strings.Replace(id, "-", " ", 1), "-")
	_, err := time.Parse("20060102 150405.000000", at)
	return ok && err == nil && len(random) == idRandom && !strings.ContainsFunc(random, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}
