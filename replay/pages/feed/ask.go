package feed

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/latest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

const (
	usualEntries = 25
	maxEntries   = 100
	// maxSkip bounds how many versions of one moment a page may leave out.
	maxSkip = 10_000
)

type ask struct {
	latest.Ask
	url, match string // as requested; "" for the whole collection
	since      string
	domain     string // of a query
	words      string // the query, "" without one
	query      *search.Request
	watch      *latest.Watch
	watched    string
	threshold  float64
	rising     string // of a monitor: added or deleted terms are counted too
	skip       int    // versions of the moment Until that earlier pages have
	limit      int
}

// usualThreshold is the default score from which on a change with watched words is reported.
const usualThreshold = 0.1

// read reads the parameters. The error for an invalid value says what is allowed.
func read(p respond.Path, now time.Time) (a *ask, err error) {
	get := p.Params.Get
	a = &ask{Ask: latest.Ask{Coll: p.Coll}, since: get("since"), limit: usualEntries, threshold: usualThreshold}
	if a.Level, err = change.ParseLevel(get("level")); err != nil {
		return nil, respond.BadRequest(err.Error())
	}
	if v := get("type"); v != "" && v != "any" {
		return nil, respond.BadRequest(fmt.Sprintf("type %.20q: want any, for images, styles and scripts too", v))
	}
	a.Parts = get("type") != ""
	if a.rising = get("rising"); a.rising != "" && a.rising != search.Added.String() && a.rising != search.Deleted.String() {
		return nil, respond.BadRequest(fmt.Sprintf("rising %.20q: want added or deleted", a.rising))
	}
	for _, f := range []func(respond.Path, time.Time) error{a.readWhich, a.readTimes, a.readNumbers, a.readWatch, a.readQuery} {
		if err := f(p, now); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// readWhich reads which addresses are requested.
func (a *ask) readWhich(p respond.Path, _ time.Time) (err error) {
	a.url, a.match = strings.TrimSpace(p.Params.Get("url")), p.Params.Get("matchType")
	if a.url == "" {
		if a.match != "" {
			return respond.BadRequest("matchType needs a url")
		}
		return nil
	}
	of, match := surt.Wildcards(a.url, surt.Match(a.match))
	if match == surt.Exact {
		if a.URL = memento.ParseURIR(of); a.URL == "" {
			return respond.BadRequest("url is no address; one looks like http://example.org/")
		}
		a.Parts = true // it was requested by its address
		return nil
	}
	if a.Keys, err = surt.Ranges(of, match); err != nil {
		return respond.BadRequest(err.Error())
	}
	return nil
}

// readTimes reads since and until, and where a page of a feed begins.
func (a *ask) readTimes(p respond.Path, now time.Time) (err error) {
	if a.Since, err = moment("since", a.since, now, cdx.ParseAsked); err != nil {
		return err
	}
	if a.Until, err = moment("until", p.Params.Get("until"), now, cdx.ParseAskedEnd); err != nil {
		return err
	}
	before, err := moment("before", p.Params.Get("before"), now, cdx.ParseAskedEnd)
	if before != 0 && (a.Until == 0 || before < a.Until) {
		a.Until = before
	}
	return err
}

// moment parses a datetime, or a number of days or hours before now, such as "7d".
func moment(name, v string, now time.Time, parse func(string) (cdx.Timestamp, error)) (cdx.Timestamp, error) {
	if v == "" {
		return 0, nil
	}
	if n, err := strconv.Atoi(strings.TrimRight(v, "dh")); err == nil && n >= 1 && n <= 36_500 {
		switch v {
		case strconv.Itoa(n) + "d":
			return cdx.FromTime(now.AddDate(0, 0, -n)), nil
		case strconv.Itoa(n) + "h":
			return cdx.FromTime(now.Add(-time.Duration(n) * time.Hour)), nil
		}
	}
	ts, err := parse(v)
	if err != nil {
		const want = "%s %.20q: want YYYYMMDDhhmmss or its beginning, or a number of days or hours such as 7d or 1h"
		return 0, respond.BadRequest(fmt.Sprintf(want, name, v))
	}
	return ts, nil
}

func (a *ask) readNumbers(p respond.Path, _ time.Time) (err error) {
	for _, n := range []struct {
		name        string
		at          *int
		least, most int
	}{{"limit", &a.limit, 1, maxEntries}, {"skip", &a.skip, 0, maxSkip}} {
		if v := p.Params.Get(n.name); v != "" {
			if *n.at, err = strconv.Atoi(v); err != nil || *n.at < n.least || *n.at > n.most {
				return respond.BadRequest(fmt.Sprintf("%s %.20q: want a whole number from %d to %d", n.name, v, n.least, n.most))
			}
		}
	}
	return nil
}

func (a *ask) readWatch(p respond.Path, _ time.Time) (err error) {
	if a.watched = p.Params.Get("watch"); a.watched == "" {
		return nil
	}
	if a.watch, err = latest.ParseWatch(a.watched); err != nil {
		return respond.BadRequest(err.Error())
	}
	if v := p.Params.Get("threshold"); v != "" {
		if a.threshold, err = strconv.ParseFloat(v, 64); err != nil || !(a.threshold >= 0 && a.threshold <= 1) {
			return respond.BadRequest(fmt.Sprintf("threshold %.20q: want a number from 0 to 1", v))
		}
	}
	return nil
}

// readQuery reads a query to the search in changes, which has versions at level text.
func (a *ask) readQuery(p respond.Path, _ time.Time) error {
	if !p.Params.Has("q") {
		return nil
	}
	if a.watch != nil {
		return respond.BadRequest("q and watch can't be given together")
	}
	q, err := search.Parse(p.Params.Get("q"))
	if err != nil {
		return respond.BadRequest(err.Error())
	}
	kind, err := search.ParseKind(p.Params.Get("change"))
	if err != nil {
		return respond.BadRequest(fmt.Sprintf("change %.20q: want deleted, semi-deleted or added", p.Params.Get("change")))
	}
	a.words, a.domain, a.Level = p.Params.Get("q"), p.Params.Get("domain"), change.LevelText
	a.query = &search.Request{Query: q, Kind: kind, Order: search.Order{Sort: search.ByAfter, Falling: true}, Work: answers.MaxPresentWork}
	if a.query.Bounds, err = answers.Bounds(a.domain, "", "", ""); err != nil {
		return err
	}
	switch {
	case a.URL != "":
		a.query.Page = surt.Of(a.URL)
	case a.url != "":
		a.query.Narrow(a.bounds())
	}
	a.query.Since, a.query.Until = a.Since, a.Until
	return nil
}

// bounds returns the keys of the request as a search takes them.
func (a *ask) bounds() (b search.Bounds) {
	switch len(a.Keys) {
	case 0:
	case 1:
		b.From, b.To = a.Keys[0].From, a.Keys[0].To
	default: // a folder, whose own key comes first
		b.Also, b.From, b.To = a.Keys[0].From, a.Keys[1].From, a.Keys[1].To
	}
	return b
}

// params returns the parameters of the same request without its page.
func (a *ask) params(p respond.Path) url.Values {
	v := url.Values{}
	for _, name := range []string{
		"url", "matchType", "q", "change", "domain", "level", "type", "since", "until", "watch", "threshold", "limit", "rising",
	} {
		if value := p.Params.Get(name); value != "" {
			v.Set(name, value)
		}
	}
	return v
}

// next returns the parameters of the page after some items.
func (a *ask) next(p respond.Path, shown []item) url.Values {
	v, last := a.params(p), shown[len(shown)-1].time
	same := 0
	for i := range shown {
		if shown[i].time == last {
			same++
		}
	}
	if last == a.Until {
		same += a.skip
	}
	v.Set("before", last.String())
	v.Set("skip", strconv.Itoa(same))
	return v
}

// subject names what the request is about: an address, a prefix of addresses, or the collection.
func (a *ask) subject(title string) string { return cmp.Or(a.URL, a.url, title) }
