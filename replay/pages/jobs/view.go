package jobs

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A pageView is the page for ordering crawls, with those that were ordered.
type pageView struct {
	layout.Page
	Steer       layout.Steering
	Action      string // action of the forms
	Form        *layout.Form
	Jobs        []jobView
	Taken       bool   // a process takes jobs
	All         string // the page of all jobs; "" on that page
	Collections []banner.Link
}

// A jobView is a crawl that was ordered.
type jobView struct {
	Href, State, Name string
	Crawl             string // the page of its crawl, "" while there is none
	Documents         string // its CSV, "" for none
	Waits             bool
	Left              cdx.Timestamp
	Error             string
	Now               *crawls.Progress // while it runs
	Run               *crawls.RunView  // its results
}

func jobState(t *locale.Language, state string) string {
	switch state {
	case "waiting":
		return t.Jobs.Waiting
	case "running":
		return t.Crawls.Running
	case "failed":
		return t.Crawls.Failed
	case "canceled":
		return t.Jobs.Canceled
	}
	return t.Jobs.Done
}

// jobScopes are the scopes of crawls, the default first.
func jobScopes(t *locale.Language) [][2]string {
	j := &t.Jobs
	return [][2]string{{"host", j.ScopeHost}, {"page", j.ScopePage}, {"prefix", j.ScopePrefix}, {"domain", j.ScopeDomain}}
}
