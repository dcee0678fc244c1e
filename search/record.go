package search

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// A Change is the step of a page from one version to the next, at level text.
type Change struct {
	Key string // SURT of the page
	// Before is the last capture of the older version, 0 if there is none. After is the first capture of the newer
	// version.
	Before, After cdx.Timestamp
	// First says that the newer version is the page's first: all of it was added. Gone says that the whole content
	// disappeared: a redirect, a missing page, or at most a tenth is left. Came is the reverse of Gone. Such changes are
	// rarely edits.
	First, Gone, Came bool
	// Minor says that only furniture changed, or what changes by itself, so that this is no change at level content.
	Minor bool
	// SoftBefore and SoftAfter say that a version is a soft 404.
	SoftBefore, SoftAfter bool
	// NoTextBefore and NoTextAfter say that a version has no text at all.
	NoTextBefore, NoTextAfter bool
	// Deleted and Added count the deleted and added words.
	Deleted, Added int
}

// A change is a document of the index, and its ID holds all its data, so that a thousand matches can be read without
// opening a document. Pages are documents too, so that a page and its changes are written in one step.
//
//	c SURT 0 after before flags deleted added    (8 + 8 bytes, 1 byte, uvarints)
//	p SURT 0 signature                           (8 bytes)
const (
	changeID = 'c'
	pageID   = 'p'
)

// flags lists the boolean fields in the order of their bits.
func (c *Change) flags() *[8]*bool {
	return &[8]*bool{&c.First, &c.Gone, &c.Came, &c.SoftBefore, &c.SoftAfter, &c.NoTextBefore, &c.NoTextAfter, &c.Minor}
}

// edit reports whether somebody changed the content of the page.
func (c *Change) edit() bool { return !c.First && !c.Gone && !c.Came && !c.Minor }

func (c *Change) id() string {
	b := make([]byte, 0, len(c.Key)+30)
	b = append(append(append(b, changeID), c.Key...), 0)
	b = binary.BigEndian.AppendUint64(b, uint64(c.After))
	b = binary.BigEndian.AppendUint64(b, uint64(c.Before))
	var flags byte
	for i, f := range c.flags() {
		if *f {
			flags |= 1 << i
		}
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, uint64(c.Deleted))
	return string(binary.AppendUvarint(b, uint64(c.Added)))
}

// parseChange is the inverse of id.
func parseChange(id string) (c Change, err error) {
	end := strings.IndexByte(id, 0)
	if end < 2 || id[0] != changeID || len(id) < end+18 {
		return c, fmt.Errorf("search: %q is no change", id)
	}
	c.Key = id[1:end]
	rest := []byte(id[end+1:])
	c.After, c.Before = cdx.Timestamp(binary.BigEndian.Uint64(rest)), cdx.Timestamp(binary.BigEndian.Uint64(rest[8:]))
	for i, f := range c.flags() {
		*f = rest[16]&(1<<i) != 0
	}
	rest = rest[17:]
	deleted, n := binary.Uvarint(rest)
	if n <= 0 {
		return c, fmt.Errorf("search: %q is no change", id)
	}
	added, m := binary.Uvarint(rest[n:])
	if m <= 0 {
		return c, fmt.Errorf("search: %q is no change", id)
	}
	c.Deleted, c.Added = int(deleted), int(added)
	return c, nil
}

func pageDocID(key string, signature uint64) string {
	b := append(append(append(make([]byte, 0, len(key)+10), pageID), key...), 0)
	return string(binary.BigEndian.AppendUint64(b, signature))
}

// host returns the host of a SURT in the usual order: "org,example,www)/a" has www.example.org.
func host(key string) string {
	h, _, ok := strings.Cut(key, ")")
	if !ok {
		return ""
	}
	h, port, _ := strings.Cut(h, ":")
	labels := strings.Split(h, ",")
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	h = strings.Join(labels, ".")
	if port != "" {
		h += ":" + port
	}
	return h
}
