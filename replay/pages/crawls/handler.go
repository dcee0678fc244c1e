package crawls

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/replay/guard"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A Config says which crawls are shown. Folder is required.
type Config struct {
	Folder   runs.Folder
	Asked    bool         // whoever runs the server wants it to show them; else it does because it is for its machine only
	ReadOnly bool         // crawls are seen, and not steered
	Log      *slog.Logger // nil logs nothing
}

// A Handler has the handlers. A nil one shows nothing, and says so.
type Handler struct {
	Config
	archive   *archive.Archive
	site      *respond.Site
	guard     *guard.Guard
	orderPage func(r *http.Request) string
	editPage  func(r *http.Request, coll, rule string) string
}

// matter is what the guard is about.
func matter() guard.Matter {
	return guard.Matter{Not: "shows no crawls", Flag: "--crawls", Do: "steer crawls"}
}

// New returns the handlers over an archive for a site, nil if cfg is. order and edit return the address of the page on which crawls are
// ordered, and of that on which the settings of a collection are edited, "" if that isn't possible.
func New(
	a *archive.Archive, site *respond.Site, cfg *Config, key guard.Key, order func(r *http.Request) string,
	edit func(r *http.Request, coll, rule string) string,
) *Handler {
	if cfg == nil {
		return nil
	}
	h := &Handler{
		Config: *cfg, archive: a, site: site, guard: guard.New(site, matter(), cfg.Asked, key), orderPage: order, editPage: edit,
	}
	if h.Log == nil {
		h.Log = slog.New(slog.DiscardHandler)
	}
	return h
}

// path is where crawls are shown, below the address of the server.
const path = "/-/crawls"

// Is reports whether what follows /-/ in a path is for a [Handler].
func Is(internal string) bool { return internal == "crawls" || strings.HasPrefix(internal, "crawls/") }

// Link returns the address of the page, "" if it shows nothing, at least not here.
func (h *Handler) Link(r *http.Request) string {
	if h == nil || h.guard.Open(r) != nil {
		return ""
	}
	if all, _ := h.list(); len(all) == 0 && h.orderPage(r) == "" { // what can't be read is logged when it is looked at
		return ""
	}
	return h.site.Path() + path
}

// Serve answers what [Is] says.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, p respond.Path, shared layout.Page) error {
	w.Header().Set("Cache-Control", "no-store")
	if h == nil {
		return matter().Closed()
	}
	if err := h.guard.Open(r); err != nil {
		return err
	}
	respond.Vary(w.Header(), "Accept", "Sec-Fetch-Dest", "Sec-Fetch-Mode")
	name, one := strings.CutPrefix(p.Internal, "crawls/")
	crawl, documents := strings.CutSuffix(name, "/documents")
	switch {
	case respond.Reads(r) && documents:
		return h.documents(w, r, crawl, p.Params.Get("output"))
	case respond.Reads(r) && one:
		return h.one(w, r, name, shared)
	case respond.Reads(r):
		return h.all(w, r, shared)
	case r.Method == http.MethodPost && one && !documents:
		return h.order(w, r, name)
	}
	return respond.NoOtherMethod(one && !documents)
}

// all answers with all crawls: those that live first, then those that were written last.
func (h *Handler) all(w http.ResponseWriter, r *http.Request, shared layout.Page) error {
	list, err := h.list()
	if err != nil {
		h.Log.Warn("not every crawl can be shown", "error", err)
	}
	for i := range list {
		h.leaveOut(&list[i])
	}
	slices.SortStableFunc(list, func(a, b runs.Run) int {
		return cmp.Or(cmp.Compare(rank(a.State), rank(b.State)), b.Written.Compare(a.Written))
	})
	if !respond.IsBrowser(r) {
		return h.sendAll(w, r, list)
	}
	v := allView{Page: shared, Steer: h.steering(r), Order: h.orderPage(r), Edit: h.editPage(r, "", "")}
	for i := range list {
		v.Crawls = append(v.Crawls, h.View(&list[i]))
	}
	if v.lives() {
		v.Again = reloadSeconds
	}
	return respond.RenderAlone(w, r, http.StatusOK, crawlsPage(v))
}

