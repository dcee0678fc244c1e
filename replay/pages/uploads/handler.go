package uploads

import (
	"net/http"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/ingest/upload"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/replay/guard"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A Config says who takes files. Queue and Default are required.
type Config struct {
	Queue   *upload.Queue
	Default string // the collection for files of which nobody says where they go; it need not be there yet
	Asked   bool   // whoever runs the server wants it to take files; else it does because it is for its machine only
}

// A Handler has the handlers. A nil one takes nothing, and says so.
type Handler struct {
	Config
	archive *archive.Archive
	site    *respond.Site
	guard   *guard.Guard
}

// matter is what the guard is about.
func matter() guard.Matter {
	return guard.Matter{Not: "takes no files", Flag: "--uploads", Do: "hand in files"}
}

// open reports as an error why nothing can be handed in at the address at which the server was reached.
func (h *Handler) open(r *http.Request) error {
	if h == nil {
		return matter().Closed()
	}
	return h.guard.Open(r)
}

// New returns the handlers over an archive for a site, nil if cfg is.
func New(a *archive.Archive, site *respond.Site, cfg *Config, key guard.Key) *Handler {
	if cfg == nil {
		return nil
	}
	return &Handler{Config: *cfg, archive: a, site: site, guard: guard.New(site, matter(), cfg.Asked, key)}
}

// path is where files are handed in, below the address of the server.
const path = "/-/uploads"

// Is reports whether what follows /-/ in a path is for a [Handler].
func Is(internal string) bool {
	return internal == "uploads" || strings.HasPrefix(internal, "uploads/")
}

// Serve answers what [Is] says.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, p respond.Path, shared layout.Page) error {
	w.Header().Set("Cache-Control", "no-store")
	if err := h.open(r); err != nil {
		return err
	}
	id, one := strings.CutPrefix(p.Internal, "uploads/")
	switch {
	case respond.Reads(r) && one:
		return h.showDelivery(w, r, id, shared)
	case respond.Reads(r):
		return h.ask(w, r, p.Params.Get("collection"), shared)
	case r.Method == http.MethodPost && !one:
		return h.take(w, r, p)
	}
	return respond.NoOtherMethod(!one)
}

// Zone returns what a page needs so that files can be handed in on it, nil if none can be. coll is the collection that the
// page is about, "" if it is about all.
func (h *Handler) Zone(w http.ResponseWriter, r *http.Request, coll string) *layout.DropZone {
	if h.open(r) != nil {
		return nil
	}
	respond.Vary(w.Header(), "Sec-Fetch-Dest", "Sec-Fetch-Mode")
	z := &layout.DropZone{Action: h.site.Path() + path, Token: h.guard.Token(r), Coll: coll, Limit: h.Queue.Limit()}
	if z.Token == "" && r.Header.Get("Sec-Fetch-Dest") != "" {
		return nil // no window's document
	}
	if z.Coll == "" {
		z.Coll = h.Default
		for _, c := range h.archive.Index.CollectionsWith(h.Default) {
			z.Collections = append(z.Collections, banner.Link{Href: c, Text: h.site.Title(c)})
		}
	}
	return z
}

// ask answers with a page on which files can be handed in, or says as data what is taken.
func (h *Handler) ask(w http.ResponseWriter, r *http.Request, coll string, shared layout.Page) error {
	respond.Vary(w.Header(), "Accept")
	if !respond.IsBrowser(r) {
		return respond.WriteJSON(w, r, struct {
			Limit       int64    `json:"limit"`
			Collections []string `json:"collections"`
		}{h.Queue.Limit(), h.archive.Index.CollectionsWith(h.Default)})
	}
	if coll != "" && !slices.Contains(h.archive.Index.CollectionsWith(h.Default), coll) {
		return respond.NotFound("there is no such collection here")
	}
	return respond.RenderAlone(w, r, http.StatusOK, uploadsPage(pageView{Page: shared, Zone: h.Zone(w, r, coll)}))
}
