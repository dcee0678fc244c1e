package cdx

import (
	"encoding/json"
	"strings"
)

// A cdxjObject holds the members of a CDXJ line's object that varve uses, in the order of cdxjNames.
type cdxjObject [len(cdxjNames)]string

// cdxjNames lists the names that pywb, ipwb and OpenWayback use for the same member, in order of preference.
var cdxjNames = [...]string{
	"url", "original_uri", "uri", // 0
	"mime", "mime_type", "mct", // 3
	"status", "status_code", "hsc", // 6
	"digest", "sha", // 9
	"length", "rle", // 11
	"redirect", "offset", "filename", "ref", // 13
}

func (o *cdxjObject) line() line {
	l := line{
		url: o.first(0, 3), mime: o.first(3, 6), status: o.first(6, 9), digest: o.first(9, 11), length: o.first(11, 13),
		redirect: o[13], offset: o[14], file: o[15],
	}
	if ref, found := strings.CutPrefix(o[16], "warcfile:"); found && l.file == "" { // warcfile:NAME#OFFSET
		l.file, l.offset, _ = strings.Cut(ref, "#")
	}
	return l
}

func (o *cdxjObject) first(from, to int) string {
	for _, v := range o[from:to] {
		if v != "" {
			return v
		}
	}
	return ""
}

func (o *cdxjObject) set(name, value string) {
	for i := range cdxjNames {
		if cdxjNames[i] == name {
			o[i] = value
			return
		}
	}
}

// UnmarshalJSON implements [json.Unmarshaler]. Values are strings or, in some indexes, numbers.
func (o *cdxjObject) UnmarshalJSON(b []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(b, &members); err != nil {
		return err
	}
	for name, raw := range members {
		value := string(raw)
		if strings.HasPrefix(value, `"`) {
			if err := json.Unmarshal(raw, &value); err != nil {
				return err
			}
		}
		if value != "null" {
			o.set(name, value)
		}
	}
	return nil
}

// scan reads an object whose members are numbers and strings without escapes, as nearly all are. That takes a fifth of
// the time of encoding/json. scan returns false for anything else, including malformed JSON.
func (o *cdxjObject) scan(s string) bool {
	s, ok := strings.CutPrefix(strings.TrimSpace(s), "{")
	for ok {
		var name, value string
		if name, s, ok = scanString(s); !ok {
			return false
		}
		if s, ok = strings.CutPrefix(strings.TrimLeft(s, " "), ":"); !ok {
			return false
		}
		if value, s, ok = scanString(s); !ok {
			if value, s, ok = scanNumber(s); !ok {
				return false
			}
		}
		o.set(name, value)
		s = strings.TrimLeft(s, " ")
		if s == "}" {
			return true
		}
		s, ok = strings.CutPrefix(s, ",")
	}
	return false
}

// scanString cuts a simple JSON string off the front of s.
func scanString(s string) (value, rest string, ok bool) {
	t, ok := strings.CutPrefix(strings.TrimLeft(s, " "), `"`)
	if !ok {
		return "", s, false
	}
	for i := range len(t) {
		switch c := t[i]; {
		case c == '"':
			return t[:i], t[i+1:], true
		case c == '\\' || c < ' ' || c > '~': // not that simple; encoding/json checks UTF-8
			return "", s, false
		}
	}
	return "", s, false
}

func scanNumber(s string) (value, rest string, ok bool) {
	s = strings.TrimLeft(s, " ")
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return s[:n], s[n:], n > 0
}
