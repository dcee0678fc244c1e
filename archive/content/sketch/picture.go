package sketch

import (
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/content/hashing"
	"github.com/varve-archive/varve/archive/content/visible"
)

// placePictures sets Place and Name of the pictures. Several pictures after one block have different places.
func (s *Sketch) placePictures() {
	before, nth := -1, uint64(0)
	for i := range s.Pictures {
		p := &s.Pictures[i]
		if p.After != before {
			before, nth = p.After, 0
		}
		nth++
		said := uint64(0)
		if n := min(p.After, len(s.Blocks)); n > 0 {
			said = s.Blocks[n-1].NormalHash
		}
		name := visible.PictureName
		if p.Film {
			name = visible.FilmName
		}
		p.Place, p.Name = hashing.Pair(said, nth), xxh3.HashString(name(p.Address))
	}
}

// A Shown is a picture with its content at the time of a capture.
type Shown struct {
	*Picture
	Digest string // of its bytes, "" if they are not archived
}

// is reports whether two are the same picture. Under one address the digests decide, if both are known; under different addresses with the
// same name they are sizes of one picture. The digests of players say nothing about the film.
func (s *Shown) is(o *Shown) bool {
	known := s.Digest != "" && o.Digest != "" && !s.Film && !o.Film
	if s.Name == o.Name {
		return !known || s.Digest == o.Digest || path(s.Address) != path(o.Address)
	}
	return known && s.Digest == o.Digest
}

// path returns an address without its query.
func path(address string) string {
	p, _, _ := strings.Cut(address, "?")
	return p
}

// Replaced returns the pictures of a text whose place shows another picture in a later text, each with that one. Pictures that moved, were
// added or were removed are not replaced.
func Replaced(older, newer []Shown) (pairs [][2]*Shown) {
	has := func(all []Shown, p *Shown) bool {
		return slices.ContainsFunc(all, func(o Shown) bool { return o.is(p) })
	}
	for i := range newer {
		y := &newer[i]
		at := slices.IndexFunc(older, func(x Shown) bool { return x.Place == y.Place })
		if at < 0 || older[at].is(y) || has(older, y) || has(newer, &older[at]) {
			continue
		}
		pairs = append(pairs, [2]*Shown{&older[at], y})
	}
	return pairs
}
