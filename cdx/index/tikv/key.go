package tikv

import "crypto/sha256"

const (
	// levelLen is how much of a key a level has. With what stands before it, encoded in groups of nine bytes for eight, a key
	// stays below 4 KiB.
	levelLen = 3000
	// deeper is behind a key of levelLen bytes if there are longer ones that begin with it.
	deeper = 1
)

// A space is the part of the cluster that an index has.
type space []byte

func spaceOf(name string) space { return []byte("varve/" + name + "/") }

// format is the key that says there is an index, and of which form.
func (s space) format() []byte { return append(s[:len(s):len(s)], 'f') }

// tokens is what the keys begin with under which processes say which updates were theirs.
func (s space) tokens() []byte { return append(s[:len(s):len(s)], 't') }

// level returns what all keys of the level below base begin with. base is as long as some levels.
func (s space) level(base []byte) []byte {
	if len(base) == 0 {
		return append(s[:len(s):len(s)], 'k')
	}
	sum := sha256.Sum256(base)
	return append(append(s[:len(s):len(s)], 'l'), sum[:]...)
}

// key returns where a key of the index stands.
func (s space) key(key []byte) []byte {
	above := 0
	if len(key) > levelLen {
		above = (len(key) - 1) / levelLen * levelLen
	}
	return append(s.level(key[:above]), key[above:]...)
}

// marks returns the keys that say that there is something below the levels above a key.
func (s space) marks(key []byte) (marks [][]byte) {
	for at := 0; len(key)-at > levelLen; at += levelLen {
		marks = append(marks, append(append(s.level(key[:at]), key[at:at+levelLen]...), deeper))
	}
	return marks
}
