package visual

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/varve-archive/varve/archive/visual/model"
	"github.com/varve-archive/varve/cdx"
)

// A look is a hash of the ink of the words in a picture's content. Pictures with the same content have nearly the same look, whatever is
// around it. It is 0 for a picture without content.
type look uint64

// maxLookBits is the number of bits in which the looks of two pictures may differ for them to be compared.
const maxLookBits = 8

// minAlike is the cosine of the content vectors from which on two pictures look alike. docs/design/pictures.md says how often that errs.
const minAlike = 0.9

func (l look) near(other look) bool {
	return l != 0 && other != 0 && bits.OnesCount64(uint64(l^other)) <= maxLookBits
}

// look hashes the content of a picture: each bit says on which side of a random plane it lies (SimHash).
func (p *Picture) look() (hash look) {
	content := model.ContentInk(p.Vector)
	planes := rand.New(rand.NewPCG(1, 2))
	var sums [64]float64
	for _, mass := range content {
		for i, sides := 0, planes.Uint64(); i < len(sums); i, sides = i+1, sides>>1 {
			sums[i] += float64(mass) * (2*float64(sides&1) - 1)
		}
	}
	for i, sum := range sums {
		if sum > 0 {
			hash |= 1 << i
		}
	}
	return hash
}

// LooksLike reports whether two pictures show nearly the same content.
func (p *Picture) LooksLike(q *Picture) bool {
	a, b := model.ContentInk(p.Vector), model.ContentInk(q.Vector)
	if len(a) != len(b) {
		return false
	}
	var both, left, right float64
	for n := range a {
		x, y := float64(a[n]), float64(b[n])
		both, left, right = both+x*y, left+x*x, right+y*y
	}
	return both > 0 && both >= minAlike*math.Sqrt(left*right)
}

func (s *Store) looks(coll string) string { return filepath.Join(s.dir, "records", coll, "looks") }

// note appends a picture to the list of looks. The line begins with a newline, because the last one may be incomplete.
func (s *Store) note(at At, p *Picture) error {
	l := p.look()
	if l == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.looks(at.Coll)), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(s.looks(at.Coll), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "\n%016x %s %d %s\n", uint64(l), at.Time, at.Width, p.URL)
	return errors.Join(err, f.Close())
}

// A Look is a line of that list: a memento whose picture may look like another.
type Look struct {
	hash  look
	Time  cdx.Timestamp
	Width int
	URL   string
}

// maxLooks bounds what is read of all looks of a collection.
const maxLooks = 64 << 20

// Alike returns up to most candidates that may look like a picture of a collection, of those for which wants returns true; nil wants all.
// [Picture.LooksLike] decides.
func (s *Store) Alike(coll string, to *Picture, most int, wants func(*Look) bool) (out []Look, err error) {
	sought := to.look()
	err = s.eachLook(coll, func(_ []byte, l Look) bool {
		if l.hash.near(sought) && (wants == nil || wants(&l)) && !slices.Contains(out, l) {
			out = append(out, l)
		}
		return len(out) < most
	})
	return out, err
}

// eachLook calls f with each line of the looks of a collection and its content, until f returns false.
func (s *Store) eachLook(coll string, f func(line []byte, l Look) bool) error {
	file, err := os.Open(s.looks(coll))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(io.LimitReader(file, maxLooks))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if l, ok := parseLook(lines.Bytes()); ok && !f(lines.Bytes(), l) {
			break
		}
	}
	return lines.Err()
}

func parseLook(line []byte) (l Look, ok bool) {
	f := bytes.SplitN(line, []byte(" "), 4)
	if len(f) != 4 {
		return l, false
	}
	var errs [3]error
	var hash uint64
	hash, errs[0] = strconv.ParseUint(string(f[0]), 16, 64)
	l.Time, errs[1] = cdx.ParseTimestamp(string(f[1]))
	l.Width, errs[2] = strconv.Atoi(string(f[2]))
	l.hash, l.URL = look(hash), string(f[3])
	return l, errors.Join(errs[:]...) == nil
}
