package selector

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// isPlain reports whether CSS and XPath can contain the name of an element or an attribute without escapes. SVG names with capitals don't
// work in selectors.
func isPlain(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return strings.IndexAny(name, letters) == 0 && strings.Trim(name, letters+"0123456789-") == ""
}

// states are classes that describe a temporary state or a position.
func states(key string) bool {
	switch key {
	case "active", "inactive", "selected", "unselected", "current", "open", "opened", "closed",
		"hover", "focus", "focused", "visible", "invisible", "hidden", "hide", "show",
		"shown", "disabled", "enabled", "loading", "loaded", "lazy", "lazyload", "lazyloaded",
		"expanded", "collapsed", "collapse", "collapsing", "in", "out", "on", "off",
		"fade", "first", "last", "odd", "even", "checked", "unchecked", "animated",
		"sticky", "fixed", "pinned", "touched", "dirty", "js", "no-js", "new":
		return true
	}
	return false
}

// isLasting reports whether an id or a class probably exists in other versions of a page: it is a word that somebody chose for the element.
func isLasting(name string) bool {
	if name == "" || len(name) > 40 || states(strings.ToLower(name)) || strings.ContainsAny(name, ":/[]()!@%#") {
		return false
	}
	for _, prefix := range []string{"is-", "has-", "ng-", "v-", "css-", "sc-", "jsx-", "svelte-", "ember", "yui", "wow"} {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	for segment := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("-_.", r) }) {
		if isMade(segment) {
			return false
		}
	}
	return true
}

var (
	numbered = regexp.MustCompile(`^(?:\pL+\d{1,2}|\d{1,2}\pL{0,2})$`) // column2, 12px
	capital  = regexp.MustCompile(`\p{Ll}\p{Lu}`)
)

// isMade reports whether a part of a name looks like a generated number or hash: 3f9a2c, 120934, bdVaJx.
func isMade(segment string) bool {
	switch {
	case !strings.ContainsAny(segment, "0123456789"):
		return len(segment) <= 8 && len(capital.FindAllString(segment, -1)) > 1
	case numbered.MatchString(segment):
		return false
	}
	return len(segment) > 2
}

// attribute returns the value of an attribute without a namespace; ok is false if there is none.
func attribute(n *html.Node, name string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Namespace == "" && a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// classes returns the durable classes of an element, at most three.
func classes(n *html.Node) (out []string) {
	all, _ := attribute(n, "class")
	for c := range strings.FieldsSeq(all) {
		if isLasting(c) && len(out) < 3 {
			out = append(out, c)
		}
	}
	return out
}
