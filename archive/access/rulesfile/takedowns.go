package rulesfile

import (
	"bytes"
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

// inForce returns the rules that have begun and not ended according to the log, without time and change. It cuts off a last line that
// was not written to its end.
func (t *takedowns) inForce() (map[takedown]bool, error) {
	known := map[takedown]bool{}
	text, err := os.ReadFile(t.path)
	if errors.Is(err, os.ErrNotExist) {
		return known, nil
	} else if err != nil {
		return nil, err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	n := 0
	for line := range bytes.Lines(text[:whole]) {
		n++
		var d takedown
		if err := json.Unmarshal(line, &d); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", t.path, n, err)
		}
		change := d.Change
		d.Time, d.Change = time.Time{}, ""
		if delete(known, d); change == "begins" {
			known[d] = true
		}
	}
	if whole < len(text) {
		return known, os.Truncate(t.path, int64(whole))
	}
	return known, nil
}

func (t *takedowns) add(lines []takedown) error {
	if len(lines) == 0 {
		return nil
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	for i := range lines {
		if err := e.Encode(lines[i]); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(t.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text.Bytes())
	return errors.Join(err, f.Close())
}
