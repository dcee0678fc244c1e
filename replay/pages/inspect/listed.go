package inspect

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
)

// What happened to a row from one version to the next.
const (
	rowAdded   = "added"
	rowRemoved = "removed"
	rowChanged = "changed"
)

// A rowChange is a row that was added, removed or changed since the version before.
type rowChange struct {
	Op     string        `json:"op"`
	Key    string        `json:"key"`
	Row    int           `json:"row"`    // its number; of one that was removed, in the version before
	Values fields.Values `json:"values"` // of one that was removed, those that it had
	Was    fields.Values `json:"was,omitempty"`
}

// keyOf returns the identity of a row: the values of the key field, else all its text.
func keyOf(r *fields.Row, key string) string {
	if v := r.Values[key]; len(v) > 0 {
		return strings.Join(v, " ")
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		all = append(all, r.Values[name]...)
	}
	return strings.Join(all, " ")
}

// byKey returns rows by their identity; equal ones are distinguished by their order.
func byKey(rows []fields.Row, key string) (names []string, of map[string]*fields.Row) {
	of = make(map[string]*fields.Row, len(rows))
	seen := map[string]int{}
	for i := range rows {
		name := keyOf(&rows[i], key)
		if seen[name]++; seen[name] > 1 {
			name += " (" + strconv.Itoa(seen[name]) + ")"
		}
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = &rows[i]
	}
	return names, of
}

// rowChanges returns the changes: removed rows in their old order, then rows that were added or changed.
func rowChanges(before, after []fields.Row, key string) (out []rowChange) {
	was, old := byKey(before, key)
	is, now := byKey(after, key)
	for _, name := range was {
		if now[name] == nil {
			out = append(out, rowChange{Op: rowRemoved, Key: name, Row: old[name].Number, Values: old[name].Values})
		}
	}
	for _, name := range is {
		r, o := now[name], old[name]
		switch {
		case o == nil:
			out = append(out, rowChange{Op: rowAdded, Key: name, Row: r.Number, Values: r.Values})
		case !maps.EqualFunc(o.Values, r.Values, slices.Equal[[]string]):
			out = append(out, rowChange{Op: rowChanged, Key: name, Row: r.Number, Values: r.Values, Was: o.Values})
		}
	}
	return out
}

func countOf(list []rowChange, op string) (n int) {
	for i := range list {
		if list[i].Op == op {
			n++
		}
	}
	return n
}
