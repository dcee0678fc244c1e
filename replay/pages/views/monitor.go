package views

import (
	"strconv"
	"time"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// restTold is the time without a change after which the next change is remarkable.
const restTold = 180 * 24 * time.Hour

func (v *MonitorView) subject() string {
	if v.Of != "" {
		return v.Of
	}
	return v.Coll.Text
}

func (v *MonitorView) heading(t texts) string { return t.Monitor.Title }

func (v *MonitorView) title(t texts) string { return locale.Fill(v.heading(t), v.subject()) }

// count says how many changes there are, and since when.
func (v *MonitorView) count(t texts) string {
	n := t.Count(t.Changes, v.Total)
	if v.Bounded {
		n = locale.Fill(t.Monitor.AtLeast, n)
	}
	if v.Until != 0 {
		return locale.Fill(t.Monitor.Between, n, t.DateTime(v.Since), t.DateTime(v.Until))
	}
	return locale.Fill(t.Monitor.SinceThen, n, t.DateTime(v.Since))
}

func (s *MonitorSpan) words(t texts) string {
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

func (r *MonitorRow) name() string {
	if r.Title != "" {
		return r.Title
	}
	return r.URIR
}

// note says what is special about a change.
func (r *MonitorRow) note(t texts) string {
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

func (r *MonitorRow) share(t texts) string {
	return locale.Fill(t.Monitor.Share, layout.Similarity{Value: max(r.Share, 0.01), Known: true}.Percent(t))
}

// rested says that the page had not changed for long.
func (r *MonitorRow) rested(t texts) string {
	if r.Rested == 0 {
		return ""
	}
	if d := r.Time.Time().Sub(r.Rested.Time()); d >= restTold {
		return locale.Fill(t.Monitor.Rested, t.Duration(d))
	}
	return ""
}

func (r *RisingRow) expected() string { return strconv.FormatFloat(r.Expected, 'f', 1, 64) }
