package views

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
)

// A LevelCount is the number of versions at a level. Href leads to them; it is "" if the page shows them already.
type LevelCount struct {
	Level    banner.Level
	Versions int
	Href     string
}

// words names the counted versions; the first in a list has the longer form.
func (c LevelCount) words(t texts, first bool) string {
	if first {
		return banner.VersionsBy(t, c.Versions, c.Level)
	}
	return locale.Fill(t.By, t.Number(c.Versions), c.Level.Words(t))
}

// summary summarizes what a diff shows, in one line.
func (d *Difference) summary(t texts) string {
	picture := ""
	if len(d.Pictures) > 0 {
		picture = t.OtherPicture
	}
	return t.List(
		t.Some(t.DeletedWords, d.Deleted), t.Some(t.AddedWords, d.Added), t.Some(t.MovedWords, d.Moved), picture, d.Similarity.alike(t),
	)
}
