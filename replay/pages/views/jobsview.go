package views

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A JobsView is the page for ordering crawls, with those that were ordered.
type JobsView struct {
	layout.Page
	Steer       layout.Steering
	Action      string // action of the forms
	Form        *layout.Form
	Jobs        []Job
	Taken       bool   // a process takes jobs
	All         string // the page of all jobs; "" on that page
	Collections []banner.Link
}

// A Job is a crawl that was ordered.
type Job struct {
	Href, State, Name string
	Crawl             string // the page of its crawl, "" while there is none
	Documents         string // its CSV, "" for none
	Waits             bool
	Left              cdx.Timestamp
	Error             string
	Now               *Crawl    // while it runs
	Run               *CrawlRun // its results
}

func jobState(t texts, state string) string {
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

// A SettingsView is the page on which templates and rankings of a collection are edited.
type SettingsView struct {
	layout.Page
	Steer     layout.Steering
	Action    string
	Coll      banner.Link
	Others    []banner.Link // other collections
	Templates SettingsText
	Rankings  SettingsText
	Try       string // an address with which templates are tried
}

// A SettingsText is a text to be edited.
type SettingsText struct {
	Text, File string // as it is edited; as the config file has it
	Wrong      string // what is wrong with it, in English
	Saved      bool
}

// jobScopes are the scopes of crawls, the default first.
func jobScopes(t texts) [][2]string {
	j := &t.Jobs
	return [][2]string{{"host", j.ScopeHost}, {"page", j.ScopePage}, {"prefix", j.ScopePrefix}, {"domain", j.ScopeDomain}}
}
