package rulesfile

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/access"
)

// takedowns is an append-only log of rules that began or ended: one JSON object a line.
type takedowns struct {
	path string
}

// A takedown is a line of the log.
type takedown struct {
	Time   time.Time     `json:"time"`
	Change string        `json:"change"` // "begins" or "ends"
	Rule   string        `json:"rule"`   // what it is for
	Access access.Access `json:"access"`
	Say    string        `json:"say,omitempty"`
}

// note appends the differences between the current rules and those in the log.
func (t *takedowns) note(now time.Time, rules []access.Rule) error {
	before, err := t.inForce()
	if err != nil {
		return err
	}
	var lines []takedown
	after := map[takedown]bool{}
	for i := range rules {
		d := takedown{Rule: Describe(&rules[i]), Access: rules[i].Access, Say: rules[i].Say}
		if after[d] = true; !before[d] {
			d.Time, d.Change = now.UTC(), "begins"
			lines = append(lines, d)
		}
	}
	for d := range before {
		if !after[d] {
			d.Time, d.Change = now.UTC(), "ends"
			lines = append(lines, d)
		}
	}
	slices.SortStableFunc(lines, func(a, b takedown) int { return cmp.Compare(a.Rule, b.Rule) })
	return t.add(lines)
}

// inForce returns the rules that have begun and not ended according to the log, without time and change.
func (t *takedowns) inForce() (map[takedown]bool, error) {
	known := map[takedown]bool{}
	f, err := os.Open(t.path)
	if errors.Is(err, os.ErrNotExist) {
		return known, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var d takedown
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", t.path, n, err)
		}
		change := d.Change
		d.Time, d.Change = time.Time{}, ""
		if delete(known, d); change == "begins" {
			known[d] = true
		}
	}
	return known, lines.Err()
}

func (t *takedowns) add(lines []takedown) error {
	if len(lines) == 0 {
		return nil
	}
	f, err := os.OpenFile(t.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	e := json.NewEncoder(f)
	e.SetEscapeHTML(false)
	for i := range lines {
		err = errors.Join(err, e.Encode(lines[i]))
	}
	return errors.Join(err, f.Close())
}
