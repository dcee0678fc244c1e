// Package status makes the state of followed sources visible to other processes, by files: a process that follows writes one, and
// others read it, whether that process runs or not.
package status

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/plainname"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Folder has a subfolder for each name under which sources are followed.
type Folder string

// Home returns the folder of a name.
func (f Folder) Home(name string) string { return filepath.Join(string(f), name) }

func (f Folder) file(name string) string { return filepath.Join(f.Home(name), "status.json") }

// ErrUnknown says that nothing was followed yet under a name.
const ErrUnknown = sentinel.Error("nothing was followed yet under this name")

// Get reads the status of a name.
func (f Folder) Get(name string) (s Status, err error) {
	text, err := os.ReadFile(f.file(name))
	if errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("%s: %w", name, ErrUnknown)
	} else if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", f.file(name), err)
	}
	return s, nil
}

// All returns the status of all names. It leaves out those that can't be read; the error names them.
func (f Folder) All() (all []Status, err error) {
	list, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range list {
		if !e.IsDir() || !plainname.IsShort(e.Name()) {
			continue
		}
		s, failed := f.Get(e.Name())
		if failed == nil {
			all = append(all, s)
		} else if !errors.Is(failed, ErrUnknown) {
			err = errors.Join(err, failed)
		}
	}
	return all, err
}

// Tidy removes what killed processes have not finished writing.
func (f Folder) Tidy(name string) {
	disk.RemoveAbandoned(f.Home(name), disk.HalfWritten, time.Now())
}

// Write writes a status.
func (f Folder) Write(s Status) error {
	return disk.WriteCached(f.file(s.Name), func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
}

// A Status is the state of followed sources.
type Status struct {
	Name       string    `json:"name"`
	Collection string    `json:"collection"`
	Policy     string    `json:"policy"`
	Running    bool      `json:"running"` // when it was written
	Written    time.Time `json:"written,omitzero"`
	Today      Usage     `json:"today"` // UTC
	Budget     Usage     `json:"budget"`
	Totals
	Waiting int      `json:"waiting"` // pages that are to be visited
	Sources []Source `json:"sources"`
}

// Usage is the use, or the limit, of requests and bytes on a day.
type Usage struct {
	Requests int64 `json:"requests"`
	Bytes    int64 `json:"bytes"`
}

// Totals are sums since the first run.
type Totals struct {
	Requests int64 `json:"requests"`
	Bytes    int64 `json:"bytes"`
	Polls    int64 `json:"polls"`    // requests to sources
	Useful   int64 `json:"useful"`   // of these, those that found something new
	New      int64 `json:"new"`      // entries and pages that were new
	Changed  int64 `json:"changed"`  // those that were known, and changed
	Captured int64 `json:"captured"` // answers that were written, those of parts and revisits too
	Lost     int64 `json:"lost"`     // pages that never answered
	Refused  int64 `json:"refused"`  // addresses that robots.txt or the rules of this machine forbid
	Pushed   int64 `json:"pushed"`   // deliveries and pings that counted
	Forged   int64 `json:"forged"`   // those that did not: without a right signature, or of nobody that is known
	Lag      Lag   `json:"lag"`
}

// A Lag is the time from publication to capture, over all captures.
type Lag struct {
	Count   int64     `json:"count"`
	Sum     float64   `json:"sum"`     // seconds
	Buckets [24]int64 `json:"buckets"` // up to a second, two, four …
}

// Add adds one capture.
func (l *Lag) Add(d time.Duration) {
	seconds := max(d.Seconds(), 0)
	l.Count++
	l.Sum += seconds
	i := 0
	for limit := 1.0; seconds > limit && i < len(l.Buckets)-1; limit *= 2 {
		i++
	}
	l.Buckets[i]++
}

// Mean returns the mean, or 0 without any capture.
func (l *Lag) Mean() time.Duration {
	if l.Count == 0 {
		return 0
	}
	return time.Duration(l.Sum / float64(l.Count) * float64(time.Second)).Round(time.Second)
}

// A Source is the status of one source.
type Source struct {
	Kind     string    `json:"kind"` // feed, list or page
	URL      string    `json:"url"`
	Title    string    `json:"title,omitempty"`
	Format   string    `json:"format,omitempty"`
	Asked    time.Time `json:"asked,omitzero"`
	Next     time.Time `json:"next,omitzero"`
	News     time.Time `json:"news,omitzero"` // when something new was found last
	PerDay   float64   `json:"per_day"`       // how often it publishes, as far as that is known
	Polls    int64     `json:"polls"`
	Useful   int64     `json:"useful"`
	Entries  int64     `json:"entries"`
	Captured int64     `json:"captured"` // pages of its entries, or of itself
	Lag      Lag       `json:"lag"`
	Problem  string    `json:"problem,omitempty"` // what the last request ended with
	Aside    string    `json:"aside,omitempty"`   // why it is not asked any more
	Push     string    `json:"push,omitempty"`    // who tells of changes
}

// Spent reports whether the day's budget is used up.
func (s *Status) Spent() bool {
	return s.Budget.Requests > 0 && s.Today.Requests >= s.Budget.Requests || s.Budget.Bytes > 0 && s.Today.Bytes >= s.Budget.Bytes
}

// Table writes the sources as a table for people.
func (s *Status) Table(out io.Writer, now time.Time) error {
	running := "not running"
	if s.Running {
		running = "running"
	}
	fmt.Fprintf(out, "%s: %s, policy %s, requests today: %d%s, pages waiting: %d, lag %s on average\n", s.Name, running, s.Policy,
		s.Today.Requests, of(s.Budget.Requests), s.Waiting, s.Lag.Mean())
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KIND\tASKED\tNEXT\tNEWS\tPOLLS\tUSEFUL\tENTRIES\tURL\t")
	for _, f := range s.Sources {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n", f.Kind, when(f.Asked, now), when(f.Next, now), when(f.News, now),
			f.Polls, f.Useful, f.Entries, f.URL, f.remark())
	}
	return w.Flush()
}

func of(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" of %d", n)
}

// remark returns the most important remark about a source.
func (f *Source) remark() string {
	switch {
	case f.Aside != "":
		return "set aside: " + f.Aside
	case f.Problem != "":
		return f.Problem
	}
	return f.Push
}

// when returns a time relative to now.
func when(t, now time.Time) string {
	switch d := t.Sub(now).Round(time.Second); {
	case t.IsZero():
		return "never"
	case d > 0:
		return "in " + short(d)
	default:
		return short(-d) + " ago"
	}
}

func short(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}
