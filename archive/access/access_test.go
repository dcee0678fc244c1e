package access_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

func read(tb testing.TB, text string) *access.Rules {
	tb.Helper()
	r, err := access.Read(strings.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

var noon = time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)

// decide returns what a reader gets and the line of the rule that says so.
func decide(tb testing.TB, r *access.Rules, uri, ts, group string) (access.Access, int) {
	tb.Helper()
	captured, err := cdx.ParseTimestamp(ts)
	if err != nil {
		tb.Fatal(err)
	}
	d := r.For(surt.Of(uri), group).Decide(captured, noon)
	if d.Rule == nil {
		return d.Access, 0
	}
	return d.Access, d.Rule.Line
}

func TestWhichRuleDecides(t *testing.T) {
	rules := read(t, `rules:
- {url: "http://river.example/", access: block}
- {url: "http://river.example/maps/", access: allow}
- {url: "http://river.example/maps/old", match: exact, access: exclude}
- {url: "http://river.example/maps/old", access: block}
- {url: "http://river.example/maps/old", match: exact, access: allow, group: staff}
- {url: "http://delta.example/", match: domain, access: exclude}
- {url: "http://open.delta.example/", match: host, access: allow}
- {url: "*.sea.example", access: exclude}
- {url: "http://bay.example/", match: host, access: block}
- {url: "http://bay.example/", match: host, access: exclude}
- {url: "http://river.example/go?to=/", match: exact, access: exclude}
`)
	for _, tt := range []struct {
		uri, group string
		want       access.Access
		line       int
	}{
		{"http://elsewhere.example/", "", access.Allow, 0},
		{"http://river.example/", "", access.Block, 2},
		{"https://www.river.example/news?a=b", "", access.Block, 2},
		{"http://river.example/maps/", "", access.Allow, 3},
		{"http://river.example/maps/new", "", access.Allow, 3},
		{"http://river.example/maps?year=1", "", access.Allow, 3},
		{"http://river.example/maps;jsessionid=1f2e", "", access.Allow, 3},
		{"http://river.example/maps;v=1?year=1", "", access.Allow, 3},
		{"http://river.example/mapsets", "", access.Block, 2},
		{"http://river.example/maps/old", "", access.Exclude, 4},
		{"http://river.example/maps/old", "guests", access.Exclude, 4},
		{"http://river.example/maps/old", "staff", access.Allow, 6},
		{"http://river.example/maps/older", "staff", access.Block, 5},
		{"http://a.river.example/", "", access.Allow, 0},
		{"http://delta.example/x", "", access.Exclude, 7},
		{"http://delta.example:8080/x", "", access.Exclude, 7},
		{"http://www.delta.example:8080/x", "", access.Exclude, 7},
		{"http://a.b.delta.example/x", "", access.Exclude, 7},
		{"http://open.delta.example/x", "", access.Allow, 8},
		{"http://open.delta.example:8080/x", "", access.Exclude, 7},
		{"http://delta.example.org/", "", access.Allow, 0},
		{"http://mydelta.example/", "", access.Allow, 0},
		{"http://a.sea.example/", "", access.Exclude, 9},
		{"http://sea.example:81/", "", access.Exclude, 9},
		{"http://sea-food.example:81/", "", access.Allow, 0},
		{"http://bay.example:81/x", "", access.Allow, 0},
		{"http://bay.example/x", "", access.Block, 10},
		{"http://river.example/go?to=/", "", access.Exclude, 12},
		{"http://river.example/go?to=", "", access.Block, 2},
		{"http://river.example/go?to=?a", "", access.Block, 2},
	} {
		if got, line := decide(t, rules, tt.uri, "2020", tt.group); got != tt.want || line != tt.line {
			t.Errorf("%s for %q: %s by line %d, want %s by %d", tt.uri, tt.group, got, line, tt.want, tt.line)
		}
	}
}

// A rule that doesn't apply leaves the decision to the next one around it.
func TestTimes(t *testing.T) {
	rules := read(t, `rules:
- {url: "*", captured: {to: 1999}, access: exclude}
- {url: "http://a.example/", captured: {from: 2010, to: "201106"}, access: block}
- {url: "http://b.example/", embargo: {newer: 1 month}, access: exclude}
- {url: "http://c.example/", embargo: {older: 10 years}, access: block}
- {url: "http://d.example/", embargo: {until: 2026-04-01}, access: exclude}
- {url: "http://e.example/", embargo: {until: 20260331}, access: exclude}
- {url: "http://f.example/", embargo: {newer: 2 weeks, older: 1 year 6 months}, access: exclude}
- {url: "http://g.example/", embargo: {newer: 100 years, until: 2026-01-01}, access: exclude}
- {url: "http://h.example/", captured: {from: "20140127171238", to: "20140127171238"}, access: block}
- {url: "http://i.example/", embargo: {newer: 3000 years}, access: block}
- {url: "http://j.example/", embargo: {older: 3000 years}, access: block}
- {url: "http://k.example/", embargo: {until: "20260331120000"}, access: block}
- {url: "http://l.example/", embargo: {until: "20260331120001"}, access: block}
`)
	for _, tt := range []struct {
		uri, captured string
		want          access.Access
		line          int
	}{
		{"http://a.example/", "20091231235959", access.Allow, 0},
		{"http://a.example/", "20100101000000", access.Block, 3},
		{"http://a.example/", "20110630235959", access.Block, 3},
		{"http://a.example/", "20110701000000", access.Allow, 0},
		{"http://a.example/", "19991231235959", access.Exclude, 2},
		{"http://a.example/", "20000101000000", access.Allow, 0},
		{"http://b.example/", "20260303120000", access.Allow, 0}, // February has no 31st
		{"http://b.example/", "20260303120001", access.Exclude, 4},
		{"http://c.example/", "20160331115959", access.Block, 5},
		{"http://c.example/", "20160331120000", access.Allow, 0},
		{"http://c.example/", "20270101", access.Allow, 0}, // of a clock that was fast
		{"http://d.example/", "2020", access.Exclude, 6},
		{"http://e.example/", "2020", access.Allow, 0},
		{"http://f.example/", "20260320", access.Exclude, 8},
		{"http://f.example/", "20260301", access.Allow, 0},
		{"http://f.example/", "20240929", access.Exclude, 8},
		{"http://g.example/", "20251231", access.Allow, 0},
		{"http://g.example/", "1998", access.Exclude, 2},
		{"http://h.example/", "20140127171237", access.Allow, 0},
		{"http://h.example/", "20140127171238", access.Block, 10},
		{"http://h.example/", "20140127171239", access.Allow, 0},
		{"http://i.example/", "2001", access.Block, 11}, // a time before year 1
		{"http://j.example/", "2001", access.Allow, 0},
		{"http://k.example/", "2001", access.Allow, 0},
		{"http://l.example/", "2001", access.Block, 14},
	} {
		if got, line := decide(t, rules, tt.uri, tt.captured, ""); got != tt.want || line != tt.line {
			t.Errorf("%s of %s: %s by line %d, want %s by %d", tt.uri, tt.captured, got, line, tt.want, tt.line)
		}
	}
	if !rules.DependOnTime() || read(t, "rules: []").DependOnTime() {
		t.Error("whether decisions change with time")
	}
}

func TestFaultyFiles(t *testing.T) {
	for _, tt := range [][2]string{
		{"rules:\n- {url: 'http://a.example/', acces: block}", "line 2: unknown key acces"},
		{"rule: []", "line 1: unknown key rule"},
		{"rules: [{url: 3, acces: x", "line 1: did not find expected ',' or '}'"},
		{"rules:\n- {access: block}", "line 2: url is missing; url: '*' means every URL"},
		{"rules:\n\n- url: http://a.example/", "line 3: access is missing: want allow, block or exclude"},
		{"rules:\n- {url: a.example, access: deny}", `line 2: access: "deny": want allow, block or exclude`},
		{
			"rules:\n- {url: a.example, match: near, access: block}",
			`line 2: matchType "near": want exact, prefix, host or domain; url=* is everything`,
		},
		{
			"rules:\n- {url: 'mailto:a', match: host, access: block}",
			`line 2: matchType=host needs a url with a host, which "mailto:a" has not`,
		},
		{
			"rules:\n- {url: a.example, access: block, captured: {from: 2012, to: 2011}}",
			"line 2: captured: from 20120101000000 is after to 20111231235959",
		},
		{"rules:\n- {url: a.example, access: block, captured: {from: spring}}", `line 2: captured.from: `},
		{
			"rules:\n- {url: a.example, access: block, embargo: {newer: soon}}",
			`line 2: embargo.newer: "soon": want a number of days, weeks, months or years, such as 6 months`,
		},
		{"rules:\n- {url: a.example, access: block, embargo: {older: -1 years}}", `line 2: embargo.older: "-1 years": want`},
		{"rules:\n- {url: a.example, access: block, embargo: {older: 0 years}}", `line 2: embargo.older: "0 years": want`},
		{
			"rules:\n- {url: a.example, access: block, embargo: {until: someday}}",
			`line 2: embargo.until: "someday": want a date such as 2031-12-31`,
		},
		{"rules:\n- {url: a.example, access: block}\n- {url: b.example, access: block, why: law}", "line 3: unknown key why"},
	} {
		_, err := access.Read(strings.NewReader(tt[0]))
		if err == nil || !strings.HasPrefix(err.Error(), tt[1]) {
			t.Errorf("%q: %v, want %s", tt[0], err, tt[1])
		}
	}
}

func TestACLJ(t *testing.T) {
	rules, err := access.ReadACLJ(strings.NewReader(`com,example)/a### - {"access": "exclude", "url": "http://example.com/a"}

com,example)/a - {"access": "block"}
com,example)/ - {"access": "allow", "user": "staff"}
com, - {"access": "block"}
# a comment
org,example)/ - {"access": "allow_ignore_embargo"}
*, - {"access": "exclude", "user": "guests"}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		uri, group string
		want       access.Access
		line       int
	}{
		{"http://example.com/a", "", access.Exclude, 1},
		{"http://example.com/ab", "", access.Block, 3},
		{"http://example.com/b", "", access.Block, 5},
		{"http://example.com/b", "staff", access.Allow, 4},
		{"http://other.com/", "staff", access.Block, 5},
		{"http://example.org/", "", access.Allow, 7},
		{"http://example.net/", "", access.Allow, 0},
		{"http://example.net/", "guests", access.Exclude, 8},
		{"urn:a", "guests", access.Exclude, 8},
		{"http://example.com/b", "guests", access.Block, 5},
	} {
		if got, line := decide(t, rules, tt.uri, "2020", tt.group); got != tt.want || line != tt.line {
			t.Errorf("%s for %q: %s by line %d, want %s by %d", tt.uri, tt.group, got, line, tt.want, tt.line)
		}
	}
	for text, want := range map[string]string{
		"com,example)/":                                                "line 1: want a key, -, and an object",
		"\ncom,example)/ - {":                                          "line 2: the object: unexpected end of JSON input",
		`com,example)/ - {"access": "perhaps"}`:                        `line 1: access: "perhaps": want allow, block`,
		`com,example)/ - {"access": "exclude", "before": "soon"}`:      "line 1: before: ",
		`com,example)/ - {"access": "exclude", "newer": {"days":-1}}`:  "line 1: newer and older: want numbers",
		`com,example)/ - {"access": "exclude", "older": "a year"}`:     "line 1: the object: ",
		`com,example)/ - {"access": "block", "older": {"days":10001}}`: "line 1: newer and older: want numbers",
		`com,example)/ {"access": "block"}`:                            "line 1: want a key, -, and an object",
	} {
		if _, err := access.ReadACLJ(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Lines of pywb's files may be for captures before or after a moment, or of an age.
func TestACLJDates(t *testing.T) {
	for _, tt := range []struct {
		limit, ts string
		want      access.Access
	}{
		{`"before": "20140127"`, "20140126235959", access.Block},
		{`"before": "20140127"`, "20140127000000", access.Allow},
		{`"before": 2014`, "20131231235959", access.Block},
		{`"after": "20140127000000"`, "20140127000000", access.Allow},
		{`"after": "20140127000000"`, "20140127000001", access.Block},
		{`"after": "2014", "before": "2015"`, "20140601000000", access.Block},
		{`"after": "2014", "before": "2015"`, "20150601000000", access.Allow},
		{`"newer": {"years": 1}`, cdx.FromTime(noon.AddDate(0, -11, 0)).String(), access.Block},
		{`"newer": {"years": 1}`, cdx.FromTime(noon.AddDate(0, -13, 0)).String(), access.Allow},
		{`"older": {"weeks": 2, "days": 1}`, cdx.FromTime(noon.AddDate(0, 0, -16)).String(), access.Block},
		{`"older": {"weeks": 2, "days": 1}`, cdx.FromTime(noon.AddDate(0, 0, -14)).String(), access.Allow},
		{`"after": 99991231235959`, "99991231235959", access.Allow}, // no datetime comes after it
		{`"after": 99991231235958`, "99991231235959", access.Block},
		{`"before": "00010101000000"`, "00010101000000", access.Allow},
		{`"before": "00010101000001"`, "00010101000000", access.Block},
		{`"before": null`, "20140127000000", access.Block},
	} {
		rules, err := access.ReadACLJ(strings.NewReader(`com,example)/ - {"access": "block", ` + tt.limit + "}"))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := decide(t, rules, "http://example.com/", tt.ts, ""); got != tt.want {
			t.Errorf("%s: %s at %s, want %s", tt.limit, got, tt.ts, tt.want)
		}
	}
}

// What a set says of itself, whether its rules are written for varve or for pywb.
func TestAll(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	yaml := read(t, `rules:
- {url: "http://a.example/b/*", group: staff, access: block, say: " By law. "}
- {url: "http://a.example/b", match: exact, access: allow}
- {url: "http://a.example/b", group: guests, access: exclude, embargo: {newer: 1 year}}
- {url: "http://c.example/", group: guests, access: exclude}
`)
	aclj, err := access.ReadACLJ(strings.NewReader(`example,b)/### - {"access": "exclude", "url": "http://b.example/"}
