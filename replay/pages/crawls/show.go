package crawls

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// Hidden reports whether a crawl must be hidden from readers: access rules exclude all its seeds, and its name may reveal them.
func Hidden(a *archive.Archive, r *runs.Run) bool {
	for _, seed := range r.Settings.Seeds {
		if !a.Excludes(r.Collection, seed, r.Written) {
			return false
		}
	}
	return len(r.Settings.Seeds) > 0
}

// leaveOut removes the addresses from a run that its reader must not see.
func (h *Handler) leaveOut(r *runs.Run) {
	hidden := func(address string, at time.Time) bool { return h.archive.Excludes(r.Collection, address, at) }
	asked := func(a runs.Asked) bool { return hidden(a.URL, a.Time) }
	seeds := len(r.Settings.Seeds)
	r.Recent, r.Failed = slices.DeleteFunc(r.Recent, asked), slices.DeleteFunc(r.Failed, asked)
	r.Settings.Seeds = slices.DeleteFunc(r.Settings.Seeds, func(seed string) bool { return hidden(seed, r.Written) })
	if hidden(r.URL, r.Written) {
		r.URL = ""
	}
	of := func(p runs.Parameter) bool { return hidden("http://"+p.Host+"/", r.Written) }
	if r.Run != nil {
		r.Run.Parameters = slices.DeleteFunc(r.Run.Parameters, of)
	}
	for i := range r.Runs {
		r.Runs[i].Parameters = slices.DeleteFunc(r.Runs[i].Parameters, of)
	}
	if len(r.Settings.Seeds) < seeds { // it may name an excluded seed
		r.Error = ""
	}
	if r.Recent == nil {
		r.Recent = []runs.Asked{}
	}
	if r.Failed == nil {
		r.Failed = []runs.Asked{}
	}
	if r.Settings.Seeds == nil {
		r.Settings.Seeds = []string{}
	}
}

// A summary is a crawl in the list of all.
type summary struct {
	runs.Report
	Collection string    `json:"collection"`
	Begun      time.Time `json:"begun,omitzero"`
	Started    time.Time `json:"started,omitzero"`
	Written    time.Time `json:"written,omitzero"`
	Error      string    `json:"error,omitempty"`
}

func (h *Handler) sendAll(w http.ResponseWriter, r *http.Request, list []runs.Run) error {
	all := struct {
		Crawls []summary `json:"crawls"`
	}{[]summary{}}
	for _, run := range list {
		all.Crawls = append(all.Crawls, summary{run.Report, run.Collection, run.Begun, run.Started, run.Written, run.Error})
	}
	return respond.SendJSON(w, r, all)
}

// View returns what pages show of a crawl.
func (h *Handler) View(r *runs.Run) Progress {
	c := Progress{
		Name: r.Name, Href: h.site.Path() + path + "/" + r.Name, State: string(r.State), Live: r.State.IsAlive(), Orders: ordersIn(r.State),
		FailedSteps: int(r.FailedSteps),
		Pages:       int(r.Pages), MaxPages: int(r.Settings.MaxPages), Docs: int(r.Docs), Parts: int(r.Parts), Bytes: r.Bytes, Seconds: r.Seconds,
		Status: counts(r.Status), Skipped: counts(r.Skipped), Traps: counts(r.Traps), Limit: r.Limit, Error: r.Error,
		Begun: respond.Stamp(r.Begun), Started: respond.Stamp(r.Started), Last: respond.Stamp(r.Written),
	}
	if r.URL != "" {
		c.Now = h.address(r, r.URL)
	}
	if h.archive.Index.Has(r.Collection) {
		c.Coll = banner.Link{Href: h.site.Local(r.Collection).Home(), Text: h.site.Title(r.Collection)}
	}
	return c
}

// ordersIn returns the orders that have an effect in a state.
func ordersIn(s runs.State) (orders []string) {
	switch s {
	case runs.Running:
		return []string{string(runs.Pause), string(runs.Stop)}
	case runs.Paused:
		return []string{string(runs.Resume), string(runs.Stop)}
	}
	return nil
}

