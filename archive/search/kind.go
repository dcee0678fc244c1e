package search

import "fmt"

// A Kind says how the count of a text differs between a version and the next.
type Kind uint8

// The kinds.
const (
	Deleted     Kind = iota // in the older version only
	SemiDeleted             // in both, less often in the newer
	Added                   // in the newer version only, or there is no older one
)

var kindNames = [...]string{"deleted", "semi-deleted", "added"}

// String returns the name of the kind in URLs and JSON.
func (k Kind) String() string { return kindNames[k] }

// ParseKind reads the name of a kind; "" is deleted.
func ParseKind(s string) (Kind, error) {
	if s == "" {
		return Deleted, nil
	}
	for i, name := range kindNames {
		if s == name {
			return Kind(i), nil
		}
	}
	return 0, fmt.Errorf("change %.20q: want deleted, semi-deleted or added", s)
}

// times returns how often a change of kind k deleted or added a text, given its counts before and after. It is 0 if
// the change is of another kind.
func times(k Kind, before, after int) int {
	switch {
	case k == Deleted && after == 0:
		return before
	case k == SemiDeleted && after > 0 && before > after:
		return before - after
	case k == Added && before == 0:
		return after
	}
	return 0
}
