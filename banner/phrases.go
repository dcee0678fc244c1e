package banner

import (
	"net/http"
	"strings"

	"github.com/varve-archive/varve/banner/locale"
)

// A side is one of the two large buttons.
type side struct {
	class, rel string
	next       bool
}

func sideOf(next bool) side {
	if next {
		return side{"next", "successor-version", true}
	}
	return side{"prev", "predecessor-version", false}
}

func (s side) words(t texts) string {
	if s.next {
		return t.NextVersion
	}
	return t.PrevVersion
}

// end returns the words shown if there is no version to go to.
func (s side) end(t texts) string {
	if s.next {
		return t.NewestVersion
	}
	return t.FirstVersion
}

// deltaUnit returns the noun after the signed numbers, in the plural form that the last one requires.
func (t texts) deltaUnit(d Delta) string {
	switch {
	case d.Deleted > 0:
		return t.Form(t.WordsUnit, d.Deleted)
	case d.Added > 0:
		return t.Form(t.WordsUnit, d.Added)
	}
	return t.OtherChange
}

func (t texts) versionOf(n, of int) string {
	if n == 0 || of == 0 {
		return ""
	}
	return locale.Fill(t.By, locale.Fill(t.VersionOf, t.Number(n), t.Number(of)), t.ByContent)
}

func (t texts) captureOf(n, of int) string {
	if n == 0 || of == 0 {
		return ""
	}
	return locale.Fill(t.CaptureOf, t.Number(n), t.Number(of))
}

// unchanged says from when to when this version was seen. It says nothing of a version seen once.
func (t texts) unchanged(v *BannerView) string {
	switch {
	case v.UnchangedFrom == 0 || v.UnchangedFrom == v.UnchangedTo:
		return ""
	case v.UnchangedTo == 0 || v.UnchangedTo == v.Time:
		return locale.Fill(t.UnchangedSince, t.Short(v.UnchangedFrom))
	}
	return locale.Fill(t.UnchangedFromTo, t.Short(v.UnchangedFrom), t.Short(v.UnchangedTo))
}

func (t texts) unchangedTitle(v *BannerView) string {
	if v.UnchangedTo == 0 {
		return v.UnchangedFrom.String()
	}
	return v.UnchangedFrom.String() + " – " + v.UnchangedTo.String()
}

func (t texts) timelineLabel(v *BannerView, l *Timeline) string {
	return locale.Fill(t.Timeline, t.Count(t.Captures, l.count), t.versionsBy(v.Versions, LevelContent), t.Day(l.first), t.Day(l.last))
}

// captureKind names what a capture is, unless it is simply the page.
func (t texts) captureKind(k Kind) string {
	switch k {
	case KindRedirect:
		return t.HereRedirect
	case KindMissing:
		return t.HereMissing
	case KindError:
		return t.HereError
	}
	return ""
}

// forScript returns the phrases that banner.js needs to rewrite the large buttons for another level, in the order in
// which it reads them. JSON would be twice as long, because its quotes would be escaped.
func (t texts) forScript() string {
	w := t.WordsUnit
	return strings.Join([]string{
		t.PrevVersion, t.FirstVersion, t.NextVersion, t.NewestVersion,
		locale.Fill(t.By, t.VersionOf, "{2}"), t.OtherChange, w.One, w.Few, w.Many, w.Other, t.ByContent, t.ByText, t.ByAnything,
	}, "|")
}

func (t texts) errorTitle(status int) string {
	switch status {
	case http.StatusBadRequest:
		return t.ErrBadRequest
	case http.StatusNotFound:
		return t.ErrNotFound
	case http.StatusBadGateway:
		return t.ErrBroken
	case http.StatusServiceUnavailable:
		return t.ErrUnreadable
	case http.StatusUnavailableForLegalReasons:
		return t.ErrBlocked
	}
	return t.ErrOther
}

// versionKind names what a version is, unless it is simply the page.
func (t texts) versionKind(r Version) string {
	if r.Soft404 {
		return t.SoftMissing
	}
	return t.kindName(r.Kind)
}

func (t texts) changeName(c Change) string {
	return [...]string{
		ChangeUnknown: "", ChangeNone: t.Unchanged, ChangeAny: t.ChangedMarkup,
		ChangeText: t.ChangedText, ChangeContent: t.ChangedContent,
	}[c]
}

// changeClass makes a row stand out as much as its change matters.
func changeClass(c Change) string {
	return [...]string{ChangeUnknown: "", ChangeNone: "same", ChangeAny: "same", ChangeText: "text", ChangeContent: "content"}[c]
}
