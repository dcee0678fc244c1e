package banner

import (
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

// unit returns the noun after the signed numbers, in the plural form that the last one requires.
func (d Delta) unit(t texts) string {
	switch {
	case d.Deleted > 0:
		return t.Form(t.WordsUnit, d.Deleted)
	case d.Added > 0:
		return t.Form(t.WordsUnit, d.Added)
	case d.Pictures > 0:
		return t.OtherPicture
	}
	return t.OtherChange
}

func (v *BannerView) versionOf(t texts) string {
	if v.Version == 0 || v.Versions == 0 {
		return ""
	}
	return locale.Fill(t.By, locale.Fill(t.VersionOf, t.Number(v.Version), t.Number(v.Versions)), t.ByContent)
}

func (v *BannerView) captureOf(t texts) string {
	if v.Capture == 0 || v.Captures == 0 {
		return ""
	}
	return locale.Fill(t.CaptureOf, t.Number(v.Capture), t.Number(v.Captures))
}

// unchanged says from when to when this version was captured. It is "" for a version with one capture.
func (v *BannerView) unchanged(t texts) string {
	switch {
	case v.Alternates:
		return locale.Fill(t.AlternatingSince, t.Short(v.UnchangedFrom))
	case v.UnchangedFrom == 0 || v.UnchangedFrom == v.UnchangedTo:
		return ""
	case v.UnchangedTo == 0 || v.UnchangedTo == v.Time:
		return locale.Fill(t.UnchangedSince, t.Short(v.UnchangedFrom))
	}
	return locale.Fill(t.UnchangedFromTo, t.Short(v.UnchangedFrom), t.Short(v.UnchangedTo))
}

func (v *BannerView) unchangedTitle() string {
	if v.UnchangedTo == 0 {
		return v.UnchangedFrom.String()
	}
	return v.UnchangedFrom.String() + " – " + v.UnchangedTo.String()
}

func (v *BannerView) timelineLabel(t texts, l *Timeline) string {
	return locale.Fill(t.Timeline, t.Count(t.Captures, l.count), VersionsBy(t, v.Versions, LevelContent), t.Day(l.first), t.Day(l.last))
}

// sentence names what a capture is, unless it is simply the page.
func (k Kind) sentence(t texts) string {
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

// bannerPhrases returns the phrases that banner.js needs to rewrite the large buttons for another level, in the order in
// which it reads them. JSON would be twice as long, because its quotes would be escaped.
func bannerPhrases(t texts) string {
	w := t.WordsUnit
	return strings.Join([]string{
		t.PrevVersion, t.FirstVersion, t.NextVersion, t.NewestVersion,
		locale.Fill(t.By, t.VersionOf, "{2}"), t.OtherChange, w.One, w.Few, w.Many, w.Other, t.ByContent, t.ByText, t.ByAnything,
		t.LegendRedirect, t.RedirectHome, t.LegendMissing, t.MissingSince, t.LegendError, t.OtherPicture,
		t.Visual.ByLook,
	}, "|")
}

// Words describes a version, unless it simply shows a page.
func (e Ending) Words(t texts) string {
	switch {
	case e.Kind == KindRedirect && e.Home:
		return t.RedirectHome
	case e.Kind == KindMissing && e.Since != 0:
		return locale.Fill(t.MissingSince, t.Plain(e.Since))
	case e.Soft404:
		return t.SoftMissing
	}
	return e.Kind.Words(t)
}

// Warns reports whether the version shows no page.
func (e Ending) Warns() bool { return e.Kind >= KindRedirect }

// Words returns "" for a page, which readers expect.
func (k Kind) Words(t texts) string {
	return [...]string{
		KindPage: "", KindResource: "", KindRedirect: t.LegendRedirect, KindMissing: t.LegendMissing, KindError: t.LegendError,
	}[k]
}
