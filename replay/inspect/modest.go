package inspect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/varve-archive/varve/fields"
)

// Bounds of a field that a reader typed. Nobody vouches for it, and it is read from hundreds of pages.
const (
	maxSelector = 600 // bytes
	maxClean    = 200
	maxCleans   = 10
)

// checkModest says what of a field would take too long on pages that are large or made for it. Templates in crawl files and
// configurations are not bound by it.
func checkModest(f *fields.Field) error {
	switch {
	case len(f.CSS) > maxSelector:
		return fmt.Errorf("a selector may have at most %d bytes here", maxSelector)
	case len(f.XPath) > maxSelector:
		return fmt.Errorf("an expression may have at most %d bytes here", maxSelector)
	case len(f.Clean) > maxCleans:
		return fmt.Errorf("a field may have at most %d expressions of clean here", maxCleans)
	}
	for _, c := range f.Clean {
		if len(c) > maxClean {
			return fmt.Errorf("an expression of clean may have at most %d bytes here", maxClean)
		}
	}
	return checkNested(f.CSS)
}

// nesting are the functions of selectors that have selectors as arguments.
var nesting = []string{":has(", ":haschild(", ":not("}

// checkNested refuses combinators and further such functions inside of one: the time that they take multiplies.
func checkNested(css string) error {
	lower := strings.ToLower(css)
	for i := range lower {
		for _, name := range nesting {
			if !strings.HasPrefix(lower[i:], name) {
				continue
			}
			inside := lower[i+len(name):]
			inside = strings.TrimSpace(inside[:closing(inside)])
			if strings.ContainsAny(inside, "( >+~\t\n") {
				return errors.New("inside of " + strings.TrimSuffix(name, "(") + " there may be simple selectors only here, as in :not(.ad)")
			}
		}
	}
	return nil
}

// closing returns where the parenthesis ends in which s begins.
func closing(s string) int {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}
