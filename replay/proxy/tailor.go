package proxy

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/internal/xmltext"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/rendition"
	"github.com/varve-archive/varve/rewrite/uses"
)

// tailored sends an answer that a page's script could not use as archived: a list of renditions without those that were never captured,
// or an answer adapted to the JSONP callback or the arguments of this request. done is false for other answers; the body can then be read
// from its start again.
func (p *Proxy) tailored(req *request, m *reply) (done bool, err error) {
	_, query, _ := strings.Cut(req.uriR, "?")
	callback := ""
	echoes, err := respond.Echoes(req.w.Header(), req.r, p.Archive, m.response.Capture, req.uriR)
	if err != nil {
		return true, err
	}
	if req.w.Header().Get(respond.FuzzyHeader) != "" {
		callback = rewrite.AskedCallback(query)
	}
	if m.response.Status != http.StatusOK || callback == "" && len(echoes) == 0 && !listsRenditions(m.response) {
		return false, nil
	}
	readable, err := m.response.Readable()
	if err != nil {
		return false, nil // a coding that can't be undone is passed on as it is
	}
	body, echoed, err := respond.Echo(readable, echoes)
	if err != nil {
		return true, archive.Unreadable(m.response.Capture, err)
	}
	peek := bufio.NewReaderSize(body, 4096)
	start, _ := peek.Peek(rewrite.SniffLen)
	format := rewrite.Sniff(m.response.Header.Get("Content-Type"), uses.Script, start)
	if called := format == rewrite.FormatJS || format == rewrite.FormatJSON; callback != "" && called {
		p.sendTailored(req, m, func(w io.Writer) error {
			return format.Rewrite(w, peek, rewrite.Options{
				Base: m.response.Capture.URL, Use: uses.Script, Resolve: keepURIs, Callback: callback,
				Charset: xmltext.Charset(m.response.Header.Get("Content-Type")),
			})
		})
		return true, nil
	}
	format = rewrite.Sniff(m.response.Header.Get("Content-Type"), uses.Link, start)
	_, trimmed, err := p.around(req, m).Trim(format, peek, m.response.Capture.URL)
	if err != nil {
		return true, archive.Unreadable(m.response.Capture, err)
	}
	if trimmed == nil {
		trimmed = echoed
	}
	if trimmed == nil {
		return false, p.Archive.Reopen(req.r.Context(), m.response)
	}
	p.sendTailored(req, m, func(w io.Writer) error {
		_, err := w.Write(trimmed)
		return err
	})
	return true, nil
}

// around returns the captures that a body refers to.
func (p *Proxy) around(req *request, m *reply) *respond.CapturesNear {
	return &respond.CapturesNear{
		Archive: p.Archive, Coll: req.coll, Time: m.response.Capture.Time, Log: p.Log, Ctx: context.WithoutCancel(req.r.Context()),
	}
}

// listsRenditions reports whether an answer may be a list of renditions, by its type or its name, or contain one for its site's player.
func listsRenditions(a *archive.Response) bool {
	kind := strings.ToLower(a.Header.Get("Content-Type"))
	path, _, _ := strings.Cut(strings.ToLower(a.Capture.URL), "?")
	if rendition.ForPlayer(a.Capture.URL) {
		return strings.Contains(kind, "json") || strings.Contains(kind, "javascript") || strings.Contains(kind, "html")
	}
	return strings.Contains(kind, "mpegurl") || strings.Contains(kind, "dash+xml") || strings.HasSuffix(path, ".m3u8") ||
		strings.HasSuffix(path, ".mpd")
}

// sendTailored sends the body that write writes.
func (p *Proxy) sendTailored(req *request, m *reply, write func(io.Writer) error) {
	p.head(req, m, true)
	req.w.Header().Del("Etag") // it changes with the archive and with what is asked
	req.w.WriteHeader(m.response.Status)
	if req.r.Method == http.MethodHead {
		return
	}
	if err := write(req.w); err != nil {
		p.logBroken(req, m, err)
		panic(http.ErrAbortHandler)
	}
}
