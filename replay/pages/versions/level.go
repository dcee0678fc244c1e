package versions

import (
	"net/url"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// LevelIn reads the parameter level; the default is content.
func LevelIn(p respond.Path) (change.Level, error) {
	level, err := change.ParseLevel(p.Params.Get("level"))
	if err != nil {
		return level, respond.BadRequest(err.Error())
	}
	return level, nil
}

// WithLevel adds the level to the parameters of a link, unless it is the default.
func WithLevel(v url.Values, level change.Level) url.Values {
	if level != change.LevelContent {
		v.Set("level", level.String())
	}
	return v
}

// CalendarAt returns the address of the calendar with the versions at a level. It needs the form with parameters, since
// everything after the path of a calendar belongs to the URI-R.
func CalendarAt(level change.Level, uris memento.URIs, uriR string) string {
	if level == change.LevelContent {
		return uris.Calendar(uriR)
	}
	return uris.Home() + "?" + WithLevel(url.Values{"url": {uriR}}, level).Encode()
}

// SliderAt returns the address of the diff over the versions at a level.
func SliderAt(level change.Level, uris memento.URIs, uriR string) string {
	if level == change.LevelContent {
		return uris.SlidingDiff(uriR)
	}
	return uris.Endpoint("diff", WithLevel(url.Values{"url": {uriR}}, level).Encode())
}

// DiffAt returns the address of a diff whose links keep a level.
func DiffAt(level change.Level, uris memento.URIs, a, b cdx.Timestamp, uriR string) string {
	if level == change.LevelContent {
		return uris.Diff(a, b, uriR)
	}
	return uris.Endpoint("diff", WithLevel(url.Values{"url": {uriR}, "from": {a.String()}, "to": {b.String()}}, level).Encode())
}

// Levels are those that a reader may choose, the coarsest first.
func Levels() []change.Level {
	return []change.Level{change.LevelContent, change.LevelVisual, change.LevelText, change.LevelAny}
}

// LevelOf returns the name of a level on pages.
func LevelOf(l change.Level) banner.Level {
	switch l {
	case change.LevelText:
		return banner.LevelText
	case change.LevelAny:
		return banner.LevelAny
	case change.LevelVisual:
		return banner.LevelVisual
	}
	return banner.LevelContent
}
