package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

func TestSteps(t *testing.T) {
	for text, want := range map[string]Step{
		"wait: 500ms":                                    {Verb: Wait, For: 500 * time.Millisecond},
		"until: '#a'":                                    {Verb: Until, On: "#a"},
		"{until: //a, within: 2s}":                       {Verb: Until, On: "//a", Within: 2 * time.Second},
		"{gone: .spinner, optional: true}":               {Verb: Gone, On: ".spinner", Optional: true},
		"{click: a.more, gone: a.more, most: 7}":         {Verb: Click, On: "a.more", Gone: "a.more", Most: 7},
		"{until: b, click: a}":                           {Verb: Click, On: "a", Until: "b"},
		"{click: a, all: true}":                          {Verb: Click, On: "a", All: true},
		"scroll: end":                                    {Verb: Scroll},
		"{scroll: -800, most: 3}":                        {Verb: Scroll, Pixels: -800, Most: 3},
		"{fill: 'input[name=q]', with: $VARVE_SECRET_A}": {Verb: Fill, On: "input[name=q]", With: "$VARVE_SECRET_A"},
		"press: Enter":                                   {Verb: Press, Key: "Enter"},
		"press: ü":                                       {Verb: Press, Key: "ü"},
		"{select: '(//select)[2]', option: two}":         {Verb: Select, On: "(//select)[2]", Option: "two"},
		"{fill: a, with: 007}":                           {Verb: Fill, On: "a", With: "007"},
	} {
		var got Step
		if err := yaml.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		want.Line = 1
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
	}
}

func TestFaultySteps(t *testing.T) {
	for text, want := range map[string]string{
		"a":                               "want a step",
		"[]":                              "want a step",
		"{}":                              "has one of wait",
		"{optional: true}":                "has one of wait",
		"{jump: a}":                       "has one of wait",
		"{click: a, scroll: end}":         `"scroll" does not go with click`,
		"{wait: 1s, optional: true}":      `"optional" does not go with wait`,
		"{click: a, speed: 1}":            `"speed" does not go with click`,
		"wait: 5":                         "want a time",
		"wait: -5s":                       "want a time",
		"wait: 1h":                        "at most 2m0s",
		"click: 'a['":                     "click:",
		"click: ''":                       "want a CSS selector",
		"click: '//a['":                   "click:",
		"click: 'a:contains(b)'":          "browsers have no :contains",
		"click: [a]":                      "single value",
		"click: {a: b}":                   "single value",
		"{click: a, within: soon}":        "within:",
		"{click: a, most: 0}":             "most:",
		"{click: a, most: 9999}":          "most:",
		"{click: a, optional: perhaps}":   "want true or false",
		"{click: a, until: b, gone: c}":   "exclude each other",
		"{click: a, all: true, until: b}": "neither until, gone nor most",
		"{click: a, all: true, gone: b}":  "neither until, gone nor most",
		"{click: a, all: true, most: 2}":  "goes with neither",
		"{scroll: end, until: b}":         "as far as it goes",
		"scroll: far":                     "want end",
		"scroll: 0":                       "want end",
		"fill: a":                         "fill needs with",
		"select: a":                       "select needs option",
		"press: Any":                      "want a letter, or one of ArrowDown",
	} {
		var got Step
		err := yaml.Unmarshal([]byte(text), &got)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "line 1: actions: ") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	var got Step
	if err := got.UnmarshalYAML(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Value: "click"},
		{Kind: yaml.ScalarNode, Value: "a"},
		{Kind: yaml.ScalarNode, Value: "click"},
		{Kind: yaml.ScalarNode, Value: "b"},
	}}); err == nil || !strings.Contains(err.Error(), "there twice") {
		t.Errorf("twice: %v", err)
	}
}

func TestTexts(t *testing.T) {
	env := func(name string) (string, bool) {
		text, ok := map[string]string{
			"VARVE_SECRET_A": "x y z", "VARVE_SECRET_EMPTY": "", "VARVE_SECRET_PIN": "123", "VARVE_SECRET_LINES": "hush\n",
			"HOME": "/root", "VARVE_INDEX": "postgres://varve:hush@db/",
		}[name]
		return text, ok
	}
	for with, want := range map[string]struct {
		text   string
		secret bool
		fault  string
	}{
		"plain":               {"plain", false, ""},
		"":                    {"", false, ""},
		"$VARVE_SECRET_A":     {"x y z", true, ""},
		"$$VARVE_SECRET_A":    {"$VARVE_SECRET_A", false, ""},
		"a $VARVE_SECRET_A":   {"a $VARVE_SECRET_A", false, ""},
		"$5":                  {"$5", false, ""},
		"$HOME":               {"", false, "begin with VARVE_SECRET_"},
		"$VARVE_INDEX":        {"", false, "begin with VARVE_SECRET_"},
		"$VARVE_SECRET_B":     {"", false, "no environment variable VARVE_SECRET_B"},
		"$VARVE_SECRET_EMPTY": {"", false, "no environment variable VARVE_SECRET_EMPTY"},
		"$VARVE_SECRET_PIN":   {"", false, "VARVE_SECRET_PIN has less than 4 bytes"},
		"$VARVE_SECRET_LINES": {"", false, "VARVE_SECRET_LINES has a control character"},
	} {
		text, secret, err := (&Step{Verb: Fill, With: with}).Text(env)
		if err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: the error says what it is: %v", with, err)
		}
		failed := err != nil && (want.fault == "" || !strings.Contains(err.Error(), want.fault)) || err == nil && want.fault != ""
		if text != want.text || secret != want.secret || failed {
			t.Errorf("%q: %q, %t, %v", with, text, secret, err)
		}
	}
	if s := (&Step{Verb: Fill, On: "#password", With: "hush"}).String(); strings.Contains(s, "hush") {
		t.Errorf("a step says what it fills in: %s", s)
	}
}

// What is read is something that can be done, and any other text is refused without a crash.
func FuzzSteps(f *testing.F) {
	for _, text := range []string{
		"- {click: a, all: true}", "- wait: 1s\n- scroll: end", "- {fill: a, with: $VARVE_SECRET_A}",
		"- &a {press: b}\n- *a", "- {until: '//a[1]'}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var steps []Step
		if yaml.Unmarshal([]byte(text), &steps) != nil {
			return
		}
		for _, s := range steps {
			if s.Verb == "" { // of null
				continue
			}
			if _, ok := options[s.Verb]; !ok || s.repeated() < 1 || s.repeated() > maxTimes || s.patience() > maxWait || s.For > maxWait {
				t.Errorf("%+v", s)
			}
			if needs := s.Verb != Wait && s.Verb != Scroll && s.Verb != Press; needs != (s.On != "") {
				t.Errorf("%+v", s)
			}
		}
	})
}
