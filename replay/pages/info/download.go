package info

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/export"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/respond"
)

// download sends the record of a capture as WARC, or its page with all parts as WACZ. No other origin may read it.
func (s *Handler) download(w http.ResponseWriter, r *http.Request, p respond.Path, c *cdx.Capture) error {
	format := p.Params.Get("download")
	if format != "warc" && format != "wacz" {
		return respond.BadRequest("download: want warc or wacz")
	}
	if err := s.readable(r.Context(), c); err != nil {
		return err
	}
	captures := []*cdx.Capture{c}
	name, kind := fileName(c)+".warc.gz", "application/gzip"
	if format == "wacz" {
		name, kind = fileName(c)+".wacz", "application/zip"
		parts, _, err := s.parts(r.Context(), p.Coll, c)
		if err != nil {
			return err
		}
		for _, part := range parts {
			captures = append(captures, part.Capture)
		}
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	if r.Method == http.MethodHead {
		return nil
	}
	job := &export.Job{
		Archive: s.archive, Selection: export.Only(p.Coll, c.URL, captures), Software: "varve", Now: time.Now(),
		Report: func(err error) { s.archive.Log.Warn("left out of a download", "target", r.RequestURI, "error", err) },
	}
	if format == "wacz" {
		return job.WACZ(r.Context(), &respond.Streaming{W: w})
	}
	return job.WARC(r.Context(), &respond.Streaming{W: w}, true)
}

// readable returns an error if the record of a capture can't be read to its end, or must not be shown.
func (s *Handler) readable(ctx context.Context, c *cdx.Capture) error {
	rec, err := s.archive.Stored(ctx, c)
	if err != nil {
		return err
	}
	defer rec.Close()
	if _, err := rec.Finish(); err != nil {
		return archive.Unreadable(c, err)
	}
	return nil
}

// fileName names a download after the host and datetime of a capture, with characters that every file system accepts. A URI without a host
// gives its scheme.
func fileName(c *cdx.Capture) string {
	scheme, _, _ := strings.Cut(c.Key, ":")
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, cmp.Or(surt.HostOf(c.Key), scheme))
	return strings.Trim(safe, ".") + "-" + c.Time.String()
}
