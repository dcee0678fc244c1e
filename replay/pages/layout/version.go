package layout

import (
	"math"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

// A VersionNote qualifies a version in lists and diffs, unless it simply shows a page.
type VersionNote struct {
	Ends       banner.Ending
	Alternates cdx.Timestamp // from then on two wordings alternate; 0 if they don't
}

// KindClass returns the CSS class for the kind of a capture that shows no page.
func KindClass(k banner.Kind) string {
	return [...]string{
		banner.KindPage: "", banner.KindResource: "", banner.KindRedirect: " re", banner.KindMissing: " mi", banner.KindError: " er",
	}[k]
}

// A LevelCount is the number of versions at a level. Href leads to them; it is "" if the page shows them already.
type LevelCount struct {
	Level    banner.Level
	Versions int
	Href     string
}

// words names the counted versions; the first in a list has the longer form.
func (c LevelCount) words(t *locale.Language, first bool) string {
	if first {
		return banner.VersionsBy(t, c.Versions, c.Level)
	}
	return locale.Fill(t.By, t.Number(c.Versions), c.Level.Words(t))
}

// A Similarity is between 0 and 1. Known is false if one side has no text.
type Similarity struct {
	Value float64
	Known bool
}

// SimilarityOf returns a similarity, which is unknown if it is nil.
func SimilarityOf(v *float64) Similarity {
	if v == nil {
		return Similarity{}
	}
	return Similarity{Value: *v, Known: true}
}

// Alike says how similar two texts are, "" if that is unknown.
func (s Similarity) Alike(t *locale.Language) string {
	if !s.Known {
		return ""
	}
	return locale.Fill(t.SimNumber, s.Percent(t))
}

// Percent rounds down, so that only equal texts are 100 per cent alike.
func (s Similarity) Percent(t *locale.Language) string {
	return locale.Fill(t.Percent, t.Number(int(math.Floor(min(max(s.Value, 0), 1)*100))))
}