example,a)/` + long + ` - {"access": "block"}
`))
	if err != nil {
		t.Fatal(err)
	}
	year := access.Embargo{Newer: access.Age{Years: 1}}
	of := []access.Rule{
		{URL: "http://a.example/b", Match: surt.Prefix, Group: "guests", Access: access.Exclude, Embargo: year, Line: 4},
		{URL: "http://a.example/b", Match: surt.Exact, Access: access.Allow, Line: 3},
		{URL: "http://a.example/b/*", Match: surt.Prefix, Group: "staff", Access: access.Block, Say: "By law.", Line: 2},
		{URL: "http://c.example/", Match: surt.Prefix, Group: "guests", Access: access.Exclude, Line: 5},
	}
	of2 := []access.Rule{
		{URL: "example,a)/" + long, Match: surt.Prefix, Access: access.Block, Line: 2},
		{URL: "http://b.example/", Match: surt.Exact, Access: access.Exclude, Line: 1},
	}
	for _, tt := range []struct {
		rules  *access.Rules
		all    []access.Rule
		groups []string
	}{{yaml, of, []string{"guests", "staff"}}, {aclj, of2, nil}, {access.Join(aclj, yaml), append(of, of2...), []string{"guests", "staff"}}} {
		all := tt.rules.All()
		slices.SortFunc(all, func(a, b access.Rule) int { return strings.Compare(a.URL+a.Group, b.URL+b.Group) })
		slices.SortFunc(tt.all, func(a, b access.Rule) int { return strings.Compare(a.URL+a.Group, b.URL+b.Group) })
		if diff := cmp.Diff(tt.all, all); diff != "" || tt.rules.Len() != len(all) {
			t.Errorf("%d rules: %s", tt.rules.Len(), diff)
		}
		if got := tt.rules.Groups(); !slices.Equal(got, tt.groups) || tt.rules.DependOnTime() != (tt.groups != nil) {
			t.Errorf("groups %q, clocks %v", got, tt.rules.DependOnTime())
		}
	}
	if got := yaml.For("example,a)/b", "guests").Rules(); len(got) != 1 || got[0].Line != 3 {
		t.Errorf("%d rules of which the first always applies", len(got))
	}
	_, err = access.New([]access.Rule{{URL: "*", Access: access.Block}, {URL: "*"}})
	if err == nil || err.Error() != "rule 2: access is missing: want allow, block or exclude" {
		t.Error(err)
	}
}

func TestACLJFilesHaveASum(t *testing.T) {
	sums := map[string]string{}
	for _, text := range []string{
		"", `com,example)/ - {"access": "exclude"}`, `com,example)/### - {"access": "exclude"}`,
		`com,example)/ - {"access": "block"}`, `com,example)/ - {"access": "exclude", "user": "staff"}`,
	} {
		rules, err := access.ReadACLJ(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if other, twice := sums[rules.Sum()]; twice {
			t.Errorf("%q and %q have the sum %q", text, other, rules.Sum())
		}
		sums[rules.Sum()] = text
	}
}

