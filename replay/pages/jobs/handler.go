package jobs

import (
	"errors"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/replay/guard"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A Config says where jobs are left. All of it is required.
type Config struct {
	Folder  jobs.Folder
	Default string // the collection for crawls of which nobody says where they go; it need not be there yet
	// Check reads a crawl file. The error is a [Fault] where it is known which key is wrong.
	Check func(file string) (name string, seeds []string, err error)
}

// A Fault says what is wrong with a crawl file.
type Fault struct {
	Key  string
	Line int // of the file, 0 if it isn't known
	Err  error
}

func (f *Fault) Error() string { return f.Err.Error() }

// A Handler has the handlers. A nil one takes nothing, and says so.
type Handler struct {
	Config
	crawls  *crawls.Handler
	archive *archive.Archive
	site    *respond.Site
	guard   *guard.Guard
}

func matter() guard.Matter {
	return guard.Matter{Not: "begins no crawls", Flag: "--crawls", Do: "begin crawls"}
}

// New returns the handlers over an archive for a site, nil if cfg is, or if no crawls are shown.
func New(a *archive.Archive, site *respond.Site, shown *crawls.Handler, cfg *Config, key guard.Key) *Handler {
	if cfg == nil || shown == nil {
		return nil
	}
	return &Handler{Config: *cfg, crawls: shown, archive: a, site: site, guard: guard.New(site, matter(), shown.Asked, key)}
}

// path is where crawls are ordered, below the address of the server.
const path = "/-/jobs"

// Is reports whether what follows /-/ in a path is for a [Handler].
func Is(internal string) bool { return internal == "jobs" || strings.HasPrefix(internal, "jobs/") }

// Link returns the address of the page, "" if nobody may order anything there.
func (h *Handler) Link(r *http.Request) string {
	if h == nil || h.crawls.ReadOnly || h.guard.Open(r) != nil {
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
	id, one := strings.CutPrefix(p.Internal, "jobs/")
	switch {
	case respond.Reads(r) && one:
		return h.one(w, r, id, shared)
	case respond.Reads(r):
		return h.all(w, r, http.StatusOK, h.asked(p.Params.Get), shared)
	case r.Method == http.MethodPost && one:
		return h.cancel(w, r, id)
	case r.Method == http.MethodPost:
		return h.leave(w, r, shared)
	}
	return respond.NoOtherMethod(true)
}

// failure returns the answer to an error about a job.
func failure(err error) error {
	switch {
	case errors.Is(err, jobs.ErrUnknown):
		return respond.NotFound("there is no such job here")
	case errors.Is(err, jobs.ErrTaken):
		return &respond.Failure{Status: http.StatusConflict, Say: err.Error()}
	case errors.Is(err, jobs.ErrFull):
		return &respond.Failure{Status: http.StatusServiceUnavailable, Say: err.Error(), Header: http.Header{"Retry-After": {"60"}}}
	}
	return err
}
