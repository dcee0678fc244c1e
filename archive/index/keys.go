package index

import (
	"bytes"
	"encoding/binary"

	"github.com/varve-archive/varve/cdx"
)

// Keys are laid out so that the usual question is one seek. Every key begins with a letter:
//
//	m NAME                            → facts of the store: "format", "identity", "generation", "lastfile", "resolved",
//	                                    "holders", "cached", "unsettled", "facts"
//	f FILE                            → an indexed file, JSON ([File])
//	v GENERATION                      → FILE: the file whose last change made this generation (table.go), with its recent
//	                                    changes (touched.go)
//	k FILE OFFSET HASH                → the SURTs of captures in a file, up to this offset (listing.go)
//	c COLL 0 SURT 0 TIME FILE OFFSET  → a capture (encode.go)
//	d COLL 0 DIGEST 0 TIME FILE OFFSET → SURT: where a payload digest occurs, for revisits
//	p COLL 0 SURT 0 TIME FILE OFFSET  → empty: a revisit whose original was not found yet
//	t TEXT                            → the bands of a visible text, then its sketch (package sketch writes it)
//	x COLL 0 TEXT 0 TIME FILE OFFSET  → SURT: where a text occurs
//	l COLL 0 BAND HASH GROUP          → TEXTs, sorted: those with this hash in this band; empty: the one text GROUP
//	w COLL 0 NAME                     → the claim of a process that indexes a file of this name (claim.go)
//	o COLL 0 TEXT                     → empty: a text that may have lost its last capture (sweep.go)
//	e COLL 0 SURT 0 SORT              → the head of a cached entry of this sort (cached.go)
//	g COLL 0 SURT 0 SORT PART         → a part of it
//	a COLL 0 SURT 0 SORT              → GENERATION TIME: the mark that it is stale
//	h COLL 0 HOST                     → EPOCH, and the facts of a host (facts.go)
//
// All numbers are big-endian, so that they sort. GENERATION counts the changes of the file table, TIME is a [cdx.Timestamp], OFFSET an
// offset in the file, TEXT a fingerprint, EPOCH a number: 8 bytes each, and so is PART. FILE is a [cdx.FileID] of 4 bytes, BAND and SORT
// take 1 byte, HASH 4. GROUP is the only TEXT of a group, or a hash of its TEXTs (group.go): 8 bytes. The name of a collection, a SURT and
// a digest contain no zero byte. Keys with q, r, s and u are of earlier versions of varve.
const (
	metaPrefix    = 'm'
	filePrefix    = 'f'
	capturePrefix = 'c'
	digestPrefix  = 'd'
	pendingPrefix = 'p'
	textPrefix    = 't'
	wherePrefix   = 'x'
	bandPrefix    = 'l'
	sweepPrefix   = 'o'
	journalPrefix = 'v'
	listPrefix    = 'k'
	claimPrefix   = 'w'
	cachePrefix   = 'e'
	partPrefix    = 'g'
	markPrefix    = 'a'
	hostPrefix    = 'h'
)

// Facts of the store and of hosts, claims, the file table, and heads and marks of cached entries are written by [kv.Store.Update],
// everything else by batches.
const (
	formatKey     metaName = "format"
	generationKey metaName = "generation"
	lastFileKey   metaName = "lastfile"
	identityKey   metaName = "identity" // of the store, random: generations of another store mean nothing here
	resolvedKey   metaName = "resolved" // exists while resolved revisits are stored that the journal doesn't name yet
	holdersKey    metaName = "holders"
	cachedKey     metaName = "cached"    // names of cached entries
	unsettledKey  metaName = "unsettled" // unsettled files, if there are any
	factsKey      metaName = "facts"     // the current epoch of facts, and how often facts were stored
)

// claimKey returns the key of the claim of a file. Names may have any length and contain any byte.
func claimKey(coll, name string) []byte { return append(collKey(claimPrefix, coll), name...) }

func hostKey(h HostName) []byte { return append(collKey(hostPrefix, h.Coll), h.Host...) }

// A metaName names a value of which a store has one.
type metaName string

func (n metaName) key() []byte { return append([]byte{metaPrefix}, n...) }

// indexFormat is stored in every index and checked on opening. It changes with the layout.
const indexFormat = "varve-9"

const tailLen = 8 + 4 + 8 // TIME FILE OFFSET

