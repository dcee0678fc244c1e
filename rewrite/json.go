package rewrite

import (
	"bytes"
	"iter"
)

// jsonString is where the content of a string stands, without its quotes.
type jsonString struct{ at, end int }

// jsonStrings yields the strings in a JSON text, in order, those that name members included.
func jsonStrings(text []byte) iter.Seq[jsonString] {
	return func(yield func(jsonString) bool) {
		for i := 0; i < len(text); {
			n := bytes.IndexByte(text[i:], '"')
			if n < 0 {
				return
			}
			at := i + n + 1
			end := jsonStringEnd(text, at)
			if end < 0 || !yield(jsonString{at, end}) {
				return
			}
			i = end + 1
		}
	}
}

// jsonStringEnd returns the offset of the quote that ends the string whose content begins at at, -1 if none does.
func jsonStringEnd(text []byte, at int) int {
	for at < len(text) {
		switch text[at] {
		case '"':
			return at
		case '\\':
			at++
		}
		at++
	}
	return -1
}
