package timeline

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

const (
	// maxPictureKeys bounds the pictures of a page that are looked up, maxPictureCaptures the captures of each. Other pictures are compared by
	// their addresses.
	maxPictureKeys     = 256
	maxPictureCaptures = 64
)

// Pictures knows what the pictures of one page showed, as digests. Only one goroutine may use it.
type Pictures struct {
	index *view.View
	coll  string
	base  *url.URL
	known map[string][]pictureCapture // by address, in time order
}

type pictureCapture struct {
	at     cdx.Timestamp
	digest string
	length int64  // of its record
	shows  string // digest of the first capture with the same content
}

// maxSizeRatio is the ratio of sizes up to which pictures with different digests under one address count as the same picture, saved again
// by another program. A different picture rarely has nearly the same size.
const maxSizeRatio = 1.5

// add adds the next capture of a picture.
func (p *Pictures) add(address string, c *cdx.Capture) {
	all := p.known[address]
	now := pictureCapture{at: c.Time, digest: strings.Clone(cmp.Or(c.Payload, c.Digest)), length: c.Length}
	now.shows = now.digest
	for i := range all {
		if all[i].digest == now.digest {
			now.shows, now.length = all[i].shows, all[i].length
		}
	}
	if n := len(all); n > 0 && now.shows == now.digest && alikeLong(all[n-1].length, now.length) {
		now.shows = all[n-1].shows
	}
	p.known[address] = append(all, now)
}

func alikeLong(a, b int64) bool {
	return float64(max(a, b)) < maxSizeRatio*float64(min(a, b))
}

// PicturesOf returns the Pictures of a page.
func (t *Timelines) PicturesOf(coll, uriR string) *Pictures { return newPictures(t.index, coll, uriR) }

func newPictures(v *view.View, coll, uriR string) *Pictures {
	base, err := url.Parse(uriR)
	if err != nil {
		base = &url.URL{}
	}
	return &Pictures{index: v, coll: coll, base: base, known: map[string][]pictureCapture{}}
}

// Address returns the absolute address of a picture, "" if it can't have been archived.
func (p *Pictures) Address(address string) string {
	u, err := p.base.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// Load looks up the pictures of texts that were not looked up yet, all at once.
func (p *Pictures) Load(ctx context.Context, texts ...*sketch.Sketch) error {
	var addresses, keys []string
	for _, t := range texts {
		for i := 0; t != nil && i < len(t.Pictures) && len(p.known) < maxPictureKeys; i++ {
			address := t.Pictures[i].Address
			if _, ok := p.known[address]; ok || t.Pictures[i].Film { // the bytes of a player say nothing about the film
				continue
			}
			p.known[address] = nil
			if u := p.Address(address); u != "" {
				addresses, keys = append(addresses, address), append(keys, surt.Of(u))
			}
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return p.index.Firsts(ctx, p.coll, keys, maxPictureCaptures, func(i int, c *cdx.Capture) bool {
		if c.Status == 200 {
			p.add(addresses[i], c)
		}
		return len(p.known[addresses[i]]) < maxPictureCaptures
	})
}

// Digest returns the content of the capture of a picture nearest to a datetime, as the payload digest of the first capture with that
// content; "" if there is none.
func (p *Pictures) Digest(address string, ts cdx.Timestamp) (digest string) {
	var best *pictureCapture
	for i, c := range p.known[address] {
		if best == nil || ts.Distance(c.at) < ts.Distance(best.at) {
			best = &p.known[address][i]
		}
	}
	if best == nil {
		return ""
	}
	return best.shows
}

func (s *Sketches) PictureDigest(address string, ts cdx.Timestamp) (string, error) {
	if s.page == nil {
		return "", nil
	}
	if s.pictures == nil {
		s.pictures = newPictures(s.index, s.page.Coll, s.page.Captures[0].URL)
		texts := make([]*sketch.Sketch, 0, len(s.cached))
		for i := range s.page.Captures { // in a fixed order, so that the same pictures fall under the bound each time
			if t := s.cached[s.page.Captures[i].Text]; t != nil && len(t.Pictures) > 0 {
				texts = append(texts, t)
			}
		}
		if err := s.pictures.Load(context.Background(), texts...); err != nil {
			return "", err
		}
	}
	return s.pictures.Digest(address, ts), nil
}

// pictured reports whether any of the texts has a picture.
func (s *Sketches) pictured() bool {
	for _, t := range s.cached {
		if t != nil && len(t.Pictures) > 0 {
			return true
		}
	}
	return false
}