func collKey(prefix byte, coll string) []byte {
	k := make([]byte, 0, 128)
	k = append(k, prefix)
	k = append(k, coll...)
	return append(k, 0)
}

// nameKey returns a capture, digest or pending key without its tail.
func nameKey(prefix byte, coll, name string) []byte {
	k := make([]byte, 0, 2+len(coll)+len(name)+1+tailLen)
	k = append(k, prefix)
	k = append(k, coll...)
	k = append(k, 0)
	k = append(k, name...)
	return append(k, 0)
}

func appendTail(k []byte, ts cdx.Timestamp, f cdx.FileID, offset int64) []byte {
	k = binary.BigEndian.AppendUint64(k, uint64(ts))
	k = binary.BigEndian.AppendUint32(k, uint32(f))
	return binary.BigEndian.AppendUint64(k, uint64(offset))
}

func captureKey(prefix byte, coll string, c *cdx.Capture) []byte {
	return appendTail(nameKey(prefix, coll, c.Key), c.Time, c.File, c.Offset)
}

// splitTail splits a capture, digest or pending key into its name and its tail.
func splitTail(key []byte, collLen int) (name []byte, ts cdx.Timestamp, loc cdx.Location, ok bool) {
	start, end := 1+collLen+1, len(key)-tailLen-1
	if end < start || key[end] != 0 {
		return nil, 0, cdx.Location{}, false
	}
	tail := key[end+1:]
	ts = cdx.Timestamp(binary.BigEndian.Uint64(tail))
	loc.File = cdx.FileID(binary.BigEndian.Uint32(tail[8:]))
	loc.Offset = int64(binary.BigEndian.Uint64(tail[12:]))
	return key[start:end], ts, loc, true
}

// splitColl returns the name of the collection in a capture, digest or pending key.
func splitColl(key []byte) string {
	if i := bytes.IndexByte(key, 0); i > 1 {
		return string(key[1:i])
	}
	return ""
}

func fileKey(id cdx.FileID) []byte {
	return binary.BigEndian.AppendUint32([]byte{filePrefix}, uint32(id))
}

func journalKey(generation uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{journalPrefix}, generation)
}

// listsOf returns the prefix of the keys of a file's lists.
func listsOf(file cdx.FileID) []byte {
	return binary.BigEndian.AppendUint32([]byte{listPrefix}, uint32(file))
}

// listKey returns the key of a file's list without its hash.
func listKey(file cdx.FileID, offset int64) []byte {
	return binary.BigEndian.AppendUint64(listsOf(file), uint64(offset))
}

func textKey(id uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{textPrefix}, id)
}

// whereKey returns the key of a text's place without its tail.
func whereKey(coll string, text uint64) []byte {
	k := make([]byte, 0, 2+len(coll)+8+1+tailLen)
	k = append(k, wherePrefix)
	k = append(k, coll...)
	return binary.BigEndian.AppendUint64(append(k, 0), text)
}

// A bandHash is the number of a band and, in the lower half, the hash of a text in it. Texts that share one may be alike.
type bandHash uint64

func hashIn(band int, hash uint32) bandHash { return bandHash(band)<<32 | bandHash(hash) }

// bandLen is the length of band and hash in a key, groupLen that of a group.
const bandLen, groupLen = 1 + 4, 8

// bandKey returns the key of a group without the group.
func bandKey(coll string, at bandHash) []byte {
	k := make([]byte, 0, 2+len(coll)+bandLen+groupLen)
	k = append(k, bandPrefix)
	k = append(k, coll...)
	k = append(k, 0, byte(at>>32))
	return binary.BigEndian.AppendUint32(k, uint32(at))
}

func groupKey(coll string, at bandHash, group uint64) []byte {
	return binary.BigEndian.AppendUint64(bandKey(coll, at), group)
}

func cacheKey(n CacheName) []byte { return append(nameKey(cachePrefix, n.Coll, n.Key), n.Sort) }

// markKey returns the key of the mark that an entry is stale.
func markKey(n CacheName) []byte { return append(nameKey(markPrefix, n.Coll, n.Key), n.Sort) }

// cachePartsOf returns the prefix of the keys of an entry's parts.
func cachePartsOf(n CacheName) []byte { return append(nameKey(partPrefix, n.Coll, n.Key), n.Sort) }

func cachePartKey(n CacheName, number uint64) []byte {
	return binary.BigEndian.AppendUint64(cachePartsOf(n), number)
}
