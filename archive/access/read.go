package access

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/strict"
)

type file struct {
	Rules []fileRule `yaml:"rules"`
}

type fileRule struct {
	URL      string `yaml:"url"`
	Match    string `yaml:"match"`
	Captured struct {
		From string `yaml:"from"`
		To   string `yaml:"to"`
	} `yaml:"captured"`
	Embargo struct {
		Newer string `yaml:"newer"`
		Older string `yaml:"older"`
		Until string `yaml:"until"`
	} `yaml:"embargo"`
	Group  string `yaml:"group"`
	Access Access `yaml:"access"`
	Say    string `yaml:"say"`
}

// Read reads the rules of a YAML file. A file with an unknown key is refused; the error names the line. So is one without a list of
// rules: it may be about to be written, and taking it for "no rules" would open everything.
func Read(r io.Reader) (*Rules, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var f file
	if err := strict.Decode(text, &f); err != nil {
		return nil, err
	}
	var nodes struct {
		Rules []yaml.Node `yaml:"rules"`
	}
	if err := yaml.Unmarshal(text, &nodes); err != nil {
		return nil, strict.Plainly(err)
	}
	if nodes.Rules == nil {
		return nil, errors.New("it has no rules; if that is meant, write rules: []")
	}
	rules := make([]Rule, len(f.Rules))
	for i := range f.Rules {
		if rules[i], err = f.Rules[i].rule(); err != nil {
			return nil, fmt.Errorf("line %d: %w", nodes.Rules[i].Line, err)
		}
		rules[i].Line = nodes.Rules[i].Line
	}
	return New(rules)
}

func (f *fileRule) rule() (Rule, error) {
	r := Rule{URL: f.URL, Match: surt.Match(f.Match), Group: f.Group, Access: f.Access, Say: strings.TrimSpace(f.Say)}
	var errs [5]error
	if f.Captured.From != "" {
		r.From, errs[0] = cdx.ParseTimestamp(f.Captured.From)
	}
	if f.Captured.To != "" {
		r.To, errs[1] = cdx.ParseTimestampEnd(f.Captured.To)
	}
	if f.Embargo.Newer != "" {
		r.Embargo.Newer, errs[2] = ParseAge(f.Embargo.Newer)
	}
	if f.Embargo.Older != "" {
		r.Embargo.Older, errs[3] = ParseAge(f.Embargo.Older)
	}
	if f.Embargo.Until != "" {
		r.Embargo.Until, errs[4] = parseDate(f.Embargo.Until)
	}
	for i, key := range []string{"captured.from", "captured.to", "embargo.newer", "embargo.older", "embargo.until"} {
		if errs[i] != nil {
			return r, fmt.Errorf("%s: %w", key, errs[i])
		}
	}
	return r, nil
}

// parseDate parses a day, or 1 to 14 digits, as midnight UTC.
func parseDate(s string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}
	ts, err := cdx.ParseTimestamp(s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%.40q: want a date such as 2031-12-31", s)
	}
	return ts.Time(), nil
}

// ReadACLJ reads the rules of a pywb file: lines of a key, "-" and an object with "access" and "user". A key is a prefix of keys, "*,"
// for all, or a whole key if "###" follows it.
func ReadACLJ(r io.Reader) (*Rules, error) {
	set := &Rules{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s, err := parseACLJ(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		s.Line = n
		set.spans = append(set.spans, s)
	}
	return set.complete(), lines.Err()
}

func parseACLJ(line string) (s span, err error) {
	key, rest, _ := strings.Cut(line, " ")
	_, object, ok := strings.Cut(rest, "- ")
	var rule struct {
		Access string `json:"access"`
		User   string `json:"user"`
		URL    string `json:"url"`
		dates
	}
	if !ok {
		return s, errors.New("want a key, -, and an object")
	}
	if err := json.Unmarshal([]byte(object), &rule); err != nil {
		return s, fmt.Errorf("the object: %w", err)
	}
	s = span{Rule: Rule{URL: rule.URL, Group: rule.User, Access: Access(rule.Access), Match: surt.Prefix}, parent: -1}
	if err := rule.limit(&s.Rule); err != nil {
		return s, err
	}
	switch s.Access {
	case "allow_ignore_embargo":
		s.Access = Allow
	case Allow, Block, Exclude:
	default:
		return s, fmt.Errorf("access: %.40q: want allow, block, exclude or allow_ignore_embargo", rule.Access)
	}
	whole, exact := strings.CutSuffix(key, "###")
	s.first, s.end = whole, whole+"\x7f" // no byte of a key comes after it
	switch {
	case exact:
		s.Match, s.end = surt.Exact, whole+"!"
	case key == "*,":
		s.first, s.end = "", ""
	}
	if s.URL == "" {
		s.URL = whole
	}
	return s, nil
}

// dates are the limits of a line in a pywb file, by datetime or age. Neither end is included.
type dates struct {
	Before digits  `json:"before"`
	After  digits  `json:"after"`
	Newer  PywbAge `json:"newer"`
	Older  PywbAge `json:"older"`
}

// A PywbAge is an age in pywb's files, in YAML or JSON.
type PywbAge struct{ Years, Months, Weeks, Days int }

// digits are a datetime of 1 to 14 digits, in a string or as a number.
type digits string

func (d *digits) UnmarshalJSON(text []byte) error {
	*d = digits(bytes.Trim(text, `"`))
	return nil
}

func (d *dates) limit(r *Rule) error {
	for _, side := range []struct {
		name  string
		value digits
		to    *cdx.Timestamp
		step  int64 // seconds
	}{{"before", d.Before, &r.To, -1}, {"after", d.After, &r.From, 1}} {
		if side.value == "" || side.value == "null" {
			continue
		}
		ts, err := cdx.ParseTimestamp(string(side.value))
		if err != nil {
			return fmt.Errorf("%s: %w", side.name, err)
		}
		moved := cdx.FromTime(ts.Time().Add(time.Duration(side.step) * time.Second))
		*side.to = cmp.Or(moved, cdx.Timestamp(int64(ts)+side.step)) // beyond the first or last datetime: 0, no limit
	}
	for _, a := range []*PywbAge{&d.Newer, &d.Older} {
		if min(a.Years, a.Months, a.Weeks, a.Days) < 0 || max(a.Years, a.Months, a.Weeks, a.Days) > 10_000 {
			return errors.New("newer and older: want numbers of years, months, weeks or days")
		}
	}
	r.Embargo.Newer, r.Embargo.Older = d.Newer.Age(), d.Older.Age()
	return nil
}

// Age converts the age, a zero Age if a is nil.
func (a *PywbAge) Age() Age {
	if a == nil {
		return Age{}
	}
	return Age{Years: a.Years, Months: a.Months, Days: 7*a.Weeks + a.Days}
}
