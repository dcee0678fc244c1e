package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/varve-archive/varve/archive/index/kv"
)

// Facts are what was learnt about a host from samples of its captures, one value for each host. Keeping them in the index saves each
// process from reading hundreds of keys after every change of the file table. Facts agree with all captures of the host that the index
// shows. A change of the file table invalidates the facts of the hosts that it affects, in the same transaction: it deletes them or, if it
// can't tell which hosts these are, begins a new epoch. Facts of an earlier epoch are invalid.
//
// Before its transaction, a change looks up which hosts have facts. Facts are counted when they are stored, so the transaction can see
// whether others were stored since.

const (
	maxFacts      = 48 << 10 // bytes for one host; see maxCachedList
	maxTouched    = 50_000   // hosts that a change remembers
	maxVoid       = 2_000    // hosts whose facts one change deletes; a store takes a few megabytes in one transaction
	maxLostHosts  = 50_000   // hosts without facts that a process remembers
	factsAtOnce   = 1_000    // keys that are looked up together
	factsStampLen = 8 + 8
)

// A HostName is a host in a collection: the part of a key before ")".
type HostName struct{ Coll, Host string }

// factsKeys returns the keys whose values [factsIn] takes, in this order.
func factsKeys(h HostName) [][]byte {
	return [][]byte{unsettledKey.key(), resolvedKey.key(), factsKey.key(), hostKey(h)}
}

// factsIn returns the facts of a host, given the values of [factsKeys] (nil if missing). ok is false if there are no valid facts.
func factsIn(values [4][]byte) (facts []byte, ok bool) {
	stamp, kept := values[2], values[3]
	if values[0] != nil || values[1] != nil || len(stamp) != factsStampLen || len(kept) < 8 || !bytes.Equal(kept[:8], stamp[:8]) {
		return nil, false
	}
	return kept[8:], true
}

// Facts calls f with the facts of a host, and reports whether there are any. The bytes are valid until f returns.
func (c Cache) Facts(ctx context.Context, h HostName, f func(facts []byte) error) (found bool, err error) {
	err = c.x.view(ctx, func(v view) error { found, err = v.facts(h, f); return err })
	return found && err == nil, err
}

// facts is [Cache.Facts].
func (snap view) facts(h HostName, f func(facts []byte) error) (found bool, err error) {
	var values [4][]byte
	err = snap.GetMany(factsKeys(h), func(i int, value []byte) error {
		values[i] = append([]byte{}, value...) // never nil
		return nil
	})
	if err != nil {
		return false, err
	}
	facts, found := factsIn(values)
	if !found {
		return false, nil
	}
	return true, f(facts)
}

// PutFacts stores the facts of a host that were learnt at a generation, or returns [ErrNotCached] if the index has changed since. Unsettled
// files need no check here: facts are ignored until they are settled, and the change that settles them invalidates the facts.
func (c Cache) PutFacts(ctx context.Context, h HostName, generation uint64, facts []byte) error {
	if len(facts) > maxFacts || len(h.Host) > maxCachedKey || c.Imported(h.Coll) {
		return ErrNotCached
	}
	return c.x.store.Update(ctx, func(txn kv.Txn) error {
		now, err := number(txn.Get(generationKey.key()))
		if err != nil {
			return err
		}
		if now != generation {
			return ErrNotCached
		}
		stamp, err := stampOf(txn.Get(factsKey.key()))
		if err != nil {
			return err
		}
		stamp.kept++
		if err := txn.Set(factsKey.key(), stamp.pack()); err != nil {
			return err
		}
		return txn.Set(hostKey(h), append(binary.BigEndian.AppendUint64(nil, stamp.epoch), facts...))
	})
}

// A factsStamp is the current epoch, and how often facts were stored.
type factsStamp struct{ epoch, kept uint64 }

func stampOf(v []byte, err error) (s factsStamp, _ error) {
	switch {
	case errors.Is(err, kv.ErrNoKey):
		return s, nil
	case err != nil:
		return s, err
	case len(v) != factsStampLen:
		return s, errors.New("index: the stamp of facts is cut short")
	}
	return factsStamp{binary.BigEndian.Uint64(v), binary.BigEndian.Uint64(v[8:])}, nil
}

func (s factsStamp) pack() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, s.epoch), s.kept)
}

// A factsReach says which hosts' facts a change invalidates.
type factsReach struct {
	stamp factsStamp // before the change
	all   bool       // note hosts without facts too, so that they are learnt
	hosts map[HostName]bool
	many  bool       // more than maxTouched; hosts is incomplete
	have  []HostName // hosts that had facts before the change
	last  HostName
}

