package browser

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/andybalholm/cascadia"
	"github.com/antchfx/xpath"
	"go.yaml.in/yaml/v3"
)

// A Verb is the kind of a step.
type Verb string

const (
	Wait   Verb = "wait"   // for a time
	Until  Verb = "until"  // until an element is to be seen
	Gone   Verb = "gone"   // until none is
	Click  Verb = "click"  // on an element
	Scroll Verb = "scroll" // to the end of the page, or by some pixels
	Fill   Verb = "fill"   // a field of a form
	Press  Verb = "press"  // a key
	Select Verb = "select" // an option of a list
)

// A Selector says which elements a step applies to: a CSS selector, or an XPath expression, which begins with / or (.
type Selector string

// A Step is an action on a page.
type Step struct {
	Line     int `json:"-"` // of the file it is from
	Verb     Verb
	On       Selector      // of until, gone, click, fill and select
	For      time.Duration // of wait
	Pixels   int           // of scroll; 0 is to the end
	Key      string        // of press
	With     string        // what fill writes, see [Step.Text]
	Option   string        // what select selects: its value, or what is to be read there
	Until    Selector      // repeat until such an element is visible
	Gone     Selector      // repeat until no such element is visible
	Most     int           // most repetitions; 0 is 1, or 20 with Until or Gone
	All      bool          // click on every element
	Optional bool          // no failure if the element is missing, or the awaited state doesn't come
	Within   time.Duration // time limit for the element; 0 is 5 seconds, or 1 if optional
}

// Limits of a chain, so that a page can't delay a crawl for ever.
const (
	MaxSteps = 50
	maxWait  = 2 * time.Minute
	maxTimes = 1000
)

// options are the keys that each verb allows.
var options = map[Verb][]string{
	Wait:   {},
	Until:  {"within", "optional"},
	Gone:   {"within", "optional"},
	Click:  {"within", "optional", "all", "most", "until", "gone"},
	Scroll: {"most", "until", "gone", "optional"},
	Fill:   {"within", "optional", "with"},
	Press:  {"most", "until", "gone", "optional"},
	Select: {"within", "optional", "option"},
}

// verbs returns the verbs in the order in which they are looked up: until and gone come last, because they are also options of
// others.
func verbs() []Verb {
	return []Verb{Wait, Click, Scroll, Fill, Press, Select, Until, Gone}
}

// UnmarshalYAML implements [yaml.Unmarshaler]. A step is a mapping with one verb; its errors name the line.
func (s *Step) UnmarshalYAML(n *yaml.Node) error {
	if err := s.decode(n); err != nil {
		return fmt.Errorf("line %d: actions: %w", n.Line, err)
	}
	return nil
}

func (s *Step) decode(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		return errors.New("want a step such as {click: 'a.more'}")
	}
	*s = Step{Line: n.Line}
	given := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if given[key] != nil {
			return fmt.Errorf("%s is there twice", key)
		}
		given[key] = n.Content[i+1]
	}
	for _, v := range verbs() {
		if given[string(v)] != nil {
			s.Verb = v
			break
		}
	}
	if s.Verb == "" {
		return errors.New("a step has one of wait, until, gone, click, scroll, fill, press and select")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if key != string(s.Verb) && !slices.Contains(options[s.Verb], key) {
			return fmt.Errorf("%q does not go with %s", key, s.Verb)
		}
		if err := s.set(key, n.Content[i+1]); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return s.check(given)
}

// set takes the value of a key.
func (s *Step) set(key string, n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return errors.New("want a single value")
	}
	verb := key == string(s.Verb)
	switch key {
	case "wait":
		return duration(&s.For, n.Value)
	case "within":
		return duration(&s.Within, n.Value)
	case "click", "fill", "select":
		return selector(&s.On, n.Value)
	case "until", "gone":
		into := map[string]*Selector{"until": &s.Until, "gone": &s.Gone}[key]
		if verb {
			into = &s.On
		}
		return selector(into, n.Value)
	case "scroll":
		return s.pixels(n.Value)
	case "press":
		s.Key = n.Value
		return knownKey(n.Value)
	case "with":
		s.With = n.Value
	case "option":
		s.Option = n.Value
	case "most":
		most, err := strconv.Atoi(n.Value)
		if err != nil || most < 1 || most > maxTimes {
			return fmt.Errorf("%q: want a number from 1 to %d", n.Value, maxTimes)
		}
		s.Most = most
	case "all":
		return yes(&s.All, n)
	case "optional":
		return yes(&s.Optional, n)
	}
	return nil
}

