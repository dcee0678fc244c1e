package postgres

import "crypto/sha256"

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
