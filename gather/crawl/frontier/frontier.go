// Package frontier says what a crawl has to remember: what it has to ask for, what it knows already, and what became of it, so that a
// crawl that is stopped at any moment goes on where it was. Package local keeps that for one process, package redis for several that
// share a crawl; frontiertest tests both.
//
// An address goes the same way always: it is found and queued ([Frontier.Found]), handed out with a turn at its host
// ([Frontier.Next]), and, once its answer has been written, done ([Frontier.Done]). What is queued and not done when a process ends
// is handed out again; [Frontier.Queued] tells whether that is so of an address whose answer turns out to have been written.
//
// What is done is remembered together with its item until the file with the answer is known to be on the disk
// ([Frontier.Sync]): a loss of power may take the end of that file and leave the frontier ([Frontier.Unsettled]).
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
	// Join says that this process works on the crawl from now on. The error is a [*MismatchError] if the crawl is another.
	Join(ctx context.Context, s Setup) error
	// Begin queues the seeds. Those that are known change nothing; with another one a crawl that has ended goes on.
	Begin(ctx context.Context, seeds []Item, now time.Time) error
	// Found queues what an answer has brought. Doing so again changes nothing.
	Found(ctx context.Context, found Found) error
	// Next hands out an item whose host may be asked now, with a turn at that host. Hosts come in turn; of a host, parts come
	// before pages, so that pages are whole soon, and last the pages that are late or didn't answer.
	Next(ctx context.Context, l Limits) (Handed, error)
	// Claim hands out an item, without a turn at its host, that is being asked for already, by a browser: one that nobody knew, or one
	// that waits in the queue, which is returned as it stands there. It reports false if the item is done, left out, or handed out.
	Claim(ctx context.Context, item Item) (Item, bool, error)
	// Knows reports whether a key is queued, done or left out.
	Knows(ctx context.Context, key string) (bool, error)
	// Count counts the answer to an item that never stood in the queue, since nobody could ask for it again, and makes its key known.
	Count(ctx context.Context, item Item, a Answer) error
	// Slow sets the pause that the host of an item asks for in its robots.txt (Crawl-delay); 0 is none.
	Slow(ctx context.Context, item Item, delay time.Duration) error
	// Holds reports, just before the answer is written, whether the item is still this process's own. One that others believe to be
	// dead has lost its items, and must write nothing.
	Holds(ctx context.Context, item Item) (bool, error)
	// Done takes an item out of the queue, and ends its turn. An answer that was written counts whoever holds the item now. It
	// reports false if somebody had done it before, or holds it and this process has written nothing.
	Done(ctx context.Context, item Item, a Answer) (bool, error)
	// Again puts an item behind the others, to be asked for once more, and ends its turn.
	Again(ctx context.Context, item Item) error
	// Back takes an item back that was not asked for, and ends its turn.
	Back(ctx context.Context, item Item) error
	// Queued returns the item with a key, if it is not done.
	Queued(ctx context.Context, key string) (Item, bool, error)
	// Payload returns where a payload was written.
	Payload(ctx context.Context, digest string) (Seen, bool, error)
	// Docs calls each with the documents, in the order of their keys.
	Docs(ctx context.Context, each func(doc []byte) error) error
	// State returns how far the crawl is.
	State(ctx context.Context) (State, error)
	// Sync calls files, which makes the files of this process survive a loss of power, and then what was done before needs no
	// remembering any more. Unless files fails it returns once the frontier would survive as well, as far as that is in its hands.
	Sync(ctx context.Context, files func() error) error
	// Unsettled returns answers whose files were never known to be on the disk, by other processes that wrote where this one writes. Those
	// in files that are still being written are none of its business.
	Unsettled(ctx context.Context) ([]Written, error)
	// Settle says which of these answers are in their files. Those that are lost are queued again, and don't count.
	Settle(ctx context.Context, kept, lost []Written) error
	// Repeated returns keys of items whose answers, written by processes that are gone where this one writes, others have written once more
	// since: nobody could see that they were there.
	Repeated(ctx context.Context) (keys []string, err error)
	// Mended says that the files where this process writes are whole, that what is repeated was taken out of them, and which writers,
	// by their marks, still write there. What the others may have written before they died is there, or asked for again.
	Mended(ctx context.Context, repeated, writing []string) error
	// End notes how long this process worked, and how the crawl ended; "" if it goes on some other time.
	End(ctx context.Context, how string, ran time.Duration) error
	// Restart forgets the crawl, all but the payloads that it has written. Call it before Join.
	Restart(ctx context.Context) error
	Close() error
}

// ErrUnavailable is wrapped by errors of a frontier on another machine that did not answer for too long, or has lost the crawl.
const ErrUnavailable = sentinel.Error("the frontier is not available")

// A Kind says what an address is to a crawl.
type Kind string

// The kinds.
const (
	Page    Kind = "page"
	Part    Kind = "part"    // an image, a style sheet, a frame: of a page, wherever it is
	Sitemap Kind = "sitemap" // a list of pages
)

