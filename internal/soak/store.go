package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// The store: what stays there all the time, and whence what comes and goes is taken.
const (
	hosts     = 8
	pagesOf   = 12     // URI-Rs of a host
	manyOf    = 25_000 // captures of manyURI: three pages of a TimeMap
	manyTexts = 40
	largeSize = 6 << 20
	apart     = 97 // seconds between captures
	manyURI   = "http://many.example/"
	largeURI  = "http://large.example/file.bin"
	postURI   = "http://post.example/form"
)

// A maker makes captures, each at a second of its own and with a word of its own.
type maker struct {
	random *rand.Rand
	n      int
	kept   []*capture // pages that stay, for others to refer to
}

func newMaker() *maker { return &maker{random: rand.New(rand.NewPCG(19, 19))} } // #nosec G404 -- the same each time

// next returns a capture of a URI-R, without anything in it.
func (m *maker) next(uri string) *capture {
	m.n++
	return &capture{
		uri: uri, at: time.Date(2005, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(apart*m.n) * time.Second), status: http.StatusOK,
		mime: "text/html",
	}
}

// page returns a capture of a page that says something new.
func (m *maker) page(uri string) *capture {
	c := m.next(uri)
	c.marker = fmt.Sprintf("zq%dx", m.n)
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!doctype html><title>Page %s</title><nav><a href=/p1>one</a> <a href=/p2>two</a></nav><main><h1>Of the river</h1>", uri)
	for range 3 + m.random.IntN(6) {
		b.WriteString("<p>")
		for range 30 {
			b.WriteString(words[m.random.IntN(len(words))] + " ")
		}
	}
	fmt.Fprintf(&b, "<p>The word of this state is %s.<img src=/pic%d.png></main>", c.marker, m.random.IntN(pagesOf))
	c.body = b.Bytes()
	return c
}

var words = []string{
	"river", "meadow", "harbour", "orchard", "bridge", "mill", "heron", "gauge", "flood", "ferry", "ice", "bank", "willow", "lock", "weir",
	"delta", "spring", "channel", "barge", "heath", "observatory", "level", "current", "estuary", "pike", "otter", "reed", "rain", "snow",
}

// picture returns a capture of a picture, one of few.
func (m *maker) picture(uri string) *capture {
	c := m.next(uri)
	c.mime = "image/png"
	c.body = fmt.Appendf([]byte("\x89PNG\r\n\x1a\n"), "picture %d of %s", m.random.IntN(3), uri)
	return c
}

func (m *maker) redirect(uri, to string) *capture {
	c := m.next(uri)
	c.status, c.location, c.body = http.StatusMovedPermanently, to, []byte("moved")
	return c
}

func (m *maker) missing(uri string) *capture {
	c := m.page(uri)
	c.status = http.StatusNotFound
	return c
}

// revisit returns a capture of a URI-R that says it is as before.
func (m *maker) revisit(original *capture) *capture {
	c := m.next(original.uri)
	c.mime, c.body, c.marker, c.original = original.mime, original.body, original.marker, original
	return c
}

// any returns a capture of some kind of a URI-R.
func (m *maker) any(uri string) *capture {
	switch n := m.random.IntN(20); {
	case n < 12:
		return m.page(uri)
	case n < 16:
		return m.picture(uri)
	case n < 18:
		return m.missing(uri)
	}
	to := coreURI(m.random.IntN(hosts), m.random.IntN(pagesOf))
	if to == uri { // a redirect to itself is passed over
		to = largeURI
	}
	return m.redirect(uri, to)
}

// coreURI returns a URI-R of which there are always captures. The last host is reached with https.
func coreURI(host, page int) string {
	scheme := "http"
	if host == hosts-1 {
		scheme = "https"
	}
	return fmt.Sprintf("%s://core%d.example/p%d", scheme, host, page)
}

// core returns the captures that stay, as those of one file each.
func (m *maker) core() (files [][]*capture) {
	for host := range hosts {
		var of []*capture
		for page := range pagesOf {
			uri := coreURI(host, page)
			first := m.page(uri)
			m.kept = append(m.kept, first)
			of = append(of, first, m.page(uri), m.revisit(first))
			for range m.random.IntN(8) {
				of = append(of, m.any(uri))
			}
			of = append(of, m.picture(fmt.Sprintf("http://core%d.example/pic%d.png", host, page)))
		}
		files = append(files, of)
	}
	return append(files, m.many(), m.others())
}

// many returns the captures of a URI-R that has very many.
func (m *maker) many() (of []*capture) {
	var texts []*capture
	for range manyTexts {
		texts = append(texts, m.page(manyURI))
	}
	for i := range manyOf {
		c := m.next(manyURI)
		c.body, c.marker = texts[i*manyTexts/manyOf].body, texts[i*manyTexts/manyOf].marker
		of = append(of, c)
	}
	return of
}

// others returns what is there once: a large record, and answers to POST.
func (m *maker) others() []*capture {
	large := m.next(largeURI)
	large.mime, large.body = "application/octet-stream", make([]byte, largeSize)
	for i := 0; i < largeSize; i += 8 {
		binary.LittleEndian.PutUint64(large.body[i:], m.random.Uint64())
	}
	of := []*capture{large}
	for i := range 10 {
		c := m.page(postURI)
		c.sent = fmt.Sprintf("question=%d", i)
		of = append(of, c)
	}
	return of
}

// coming returns captures of a file that comes and goes: of URI-Rs that are always there, of some of its own, and one that refers to a
// file that stays.
func (m *maker) coming() (of []*capture) {
	host := fmt.Sprintf("fresh%d.example", m.n)
	for i := range 4 {
		c := m.any(fmt.Sprintf("http://%s/p%d", host, i))
		of = append(of, m.any(coreURI(m.random.IntN(hosts), m.random.IntN(pagesOf))), c)
		if c.status == http.StatusOK {
			of = append(of, m.revisit(c))
		}
	}
	of = append(of, m.revisit(m.kept[m.random.IntN(len(m.kept))]))
	return append(of, m.page("http://"+host+"/last"))
}

func membersOf(captures []*capture) (out []member) {
	for _, c := range captures {
		out = append(out, c.records(fmt.Sprintf("00000000-0000-4000-8000-%012x", c.at.Unix())))
	}
	return out
}

// write writes a file whole: nobody sees it before.
func write(scratch, path string, members []member) error {
	temporary := filepath.Join(scratch, filepath.Base(path))
	if err := os.WriteFile(temporary, bytes.Join(bytesOf(members), nil), 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

func bytesOf(members []member) (out [][]byte) {
	for _, m := range members {
		out = append(out, m)
	}
	return out
}
