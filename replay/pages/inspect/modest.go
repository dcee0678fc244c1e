package inspect

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
)

// Limits of a field that a reader typed. It is untrusted, and applied to hundreds of pages.
const (
	maxSelector = 600 // bytes
	maxClean    = 200
	maxCleans   = 10
	maxSteps    = 1000 // of a regular expression: its time for each byte
)

// checkModest returns an error for a field that could take too long on large or malicious pages. Templates in crawl files and
// configurations aren't limited.
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
		expression, _, _ := strings.Cut(c, " => ")
		if steps(expression) > maxSteps {
			return errors.New("an expression of clean may not repeat so much here, as in (abc){1000}")
		}
	}
	if err := checkGrowing(f.XPath); err != nil {
		return err
	}
	return checkNested(f.CSS)
}

// checkAllModest checks fields, the selector of their rows, and the selectors of lists within documents.
func checkAllModest(each string, list []fields.Field) error {
	for i := range list {
		f := &list[i]
		err := checkModest(f)
		if err == nil && (f.Each != "" || len(f.Fields) > 0) {
			err = checkAllModest(f.Each, f.Fields)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if len(list) > maxFields {
		return fmt.Errorf("a template may have at most %d fields here", maxFields)
	}
	rows := fields.Field{}
	rows.CSS, rows.XPath = fields.Selector(each)
	if err := checkModest(&rows); err != nil {
		return fmt.Errorf("each: %w", err)
	}
	return nil
}

// steps returns the length of a regular expression with its repetitions expanded; 0 if it is invalid.
func steps(expression string) int {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

// maxJoined is the largest number of arguments of concat. Each may be a whole page.
const maxJoined = 5

// These match XPath functions that make texts longer, or use regular expressions, which the library caches for ever. Strings in XPath
// have no escapes, and its white space is that of Unicode.
var (
	inQuotes         = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	growingFunctions = regexp.MustCompile(`(?:replace|string-join|matches)[\s\v\x{85}\pZ]*\(`)
	joiningFunctions = regexp.MustCompile(`concat[\s\v\x{85}\pZ]*\(`)
)

// checkGrowing refuses XPath functions that may take unlimited memory: nesting them multiplies texts.
func checkGrowing(xpath string) error {
	plain := inQuotes.ReplaceAllString(xpath, `""`)
	if growingFunctions.MatchString(plain) {
		return errors.New("replace(), string-join() and matches() are not allowed here: clean takes regular expressions")
	}
	for _, at := range joiningFunctions.FindAllStringIndex(plain, -1) {
		inside := plain[at[1]:]
		inside = inside[:closing(inside)]
		if joiningFunctions.MatchString(inside) || strings.Count(inside, ",") >= maxJoined {
			return fmt.Errorf("concat() may join at most %d texts here, and no other concat()", maxJoined)
		}
	}
	return nil
}

// nestingFunctions are the functions of selectors that have selectors as arguments. All but :not( look at other elements too.
var nestingFunctions = []string{":has(", ":haschild(", ":not("}

// refusedSelectors lists what no selector may contain here: other spellings of the functions below, and regular expressions, which may take
// any time and confuse the search for the closing parenthesis.
var refusedSelectors = []struct {
	at  *regexp.Regexp
	say string
}{
	{regexp.MustCompile(`^/\*`), "a selector may have no comments here"},
	{regexp.MustCompile(`^::?[\w-]*\\`), "the name of a pseudo-class may have no escapes here"},
	{regexp.MustCompile(`^(?::matches(?:own)?\(|#=)`), "a selector may have no regular expressions here"},
}

// checkNested refuses combinators and further such functions inside of one, because their times multiply.
func checkNested(css string) error {
	lower := strings.ToLower(css)
	for i := 0; i < len(lower); i += tokenLength(lower[i:]) {
		for _, r := range refusedSelectors {
			if r.at.MatchString(lower[i:]) {
				return errors.New(r.say)
			}
		}
		for _, name := range nestingFunctions {
			if !strings.HasPrefix(lower[i:], name) {
				continue
			}
			inside := lower[i+len(name):]
			inside = strings.Trim(inside[:closing(inside)], " \t\r\n\f")
			plain := inQuotes.ReplaceAllString(inside, "")
			if strings.ContainsAny(plain, "( >+~\t\r\n\f") || strings.ContainsRune(inside, '\\') || strings.Contains(plain, "/*") ||
				name != ":not(" && strings.Contains(plain, ":") { // the place among siblings, of each element inside
				return errors.New("inside of " + strings.TrimSuffix(name, "(") + " there may be simple selectors only here, as in :not(.ad)")
			}
		}
	}
	return nil
}

// closing returns the end of the parenthesis in which s begins.
func closing(s string) int {
	depth := 1
	for i := 0; i < len(s); i += tokenLength(s[i:]) {
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

// tokenLength returns the length of a string or an escape at the beginning of s, else 1; s must not be empty.
func tokenLength(s string) int {
	switch s[0] {
	case '\\':
		return min(2, len(s))
	case '"', '\'':
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case s[0]:
				return i + 1
			case '\\':
				i++
			}
		}
		return len(s)
	}
	return 1
}
