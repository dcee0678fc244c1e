package follow

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/follow/feed"
	"github.com/varve-archive/varve/gather/follow/policy"
	"github.com/varve-archive/varve/gather/follow/push"
	"github.com/varve-archive/varve/gather/follow/status"
)

// The keys of the store, by their first byte.
const (
	keySource  = 's' // address → memory
	keyEntry   = 'e' // source and entry, hashed → known
	keyVisit   = 'q' // the same, with what of the entry → visit
	keyPage    = 'p' // address → page
	keyPart    = 'a' // address → when it was captured
	keyPayload = 'h' // status and digest → seen
	keyTotals  = 't' // totals
)

// A memory is the stored state of a source.
type memory struct {
	First    time.Time     `json:"first,omitzero"` // when it was asked first
	Asked    time.Time     `json:"asked,omitzero"`
	Next     time.Time     `json:"next,omitzero"`
	News     time.Time     `json:"news,omitzero"` // when something new was found last
	Step     time.Duration `json:"step,omitempty"`
	Rate     policy.Rate   `json:"rate"`
	Final    string        `json:"final,omitempty"` // the address that answered, after redirects
	Moved    string        `json:"moved,omitempty"` // where permanent redirects lead to
	ETag     string        `json:"etag,omitempty"`  // of Final, here and below
	Modified string        `json:"modified,omitempty"`
	Digest   string        `json:"digest,omitempty"` // of the document
	Title    string        `json:"title,omitempty"`
	Format   string        `json:"format,omitempty"`
	Site     string        `json:"site,omitempty"`
	Hints    feed.Hints    `json:"hints"`
	Top      string        `json:"top,omitempty"` // the first entry of a list
	Polls    int64         `json:"polls"`
	Useful   int64         `json:"useful"`
	Entries  int64         `json:"entries"`
	Captured int64         `json:"captured"`
	Lag      status.Lag    `json:"lag"`
	Failed   int           `json:"failed,omitempty"` // times in a row
	Problem  string        `json:"problem,omitempty"`
	Aside    string        `json:"aside,omitempty"`
	Day      string        `json:"day,omitempty"`   // that Fresh counts
	Fresh    int           `json:"fresh,omitempty"` // new entries on it
	Push     push.State    `json:"push,omitzero"`
}

// known is the stored state of an entry.
type known struct {
	Sum     string    `json:"sum"`
	Updated time.Time `json:"updated,omitzero"`
	Visited time.Time `json:"visited,omitzero"` // when its visit was queued last
	Same    int       `json:"same,omitempty"`   // visits in a row that found the page as it was
}

// A visit is a queued request for a page, on behalf of an entry.
type visit struct {
	Key       []byte    `json:"key"`
	Entry     []byte    `json:"entry,omitempty"` // key of the entry, unless it is something beside its page
	Source    string    `json:"source"`
	URL       string    `json:"url"`
	Part      bool      `json:"part,omitempty"` // an enclosure: written as it is, whatever it is
	Published time.Time `json:"published,omitzero"`
	Found     time.Time `json:"found"`
	After     time.Time `json:"after,omitzero"`
	Tries     int       `json:"tries,omitempty"`
}

// A page is the stored state of a page, by which changes are recognized.
type page struct {
	Final    string    `json:"final"`
	ETag     string    `json:"etag,omitempty"`
	Modified string    `json:"modified,omitempty"`
	Status   int       `json:"status"`
	Digest   string    `json:"digest"`
	Cut      bool      `json:"cut,omitempty"`   // only its beginning came
	Texts    [][]byte  `json:"texts,omitempty"` // sketches of what it was like, the oldest first
	Written  time.Time `json:"written,omitzero"`
}

// A seen payload has been written.
type seen struct {
	URI  string    `json:"uri"`
	Time time.Time `json:"time"`
	File string    `json:"file"`
}

// totals are sums over all sources.
type totals struct {
	status.Totals
	Day       string           `json:"day"`
	Today     status.Usage     `json:"today"`
	Allowance policy.Allowance `json:"allowance"`
}

func key(kind byte, rest ...string) []byte {
	k := []byte{kind}
	for _, r := range rest {
		k = append(k, r...)
	}
	return k
}

// addressKey returns the key for an address. It hashes the address, which may be longer than a key.
func addressKey(kind byte, address string) []byte {
	sum := sha256.Sum256([]byte(address))
	return append([]byte{kind}, sum[:20]...)
}

func entryKey(source, id string) []byte { return addressKey(keyEntry, source+"\x00"+id) }

func visitKey(entry []byte, address string) []byte {
	return addressKey(keyVisit, string(entry)+"\x00"+address)
}

func each(ctx context.Context, s kv.Store, kind byte, f func(key, value []byte) error) error {
	return s.View(ctx, func(at kv.Snapshot) error {
		return kv.Each(at, kv.Range{Prefix: []byte{kind}}, []byte{kind}, func(c kv.Cursor) error {
			return c.Value(func(v []byte) error { return f(c.Key(), v) })
		})
	})
}
