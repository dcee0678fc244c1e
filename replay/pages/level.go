package pages

import (
	"net/url"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// levelIn reads the parameter level; the default is content.
func levelIn(p respond.Path) (change.Level, error) {
	level, err := change.ParseLevel(p.Params.Get("level"))
	if err != nil {
		return level, respond.BadRequest(err.Error())
	}
	return level, nil
}

// withLevel adds the level to the parameters of a link, unless it is the default.
func withLevel(v url.Values, level change.Level) url.Values {
	if level != change.LevelContent {
		v.Set("level", level.String())
	}
	return v
}

// calendarAt returns the address of the calendar with the versions at a level. It needs the form with parameters, since
// everything after the path of a calendar belongs to the URI-R.
func calendarAt(level change.Level, uris memento.URIs, uriR string) string {
	if level == change.LevelContent {
		return uris.Calendar(uriR)
	}
	return uris.Home() + "?" + withLevel(url.Values{"url": {uriR}}, level).Encode()
}

// sliderAt returns the address of the diff over the versions at a level.
func sliderAt(level change.Level, uris memento.URIs, uriR string) string {
	if level == change.LevelContent {
		return uris.SlidingDiff(uriR)
	}
	return uris.Endpoint("diff", withLevel(url.Values{"url": {uriR}}, level).Encode())
}

// diffAt returns the address of a diff whose links keep a level.
func diffAt(level change.Level, uris memento.URIs, a, b cdx.Timestamp, uriR string) string {
	if level == change.LevelContent {
		return uris.Diff(a, b, uriR)
	}
	return uris.Endpoint("diff", withLevel(url.Values{"url": {uriR}, "from": {a.String()}, "to": {b.String()}}, level).Encode())
}
