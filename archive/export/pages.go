package export

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// pages collects the list of pages of a WACZ: one for each text of an HTML page with status 200, at the datetime of its first capture. If
// captures were selected individually, only the first such page is listed.
type pages struct {
	*scratch
	job   *Job
	first page
	last  cdx.Capture // the page before
}

// A page is a line of the list.
type page struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	TS    string `json:"ts"`
	Title string `json:"title,omitempty"`
}

func newPages(j *Job) (*pages, error) {
	file, err := newScratch()
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(file, `{"format":"json-pages-1.0","id":"pages","title":"All Pages"}`+"\n")
	return &pages{scratch: file, job: j}, err
}

// add adds a capture if it is a page.
func (p *pages) add(ctx context.Context, c *cdx.Capture) error {
	again := p.last.Key == c.Key && p.last.Text == c.Text
	part := p.job.only != nil && p.first.URL != "" // only a part of the first page, such as a frame
	if part || c.Text == 0 || c.Status != http.StatusOK || again || !archive.IsHTML(c) || surt.HasMethod(c.Key) {
		return nil
	}
	p.last = *c
	line := page{
		ID: strings.Trim(strings.TrimPrefix(recordID(c.URL, c.Time.String()), "<urn:uuid:"), ">"), URL: c.URL,
		TS: c.Time.Time().Format(time.RFC3339),
	}
	err := p.job.Archive.Index.Text(ctx, c.Text, func(b []byte) error {
		sketch, err := sketch.Parse(b)
		line.Title = sketch.Title
		return err
	})
	if err != nil && !errors.Is(err, index.ErrNoText) {
		return err
	}
	if p.first.URL == "" {
		p.first = line
	}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = p.Write(append(text, '\n'))
	}
	return err
}

func (p *pages) writeTo(_ context.Context, w io.Writer) error {
	in, err := p.reader()
	if err != nil {
		return err
	}
	_, err = io.Copy(w, in)
	return err
}
