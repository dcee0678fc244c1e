package views

import (
	"time"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

// A FollowsView is the page of all who follow sources.
type FollowsView struct {
	Page
	Follows []Follow
}

// A FollowView is the page of the sources that are followed under one name.
type FollowView struct {
	Page
	Follow  Follow
	All     string // the page of all
	Sources []FollowSource
}

// A Follow says how sources do that are followed under one name. Requests and bytes are those of today.
type Follow struct {
	Name, Href             string
	Running, Spent         bool
	Coll                   banner.Link
	Sources                int
	Requests, MostRequests int // a most of 0 is none
	Bytes                  int64
	Waiting, Polls, Useful int
	New, Changed, Captured int
	Lost, Refused          int
	Pushed, Forged         int
	Lag                    time.Duration // from published to captured; 0 if nothing is known
	Last                   cdx.Timestamp // when it was heard of last
}

// A FollowSource is a source that is followed. Problem, Aside and Push are sentences in English.
type FollowSource struct {
	CrawlAddress
	Title                  string
	Asked, Next, News      cdx.Timestamp // 0 for never
	Due                    bool          // it is to be asked now
	PerDay                 float64       // how often it publishes
	Polls, Useful, Entries int
	Problem, Aside, Push   string
}

// ofMost says a number, and of how many at most; a most of 0 is none.
func ofMost(t texts, n, most int) string {
	if most == 0 {
		return t.Number(n)
	}
	return locale.Fill(t.Crawls.OfMost, t.Number(n), t.Number(most))
}
