package feed

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/latest"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/internal/atom"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/versions"
	"github.com/varve-archive/varve/replay/respond"
)

// diffTime is the time limit for reading records for a feed's diffs. Later entries have none.
const diffTime = 15 * time.Second

// Feed answers /{coll}/feed.
func (h *Handler) Feed(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	a, err := read(p, h.now())
	if err != nil {
		return err
	}
	found, err := h.find(r.Context(), a, a.skip, a.limit)
	if err != nil {
		return counting(err)
	}
	if err := h.captured(r, p, a, found); err != nil {
		return err
	}
	t := locale.For(locale.Choose(r.Header.Get("Accept-Language")))
	for i := range found.items {
		if err := h.open(r.Context(), p.Coll, &found.items[i]); err != nil {
			return err
		}
	}
	d := document{h: h, a: a, p: p, t: t, uris: h.site.Absolute(r, p.Coll), found: found}
	head := w.Header()
	respond.AllowOrigins(head)
	respond.Vary(head, "Accept-Language")
	head.Set("Content-Type", atom.Type+"; charset=utf-8")
	head.Set("Content-Language", t.Tag)
	head.Set("Cache-Control", "no-cache")
	head.Set("ETag", d.tag())
	if len(found.items) > 0 {
		head.Set("Last-Modified", found.items[0].time.Time().Format(http.TimeFormat))
	}
	if h.hub != "" { // WebSub §4: both links in the header
		head.Add("Link", fmt.Sprintf(`<%s>; rel="hub"`, memento.AppendURI(nil, h.hub)))
		head.Add("Link", fmt.Sprintf(`<%s>; rel="self"`, memento.AppendURI(nil, d.self())))
	}
	if done, err := respond.Conditions(w, r, http.StatusOK); done || err != nil || r.Method == http.MethodHead {
		return err
	}
	entries := d.entries(r.Context())
	if slices.ContainsFunc(found.items, func(i item) bool { return i.unread }) {
		head.Del("ETag") // or the client would never ask for the rest
		head.Del("Last-Modified")
	}
	return d.write(r.Context(), &respond.Streaming{W: w}, entries)
}

// captured returns a failure if nothing was found because the address has no capture.
func (h *Handler) captured(r *http.Request, p respond.Path, a *ask, found *list) error {
	if a.URL == "" || len(found.items) > 0 {
		return nil
	}
	tl, err := h.archive.Timelines.Spelled(r.Context(), p.Coll, a.URL)
	if err == nil && len(tl.Captures) == 0 {
		p.URIR = a.URL
		err = h.site.Missing(r, p)
	}
	return err
}

// counting returns the answer to an error of a search for changes.
func counting(err error) error {
	if still, ok := errors.AsType[*latest.CountingError](err); ok {
		return &respond.Failure{
			Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"60"}},
			Say: fmt.Sprintf("the addresses of this collection are still being counted: %d of %d captures", still.Done, still.All),
		}
	}
	return err
}

// A document is a feed about to be written.
type document struct {
	h     *Handler
	a     *ask
	p     respond.Path
	t     *locale.Language
	uris  memento.URIs
	found *list
}

// self returns the address of the document itself.
func (d *document) self() string {
	v := d.a.params(d.p)
	for _, name := range []string{"before", "skip"} {
		if value := d.p.Params.Get(name); value != "" {
			v.Set(name, value)
		}
	}
	return d.uris.Endpoint("feed", v.Encode())
}

// tag is the entity tag: it shows, without reading records, whether the document would be the same if all of them can be read.
func (d *document) tag() string {
	var b strings.Builder
	fmt.Fprintln(&b, d.self(), d.t.Tag, d.h.hub, d.h.archive.Software, d.h.site.Title(d.p.Coll), d.found.more)
	for i := range d.found.items {
		one := &d.found.items[i]
		fmt.Fprintln(&b, one.url, one.time, one.before, one.keptBack, one.title, one.is.Digest, one.score)
	}
	return respond.WeakETag(b.String())
}

func (d *document) title() string {
	subject := d.a.subject(d.h.site.Title(d.p.Coll))
	switch {
	case d.a.query != nil:
		return locale.Fill([]string{d.t.Find.WhereDeleted, d.t.Find.WhereFewer, d.t.Find.WhereAdded}[d.a.query.Kind], d.a.words) + " · " + subject
	case d.a.watch != nil:
		return locale.Fill(d.t.AllChangesOf, subject) + " · " + d.a.watched
	}
	return locale.Fill(d.t.AllChangesOf, subject)
}

