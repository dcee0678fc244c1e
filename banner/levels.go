package banner

import "github.com/varve-archive/varve/banner/locale"

// A Level says what has to change for a new version to begin.
type Level uint8

// The levels that a reader may choose.
const (
	LevelContent Level = iota
	LevelText
	LevelAny
)

// String returns the level's name in addresses.
func (l Level) String() string { return [...]string{"content", "text", "any"}[l] }

// A LevelCount is the number of versions at a level. Href leads to them; it is "" if the page shows them already.
type LevelCount struct {
	Level    Level
	Versions int
	Href     string
}

func (t texts) level(l Level) string {
	return [...]string{LevelContent: t.ByContent, LevelText: t.ByText, LevelAny: t.ByAnything}[l]
}

// versionsBy returns a phrase like "8 versions by content".
func (t texts) versionsBy(n int, l Level) string {
	return locale.Fill(t.By, t.Count(t.Versions, n), t.level(l))
}

// levelCount names what it counts if it comes first in its list.
func (t texts) levelCount(c LevelCount, first bool) string {
	if first {
		return t.versionsBy(c.Versions, c.Level)
	}
	return t.countBy(c.Versions, c.Level)
}

// countBy returns a phrase like "13 by text", for a list that has named what it counts.
func (t texts) countBy(n int, l Level) string {
	return locale.Fill(t.By, t.Number(n), t.level(l))
}

// diffSummary summarizes what a diff shows, in one line.
func (t texts) diffSummary(d *Difference) string {
	return t.List(
		t.Some(t.DeletedWords, d.Deleted), t.Some(t.AddedWords, d.Added), t.Some(t.MovedWords, d.Moved), t.similarityNumber(d.Similarity),
	)
}