// list returns the crawls of which readers may know. The error is about others that can't be read.
func (h *Handler) list() ([]runs.Run, error) {
	all, err := h.Folder.All()
	return slices.DeleteFunc(all, func(r runs.Run) bool { return Hidden(h.archive, &r) }), err
}

// rank is 0 for crawls that live.
func rank(s runs.State) int {
	if s.IsAlive() {
		return 0
	}
	return 1
}

// reloadSeconds is how many seconds a browser without scripts waits before it loads the page of a crawl that lives once more.
const reloadSeconds = 5

// Get returns a crawl as its readers may know it. The error wraps [runs.ErrUnknown] if they may not.
func (h *Handler) Get(name string) (runs.Run, error) {
	run, err := h.Folder.Get(name)
	if err == nil && Hidden(h.archive, &run) {
		err = runs.ErrUnknown
	}
	h.leaveOut(&run)
	return run, err
}

func (h *Handler) one(w http.ResponseWriter, r *http.Request, name string, shared layout.Page) error {
	run, err := h.Get(name)
	if err != nil {
		return failure(err)
	}
	if !respond.IsBrowser(r) {
		return respond.SendJSON(w, r, h.withLinks(run))
	}
	v := h.pageOf(&run)
	v.Page, v.All, v.Steer = shared, h.site.Path()+path, h.steering(r)
	if run.State.IsAlive() {
		v.Again = reloadSeconds
	}
	return respond.RenderAlone(w, r, http.StatusOK, crawlPage(v))
}

// withLinks returns a crawl for data, which has the address of the documents in place of their path.
func (h *Handler) withLinks(run runs.Run) runs.Run {
	run.Documents = h.DocumentsLink(&run)
	return run
}

// steering returns what a page needs to steer.
func (h *Handler) steering(r *http.Request) layout.Steering {
	if h.ReadOnly {
		return layout.Steering{}
	}
	return layout.Steering{Possible: true, Token: h.guard.Token(r)}
}

const maxForm = 4 << 10 // bytes of an order

func (h *Handler) order(w http.ResponseWriter, r *http.Request, name string) error {
	if h.ReadOnly {
		return &respond.Failure{Status: http.StatusForbidden, Say: "this server writes nothing, so it gives no orders"}
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return respond.BadRequest("the form can't be read")
	}
	if err := h.guard.Mine(r, r.PostForm.Get("token")); err != nil {
		return err
	}
	o := runs.Order(r.PostForm.Get("order"))
	if !o.Valid() {
		return respond.BadRequest("want the order pause, resume or stop")
	}
	if _, err := h.Get(name); err != nil {
		return failure(err)
	}
	if err := h.Folder.Order(r.Context(), name, o); err != nil {
		return failure(err)
	}
	h.Log.Info("a crawl was given an order", "crawl", name, "order", o)
	if respond.IsBrowser(r) {
		w.Header().Set("Location", h.site.Path()+path+"/"+name)
		w.WriteHeader(http.StatusSeeOther)
		return nil
	}
	run, err := h.Get(name)
	if err != nil {
		return failure(err)
	}
	return respond.SendJSON(w, r, h.withLinks(run))
}

// failure returns the answer to an error about a crawl.
func failure(err error) error {
	switch {
	case errors.Is(err, runs.ErrUnknown):
		return respond.NotFound("there is no crawl of this name here")
	case errors.Is(err, runs.ErrNotRunning):
		return &respond.Failure{Status: http.StatusConflict, Say: err.Error()}
	case errors.Is(err, runs.ErrSilent):
		return &respond.Failure{Status: http.StatusServiceUnavailable, Say: err.Error(), Header: http.Header{"Retry-After": {"10"}}}
	}
	return err
}
