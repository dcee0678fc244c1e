package shards

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestStatesThatLeadElsewhereAreRefused(t *testing.T) {
	for file, ok := range map[string]bool{
		`{"name":"terms/a.zap","at":"x/y","sum":"` + sum + `","size":7}`:    true,
		`{"name":"../a.zap","at":"x/y","sum":"` + sum + `","size":7}`:       false,
		`{"name":"/etc/passwd","at":"x/y","sum":"` + sum + `","size":7}`:    false,
		`{"name":"","at":"x/y","sum":"` + sum + `","size":7}`:               false,
		`{"name":"terms/a.zap","at":"x/y","sum":"e3","size":7}`:             false,
		`{"name":"terms/a.zap","at":"x/y","sum":"` + sum + `","size":-1}`:   false,
		`{"name":"terms/a.zap","at":"x/y","sum":"` + sum + `","size":"no"}`: false,
	} {
		s, err := parseState([]byte(`{"format":8,"pages":3,"files":[` + file + `]}`))
		if (err == nil) != ok {
			t.Errorf("%s: %v", file, err)
		}
		if ok && (s.ID() == "" || s.Size() != 7 || s.Pages != 3) {
			t.Errorf("%+v", s)
		}
	}
	if (*State)(nil).ID() != "" || new(State).ID() != "" {
		t.Error("nothing has an ID")
	}
}

// States of other content have other IDs, and what is said of a state beside its files is none of its content.
func TestIDsTellContents(t *testing.T) {
	one := State{Files: []File{{Name: "a", Sum: sum}}}
	other, renamed := State{Files: []File{{Name: "a", Sum: strings.Repeat("0", 64)}}}, State{Files: []File{{Name: "b", Sum: sum}}}
	newer := State{Archive: "later", Files: []File{{Name: "a", Sum: sum, At: "elsewhere"}}}
	if one.ID() == other.ID() || one.ID() == renamed.ID() || one.ID() != newer.ID() {
		t.Error(one.ID(), other.ID(), renamed.ID(), newer.ID())
	}
}

// Whatever stands in the index, a state names files inside of its folder only, and is the same when it is written again.
func FuzzParseState(f *testing.F) {
	f.Add([]byte(`{"format":8,"rules":"r","archive":"x 7","pages":3,"by":"me",
		"files":[{"name":"terms/a.zap","at":"x","sum":"` + sum + `","size":7}]}`))
	f.Add([]byte(`{"files":[{"name":"..\\a"}]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, value []byte) {
		s, err := parseState(value)
		if err != nil {
			return
		}
		for _, file := range s.Files {
			if rel, err := filepath.Rel("/dir", filepath.Join("/dir", file.Name)); err != nil || strings.HasPrefix(rel, "..") {
				t.Errorf("%q leads out of the folder", file.Name)
			}
		}
		written, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := parseState(written); err != nil || again.ID() != s.ID() {
			t.Errorf("written again: %v", err)
		}
	})
}

// What can't be read is tried less and less often, but for ever.
func TestRetryAfter(t *testing.T) {
	for tries, want := range map[int]time.Duration{
		0: 5 * time.Minute, 1: 5 * time.Minute, 2: 10 * time.Minute, 4: 40 * time.Minute, 8: 640 * time.Minute, 9: 12 * time.Hour,
		1 << 40: 12 * time.Hour,
	} {
		if got := new(Room).RetryAfter(&State{Tries: tries}); got != want {
			t.Errorf("after %d: %v, want %v", tries, got, want)
		}
	}
	if got := (&Room{Config: Config{Retry: time.Second}}).RetryAfter(&State{Tries: 3}); got != 4*time.Second {
		t.Errorf("after 3, from a second: %v", got)
	}
}
