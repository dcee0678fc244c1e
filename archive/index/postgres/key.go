package postgres

import "crypto/sha256"

// headLen is how many bytes of a key are in the B-tree: PostgreSQL allows 2,704 bytes for a row there, including the hash.
const headLen = 2000

// split returns a key as two columns: its head and its rest.
func split(key []byte) (head, rest []byte) {
	if len(key) <= headLen {
		return key, []byte{}
	}
	return key[:headLen], key[headLen:]
}

// hashOf returns the hash that represents the rest of a key in the primary key.
func hashOf(rest []byte) []byte {
	if len(rest) == 0 {
		return []byte{}
	}
	sum := sha256.Sum256(rest)
	return sum[:]
}