// A page is open only if no rule could ever close it.
func TestPagesWithoutRulesAreOpen(t *testing.T) {
	rules := read(t, `rules:
- {url: "http://a.example/b/", access: exclude}
- {url: "http://a.example/b/c", access: allow}
- {url: "http://a.example/b/d", access: allow, captured: {from: 2020}}
- {url: "http://a.example/b/e", access: allow, captured: {to: 2020}}
- {url: "http://m.example/", access: allow}
`)
	for uri, open := range map[string]bool{
		"http://a.example/": true, "http://a.example/b/": false, "http://a.example/b/c": true, "http://a.example/b/d": false,
		"http://a.example/b/e": false, "http://m.example/": true,
	} {
		if got := rules.For(surt.Of(uri), "").Open(); got != open {
			t.Errorf("%s is open: %v, want %v", uri, got, open)
		}
	}
	for _, tt := range []struct {
		url   string
		match surt.Match
		want  bool
	}{
		{"http://a.example/", surt.Host, true},
		{"http://a.example/b/c/d", surt.Prefix, true},
		{"http://a.example/a", surt.Prefix, false},
		{"http://b.example/", surt.Host, false},
		{"*", "", true},
		{"http://z.example/", surt.Domain, false},
	} {
		first, end, err := surt.Range(tt.url, tt.match)
		if err != nil {
			t.Fatal(err)
		}
		if got := rules.HasRulesIn(first, end); got != tt.want {
			t.Errorf("rules for %s %s: %v, want %v", tt.match, tt.url, got, tt.want)
		}
	}
}

