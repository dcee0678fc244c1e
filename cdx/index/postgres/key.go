package postgres

import (
	"bytes"
	"crypto/sha256"
)

// headLen is how much of a key is in the B-tree: PostgreSQL takes 2,704 bytes a row there, including the hash.
const headLen = 2000

// split returns a key as columns: its head and what follows.
func split(key []byte) (head, rest []byte) {
	if len(key) <= headLen {
		return key, []byte{}
	}
	return key[:headLen], key[headLen:]
}

// hashOf returns what stands for the rest of a key in the primary key.
func hashOf(rest []byte) []byte {
	if len(rest) == 0 {
		return []byte{}
	}
	sum := sha256.Sum256(rest)
	return sum[:]
}

// behind returns the first key after all that begin with prefix, or nil if there is none.
func behind(prefix []byte) []byte {
	end := bytes.TrimRight(prefix, "\xff")
	if len(end) == 0 {
		return nil
	}
	end = bytes.Clone(end)
	end[len(end)-1]++
	return end
}
