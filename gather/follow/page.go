package follow

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/content/filetext"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/internal/contenttype"
)

// An outcome is the result of requesting a page.
type outcome int

const (
	same    outcome = iota
	fresh           // not known before
	changed         // its content has changed
)

const (
	maxTexts     = 6         // texts of a page that are kept, to recognize volatile blocks
	maxTextBytes = 600 << 10 // in total
)

// A use is how an address is requested.
type use int

const (
	asPage    use = iota
	asPart        // written as it is, without comparison
	inBrowser     // the page's text is what its scripts make of it
)

// A view is the text of a page: its own bytes, or its document in the browser.
type view struct {
	text        []byte
	contentType string
	parts       []*client.Exchange // the browser's other requests for the page
	rendered    bool
}

func (v *view) close() {
	for _, e := range v.parts {
		_ = e.Close()
	}
}

// capture requests a page and writes it if it is new or its content has changed. If the same bytes came, it writes a revisit.
func (f *web) capture(ctx context.Context, address, via string, to use) (outcome, error) {
	var was page
	isKnown, err := kv.GetJSON(ctx, f.store, addressKey(keyPage, address), &was)
	if err != nil {
		return same, f.fatal(err)
	}
	all, err := f.get(ctx, f.pages, address, func(at string) http.Header {
		header := http.Header{"Accept": {client.AcceptPage}}
		if at == was.Final && to != inBrowser { // else the redirect may lead to another page, or scripts get other data
			maps.Copy(header, conditional(was.ETag, was.Modified))
		}
		return header
	})
	if err != nil {
		return same, err
	}
	defer all.close()
	e := all.last()
	if e.Status == http.StatusNotModified && isKnown {
		etag, modified := validators(e.Header, was.ETag, was.Modified)
		if etag == was.ETag && modified == was.Modified {
			return same, nil
		}
		was.ETag, was.Modified = etag, modified
		return same, f.fatal(f.put(ctx, addressKey(keyPage, address), was))
	}
	if isPassing(e.Status) || e.Status >= 400 && !isKnown {
		return same, f.refusal(e)
	}
	is := was
	is.Final, is.ETag, is.Modified, is.Status, is.Cut = e.URL, e.Header.Get("ETag"), e.Header.Get("Last-Modified"), e.Status, isCut(e)
	if is.Cut { // the next time all of it is wanted, though it is unmodified
		is.ETag, is.Modified = "", ""
	}
	v, err := f.view(ctx, e, to)
	if err != nil {
		return same, err
	}
	defer v.close()
	is.Digest = digestOf(v.text)
	got := fresh
	if isKnown {
		got = was.compare(&is, &v)
	} else {
		is.differs(&v)
	}
	if got == same && (is.Digest != was.Digest || v.rendered) {
		return same, f.fatal(f.put(ctx, addressKey(keyPage, address), is))
	}
	return got, f.writePage(ctx, all, address, via, &v, got != same && to != asPart, is)
}

// view returns the text of a page. The text is nil if the body can't be decoded; the answer is written all the same.
func (f *web) view(ctx context.Context, e *client.Exchange, to use) (v view, err error) {
	v.contentType = e.ContentType()
	if v.text, err = e.Body(maxPage); err != nil {
		v.text = nil
	}
	mediaType := contenttype.Media(v.contentType)
	if to != inBrowser || e.Status != http.StatusOK || mediaType != "text/html" && mediaType != "application/xhtml+xml" {
		return v, nil
	}
	text, parts, err := f.show(ctx, e)
	if v.parts = parts; err != nil {
		v.close()
		return v, err
	}
	if v.rendered = text != nil; v.rendered {
		v.text, v.contentType = text, "text/html; charset=utf-8"
	}
	return v, nil
}

// isCut reports whether an answer ended too early, which the next one need not. What is longer than is kept is so each time.
func isCut(e *client.Exchange) bool { return e.Truncated != "" && e.Truncated != "length" }

