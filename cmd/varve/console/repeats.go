package console

import (
	"fmt"
	"strings"
)

const (
	// maxReasons bounds what is remembered; what comes with still others is said each time.
	maxReasons = 1000
	// namedFiles is how many files of what is said together are named, each with the first place in it.
	namedFiles = 20
)

// Repeats are lines of which many say the same about different places. The first of each reason is for saying at once, the others together
// when all is done. The zero value is ready to use, by one goroutine.
type Repeats struct {
	by    map[string]*repeat
	order []*repeat
}

type repeat struct {
	reason string
	more   int64 // than the first
	places []string
	files  map[string]bool // in which they are
}

// Add notes a reason and its place in a file, and reports whether it is the first of its kind.
func (r *Repeats) Add(reason, file, place string) (first bool) {
	known := r.by[reason]
	if known == nil {
		if r.by == nil {
			r.by = map[string]*repeat{}
		}
		if len(r.order) < maxReasons {
			known = &repeat{reason: reason, files: map[string]bool{}}
			r.by[reason], r.order = known, append(r.order, known)
		}
		return true
	}
	known.more++
	if len(known.files) < namedFiles && !known.files[file] {
		known.places = append(known.places, strings.TrimSuffix(file+" "+place, " "))
	}
	known.files[file] = true
	return false
}

// Rest returns a line for each reason that was there more than once, and forgets all.
func (r *Repeats) Rest() (lines []string) {
	for _, k := range r.order {
		if k.more == 0 {
			continue
		}
		places := strings.Join(k.places, ", ")
		if k.more > int64(len(k.places)) {
			places += ", …"
		}
		in := ""
		if n := len(k.files); n > 1 || k.more > 1 {
			in = " in " + Count(int64(n), "file")
		}
		lines = append(lines, fmt.Sprintf("%d more%s: %s: %s", k.more, in, k.reason, places))
	}
	*r = Repeats{}
	return lines
}
