package strict

import (
	"errors"
	"testing"
	"time"
)

func TestDecodeTellsWhatIsWrong(t *testing.T) {
	type file struct {
		Name string
		Most Size
		Time time.Duration
		Flag *bool
		List []string
		Part float64
		Map  map[string]int
	}
	for text, want := range map[string]string{
		"": "", "name: a\nmost: 2KB": "", "nam: a": "line 1: unknown key nam",
		"name: a\nmost: much": `line 2: "much": want a number of bytes such as 10GB`,
		"name: [a]":           "line 1: a list: want text", "a: 1\nb: 2": "line 1: unknown key a; line 2: unknown key b",
		"time: 10": "line 1: 10: want a time such as 500ms, 90s or 24h", "time: 1 s": "line 1: 1 s: want a time such as 500ms, 90s or 24h",
		"flag: often": "line 1: often: want true or false", "list: a": "line 1: a: want a list", "list: {a: b}": "line 1: a mapping: want a list",
		"part: x": "line 1: x: want a number", "map: x\nflag: 7": "line 1: x: want a mapping; line 2: 7: want true or false",
		"map: {a: much}":      "line 1: much: want a whole number",
		"---\nname: a\n...\n": "", "name: a\n---\n\nmost: 2KB": "line 2: a second document",
	} {
		var f file
		err := Decode([]byte(text), &f)
		if err == nil {
			err = errors.New("")
		}
		if err.Error() != want {
			t.Errorf("%q: %q, want %q", text, err, want)
		}
	}
	if err := Plainly(errors.New("yaml: runtime error: hash of unhashable type")); err.Error() != "a key has to be a word" {
		t.Error(err)
	}
	var f file
	if err := Decode([]byte("name: a\nmost: 2KB"), &f); err != nil || f.Name != "a" || f.Most != 2000 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]Size{
		"10GB": 1e10, "512MiB": 512 << 20, "1EiB": 1 << 60, "1025PiB": -1, "2EiB": -1, "-1": -1, "": -1, "much": -1,
	} {
		s := Size(-1)
		if err := s.UnmarshalText([]byte(text)); s != want || (err == nil) != (want >= 0) {
			t.Errorf("%s: %d, %v; want %d", text, s, err, want)
		}
	}
}

func TestLinesOfKeys(t *testing.T) {
	const text = "a: 1\nlist:\n- name: x\n- name: y\n  more:\n    deep: z\n"
	for _, tt := range []struct {
		path []any
		want int
	}{
		{nil, 0},
		{[]any{"a"}, 1},
		{[]any{"list"}, 2},
		{[]any{"list", 0}, 3},
		{[]any{"list", 1}, 4},
		{[]any{"list", 1, "more", "deep"}, 6},
		{[]any{"list", 1, "none", "deep"}, 4},
		{[]any{"list", 2}, 2},
		{[]any{"none"}, 0},
		{[]any{"a", "b"}, 1},
		{[]any{0}, 0},
	} {
		if got := Line([]byte(text), tt.path...); got != tt.want {
			t.Errorf("%v: line %d, want %d", tt.path, got, tt.want)
		}
	}
	for _, text := range []string{"", "{"} {
		if got := Line([]byte(text), "a"); got != 0 {
			t.Errorf("%q: line %d", text, got)
		}
	}
}
