package following

import (
	"time"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// An allView is the page of all followers of sources.
type allView struct {
	layout.Page
	Follows []nameView
}

// A oneView is the page of the sources that are followed under one name.
type oneView struct {
	layout.Page
	Follow  nameView
	All     string // the page of all
	Sources []sourceView
}

// A nameView is the state of the sources under one name. Requests and bytes are those of today.
type nameView struct {
	Name, Href             string
	Running, Spent         bool
	Coll                   banner.Link
	Sources                int
	Requests, MostRequests int // a maximum of 0 is no limit
	Bytes                  int64
	Waiting, Polls, Useful int
	New, Changed, Captured int
	Lost, Refused          int
	Pushed, Forged         int
	Lag                    time.Duration // from publication to capture; 0 if unknown
	Last                   cdx.Timestamp // time of the last status
}

// A sourceView is a source that is followed. Problem, Aside and Push are sentences in English.
type sourceView struct {
	layout.Address
	Title                  string
	Asked, Next, News      cdx.Timestamp // 0 for never
	Due                    bool          // it is due now
	PerDay                 float64       // how often it publishes
	Polls, Useful, Entries int
	Problem, Aside, Push   string
}
