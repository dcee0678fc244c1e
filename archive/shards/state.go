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

// A State is what a shard is. In the index it stands as JSON.
type State struct {
	Format  int    `json:"format"`            // [search.Format]
	Rules   string `json:"rules,omitempty"`   // the mark of the access rules under which it was built
	Archive string `json:"archive,omitempty"` // of the archive, with which it is up to date
	Tried   string `json:"tried,omitempty"`   // if some pages could not be read: the state of the archive in which that was tried last
	Tries   int    `json:"tries,omitempty"`   // in how many builds, one after the other, some pages could not be read
	Pages   int64  `json:"pages"`             // in the shard
	By      string `json:"by,omitempty"`      // who published it
	Files   []File `json:"files"`
}

// A File is one of those of which a shard consists.
type File struct {
	Name string `json:"name"` // in the folder of the shard
	At   string `json:"at"`   // in the place
	Sum  string `json:"sum"`  // SHA-256, hexadecimal
	Size int64  `json:"size"` // bytes
}

// parseState reads a state. A name that leads out of the folder is refused.
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

// Seen returns the state of the archive at which whoever built the shard has looked: with it the shard is up to date, but for
// pages that could not be read.
func (s *State) Seen() string {
	if s.Tried != "" {
		return s.Tried
	}
	return s.Archive
}

// retryMost is the longest time for which pages that could not be read are left alone.
const retryMost = 12 * time.Hour

// RetryAfter returns how long pages of a state that could not be read are left alone: longer each time, since the first time of Config.
func (r *Room) RetryAfter(s *State) time.Duration {
	pause := cmp.Or(r.Retry, 5*time.Minute)
	for n := 1; n < s.Tries && pause < retryMost; n++ {
		pause *= 2
	}
	return min(pause, retryMost)
}

// ID tells the content of the shard from any other, "" if there is none.
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

// Size returns how many bytes the files have.
func (s *State) Size() (n int64) {
	for _, f := range s.Files {
		n += f.Size
	}
	return n
}

// file returns the file of a name, if it is there.
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
