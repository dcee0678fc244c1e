package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/klauspost/compress/gzip"
)

// A many describes a store of many captures.
type many struct{ captures, originals int }

const (
	inFile    = 100_000 // captures
	onHost    = 30      // URI-Rs
	huge      = 3       // URI-Rs with very many captures
	ofHuge    = 10      // one in so many captures is of one of them
	pages     = 3       // one in so many URI-Rs is a page with text, the others are pictures
	newText   = 4       // one in so many captures of a page has another text
	hugeTexts = 50      // that a huge URI-R has shown
)

// write writes the store into a folder. Captures come in the order of time, a second apart.
func (m many) write(dir string) error {
	random := rand.New(rand.NewPCG(uint64(m.captures), uint64(m.originals))) // #nosec G404 -- the same each time
	at := time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := 0; n < m.captures; n += inFile {
		w, err := create(dir, fmt.Sprintf("many-%05d.warc.gz", n/inFile), gzip.BestSpeed)
		if err != nil {
			return err
		}
		for i := range min(inFile, m.captures-n) {
			at = at.Add(time.Second)
			uri, head, payload := m.capture(random, n+i)
			if err := w.response(uri, at, digestOf(payload), append(head, payload...)); err != nil {
				return err
			}
		}
		if err := w.close(); err != nil {
			return err
		}
	}
	return nil
}

// capture returns the nth capture: its URI-R, HTTP head and payload.
func (m many) capture(random *rand.Rand, n int) (uri string, head, payload []byte) {
	i, version := random.IntN(m.originals), random.IntN(newText)
	uri = originalOf(i)
	if n%ofHuge == 0 {
		i = n / ofHuge % huge
		version = n / (1 + m.captures/hugeTexts)
		uri = fmt.Sprintf("http://www.huge%d.example/", i)
	}
	if i%pages != 0 {
		return uri, head200("image/png"), fmt.Appendf(nil, "picture %d.%d", i, version)
	}
	page := fmt.Appendf(nil, "<title>Page %d</title><p>Here stands what page %d says, for the %dth time.", i, i, version)
	return uri, head200("text/html"), page
}

// originalOf returns the URI-R of a number.
func originalOf(i int) string { return fmt.Sprintf("http://www.host%d.example/path/%d", i/onHost, i) }

func head200(mime string) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n", mime)
}