func (h *Handler) pageOf(r *runs.Run) oneView {
	v := oneView{Crawl: h.View(r), Settings: settings(&r.Settings), Recent: h.asked(r, r.Recent), Failed: h.asked(r, r.Failed)}
	v.Documents = h.DocumentsLink(r)
	all := r.Runs
	if r.Run != nil {
		all = append(slices.Clone(all), *r.Run)
		for _, p := range r.Run.Parameters {
			v.Parameters = append(v.Parameters, keyValue{Key: p.Name, Value: p.Host})
		}
	}
	for i := range all {
		v.Runs = append(v.Runs, RunOf(&all[i]))
	}
	for _, seed := range r.Settings.Seeds {
		v.Seeds = append(v.Seeds, h.address(r, seed))
	}
	return v
}

// RunOf returns what a run found, for people.
func RunOf(s *runs.Stats) RunView {
	return RunView{
		Started: respond.Stamp(s.Started), Found: int(s.Found), Known: int(s.Known), OutOfScope: int(s.OutOfScope), Excluded: int(s.Excluded),
		Visited: int(s.Visited), Documents: int(s.Documents), Duplicates: int(s.Duplicates), Harvested: int(s.Harvested),
		Rendered: int(s.Rendered),
		Bytes:    s.Bytes, FetchSeconds: s.FetchSeconds, RenderSeconds: s.RenderSeconds, Status: counts(s.Status),
	}
}

func (h *Handler) asked(r *runs.Run, list []runs.Asked) (out []askedView) {
	for _, a := range list {
		out = append(out, askedView{
			Address: h.address(r, a.URL), Time: respond.Stamp(a.Time), Status: a.Status, Bytes: a.Bytes, Reason: a.Reason, Error: a.Error,
		})
	}
	return out
}

// address returns an address with a link to its replay, if there may be one.
func (h *Handler) address(r *runs.Run, address string) layout.Address {
	a := layout.Address{URIR: address}
	if h.archive.Index.Has(r.Collection) {
		a.Href = h.site.Local(r.Collection).TimeGate(address)
	}
	return a
}

// settings returns the settings as in a crawl file. Limits of 0 are left out.
func settings(s *runs.Settings) (out []keyValue) {
	seconds := func(n float64) string { return time.Duration(n * float64(time.Second)).String() }
	for _, kv := range []struct {
		key, value string
		none       bool
	}{
		{"scope", s.Scope, s.Scope == ""},
		{"order", s.Order, s.Order == ""},
		{"max_pages", strconv.FormatInt(s.MaxPages, 10), s.MaxPages == 0},
		{"max_docs", strconv.FormatInt(s.MaxDocs, 10), s.MaxDocs == 0},
		{"max_depth", strconv.Itoa(s.MaxDepth), s.MaxDepth == 0},
		{"max_bytes", humanize.Bytes(uint64(max(s.MaxBytes, 0))), s.MaxBytes <= 0},
		{"walltime", seconds(s.Walltime), s.Walltime == 0},
		{"threads", strconv.Itoa(s.Threads), s.Threads == 0},
		{"delay", seconds(s.Delay), s.Delay == 0},
		{"robots", s.Robots, s.Robots == ""},
		{"template", strings.Join(s.Fields, ", "), len(s.Fields) == 0},
	} {
		if !kv.none {
			out = append(out, keyValue{Key: kv.key, Value: kv.value})
		}
	}
	return out
}

// counts returns counts with their names, the largest first.
func counts(of map[string]int64) (out []sortCount) {
	for _, sort := range slices.Sorted(maps.Keys(of)) {
		out = append(out, sortCount{Sort: sort, N: int(of[sort])})
	}
	slices.SortStableFunc(out, func(a, b sortCount) int { return cmp.Compare(b.N, a.N) })
	return out
}
