package shards

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// A State describes a published shard. The index stores it as JSON.
type State struct {
	Format  int    `json:"format"`            // [search.Format]
	Rules   string `json:"rules,omitempty"`   // the mark of the access rules under which it was built
	Archive string `json:"archive,omitempty"` // of the archive that the shard is up to date with
	Tried   string `json:"tried,omitempty"`   // if pages were unreadable: the state of the archive at the last attempt
	Tries   int    `json:"tries,omitempty"`   // consecutive builds in which pages were unreadable
	Pages   int64  `json:"pages"`             // in the shard
	By      string `json:"by,omitempty"`      // who published it
	Files   []File `json:"files"`
}

// A File is a file of a shard.
type File struct {
	Name string `json:"name"` // in the folder of the shard
	At   string `json:"at"`   // in the place
	Sum  string `json:"sum"`  // SHA-256, hexadecimal
	Size int64  `json:"size"` // bytes
}

// parseState parses a state. It refuses names that lead out of the folder.
func parseState(value []byte) (*State, error) {
	s := new(State)
	if err := json.Unmarshal(value, s); err != nil {
		return nil, fmt.Errorf("the published state of a shard: %w", err)
	}
	if len(s.Files) == 0 {
		return nil, errors.New("the published state of a shard names no file")
	}
	for _, f := range s.Files {
		if !filepath.IsLocal(f.Name) || len(f.Sum) != 2*sha256.Size || f.Size < 0 {
			return nil, errors.New("the published state of a shard names an impossible file")
		}
	}
	return s, nil
}

// Seen returns the state of the archive that the last build has looked at. The shard is up to date with it, except for unreadable pages.
func (s *State) Seen() string {
	if s.Tried != "" {
		return s.Tried
	}
	return s.Archive
}

// retryMost is the longest pause between two attempts to read unreadable pages.
const retryMost = 12 * time.Hour

// RetryAfter returns the pause until unreadable pages of a state are tried again. It grows with each attempt.
func (r *Room) RetryAfter(s *State) time.Duration {
	pause := cmp.Or(r.Retry, 5*time.Minute)
	for n := 1; n < s.Tries && pause < retryMost; n++ {
		pause *= 2
	}
	return min(pause, retryMost)
}

// ID identifies the content of the shard, "" if there is none.
func (s *State) ID() string {
	if s == nil || len(s.Files) == 0 {
		return ""
	}
	h := sha256.New()
	for _, f := range s.Files {
		fmt.Fprintf(h, "%s %s\n", f.Sum, f.Name)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Size returns the size of all files in bytes.
func (s *State) Size() (n int64) {
	for _, f := range s.Files {
		n += f.Size
	}
	return n
}

// file returns the file with a name, if there is one.
func (s *State) file(name string) (File, bool) {
	if s != nil {
		for _, f := range s.Files {
			if f.Name == name {
				return f, true
			}
		}
	}
	return File{}, false
}
