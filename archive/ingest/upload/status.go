package upload

import (
	"sync"
	"sync/atomic"
)

// A State is the stage of a file.
type State string

// The states of a file, in order. The last one is done, refused or failed.
const (
	Receiving State = "receiving"
	Waiting   State = "waiting" // for others to be done
	Checking  State = "checking"
	AtIndex   State = "indexing" // its records are being indexed
	Done      State = "done"
	Refused   State = "refused" // nothing of it is stored
	Failed    State = "failed"  // it is stored but not indexed
)

// Over reports whether a state is final.
func (s State) Over() bool { return s == Done || s == Refused || s == Failed }

// A Status describes the progress of a file, and what was found in it.
type Status struct {
	GivenName string // the name that the sender gave; may be anything
	Stored    string // the name that it is stored under, "" before that
	SameAs    string // the name of an identical file in the collection, "" for none
	State     State
	Size      int64 // in bytes, 0 if unknown
	Received  int64 // bytes
	Checked   int64 // bytes
	Percent   int   // of the current State, 0 to 100
	Captures  int   // indexed so far
	Damaged   int   // damaged places; Problems lists the first of them
	Problems  []Problem
	Pages     []Page
	Reason    string // why it was refused or failed: a sentence without a full stop
	Why       string // identifies the reason, as in [Refusal]
	Args      []string
}

// A File is an uploaded file.
type File struct {
	coll     string
	incoming *Incoming // nil until it is received

	received, checked atomic.Int64

	mu                    sync.Mutex
	status                Status
	done, total, captures *atomic.Int64 // of the indexing, nil before it begins
}

func (f *File) set(change func(s *Status)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.status)
}

func (f *File) to(state State) { f.set(func(s *Status) { s.State = state }) }

func (f *File) end(state State, why *Refusal) {
	f.set(func(s *Status) { s.State, s.Reason, s.Why, s.Args = state, why.Reason, why.Why, why.Args })
}

// began stores the counters of the indexing.
func (f *File) began(done, total, captures *atomic.Int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done, f.total, f.captures = done, total, captures
}

// report notes what could not be indexed.
func (f *File) report(p Problem) {
	f.set(func(s *Status) {
		if s.Damaged++; len(s.Problems) < maxProblems {
			s.Problems = append(s.Problems[:len(s.Problems):len(s.Problems)], p) // clip the capacity, because others may be reading the list
		}
	})
}

// Status returns the file's status.
func (f *File) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.status
	s.Received, s.Checked = f.received.Load(), f.checked.Load()
	if f.captures != nil {
		s.Captures = int(f.captures.Load())
	}
	switch {
	case s.State == Receiving:
		s.Percent = percent(s.Received, s.Size)
	case s.State == Checking:
		s.Percent = percent(s.Checked, s.Size)
	case s.State == AtIndex && f.total != nil:
		s.Percent = percent(f.done.Load(), f.total.Load())
	case s.State.Over():
		s.Percent = 100
	}
	return s
}

func percent(part, whole int64) int {
	if whole <= 0 {
		return 0
	}
	return int(min(100, max(0, part*100/whole)))
}
