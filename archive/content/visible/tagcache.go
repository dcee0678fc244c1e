package visible

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// A tagCache caches the meaning of start tags by their bytes, since a site repeats a few of them.
type tagCache [1024]knownTag

type knownTag struct {
	raw  string // from "<" to ">"
	tag  tag
	void bool
}

// maxKnownTag bounds the length of the tags that are remembered, in bytes.
const maxKnownTag = 96

// get returns what the tag with these bytes means, or nil if it is not known.
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

// shortTag returns the bytes of the tag at offset at up to the first ">", or nil if they are many. A tag in the [tagCache] ends there.
func (s *skimmer) shortTag(at int) []byte {
	b := s.page[at:min(len(s.page), at+maxKnownTag)]
	return b[:bytes.IndexByte(b, '>')+1]
}
