// Package frontier defines the state of a crawl: the queue of addresses, the known addresses, and what became of each, so that a
// crawl that is stopped at any moment can continue. Package local keeps that state for one process, package redis for several that
// share a crawl; frontiertest tests both.
//
// Every address takes the same path: it is found and queued ([Frontier.Found]), handed out with a turn at its host
// ([Frontier.Next]), and done once its answer is written ([Frontier.Done]). The next process gets the items that were queued and
// not done; [Frontier.Queued] finds such an item if its answer turns out to have been written.
//
// A done item is remembered until the file with its answer is known to be on disk ([Frontier.Sync]), because a power loss may
// truncate the file but not the frontier ([Frontier.Unsettled]).
package frontier

import (
	"context"
	"fmt"
	"time"

	"github.com/varve-archive/varve/gather/politeness"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Frontier is the state of one crawl. It is safe for concurrent use.
type Frontier interface {
	// Join registers this process as working on the crawl. The error is a [*MismatchError] if the crawl has other settings.
	Join(ctx context.Context, s Setup) error
	// Begin queues the seeds. Known seeds change nothing; a new one continues a crawl that has ended.
	Begin(ctx context.Context, seeds []Item, now time.Time) error
	// Found queues what was found in an answer. Repeating it changes nothing.
	Found(ctx context.Context, found Found) error
	// Next hands out an item whose host may be asked now, with a turn at that host. Hosts take turns; within a host, parts come
	// before pages, so that pages are complete soon, and pages that are late or didn't answer come last.
	Next(ctx context.Context, l Limits) (Assignment, error)
	// Claim hands out an item, without a turn at its host, that a browser is requesting already: a new one, or a queued one, which
	// is returned as queued. It returns false if the item is done, left out, or handed out.
	Claim(ctx context.Context, item Item) (Item, bool, error)
	// Knows reports whether a key is queued, done or left out.
	Knows(ctx context.Context, key string) (bool, error)
	// Count counts the answer to an item that is never queued, because it can't be requested again, and makes its key known.
	Count(ctx context.Context, item Item, a Answer) error
	// Slow sets the pause that the host of an item asks for in its robots.txt (Crawl-delay); 0 is none.
	Slow(ctx context.Context, item Item, delay time.Duration) error
	// Holds reports, just before the answer is written, whether this process still holds the item. A process that others take for
	// dead has lost its items, and must write nothing.
	Holds(ctx context.Context, item Item) (bool, error)
	// Done removes an item from the queue, and ends its turn. A written answer counts no matter who holds the item now. Done
	// returns false if the item was already done, or if another process holds it and nothing was written.
	Done(ctx context.Context, item Item, a Answer) (bool, error)
	// Again moves an item to the end of its queue, to be requested again, and ends its turn.
	Again(ctx context.Context, item Item) error
	// Back returns an item that was not requested to the queue, and ends its turn.
	Back(ctx context.Context, item Item) error
	// Queued returns the item with a key, if it is not done.
	Queued(ctx context.Context, key string) (Item, bool, error)
	// Payload returns where a payload was written.
	Payload(ctx context.Context, digest string) (Seen, bool, error)
	// Docs calls each with the documents, in the order of their keys.
	Docs(ctx context.Context, each func(doc []byte) error) error
	// State returns the state of the crawl.
	State(ctx context.Context) (State, error)
	// Sync calls files, which syncs the files of this process to disk, and then forgets the items that were done before. Unless
	// files fails, it returns once the frontier itself is on disk, as far as it can tell.
	Sync(ctx context.Context, files func() error) error
	// Unsettled returns answers of other processes in the same folder whose files were never known to be on disk. It leaves out
	// files that are still being written.
	Unsettled(ctx context.Context) ([]Written, error)
	// Settle says which of these answers are in their files. Lost ones are queued again, and don't count.
	Settle(ctx context.Context, kept, lost []Written) error
	// Repeated returns keys of items whose answers were written twice: in this folder by processes that are gone, and again by
	// others, which could not see those files.
	Repeated(ctx context.Context) (keys []string, err error)
	// Mended says that the files in this folder are complete, that repeated answers were removed from them, and which writers, by
	// their marks, are still active there. Other answers that dead processes may have written are found there or requested again.
	Mended(ctx context.Context, repeated, writing []string) error
	// End records how long this process worked, and how the crawl ended; "" if it will continue.
	End(ctx context.Context, how string, ran time.Duration) error
	// Restart removes the state of the crawl, except for the written payloads. Call it before Join.
	Restart(ctx context.Context) error
	Close() error
}

// ErrUnavailable is wrapped by the errors of a remote frontier that didn't answer for too long, or has lost the crawl.
const ErrUnavailable = sentinel.Error("the frontier is not available")

// A Kind says what an address is for a crawl.
type Kind string

const (
	Page    Kind = "page"
	Part    Kind = "part"    // an image, a style sheet, a frame: of a page, wherever it is
	Sitemap Kind = "sitemap" // a list of pages
)

// An Item is an address in a crawl.
type Item struct {
	Key   string `json:"key"` // the same for equivalent addresses
	URL   string `json:"url"`
	Host  string `json:"host"` // that is asked, with its port
	Kind  Kind   `json:"kind"`
	Seed  bool   `json:"seed,omitempty"`  // what the crawl begins with, or what that redirects to
	Depth int    `json:"depth,omitempty"` // jumps from a seed; of a part, those of its page
	Level int    `json:"level,omitempty"` // of a part: parts it is a part of, with itself
	Hops  int    `json:"hops,omitempty"`  // redirects that led to it
	Run   int    `json:"run,omitempty"`   // dated pages in a row that led to it
	Tries int    `json:"tries,omitempty"` // how often it was asked for without an answer
	Late  bool   `json:"late,omitempty"`  // a page with many similar ones; it comes after the host's others
	Via   string `json:"via,omitempty"`   // the page that named it
	Use   string `json:"use,omitempty"`   // of a part: the modifier of what it is used for, if that decides how it is read
	// From is the address with which the redirects to it began, and Cookie says that one of them set a cookie.
	From   string `json:"from,omitempty"`
	Cookie bool   `json:"cookie,omitempty"`

	// Turn is the outcome of the request. It decides the pause of the host after the item is done or queued again.
	Turn politeness.Answer `json:"-"`
}

// A Skip is an address that a crawl leaves out.
type Skip struct {
	Key    string
	Reason string
	Trap   string // which sort, if the reason is a trap
	// Now says that the reason may not apply to another path to the address: it can still be queued later.
	Now bool
}

// Trap is the reason of skips that have a [Skip.Trap].
const Trap = "trap"

// Totals count the outcomes of a crawl.
type Totals struct {
	Pages   int64            `json:"pages"`
	Docs    int64            `json:"docs"`
	Parts   int64            `json:"parts"`
	Bytes   int64            `json:"bytes"`
	Skipped map[string]int64 `json:"skipped"`
	Traps   map[string]int64 `json:"traps,omitempty"`
	Status  map[string]int64 `json:"status"`
	// FailedSteps are actions that could not be performed on their pages.
	FailedSteps int64   `json:"failed_steps,omitempty"`
	Seconds     float64 `json:"seconds"` // of all processes together
}

// A State is the progress of a crawl.
type State struct {
	Totals
	Begun     time.Time // when it got its first seeds; zero if it has none
	Ended     string    // how it ended, "" if it hasn't
	Widens    []string  // targets of redirected seeds
	Processes int       // at work on it, if the frontier is shared
}

// A Seen payload has been written.
type Seen struct {
	URI  string    `json:"uri"`
	Time time.Time `json:"time"`
	File string    `json:"file"` // its name
}

// Order says which pages of a host come first.
type Order string

const (
	Breadth Order = "breadth"
	Depth   Order = "depth"
)

// Config sets the order of items and how often hosts are asked.
type Config struct {
	Order      Order
	Politeness politeness.Config
}

// Limits say when nothing more is handed out. 0 is no limit.
type Limits struct{ Pages, Docs, Bytes int64 }

// Reached returns the limit that a crawl has reached, by its name in crawl files, or "".
func (l Limits) Reached(t Totals) string {
	switch {
	case l.Docs > 0 && t.Docs >= l.Docs:
		return MaxDocs
	case l.Bytes > 0 && t.Bytes >= l.Bytes:
		return MaxBytes
	case l.Pages > 0 && t.Pages >= l.Pages: // the weakest limit
		return MaxPages
	}
	return ""
}

// The limits. At MaxPages, the parts of the last pages are still requested; at the others nothing is.
const (
	MaxPages = "max_pages"
	MaxDocs  = "max_docs"
	MaxBytes = "max_bytes"
)

// An Assignment is the result of [Frontier.Next].
type Assignment struct {
	Item  Item // if OK
	OK    bool
	Waits bool          // something is queued, but its host must not be asked yet
	Wait  time.Duration // until something may be handed out; 0 if unknown
	Held  int           // items that all processes hold, including this one
	Limit string        // the limit that was reached, or ""
	// Widens is the current number of [State.Widens]. Deaths is the number of processes that were given up, which may have left
	// files to mend.
	Widens, Deaths int
}

// Found is what was found in an answer.
type Found struct {
	Items   []Item // queued, unless their keys are known
	Skipped []Skip // counted, unless their keys are known
	Widen   string // target of a redirected seed, or ""
	DocKey  string // key of the page that Doc was read from
	Doc     []byte // may be nil
	Docs    int    // how many documents Doc counts for
}

// Answer is the outcome of an item.
type Answer struct {
	Status int    // 0 if nothing was written
	Bytes  int64  // of the answer
	File   string // name of the file with the answer
	Skip   Skip   // why nothing was written; its Key is ignored
	Digest string
	Seen   Seen // where the payload was written, if Digest isn't ""
	Failed int  // steps that could not be performed on the page
}

// Written is an item with its written answer.
type Written struct {
	Item   Item   `json:"item"`
	Answer Answer `json:"answer"`
}

// Setup is the settings of a process for a crawl.
type Setup struct {
	// Fixed are settings that never change after the beginning of the crawl.
	Fixed []Setting
	// Shared are settings that all processes working on the crawl must share.
	Shared []Setting
}

// A Setting is a key of a crawl with its value, in a form that can be compared.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// A MismatchError says which setting of a crawl differs from that of a process.
type MismatchError struct {
	Setting        // as the crawl has it
	Want    string // the value that the process has
	Others  bool   // differs only because other processes use it
}

func (e *MismatchError) Error() string {
	if e.Others {
		return fmt.Sprintf("%s: others are at work on this crawl with %s and this process has %s: give all of them the same, or wait until they "+
			"have ended", e.Key, e.Value, e.Want)
	}
	return fmt.Sprintf("%s: this crawl began with %s and would go on with %s: leave it as it was, give the crawl another name, or begin anew "+
		"with --new", e.Key, e.Value, e.Want)
}

// Differs returns the first setting with different values, or nil. Settings that aren't in both are ignored.
func Differs(was, want []Setting) *MismatchError {
	for _, w := range was {
		for _, s := range want {
			if s.Key == w.Key && s.Value != w.Value {
				return &MismatchError{Setting: w, Want: s.Value}
			}
		}
	}
	return nil
}
