package banner

import "github.com/varve-archive/varve/banner/locale"

// A Level says what has to change for a new version to begin.
type Level uint8

// The levels that a reader may choose.
const (
	LevelContent Level = iota
	LevelText
	LevelAny
	LevelVisual
)

// String returns the level's name in addresses.
func (l Level) String() string { return [...]string{"content", "text", "any", "visual"}[l] }

// A LevelCount is the number of versions at a level. Href leads to them; it is "" if the page shows them already.
type LevelCount struct {
	Level    Level
	Versions int
	Href     string
}

func (l Level) words(t texts) string {
	return [...]string{LevelContent: t.ByContent, LevelText: t.ByText, LevelAny: t.ByAnything, LevelVisual: t.Visual.ByLook}[l]
}

// versionsBy returns a phrase like "8 versions by content".
func versionsBy(t texts, n int, l Level) string {
	return locale.Fill(t.By, t.Count(t.Versions, n), l.words(t))
}

// words names what it counts if it comes first in its list.
func (c LevelCount) words(t texts, first bool) string {
	if first {
		return versionsBy(t, c.Versions, c.Level)
	}
	return locale.Fill(t.By, t.Number(c.Versions), c.Level.words(t))
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