// An Item is an address that a crawl asks for.
type Item struct {
	Key   string `json:"key"` // the same for addresses that ask for the same
	URL   string `json:"url"`
	Host  string `json:"host"` // that is asked, with its port
	Kind  Kind   `json:"kind"`
	Seed  bool   `json:"seed,omitempty"`  // what the crawl begins with, or what that redirects to
	Depth int    `json:"depth,omitempty"` // jumps from a seed; of a part, those of its page
	Level int    `json:"level,omitempty"` // of a part: parts it is a part of, with itself
	Hops  int    `json:"hops,omitempty"`  // redirects that led to it
	Run   int    `json:"run,omitempty"`   // dated pages in a row that led to it
	Tries int    `json:"tries,omitempty"` // how often it was asked for without an answer
	Late  bool   `json:"late,omitempty"`  // a page of which there are many alike, after the host's others
	Via   string `json:"via,omitempty"`   // the page that named it

	// Turn is what asking has led to. It decides how long the host is left alone when the item is done, or comes again.
	Turn politeness.Answer `json:"-"`
}

// A Skip is an address that a crawl leaves out.
type Skip struct {
	Key    string
	Reason string
	Trap   string // which sort, if the reason is a trap
	// Now says that the reason may not hold for another way to the address: it can be queued later.
	Now bool
}

// Trap is the reason of skips that have a [Skip.Trap].
const Trap = "trap"

// Totals are what became of a crawl so far.
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

// A State is how far a crawl is.
type State struct {
	Totals
	Begun     time.Time // when it was given seeds; zero if it has none
	Ended     string    // how, "" if it goes on
	Widens    []string  // addresses that seeds were redirected to
	Processes int       // at work on it, if the frontier is shared
}

// A Seen payload is one that was written.
type Seen struct {
	URI  string    `json:"uri"`
	Time time.Time `json:"time"`
	File string    `json:"file"` // its name
}

// Order says which pages of a host come first.
type Order string

// The orders.
const (
	Breadth Order = "breadth"
	Depth   Order = "depth"
)

// Config says in which order items are handed out, and how often hosts are asked.
type Config struct {
	Order      Order
	Politeness politeness.Config
}

// Limits say when nothing more is handed out. 0 is no limit.
type Limits struct{ Pages, Docs, Bytes int64 }

// Reached returns the limit that a crawl has reached, as crawl files call it, "" if none.
func (l Limits) Reached(t Totals) string {
	switch {
	case l.Docs > 0 && t.Docs >= l.Docs:
		return MaxDocs
	case l.Bytes > 0 && t.Bytes >= l.Bytes:
		return MaxBytes
	case l.Pages > 0 && t.Pages >= l.Pages: // the weakest of them
		return MaxPages
	}
	return ""
}

// The limits. At the first, the parts of the last pages are still asked for; at the others nothing is.
const (
	MaxPages = "max_pages"
	MaxDocs  = "max_docs"
	MaxBytes = "max_bytes"
)

// Handed is what [Frontier.Next] has found.
type Handed struct {
	Item  Item // if OK
	OK    bool
	Waits bool          // something is queued whose host has to wait
	Wait  time.Duration // until something may be handed out, as far as that is known; 0 if it is not
	Held  int           // items that are handed out, by all processes, with this one
	Limit string        // the limit that is reached, "" if none
	// Widens is how many addresses [State] has by now that seeds were redirected to, and Deaths how many processes have been given up: they
	// may have left files to mend.
	Widens, Deaths int
}

// Found is what an answer has brought.
type Found struct {
	Items   []Item // queued, unless their keys are known
	Skipped []Skip // counted, unless their keys are known
	Widen   string // an address that a seed was redirected to, or ""
	DocKey  string // of the page that Doc was read from
	Doc     []byte // may be nil
	Docs    int    // how many documents Doc counts for
}

// Answer is what became of an item.
type Answer struct {
	Status int    // 0 if nothing was written
	Bytes  int64  // of the answer
	File   string // where it was written, a name
	Skip   Skip   // why nothing was written; its key doesn't count
	Digest string
	Seen   Seen // of the digest, unless it is ""
	Failed int  // steps that could not be performed on the page
}

// Written is an item with the answer that was written.
type Written struct {
	Item   Item   `json:"item"`
	Answer Answer `json:"answer"`
}

// Setup is what a process wants a crawl to be.
type Setup struct {
	// Fixed are settings that stay what they were when the crawl began.
	Fixed []Setting
	// Shared are settings that all processes at work on the crawl have in common.
	Shared []Setting
}

// A Setting is one key of a crawl, with its value in some form that can be compared.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// A MismatchError says which setting of a crawl is another than what a process wants.
type MismatchError struct {
	Setting        // as the crawl has it
	Want    string // the value that the process has
	Others  bool   // only because other processes work with it
}

func (e *MismatchError) Error() string {
	if e.Others {
		return fmt.Sprintf("%s: others are at work on this crawl with %s and this process has %s: give all of them the same, or wait until they "+
			"have ended", e.Key, e.Value, e.Want)
	}
	return fmt.Sprintf("%s: this crawl began with %s and would go on with %s: leave it as it was, give the crawl another name, or begin anew "+
		"with --new", e.Key, e.Value, e.Want)
}

// Differs returns the first setting that another process has otherwise, nil if there is none. One that isn't in both says nothing.
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
