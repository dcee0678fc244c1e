package change

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// A tagCache remembers what start tags said by their bytes: a site repeats few of them often.
type tagCache [1024]knownTag

type knownTag struct {
	raw  string // from "<" to ">"
	tag  tag
	void bool
}

// maxKnownTag bounds what is remembered, in bytes.
const maxKnownTag = 96

// get returns what the tag with these bytes said, nil where that isn't known.
func (c *tagCache) get(raw []byte) *knownTag {
	if k := &c[xxh3.Hash(raw)%uint64(len(c))]; len(raw) > 0 && k.raw == string(raw) {
		return k
	}
	return nil
}

func (c *tagCache) put(raw []byte, k knownTag) {
	k.raw = string(raw)
	c[xxh3.Hash(raw)%uint64(len(c))] = k
}

// shortTag returns the bytes from offset at, where a tag begins, to the first ">", nil where they are many. In a tag
// that [tagCache] knows, that is its end.
func (s *skimmer) shortTag(at int) []byte {
	b := s.page[at:min(len(s.page), at+maxKnownTag)]
	return b[:bytes.IndexByte(b, '>')+1]
}
