package demo

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"image"
	"runtime"
	"slices"
	"strings"
	"testing"

	_ "image/png"

	"github.com/varve-archive/varve/internal/testkit/golden"
)

// summary describes all records of the archive, a line for each URI: how many of which type, from when to when, and a
// digest of their dates, statuses and bodies.
func summary(t *testing.T) string {
	t.Helper()
	type sum struct {
		types       map[string]int
		first, last string
		hash        hash.Hash
	}
	sums := map[string]*sum{}
	for _, r := range written(t) {
		kind := r.header.Get("WARC-Type")
		if kind != "response" && kind != "revisit" {
			continue
		}
		s := sums[r.uri()]
		if s == nil {
			s = &sum{types: map[string]int{}, first: r.date(), hash: sha256.New()}
			sums[r.uri()] = s
		}
		s.types[kind]++
		s.last = r.date()
		head, _ := r.split(t)
		status, _, _ := strings.Cut(head, "\r\n")
		fmt.Fprintln(s.hash, r.date(), kind, r.header.Get("WARC-Profile"), status)
		if kind == "response" {
			_, _ = s.hash.Write(shown(t, r))
		}
	}
	var lines []string
	for uri, s := range sums {
		lines = append(lines, fmt.Sprintf("%s %d+%d %s %s %.8x\n",
			uri, s.types["response"], s.types["revisit"], s.first, s.last, s.hash.Sum(nil)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// shown returns a body as a reader gets it: of a picture its pixels, because its compression depends on the library.
func shown(t *testing.T, r *record) []byte {
	body := r.body(t)
	if !strings.HasPrefix(body, "\x89PNG") {
		return []byte(body)
	}
	img, _, err := image.Decode(strings.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v", r.uri(), err)
	}
	var pixels bytes.Buffer
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			red, green, blue, _ := img.At(x, y).RGBA()
			pixels.Write([]byte{byte(red), byte(green), byte(blue)})
		}
	}
	return pixels.Bytes()
}

// README and the tests of other packages rely on what is in the sample archive.
func TestTheArchiveIsAsItWas(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors round the curves of the pictures differently")
	}
	golden.Check(t, "testdata/records.golden", summary(t))
}
