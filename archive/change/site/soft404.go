package site

import (
	"github.com/varve-archive/varve/archive/content/sketch"
)

// A notFound recognizes a site's "not found" pages.
type notFound struct {
	texts  map[uint64]bool  // cores of its 404 pages, and of texts that replaced several pages
	hashes []sketch.MinHash // of its 404 pages, to recognize those that contain the address
}

const (
	// shrunk is how many times shorter than the previous text a soft 404 is, as log10 of the ratio.
	shrunk = 10
	// maxNotFound bounds the own text of a soft 404 in bytes.
	maxNotFound = 1500
	// likeNotFound is the similarity to a known 404 page from which on a text counts as one.
	likeNotFound = 0.5
	// minReplaced is the number of sampled pages that a text must have replaced.
	minReplaced = 2
	// minShared is the number of sampled pages that show nothing but the same short text.
	minShared = 8
	maxHashes = 16
)

func learnNotFound(samples []Sample) notFound {
	n := notFound{texts: map[uint64]bool{}}
	replaced := map[uint64]int{}
	for _, s := range samples {
		for _, m := range s.Missing {
			n.learn(m)
		}
		for core := range shrunkTexts(s.Pages) {
			replaced[core]++
		}
	}
	for core, times := range replaced {
		if times >= minReplaced {
			n.texts[core] = true
		}
	}
	return n
}

func (n *notFound) learn(s *sketch.Sketch) {
	core := s.Core
	if core == 0 || n.texts[core] {
		return
	}
	n.texts[core] = true
	if len(n.hashes) < maxHashes {
		n.hashes = append(n.hashes, s.MinHash)
	}
}

// shrunkTexts returns the cores of texts that followed a text ten times longer.
func shrunkTexts(captures []*sketch.Sketch) map[uint64]bool {
	found := map[uint64]bool{}
	for i := 1; i < len(captures); i++ {
		a, b := captures[i-1], captures[i]
		if a != b && b.Core != 0 && b.CoreSize <= maxNotFound && a.CoreSize >= shrunk*b.CoreSize {
			found[b.Core] = true
		}
	}
	return found
}

func (n *notFound) knows(s *sketch.Sketch) bool {
	if n.texts[s.Core] {
		return true
	}
	for i := range n.hashes {
		if n.hashes[i].Jaccard(&s.MinHash) >= likeNotFound {
			return true
		}
	}
	return false
}

// Soft404 reports whether s, answered with status 200, says that the page was not found. before is the page's last real text, nil if there
// was none.
func (site *Site) Soft404(s, before *sketch.Sketch) bool {
	size := s.CoreSize
	if size == 0 || size > maxNotFound {
		return false
	}
	small := before == nil || before.CoreSize >= shrunk*size
	if s.NotFound {
		return small || before.MinHash.Jaccard(&s.MinHash) < likeNotFound
	}
	return site != nil && !s.Wall && (before == nil || small) && site.notFound.knows(s)
}
