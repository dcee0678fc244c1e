package config

import (
	"strings"
	"testing"
)

// A config file of any text is read or refused in a sentence.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"", "data: x", "collections: {web: {title: x}}", "collections: [1]", "&a [*a]", "data: {a: b}",
		"nope: 1", "? [a]\n: b", "- a", "\x00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := Read(strings.NewReader(text)); err == nil && c == nil || err != nil && !strings.Contains(err.Error(), "config") {
			t.Errorf("%q: %v, %v", text, c, err)
		}
	})
}
