// Package following has the pages on which is seen how sources do that are followed, and the same as JSON. It knows of them what a
// process that follows has written into files (package status): nothing that serves reaches the live web.
//
// Titles and addresses of sources are others' words. They are escaped, lead to their replay and nowhere else, and what access rules exclude
// is left out. Package guard says who may look.
package following

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/internal/plainname"
	"github.com/varve-archive/varve/replay/guard"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers. A nil one shows nothing, and says so.
type Handler struct {
	folder  status.Folder
	log     *slog.Logger
	archive *archive.Archive
	site    *respond.Site
	guard   *guard.Guard
}

// matter is what the guard is about.
func matter() guard.Matter {
	return guard.Matter{Not: "shows no sources that are followed", Flag: "--crawls", Do: "look at them"}
}

// New returns the handlers over an archive for a site; nil if folder is "". asked says that whoever runs the server wants it to show
// what is followed; else it does because it is for its machine only.
func New(a *archive.Archive, site *respond.Site, folder status.Folder, asked bool, log *slog.Logger, key guard.Key) *Handler {
	if folder == "" {
		return nil
	}
	return &Handler{folder: folder, log: log, archive: a, site: site, guard: guard.New(site, matter(), asked, key)}
}

// path is where it is seen, below the address of the server.
const path = "/-/follow"

// Is reports whether what follows /-/ in a path is for a [Handler].
func Is(internal string) bool { return internal == "follow" || strings.HasPrefix(internal, "follow/") }

// Link returns the address of the page, "" if it shows nothing, at least not here.
func (h *Handler) Link(r *http.Request) string {
	if h == nil || h.guard.Open(r) != nil {
		return ""
	}
	if all, _ := h.list(); len(all) == 0 { // what can't be read is logged when it is looked at
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
	if !respond.Reads(r) {
		return respond.NoMethod(r, p.Kind)
	}
	respond.Vary(w.Header(), "Accept", "Sec-Fetch-Dest", "Sec-Fetch-Mode")
	if name, one := strings.CutPrefix(p.Internal, "follow/"); one {
		return h.one(w, r, name, shared)
	}
	return h.all(w, r, shared)
}

// all answers with all names: those that were heard of last come first.
func (h *Handler) all(w http.ResponseWriter, r *http.Request, shared layout.Page) error {
	list, err := h.list()
	if err != nil {
		h.log.Warn("not everything that is followed can be shown", "error", err)
	}
	slices.SortStableFunc(list, func(a, b status.Status) int { return b.Written.Compare(a.Written) })
	for i := range list {
		h.leaveOut(&list[i])
	}
	if !respond.IsBrowser(r) {
		return respond.SendJSON(w, r, map[string][]status.Status{"follows": append([]status.Status{}, list...)})
	}
	v := allView{Page: shared}
	for i := range list {
		v.Follows = append(v.Follows, h.view(&list[i]))
	}
	return respond.RenderAlone(w, r, http.StatusOK, followsPage(v))
}

// list returns those of which readers may know. The error is about others that can't be read.
func (h *Handler) list() ([]status.Status, error) {
	all, err := h.folder.All()
	return slices.DeleteFunc(all, func(s status.Status) bool { return Hidden(h.archive, &s) }), err
}

func (h *Handler) one(w http.ResponseWriter, r *http.Request, name string, shared layout.Page) error {
	unknown := respond.NotFound("nothing is followed under this name here")
	if !plainname.IsShort(name) {
		return unknown
	}
	s, err := h.folder.Get(name)
	if errors.Is(err, status.ErrUnknown) || err == nil && Hidden(h.archive, &s) {
		return unknown
	} else if err != nil {
		return err
	}
	h.leaveOut(&s)
	if !respond.IsBrowser(r) {
		return respond.SendJSON(w, r, s)
	}
	v := oneView{Page: shared, All: h.site.Path() + path, Follow: h.view(&s)}
	now := time.Now()
	for i := range s.Sources {
		v.Sources = append(v.Sources, h.source(&s, &s.Sources[i], now))
	}
	slices.SortStableFunc(v.Sources, func(a, b sourceView) int { return cmp.Compare(healthOf(&a), healthOf(&b)) })
	return respond.RenderAlone(w, r, http.StatusOK, followPage(v))
}

// healthOf is lower for sources that somebody has to look after.
func healthOf(s *sourceView) int {
	switch {
	case s.Aside != "":
		return 0
	case s.Problem != "":
		return 1
	}
	return 2
}

// Hidden reports whether readers are not to know of a name: all its sources are excluded, and the name may say what they are.
func Hidden(a *archive.Archive, s *status.Status) bool {
	return len(s.Sources) > 0 && !slices.ContainsFunc(s.Sources, func(src status.Source) bool {
		return !a.Excludes(s.Collection, src.URL, s.Written)
	})
}

// leaveOut takes the sources out that readers are not to know of.
func (h *Handler) leaveOut(s *status.Status) {
	s.Sources = slices.DeleteFunc(s.Sources, func(src status.Source) bool { return h.archive.Excludes(s.Collection, src.URL, s.Written) })
	if s.Sources == nil {
		s.Sources = []status.Source{}
	}
}

// silenceTime is how long after its last word a process counts as ended: it writes far more often.
const silenceTime = 10 * time.Minute

// view returns what pages show of a name.
func (h *Handler) view(s *status.Status) nameView {
	f := nameView{
		Name: s.Name, Href: h.site.Path() + path + "/" + s.Name, Sources: len(s.Sources),
		Running: s.Running && time.Since(s.Written) < silenceTime, Spent: s.Spent() && today(s.Written),
		Waiting: s.Waiting, Polls: int(s.Polls), Useful: int(s.Useful), New: int(s.New), Changed: int(s.Changed),
		Captured: int(s.Captured), Lost: int(s.Lost), Refused: int(s.Refused), Pushed: int(s.Pushed), Forged: int(s.Forged),
		Lag: s.Lag.Mean(), Last: respond.Stamp(s.Written), MostRequests: int(s.Budget.Requests),
	}
	if today(s.Written) {
		f.Requests, f.Bytes = int(s.Today.Requests), s.Today.Bytes
	}
	if h.archive.Index.Has(s.Collection) {
		f.Coll = banner.Link{Href: h.site.Local(s.Collection).Home(), Text: h.site.Title(s.Collection)}
	}
	return f
}

// today reports whether a time is of today, in UTC as budgets are.
func today(t time.Time) bool {
	return t.UTC().Format(time.DateOnly) == time.Now().UTC().Format(time.DateOnly)
}

func (h *Handler) source(s *status.Status, src *status.Source, now time.Time) sourceView {
	row := sourceView{
		Address: layout.Address{URIR: src.URL}, Title: src.Title, Asked: respond.Stamp(src.Asked), News: respond.Stamp(src.News),
		Next: respond.Stamp(src.Next), Due: s.Running && !src.Next.After(now) && src.Aside == "",
		PerDay: src.PerDay, Polls: int(src.Polls), Useful: int(src.Useful), Entries: int(src.Entries),
		Problem: src.Problem, Aside: src.Aside, Push: src.Push,
	}
	if h.archive.Index.Has(s.Collection) {
		row.Href = h.site.Local(s.Collection).TimeGate(src.URL)
	}
	return row
}
