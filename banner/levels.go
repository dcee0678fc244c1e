package banner

import "github.com/varve-archive/varve/banner/text"

// A Level says what a version is: what has to change for a new one to begin.
type Level uint8

// The levels, as a reader may choose them.
const (
	LevelContent Level = iota
	LevelText
	LevelAny
)

// String is the level's name in addresses.
func (l Level) String() string { return [...]string{"content", "text", "any"}[l] }

// A LevelCount is how many versions there are at a level. Href leads to them, "" where they are those that the page shows.
type LevelCount struct {
	Level    Level
	Versions int
	Href     string
}

func (t texts) level(l Level) string {
	return [...]string{LevelContent: t.ByContent, LevelText: t.ByText, LevelAny: t.ByAnything}[l]
}

// versionsBy is "8 versions by content".
func (t texts) versionsBy(n int, l Level) string {
	return text.Fill(t.By, t.Count(t.Versions, n), t.level(l))
}

// levelCount says what is counted where it stands first.
func (t texts) levelCount(c LevelCount, first bool) string {
	if first {
		return t.versionsBy(c.Versions, c.Level)
	}
	return t.countBy(c.Versions, c.Level)
}

// countBy is "13 by text", where it is said what is counted.
func (t texts) countBy(n int, l Level) string {
	return text.Fill(t.By, t.Number(n), t.level(l))
}

// counted is what a diff shows, in one line.
func (t texts) counted(d *Difference) string {
	return t.List(
		t.Some(t.DeletedWords, d.Deleted), t.Some(t.AddedWords, d.Added), t.Some(t.MovedWords, d.Moved), t.alikeNumber(d.Similarity),
	)
}
