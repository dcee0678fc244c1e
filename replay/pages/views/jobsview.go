package views

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
)

// A JobsView is the page on which crawls are ordered, and of those that were.
type JobsView struct {
	Page
	Steer       Steering
	Action      string // where forms go
	Form        *Form
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
	Run               *CrawlRun // what it found
}

// jobState says what a job is doing.
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
	Page
	Steer     Steering
	Action    string
	Coll      banner.Link
	Others    []banner.Link // other collections
	Templates SettingsText
	Rankings  SettingsText
	Try       string // the address on which templates are tried
}

// A SettingsText is a text that is edited.
type SettingsText struct {
	Text, File string // as it is edited; as the config file has it
	Wrong      string // what is wrong with it, in English
	Saved      bool
}

// jobScopes are the scopes of crawls, the usual one first.
func jobScopes(t texts) [][2]string {
	j := &t.Jobs
	return [][2]string{{"host", j.ScopeHost}, {"page", j.ScopePage}, {"prefix", j.ScopePrefix}, {"domain", j.ScopeDomain}}
}