func (d *document) head() *atom.Feed {
	first := d.uris.Endpoint("feed", d.a.params(d.p).Encode())
	f := &atom.Feed{
		Lang: d.t.Tag, ID: first, Title: d.title(), Author: d.h.site.Title(d.p.Coll), Updated: time.Unix(0, 0),
		Links: []atom.Link{{Rel: "self", Href: d.self(), Type: atom.Type}, {Rel: "alternate", Href: d.page(), Type: "text/html"}},
	}
	if n := len(d.found.items); n > 0 {
		f.Updated = d.found.items[0].time.Time()
		if d.found.more {
			f.Links = append(f.Links, atom.Link{Rel: "next", Href: d.uris.Endpoint("feed", d.a.next(d.p, d.found.items).Encode())})
		}
	}
	if d.p.Params.Has("before") {
		f.Links = append(f.Links, atom.Link{Rel: "first", Href: first})
	}
	if d.h.hub != "" {
		f.Links = append(f.Links, atom.Link{Rel: "hub", Href: d.h.hub})
	}
	return f
}

// page returns the address of the corresponding page.
func (d *document) page() string {
	switch {
	case d.a.query != nil:
		v := url.Values{"q": {d.a.words}, "change": {d.a.query.Kind.String()}}
		if d.a.domain != "" {
			v.Set("domain", d.a.domain)
		}
		if d.a.url != "" {
			v.Set("url", d.a.url)
		}
		if d.a.URL != "" {
			v.Set("matchType", "exact")
		}
		return d.uris.Endpoint("search", v.Encode())
	case d.a.URL != "":
		return versions.CalendarAt(d.a.Level, d.uris, d.a.URL)
	}
	v := d.a.params(d.p)
	v.Del("limit")
	return d.uris.Endpoint("monitor", v.Encode())
}

// entries returns the entries of the items, which are at most [maxEntries], and notes what could not be read.
func (d *document) entries(ctx context.Context) []*atom.Entry {
	reading, done := context.WithTimeout(ctx, diffTime)
	defer done()
	out := make([]*atom.Entry, len(d.found.items))
	for i := range d.found.items {
		out[i] = d.entry(reading, &d.found.items[i])
	}
	return out
}

func (d *document) write(ctx context.Context, to *respond.Streaming, entries []*atom.Entry) error {
	out, err := atom.NewWriter(to, d.head())
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := out.Entry(e); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return out.Close()
}

func (d *document) entry(ctx context.Context, i *item) *atom.Entry {
	e := &atom.Entry{
		ID: tagURI(d.p.Coll, d.a.Level, i), Title: i.title, Updated: atom.Time{Time: i.time.Time()},
		Links:   []atom.Link{{Rel: "alternate", Href: encoded(d.uris.Memento(i.time, "", i.url)), Type: "text/html", Name: d.t.DateTime(i.time)}},
		Terms:   []atom.Category{{Term: i.kind.String()}},
		Summary: atom.HTML{Type: "html", Body: d.h.summary(ctx, d.a, i, d.t)},
	}
	if e.Title == "" {
		e.Title = i.url
	}
	if i.was != nil {
		e.Links = append(e.Links, atom.Link{Rel: "related", Href: encoded(d.diff(i)), Type: "text/html", Name: d.t.WhatChanged})
		if !d.h.site.Away() && i.was.Text != 0 && i.is.Text != 0 {
			e.Links = append(e.Links, atom.Link{
				Rel: "related", Href: encoded(d.uris.Animate(i.before, i.time, i.url)), Type: "text/html", Name: d.t.WatchIt,
			})
		}
	}
	if d.a.watch != nil {
		score := strconv.FormatFloat(rounded(i.score), 'f', -1, 64)
		e.Terms = append(e.Terms, atom.Category{Term: score, Scheme: "tag:github.com,2026:varve-archive/varve/score"})
	}
	return e
}

// diff returns the address of the diff with the version before, at the feed's level and with the searched words.
func (d *document) diff(i *item) string {
	if d.a.query == nil {
		return versions.DiffAt(d.a.Level, d.uris, i.before, i.time, i.url)
	}
	v := url.Values{"url": {i.url}, "from": {i.before.String()}, "to": {i.time.String()}, "term": {d.a.words}}
	return d.uris.Endpoint("diff", versions.WithLevel(v, d.a.Level).Encode())
}

// encoded percent-encodes an address that contains a URI-R as archived.
func encoded(address string) string { return string(memento.AppendURI(nil, address)) }

// tagURI returns the ID of a version (RFC 4151). It doesn't contain the server's address, so it stays when the archive moves.
func tagURI(coll string, level change.Level, i *item) string {
	return "tag:github.com,2026:varve-archive/varve/" + coll + "/" + level.String() + "/" + i.time.String() + "/" + url.PathEscape(i.url)
}