// isPassing reports whether a status says nothing about the page. One that is not known can't be unmodified.
func isPassing(status int) bool {
	switch status {
	case http.StatusNotModified, http.StatusTooManyRequests, http.StatusRequestTimeout:
		return true
	}
	return status >= 500
}

// writePage writes an answer and the page's resources, and then stores the state of the page.
func (f *web) writePage(ctx context.Context, all chain, address, via string, v *view, withParts bool, is page) error {
	e := all.last()
	if withParts && !v.rendered {
		if err := f.parts(ctx, e.URL, v.contentType, v.text); err != nil {
			return err
		}
	}
	f.writing.RLock()
	defer f.writing.RUnlock()
	if err := f.writeAll(ctx, all, via); err != nil {
		return err
	}
	for _, part := range v.parts {
		if err := f.write(ctx, part, e.URL); err != nil {
			return err
		}
	}
	if err := f.writer.Sync(); err != nil {
		return f.fatal(err)
	}
	is.Written = e.Time
	return f.fatal(f.put(ctx, addressKey(keyPage, address), is))
}

// compare reports how a page differs from its previous state.
func (was *page) compare(is *page, v *view) outcome {
	switch {
	case is.Status != was.Status || is.Final != was.Final || was.Cut && !is.Cut:
		is.Texts = nil
		is.differs(v)
		return changed
	case is.Digest == was.Digest:
		return same
	case is.differs(v):
		return changed
	}
	return same
}

// differs adds the text of a page to the earlier ones, and reports whether its content changed: at level "content", so that neither
// furniture nor volatile blocks count. A page without text, or with more than can be kept, has changed if its bytes have.
func (p *page) differs(v *view) bool {
	body, contentType := v.text, v.contentType
	mediaType := filetext.TypeOf(contenttype.Media(contentType), p.Final)
	if filetext.Is(mediaType) && !v.rendered {
		if read, err := visible.FilePage(mediaType, contentType, body); err == nil {
			body, contentType, mediaType = read, "text/html; charset=utf-8", ""
		}
	}
	if mediaType != "" && !slices.Contains([]string{"text/html", "application/xhtml+xml", "text/plain"}, mediaType) {
		p.Texts = nil
		return true
	}
	var x visible.Extractor
	text := x.Extract(body, contentType)
	stored, _ := sketch.Append(nil, &text)
	p.Texts = append(p.Texts, stored)
	for len(p.Texts) > maxTexts || total(p.Texts) > maxTextBytes {
		p.Texts = p.Texts[1:]
	}
	ranges, err := rangesOf(p.Texts)
	return err != nil || len(ranges) == 0 || ranges[len(ranges)-1].FirstIndex == len(p.Texts)-1
}

func total(texts [][]byte) (n int) {
	for _, t := range texts {
		n += len(t)
	}
	return n
}

// sketches are the sketches of a page, by ID. It implements [change.Source].
type sketches map[uint64]*sketch.Sketch

func (s sketches) Sketch(id uint64) (*sketch.Sketch, error) { return s[id], nil }

// rangesOf returns the versions of a page with a sequence of texts.
func rangesOf(texts [][]byte) ([]change.Range, error) {
	known := sketches{}
	states := make([]change.State, len(texts))
	for i, t := range texts {
		s, err := sketch.Parse(t)
		if err != nil {
			return nil, err
		}
		known[s.ID] = &s
		states[i] = change.State{
			Time: cdx.FromTime(time.Unix(int64(i)*86400, 0)), Status: http.StatusOK, Text: s.ID, Digest: string(rune('a' + i)),
		}
	}
	return change.Ranges(change.LevelContent, states, known, nil)
}

// isRefusal reports whether a page is permanently unavailable.
func isRefusal(err error) bool {
	var s *statusError
	return errors.Is(err, errRobots) || errors.Is(err, client.ErrPrivate) || errors.As(err, &s) && !isPassing(s.status)
}
