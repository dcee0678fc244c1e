package feed

import (
	"cmp"
	"strconv"
	"time"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A pageView is the page of what changed since a datetime, most important first.
type pageView struct {
	layout.Page
	Of           string // an address, or a prefix of addresses; "" is the collection
	Since, Until cdx.Timestamp
	SinceAsked   string // as it was typed, "" for one of Spans
	Spans        []spanView
	Action       string          // of the form: GET with since=
	Hidden       []layout.Hidden // its other parameters
	Total        int             // of changes, including those not in Rows
	Bounded      bool            // there may be more
	Rows         []rowView
	Newest       *banner.CaptureLink // the newest change, if there is none in Rows; SinceNewest shows it
	SinceNewest  string
	JSON         string   // the same as data
	Rising       string   // the same with rising terms, "" if there is no search
	RisingRows   []rising // nil if they are not shown
}

// A spanView is a choice of the period. Days is a number of days, as "7d".
type spanView struct {
	Days, Href string
	Current    bool
}

type rowView struct {
	banner.CaptureLink
	URIR, Title    string
	Calendar, Diff string // Diff is "" for a first version
	Kind           banner.Kind
	Note           layout.VersionNote
	First          bool
	Delta          banner.Delta
	Share          float64       // of the content, from 0 to 1
	Rested         cdx.Timestamp // start of the version before
}

// restTold is the time without a change after which the next change is remarkable.
const restTold = 180 * 24 * time.Hour

func (v *pageView) subject() string { return cmp.Or(v.Of, v.Coll.Text) }

func (v *pageView) title(t *locale.Language) string { return locale.Fill(t.Monitor.Title, v.subject()) }

// count says how many changes there are, and since when.
func (v *pageView) count(t *locale.Language) string {
	n := t.Count(t.Changes, v.Total)
	if v.Bounded {
		n = locale.Fill(t.Monitor.AtLeast, n)
	}
	if v.Until != 0 {
		return locale.Fill(t.Monitor.Between, n, t.DateTime(v.Since), t.DateTime(v.Until))
	}
	return locale.Fill(t.Monitor.SinceThen, n, t.DateTime(v.Since))
}

func (s *spanView) words(t *locale.Language) string {
	switch s.Days {
	case "1d":
		return t.Monitor.Day
	case "7d":
		return t.Monitor.Week
	case "30d":
		return t.Monitor.Month
	}
	return t.Monitor.Year
}

func (r *rowView) name() string {
	if r.Title != "" {
		return r.Title
	}
	return r.URIR
}

// note says what is special about a change.
func (r *rowView) note(t *locale.Language) string {
	switch r.Kind {
	case banner.KindMissing:
		return t.HereMissing
	case banner.KindRedirect:
		return t.HereRedirect
	case banner.KindError:
		return t.HereError
	}
	if r.First {
		return t.Monitor.New
	}
	return ""
}

func (r *rowView) share(t *locale.Language) string {
	return locale.Fill(t.Monitor.Share, layout.Similarity{Value: max(r.Share, 0.01), Known: true}.Percent(t))
}

// rested says that the page had not changed for long.
func (r *rowView) rested(t *locale.Language) string {
	if r.Rested == 0 {
		return ""
	}
	if d := r.Time.Time().Sub(r.Rested.Time()); d >= restTold {
		return locale.Fill(t.Monitor.Rested, t.Duration(d))
	}
	return ""
}

func (r *rising) expected() string { return strconv.FormatFloat(r.Expected, 'f', 1, 64) }
