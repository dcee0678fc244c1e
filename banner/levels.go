package banner

import "github.com/varve-archive/varve/banner/locale"

// A Level says which changes begin a new version.
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

// Words returns a phrase like "by content".
func (l Level) Words(t texts) string {
	return [...]string{LevelContent: t.ByContent, LevelText: t.ByText, LevelAny: t.ByAnything, LevelVisual: t.Visual.ByLook}[l]
}

// VersionsBy returns a phrase like "8 versions by content".
func VersionsBy(t texts, n int, l Level) string {
	return locale.Fill(t.By, t.Count(t.Versions, n), l.Words(t))
}
