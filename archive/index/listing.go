package index

import (
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/packed"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Captures are stored by SURT, so they don't tell which SURTs a file has. A Writer therefore also writes lists of SURTs, one for some
// thousand captures, and [Index.Touched] reads the lists of files that have changed.

// listedAtOnce is how many captures share a list. It bounds the size of a value in the store.
const listedAtOnce = 4096

// A listing collects the SURTs of a file's captures.
type listing struct {
	names []string
	times TimeSpan
	last  int64 // the highest offset of a capture
}

func (l *listing) add(c *cdx.Capture) {
	if l.names = append(l.names, c.Key); len(l.names) == 1 {
		l.times = TimeSpan{c.Time, c.Time}
	}
	l.times.add(TimeSpan{c.Time, c.Time})
	l.last = max(l.last, c.Offset)
}

// put writes the list and begins the next. The key has a hash because two lists may end with the same capture, if a CDX file names it
// twice.
func (l *listing) put(b kv.Batch, file cdx.FileID) error {
	if len(l.names) == 0 {
		return nil
	}
	slices.Sort(l.names)
	v := binary.BigEndian.AppendUint64([]byte{timedList}, uint64(l.times.From))
	v = append(binary.BigEndian.AppendUint64(v, uint64(l.times.To)), packNames(slices.Compact(l.names))...)
	k := binary.BigEndian.AppendUint64(listKey(file, l.last), xxh3.Hash(v))
	*l = listing{names: l.names[:0]}
	return b.Set(k, v)
}

// timedList begins each list.
const timedList = 1

// packNames packs sorted names: for each, the number of bytes shared with the previous name, then the length and bytes of the rest.
func packNames(names []string) []byte {
	var v []byte
	before := ""
	for _, name := range names {
		shared := 0
		for shared < min(len(before), len(name)) && before[shared] == name[shared] {
			shared++
		}
		v = binary.AppendUvarint(v, uint64(shared))
		v = binary.AppendUvarint(v, uint64(len(name)-shared))
		v = append(v, name[shared:]...)
		before = name
	}
	return v
}

const errListing = sentinel.Error("index: a list of SURTs is damaged")

// eachName calls f with each name of a list, and with the range of its captures' datetimes. f must not keep the bytes.
func eachName(v []byte, f func(name []byte, times TimeSpan)) error {
	if len(v) < 1+8+8 || v[0] != timedList {
		return errListing
	}
	times := TimeSpan{cdx.Timestamp(binary.BigEndian.Uint64(v[1:])), cdx.Timestamp(binary.BigEndian.Uint64(v[9:]))}
	in := packed.Reader{Rest: v[17:]}
	var name []byte
	for len(in.Rest) > 0 {
		shared, rest := in.Uint(), in.Text()
		if in.Failed || shared > uint64(len(name)) {
			return errListing
		}
		name = append(name[:shared], rest...)
		f(name, times)
	}
	return nil
}

func unlist(s kv.Snapshot, b kv.Batch, file cdx.FileID) error {
	lists := listsOf(file)
	return kv.Each(s, kv.Range{Prefix: lists, KeysOnly: true}, lists, func(cur kv.Cursor) error { return b.Delete(slices.Clone(cur.Key())) })
}

// eachListed calls see with the SURTs of a file's captures from an offset on, and with the range of these captures' datetimes. Some
// captures before the offset may be included. see must not keep the bytes.
func eachListed(snap kv.Snapshot, file cdx.FileID, from int64, see func(name []byte, times TimeSpan)) error {
	return kv.Each(snap, kv.Range{Prefix: listsOf(file)}, listKey(file, from), func(cur kv.Cursor) error {
		return cur.Value(func(v []byte) error { return eachName(v, see) })
	})
}

// A TimeSpan is the time from From to To, both included.
type TimeSpan struct{ From, To cdx.Timestamp }

// add extends the span by another.
func (s *TimeSpan) add(o TimeSpan) { s.From, s.To = min(s.From, o.From), max(s.To, o.To) }
