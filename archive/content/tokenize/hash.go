package tokenize

import "github.com/zeebo/xxh3"

// A Hash is the hash of a word in lower case. The lowest bit says whether it has digits.
type Hash uint64

// HashOf returns the hash of a word without digits that is in lower case and NFC.
func HashOf(word string) Hash { return Hash(xxh3.HashString(word)) &^ 1 }
