package feed

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/varve-archive/varve/rewrite/reference"
)

// Limits of a document.
const (
	// MaxBytes is the largest size of a document after decoding.
	MaxBytes = 16 << 20
	// MaxEntries is the largest number of entries in a document. Sitemaps have at most 50,000 addresses.
	MaxEntries = 50_000
	maxDepth   = 100 // nested elements
	maxAddress = 2_000
	maxText    = 1 << 20
	maxLinks   = 16 // comments, enclosures, hubs
)

// A Document is a list of what is new at a source.
type Document struct {
	Format  string // such as "RSS 2.0"
	Title   string
	Site    string // address of the site that the feed belongs to, "" if not given
	Entries []Entry
	Index   bool // its entries are sitemaps
	Hints   Hints
	Hubs    []string // of WebSub
	Self    string   // the feed's own address, as hubs know it
	Cloud   *Cloud   // of rssCloud
	Fault   error    // why an entry, or what follows the entries, was left out; nil for nothing
}

// An Entry is one item of a document.
type Entry struct {
	ID         string // id or guid, else its link
	Link       string // its address; "" if it has none
	Title      string
	Published  time.Time // zero if not given, here and below
	Updated    time.Time
	Text       string // HTML, as far as the feed contains it
	Comments   []string
	Enclosures []string
	Sitemap    bool // the link leads to a sitemap, not a page
}

// Sum returns a hash of an entry, by which changes of it are recognized.
func (e *Entry) Sum() string {
	h := sha256.New()
	for _, part := range []string{e.Link, e.Title, e.Text} {
		_, _ = h.Write([]byte(part))
		_, _ = h.Write([]byte{0})
	}
	if !e.Updated.IsZero() && !e.Updated.Equal(e.Published) {
		_, _ = h.Write([]byte(e.Updated.UTC().Format(time.RFC3339)))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// When returns the time of an entry's last change, or the zero time if it isn't given.
func (e *Entry) When() time.Time {
	if e.Updated.After(e.Published) {
		return e.Updated
	}
	return e.Published
}

// Hints are a feed's requests to those who poll it.
type Hints struct {
	TTL       time.Duration // it stays as it is for so long
	SkipHours [24]bool      // UTC
	SkipDays  [7]bool       // from Sunday
}

// After returns the first time, at or after at, that isn't skipped. It returns at if a feed skips all times.
func (h *Hints) After(at time.Time) time.Time {
	for next, hours := at, 0; hours < 8*24; hours++ {
		utc := next.UTC()
		if !h.SkipHours[utc.Hour()] && !h.SkipDays[utc.Weekday()] {
			return next
		}
		next = utc.Truncate(time.Hour).Add(time.Hour)
	}
	return at
}

// A Cloud is a server with which one can register for notifications about a feed (rssCloud).
type Cloud struct {
	URL      string // of the register procedure
	Protocol string // http-post or xml-rpc
}

// A builder collects the entries of a document.
type builder struct {
	base string
	doc  Document
	seen map[string]int // by ID, the place of the entry that had it first
}

func newBuilder(base, format string) *builder {
	return &builder{base: base, doc: Document{Format: format}, seen: map[string]int{}}
}

// add adds an entry that has an ID, unless the ID is already there. An ID of entries with different links tells nothing: each has its link.
func (b *builder) add(e Entry) {
	e.Link = b.address(e.Link)
	e.ID = cut(strings.TrimSpace(e.ID), maxAddress)
	if e.ID == "" {
		e.ID = e.Link
	}
	if e.ID == "" { // neither: what it says is all that it is
		e.ID = "sum:" + e.Sum()
	}
	if i, ok := b.seen[e.ID]; ok {
		other := &b.doc.Entries[i]
		if _, ok := b.seen[e.Link]; ok || e.Link == "" || other.Link == "" || e.Link == other.Link {
			return
		}
		b.seen[other.Link], other.ID, e.ID = i, other.Link, e.Link
	}
	b.seen[e.ID] = len(b.doc.Entries)
	e.Title, e.Text = cut(strings.TrimSpace(e.Title), maxAddress), cut(e.Text, maxText)
	e.Comments, e.Enclosures = b.addresses(e.Comments), b.addresses(e.Enclosures)
	b.doc.Entries = append(b.doc.Entries, e)
}

// cut shortens a text to most bytes.
func cut(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "")
	}
	return s
}

// address resolves a reference, and returns "" if it isn't a web address.
func (b *builder) address(ref string) string {
	a, _ := Resolve(b.base, ref)
	return a
}

func (b *builder) addresses(refs []string) (out []string) {
	for _, ref := range refs {
		if a := b.address(ref); a != "" && len(out) < maxLinks {
			out = append(out, a)
		}
	}
	return out
}

// Resolve resolves a reference in a document as browsers do. With an error the address is "".
func Resolve(base, ref string) (string, error) {
	ref = strings.TrimSpace(ref)
	if ref == "" || len(ref) > maxAddress {
		return "", errors.New("it is no address, or too long for one")
	}
	return reference.Web(base, ref)
}