func TestRanges(t *testing.T) {
	rules := read(t, `rules:
- {url: "http://a.example/p?b=1", match: exact, access: block}
- {url: "http://a.example/p/x", access: block}
- {url: "http://a.example/p/x/y", access: block}
- {url: "http://m.example/", match: host, access: block}
`)
	want := [][2]string{{"example,a)/p", "example,a)/p@"}, {"example,m)", "example,m*"}}
	if got := rules.Ranges(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	got := read(t, `rules:
- {url: "http://a.example/p", match: exact, access: block}
- {url: "http://a.example/p", access: block}
- {url: "http://a.example/p", match: exact, access: allow}
`).Ranges()
	if want := [][2]string{{"example,a)/p", "example,a)/q"}}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	got = read(t, `rules: [{url: "*", access: block}, {url: "http://a.example/", access: block}]`).Ranges()
	if len(got) != 1 || got[0][1] != "" {
		t.Errorf("%q", got)
	}
}

func TestAges(t *testing.T) {
	for text, want := range map[string]string{
		"6 months": "6 months", "0 years 10000 days": "10000 days",
		"1 year": "1 year", "2 weeks": "14 days", "1 year 2 months 3 days": "1 year 2 months 3 days", "1 days": "1 day",
	} {
		a, err := access.ParseAge(text)
		if err != nil || a.String() != want {
			t.Errorf("%q: %q %v, want %q", text, a, err, want)
		}
	}
	for _, text := range []string{
		"", "6", "months", "6 moons", "6 months 3", "99999 days", "six months", "1.5 years",
		"six months 1 day", "-1 years 2 days", "10001 days",
	} {
		if a, err := access.ParseAge(text); err == nil {
			t.Errorf("%q is read as %q", text, a)
		}
	}
}

func TestOfEqualRulesTheFirstDecides(t *testing.T) {
	set := func(of ...access.Access) *access.Rules {
		var rules []access.Rule
		for _, a := range of {
			rules = append(rules, access.Rule{URL: "http://a.example/", Access: a})
		}
		r, err := access.New(rules)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for name, c := range map[string]struct {
		rules *access.Rules
		want  access.Access
	}{
		"one set":            {set(access.Block, access.Exclude), access.Block},
		"joined with itself": {access.Join(set(access.Block, access.Exclude)), access.Block},
		"the first set":      {access.Join(set(access.Block, access.Exclude), set(access.Exclude)), access.Block},
		"of many":            {access.Join(set(), set(access.Allow), set(access.Exclude, access.Block)), access.Allow},
	} {
		if got := c.rules.For("example,a)/x", "").Decide(20200101000000, time.Now()).Access; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