// check refuses invalid steps. given are the keys of the step.
func (s *Step) check(given map[string]*yaml.Node) error {
	switch {
	case s.Verb == Fill && given["with"] == nil:
		return errors.New("fill needs with: what to write")
	case s.Verb == Select && given["option"] == nil:
		return errors.New("select needs option: what to select")
	case s.Until != "" && s.Gone != "":
		return errors.New("until and gone exclude each other")
	case s.All && (s.Until != "" || s.Gone != "" || s.Most > 0):
		return errors.New("all clicks on every element once: it goes with neither until, gone nor most")
	case s.Verb == Scroll && s.Pixels == 0 && len(given) > 1:
		return errors.New("to the end is already as far as it goes: nothing goes with it, but with a number of pixels")
	}
	return nil
}

func (s *Step) pixels(text string) error {
	if text == "end" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n == 0 || n < -1_000_000 || n > 1_000_000 {
		return fmt.Errorf("%q: want end, or a number of pixels", text)
	}
	s.Pixels = n
	return nil
}

func duration(into *time.Duration, text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > maxWait {
		return fmt.Errorf("%q: want a time such as 500ms, at most %s", text, maxWait)
	}
	*into = d
	return nil
}

func yes(into *bool, n *yaml.Node) error {
	if n.Decode(into) != nil {
		return fmt.Errorf("%q: want true or false", n.Value)
	}
	return nil
}

// notInBrowsers matches selectors that the checking library accepts and browsers don't.
var notInBrowsers = regexp.MustCompile(`:(?:contains|containsown|matches|matchesown|haschild|input)\b`)

func selector(into *Selector, text string) error {
	*into = Selector(text)
	if into.path() {
		_, err := xpath.Compile(text)
		return err
	}
	if text == "" {
		return errors.New("want a CSS selector or XPath")
	}
	if pseudo := notInBrowsers.FindString(strings.ToLower(text)); pseudo != "" {
		return fmt.Errorf("%q: browsers have no %s", text, pseudo)
	}
	if _, err := cascadia.ParseGroup(text); err != nil {
		return fmt.Errorf("%q: %w", text, err)
	}
	return nil
}

// path reports whether a selector is an XPath expression.
func (s Selector) path() bool {
	return strings.HasPrefix(string(s), "/") || strings.HasPrefix(string(s), "(")
}

// secretPrefix begins the names of the environment variables that a file may read. It can't read others, since a file may come from
// somebody else and varve's own settings include passwords.
const secretPrefix = "VARVE_SECRET_"

// minSecret is the shortest length of a secret in bytes. A shorter one would be found by chance in other addresses.
const minSecret = 4

var variable = regexp.MustCompile(`^\$([A-Za-z_][A-Za-z0-9_]*)$`)

// Text returns what fill types, and whether that is a secret. "$VARVE_SECRET_NAME" is replaced by that environment variable, so
// that the file needs no password; "$$" at the beginning is one "$". A secret that could not be recognized in captures is an error.
func (s *Step) Text(env func(string) (string, bool)) (text string, secret bool, err error) {
	if rest, ok := strings.CutPrefix(s.With, "$$"); ok {
		return "$" + rest, false, nil
	}
	m := variable.FindStringSubmatch(s.With)
	if m == nil {
		return s.With, false, nil
	}
	if !strings.HasPrefix(m[1], secretPrefix) {
		return "", false, fmt.Errorf("with: only environment variables that begin with %s are read, so not %s; $$ is a $", secretPrefix, m[1])
	}
	text, ok := env(m[1])
	switch {
	case !ok || text == "":
		return "", false, fmt.Errorf("with: there is no environment variable %s", m[1])
	case len(text) < minSecret:
		return "", false, fmt.Errorf("with: %s has less than %d bytes, so it could not be told from other texts", m[1], minSecret)
	case strings.ContainsFunc(text, unicode.IsControl): // forms would change these characters
		return "", false, fmt.Errorf("with: %s has a control character, such as a line break", m[1])
	}
	return text, true, nil
}

// String describes a step, without the text that it fills in.
func (s *Step) String() string {
	switch s.Verb {
	case Wait:
		return "wait " + s.For.String()
	case Scroll:
		if s.Pixels == 0 {
			return "scroll end"
		}
		return "scroll " + strconv.Itoa(s.Pixels)
	case Press:
		return "press " + s.Key
	}
	return string(s.Verb) + " " + string(s.On)
}

// repeated returns the largest number of repetitions.
func (s *Step) repeated() int {
	switch {
	case s.Most > 0:
		return s.Most
	case s.Until != "" || s.Gone != "":
		return 20
	}
	return 1
}

// patience returns the time limit for a step's element.
func (s *Step) patience() time.Duration {
	switch {
	case s.Within > 0:
		return s.Within
	case s.Optional:
		return time.Second
	}
	return 5 * time.Second
}

func knownKey(name string) error {
	if _, ok := keys[name]; ok || utf8.RuneCountInString(name) == 1 {
		return nil
	}
	return fmt.Errorf("%q: want a letter, or one of %s", name, strings.Join(keyNames, ", "))
}
