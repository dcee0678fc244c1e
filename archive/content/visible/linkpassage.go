package visible

import (
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/hashing"
)

// A LinkMemory caches the links of stretches of mark-up, so that those of menus are read once and not on each page. LinkReaders that run in
// parallel may share one. It takes some 30 MB at most; the zero value is ready to use.
type LinkMemory struct{ passages recall[linkPassage] }

// A linkPassage is a stretch of mark-up whose links have been read, like [passage] for texts. It begins and ends outside of links and of
// hidden elements, so its links depend on nothing before it except whether there was a base element.
type linkPassage struct {
	sum    uint64 // of the bytes after those that the key covers
	length int    // bytes of mark-up
	links  []Link
}

// A linkRecording has the state at the start of the current passage.
type linkRecording struct {
	start, end int    // in the page; end is where the passage may end
	key        uint64 // of the bytes up to end
	links      int
	based      bool
}

// passage ends the current passage at offset at, outside of links. It returns where the known passages after it end.
func (r *linkReader) passage(at int) int {
	p := &r.rec
	if !r.endless && p.based == r.based {
		m := &remembered[linkPassage]{key: p.key, value: linkPassage{
			sum: xxh3.Hash(r.body[p.end:at]), length: at - p.start, links: slices.Clone(r.links[p.links:]),
		}}
		m.size = 100
		for _, l := range m.value.links {
			m.size += 32 + len(l.Href) + len(l.Text)
		}
		r.memory.passages.put(m)
	}
	return r.passOver(at)
}

// passOver skips known passages from offset at on, and begins to record the first unknown one.
func (r *linkReader) passOver(at int) int {
	for {
		n := 0
		if !r.endless && len(r.links) <= mostLinks {
			n = planEnd(r.body[at:])
		}
		if n == 0 {
			r.rec.end = math.MaxInt
			return at
		}
		rest := r.body[at:]
		key := xxh3.HashSeed(rest[:n], uint64(hashing.Bit(r.based)))
		p := r.memory.passages.get(key)
		if p == nil || len(rest) < p.length || xxh3.Hash(rest[n:p.length]) != p.sum {
			r.rec = linkRecording{start: at, end: at + n, key: key, links: len(r.links), based: r.based}
			return at
		}
		r.links = append(r.links, p.links...)
		at += p.length
	}
}
