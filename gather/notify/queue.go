package notify

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/internal/atom"
)

// The keys of the store:
//
//	p RULE        → how far the rule's feed was read ([place])
//	k RULE ENTRY  → empty: an entry that was reported, or existed before
//	q RULE NUMBER → a queued [Delivery]; the numbers count up
//
// RULE and ENTRY are hashes of 16 bytes, NUMBER has 8 bytes.
const (
	placePrefix = 'p'
	knownPrefix = 'k'
	queuePrefix = 'q'
)

// A place says how far a feed was read.
type place struct {
	Tag   string    `json:"tag"`   // the entity tag of its first document
	Since time.Time `json:"since"` // entries of before are not told: nobody has looked whether they are new
	Last  uint64    `json:"last"`  // number of the last delivery
}

// A Delivery is one notification.
type Delivery struct {
	Number  uint64       `json:"number"`
	Feed    string       `json:"feed"`
	Title   string       `json:"title"` // of the feed
	Entries []atom.Entry `json:"entries"`
	Made    time.Time    `json:"made"`
	Due     time.Time    `json:"due"`
	Tries   int          `json:"tries"`
	Error   string       `json:"error,omitempty"` // why the last one failed
}

// A ruleID identifies a rule by its collection, feed and recipient. It stays when the archive moves to another address, as the IDs of
// entries do.
type ruleID [16]byte

func (n *Notifier) idOf(r *Rule) ruleID {
	return hashOf(path.Base(n.Archive) + "/" + r.feed("") + "\n" + string(r.To) + "\n" + r.Address)
}

func hashOf(s string) (id [16]byte) {
	sum := sha256.Sum256([]byte(s))
	copy(id[:], sum[:])
	return id
}

// id returns the ID of a delivery. A delivery that is repeated after a crash has the same ID.
func (d *Delivery) id(rule ruleID) string {
	return hex.EncodeToString(binary.BigEndian.AppendUint64(rule[:len(rule):len(rule)], d.Number))
}

func key(prefix byte, rule ruleID, rest ...byte) []byte {
	return append(append([]byte{prefix}, rule[:]...), rest...)
}

func numbered(rule ruleID, n uint64) []byte {
	return binary.BigEndian.AppendUint64(key(queuePrefix, rule), n)
}

// place returns how far a feed was read; known is false if it never was.
func (n *Notifier) place(ctx context.Context, rule ruleID) (p place, known bool, err error) {
	known, err = kv.GetJSON(ctx, n.Store, key(placePrefix, rule), &p)
	return p, known, err
}

// unknown returns the entries that are not known yet.
func (n *Notifier) unknown(ctx context.Context, rule ruleID, entries []atom.Entry) (out []atom.Entry, err error) {
	err = n.Store.View(ctx, func(at kv.Snapshot) error {
		for i := range entries {
			e := hashOf(entries[i].ID)
			err := at.Get(key(knownPrefix, rule, e[:]...), func([]byte) error { return nil })
			if errors.Is(err, kv.ErrNoKey) {
				out = append(out, entries[i])
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// keep stores, in one transaction, how far a feed was read, the entries that are known now, and a delivery unless it is nil.
func (n *Notifier) keep(ctx context.Context, rule ruleID, p place, known []atom.Entry, d *Delivery) error {
	return n.Store.Update(ctx, func(tx kv.Txn) error {
		if d != nil {
			p.Last++
			d.Number = p.Last
			if err := kv.SetJSON(tx, numbered(rule, d.Number), d); err != nil {
				return err
			}
		}
		for i := range known {
			e := hashOf(known[i].ID)
			if err := tx.Set(key(knownPrefix, rule, e[:]...), nil); err != nil {
				return err
			}
		}
		return kv.SetJSON(tx, key(placePrefix, rule), p)
	})
}

// first returns the oldest delivery of a rule, nil if there is none, and the number of queued ones.
func (n *Notifier) first(ctx context.Context, rule ruleID) (d *Delivery, waiting int, err error) {
	err = n.Store.View(ctx, func(at kv.Snapshot) error {
		queue := key(queuePrefix, rule)
		return kv.Each(at, kv.Range{Prefix: queue}, queue, func(c kv.Cursor) error {
			if waiting++; waiting > 1 {
				return nil
			}
			d = &Delivery{}
			return c.Value(func(v []byte) error { return json.Unmarshal(v, d) })
		})
	})
	return d, waiting, err
}

func (n *Notifier) later(ctx context.Context, rule ruleID, d *Delivery) error {
	return n.Store.Update(ctx, func(tx kv.Txn) error { return kv.SetJSON(tx, numbered(rule, d.Number), d) })
}

func (n *Notifier) done(ctx context.Context, rule ruleID, d *Delivery) error {
	return n.Store.Update(ctx, func(tx kv.Txn) error { return tx.Delete(numbered(rule, d.Number)) })
}