// idle reports whether no host needs to be noted.
func (r *factsReach) idle() bool { return r.stamp.kept == 0 && !r.all }

// lost returns the hosts that have to be learnt after the change.
func (r *factsReach) lost() []HostName {
	if r.all {
		return sortedHosts(r.hosts)
	}
	return r.have
}

// see notes the host of a key.
func (r *factsReach) see(coll string, key []byte) {
	if r.idle() {
		return
	}
	host, _, _ := bytes.Cut(key, []byte{')'})
	if len(host) > maxCachedKey || string(host) == r.last.Host && coll == r.last.Coll {
		return
	}
	r.last = HostName{coll, string(host)}
	if r.hosts[r.last] = true; len(r.hosts) > maxTouched {
		r.many = true
		clear(r.hosts)
	}
}

// find finds out which of the noted hosts have facts.
func (r *factsReach) find(snap kv.Snapshot) error {
	if r.stamp.kept == 0 {
		return nil
	}
	for hosts := range slices.Chunk(sortedHosts(r.hosts), factsAtOnce) {
		keys := make([][]byte, len(hosts))
		for i, h := range hosts {
			keys[i] = hostKey(h)
		}
		err := snap.GetMany(keys, func(i int, _ []byte) error { r.have = append(r.have, hosts[i]); return nil })
		if err != nil {
			return err
		}
	}
	return nil
}

func sortedHosts(set map[HostName]bool) []HostName {
	return slices.SortedFunc(maps.Keys(set), func(a, b HostName) int { return bytes.Compare(hostKey(a), hostKey(b)) })
}

// voidFacts invalidates the facts of the affected hosts.
func (c *tableChange) voidFacts() error {
	r := &c.reach.facts
	c.lost = lostFacts{hosts: r.lost()}
	now, err := stampOf(c.Get(factsKey.key()))
	if err != nil || now.kept == 0 {
		return err
	}
	void := r.have
	if now != r.stamp { // facts were stored since the hosts with facts were found, or a new epoch began
		void = sortedHosts(r.hosts)
	}
	if c.reach.all || r.many || r.idle() || len(void) > maxVoid {
		now.epoch++
		c.lost.all = true
		return c.Set(factsKey.key(), now.pack())
	}
	for _, h := range void {
		if err := c.Delete(hostKey(h)); err != nil {
			return err
		}
	}
	return nil
}

// lostFacts are the hosts whose facts a change invalidated, or that never had any.
type lostFacts struct {
	hosts []HostName
	all   bool // all hosts that had facts
}

// A lostHosts collects hosts without facts because of changes by this process.
type lostHosts struct {
	mu    sync.Mutex
	hosts map[HostName]bool
	all   bool
}

func (l *lostHosts) note(lost lostFacts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = l.all || lost.all
	if l.hosts == nil {
		l.hosts = map[HostName]bool{}
	}
	for _, h := range lost.hosts {
		if len(l.hosts) < maxLostHosts {
			l.hosts[h] = true
		}
	}
}

// take removes and returns up to most hosts.
func (l *lostHosts) take(most int) (hosts []HostName) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for h := range l.hosts {
		if len(hosts) == most {
			break
		}
		hosts = append(hosts, h)
		delete(l.hosts, h)
	}
	return hosts
}

// LostFacts returns up to most hosts that have lost their facts by changes of this process, each once. Some may have new facts. For a store
// on another machine, where learning a host costs a reader several round trips, it includes hosts that never had any.
func (c Cache) LostFacts(ctx context.Context, most int) ([]HostName, error) {
	c.x.lost.mu.Lock()
	all := c.x.lost.all
	c.x.lost.all = false
	c.x.lost.mu.Unlock()
	if all {
		hosts, err := c.hostsWithFacts(ctx)
		if err != nil {
			c.x.lost.note(lostFacts{all: true})
			return nil, err
		}
		c.x.lost.note(lostFacts{hosts: hosts})
	}
	return c.x.lost.take(most), nil
}

// hostsWithFacts returns the hosts that have facts, valid or not.
func (c Cache) hostsWithFacts(ctx context.Context) (hosts []HostName, err error) {
	prefix := []byte{hostPrefix}
	err = c.x.store.View(ctx, func(snap kv.Snapshot) error {
		cur := snap.Cursor(kv.Range{Prefix: prefix, KeysOnly: true})
		defer cur.Close()
		for cur.Seek(prefix); cur.Valid() && len(hosts) < maxLostHosts; cur.Next() {
			if coll, host, ok := bytes.Cut(cur.Key()[1:], []byte{0}); ok {
				hosts = append(hosts, HostName{string(coll), string(host)})
			}
		}
		return cur.Err()
	})
	return hosts, err
}
