package jobs

import (
	"net/http"
	"slices"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A publicJob is the part of a job that its readers may see.
type publicJob struct {
	jobs.Job
	File  bool        `json:"file,omitempty"`  // of others, who may have a password in it: never told
	Crawl string      `json:"crawl,omitempty"` // the address of its crawl, once that is there
	Run   *runs.Stats `json:"run,omitempty"`   // what it found
	run   *runs.Run
}

// hidden reports whether a job must be hidden from readers, because access rules exclude all its seeds.
func (h *Handler) hidden(j *jobs.Job) bool {
	return crawls.Hidden(h.archive, &runs.Run{Collection: j.Collection, Written: j.Left, Settings: runs.Settings{Seeds: j.Seeds}})
}

// public returns the part of a job that readers may see.
func (h *Handler) public(j jobs.Job) publicJob {
	t := publicJob{Job: j}
	seeds := len(j.Seeds)
	t.Seeds = slices.DeleteFunc(slices.Clone(j.Seeds), func(seed string) bool { return h.archive.Excludes(j.Collection, seed, j.Left) })
	if t.Seeds == nil {
		t.Seeds = []string{}
	}
	if len(t.Seeds) < seeds { // it may name an excluded seed
		t.Error = ""
	}
	if j.Begun.IsZero() {
		return t
	}
	run, err := h.crawls.Get(j.Name)
	if err != nil || run.Collection != j.Collection {
		return t
	}
	t.run, t.Crawl = &run, h.site.Path()+"/-/crawls/"+j.Name
	all := run.Runs
	if run.Run != nil {
		all = append(slices.Clone(all), *run.Run)
	}
	for i := range all {
		if s := &all[i]; !s.Started.Before(j.Begun) && (j.Ended.IsZero() || s.Started.Before(j.Ended)) {
			t.Run = s
		}
	}
	return t
}

// all answers with all jobs, below the form.
func (h *Handler) all(w http.ResponseWriter, r *http.Request, status int, f *layout.Form, shared layout.Page) error {
	list, err := h.Folder.All()
	if err != nil {
		h.crawls.Log.Warn("not every job can be shown", "error", err)
	}
	list = slices.DeleteFunc(list, func(j jobs.Job) bool { return h.hidden(&j) })
	if !respond.IsBrowser(r) {
		all := struct {
			Taken bool        `json:"taken"` // a process takes jobs
			Jobs  []publicJob `json:"jobs"`
		}{h.Folder.Taken(), []publicJob{}}
		for _, j := range list {
			all.Jobs = append(all.Jobs, h.public(j))
		}
		return respond.SendJSON(w, r, all)
	}
	v := h.page(r, shared)
	v.Form = f
	for _, j := range list {
		v.Jobs = append(v.Jobs, h.view(j))
	}
	return respond.RenderAlone(w, r, status, jobsPage(v))
}

// page returns what both pages have in common.
func (h *Handler) page(r *http.Request, shared layout.Page) pageView {
	v := pageView{Page: shared, Action: h.site.Path() + path, Taken: h.Folder.Taken()}
	if !h.crawls.ReadOnly {
		v.Steer = layout.Steering{Possible: true, Token: h.guard.Token(r)}
	}
	for _, c := range h.archive.Index.CollectionsWith(h.Default) {
		v.Collections = append(v.Collections, banner.Link{Href: c, Text: h.site.Title(c)})
	}
	return v
}

// reloadSeconds is the number of seconds after which a browser without scripts reloads the page of an unfinished job.
const reloadSeconds = 5

func (h *Handler) one(w http.ResponseWriter, r *http.Request, id string, shared layout.Page) error {
	j, err := h.Folder.Get(id)
	if err == nil && h.hidden(&j) {
		err = jobs.ErrUnknown
	}
	if err != nil {
		return failure(err)
	}
	if !respond.IsBrowser(r) {
		return respond.SendJSON(w, r, h.public(j))
	}
	v := h.page(r, shared)
	v.All, v.Jobs = v.Action, []jobView{h.view(j)}
	if j.State == jobs.Waiting || j.State == jobs.Running {
		v.Again = reloadSeconds
	}
	return respond.RenderAlone(w, r, http.StatusOK, jobsPage(v))
}

// view returns what pages show of a job.
func (h *Handler) view(j jobs.Job) jobView {
	t := h.public(j)
	v := jobView{
		Href: h.site.Path() + path + "/" + j.ID, State: string(j.State), Name: j.Name, Crawl: t.Crawl, Waits: j.State == jobs.Waiting,
		Left: respond.Stamp(j.Left), Error: t.Error,
	}
	if t.run == nil {
		return v
	}
	v.Documents = h.crawls.DocumentsLink(t.run)
	if t.Run != nil {
		run := crawls.RunOf(t.Run)
		v.Run = &run
	}
	if j.State == jobs.Running && t.run.State.IsAlive() {
		now := h.crawls.View(t.run)
		v.Now, v.Run = &now, nil
	}
	return v
}

func (h *Handler) cancel(w http.ResponseWriter, r *http.Request, id string) error {
	if err := h.mayWrite(w, r); err != nil {
		return err
	}
	if r.PostForm.Get("do") != "cancel" {
		return respond.BadRequest("want do=cancel")
	}
	j, err := h.Folder.Get(id)
	if err == nil && h.hidden(&j) {
		err = jobs.ErrUnknown
	}
	if err == nil {
		j, err = h.Folder.Cancel(id)
	}
	if err != nil {
		return failure(err)
	}
	h.crawls.Log.Info("an ordered crawl was canceled", "job", id, "crawl", j.Name)
	return h.left(w, r, j, http.StatusOK)
}
