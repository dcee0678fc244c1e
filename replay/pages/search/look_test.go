package search

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/internal/testkit/looks"
	"github.com/varve-archive/varve/replay/pages/layout"
)

const (
	uriR    = fixture.URIR
	hostile = fixture.Hostile
	// root is the folder of the module.
	root = "../../.."
)

var (
	uriM, at         = fixture.URIM, fixture.At
	english, persian = locale.For("en"), locale.For("fa")
)

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, root, fixtures) }

func TestHostileTextStaysText(t *testing.T) {
	page := fixture.Page("en")
	page.URIR = hostile
	fixture.Escapes(t, map[string]templ.Component{"search": resultsPage(hostileSearch(page)), "terms": termsPage(hostileTerms(page))})
}

// fixtures are the pages of the search and of the terms, by name.
func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"search": resultsPage(deletedView(lang)), "search-added": resultsPage(addedView(lang)), "search-ask": resultsPage(askView(lang)),
		"search-refused": resultsPage(refusedView(lang)), "search-present": resultsPage(presentView(lang)),
		"search-present-ask": resultsPage(presentAskView(lang)), "search-values": resultsPage(valuesView(lang)),
		"search-present-nothing": resultsPage(presentNothingView(lang)),
		"search-stands":          resultsPage(standsView(lang)), "search-nothing": resultsPage(nothingView(lang)),
		"terms": termsPage(mostTerms(lang)), "terms-none": termsPage(noTermsView(lang)),
	}
}

func deletedResult() shownChange {
	older, newer := fixture.Capture(at(2017, 2, 18, 11, 42)),
		fixture.Capture(at(2017, 3, 20, 7, 30))
	return shownChange{
		Title: "Acid Rain | US EPA", URIR: uriR, Before: &changeSide{older, 4}, After: changeSide{newer, 0},
		Addition: &banner.CaptureLink{Href: uriM(at(2010, 11, 4, 3, 2)), Time: at(2010, 11, 4, 3, 2)},
		Snippets: []shownLine{
			{
				{Op: layout.Deleted, Text: "… causes serious, chronic damage: air "},
				{Op: layout.Deleted, Text: "pollution", Mark: true},
				{Op: layout.Deleted, Text: " and its costs, "},
				{Op: layout.Deleted, Text: "pollution", Mark: true},
				{Op: layout.Deleted, Text: " of lakes …"},
			},
			{
				{Op: layout.Equal, Text: "Acid rain is a form of "},
				{Op: layout.Deleted, Text: "pollution", Mark: true},
				{Op: layout.Added, Text: "precipitation"},
				{Op: layout.Equal, Text: "."},
			},
			{{Op: layout.Added, Text: "This page is being updated."}},
		},
		Diff: "/web/diff/20170218114200/20170320073000/" + uriR, Sliding: "/web/diff?url=x&term=pollution",
		Animate: "/web/animate?url=x&term=pollution",
	}
}

func deletedView(lang string) searchView {
	whole := deletedResult()
	whole.Title, whole.Remark, whole.FromStart, whole.Snippets = "", remarkSoft404, true, whole.Snippets[:1]
	fewer := deletedResult()
	fewer.Change, fewer.After.Count, fewer.Title = textSemiDeleted, 2, "هوای پاک و آلودگی"
	fewer.Snippets = []shownLine{
		{{Op: layout.Deleted, Text: "از "}, {Op: layout.Deleted, Text: "آلودگی", Mark: true}, {Op: layout.Deleted, Text: " هوا"}},
	}
	return searchView{
		Page: askedPage(lang, "pollution"), Q: "pollution", Domain: "epa.gov", From: "2016",
		Filters: []filter{
			{byDomain, "epa.gov", "/web/search?q=pollution&from=2016"},
			{byFrom, "2016", "/web/search?q=pollution&domain=epa.gov"},
		},
		Notices:    []notice{noticeOperators},
		Suggestion: banner.Link{Href: "/web/search?q=pollution", Text: "pollution"},
		Building:   &layout.Progress{Done: 1200, Total: 3456},
		Tabs:       searchTabs(textDeleted),
		Total:      1234, PageNo: 2, First: 21, Prev: "/web/search?q=pollution", Next: "/web/search?q=pollution&page=3",
		Results: []shownChange{deletedResult(), whole, fewer},
		Domains: []choice{
			{"www.epa.gov", "/web/search?q=pollution&domain=www.epa.gov", 1200, false},
			{"epa.gov", "/web/search?q=pollution", 34, true},
		},
		Years: []choice{
			{"2017", "/web/search?q=pollution&from=2017&to=2017", 1000, false},
			{"2018", "/web/search?q=pollution&from=2018&to=2018", 1, false},
		},
	}
}

func searchTabs(current textChange) []tab {
	tabs := []tab{
		{textDeleted, "/web/search?q=pollution", 1234, false},
		{textAdded, "/web/search?q=pollution&change=added", 3, false},
		{textSemiDeleted, "/web/search?q=pollution&change=semi-deleted", 0, false},
	}
	for i := range tabs {
		tabs[i].Current = tabs[i].Change == current
	}
	return tabs
}

func addedView(lang string) searchView {
	v := deletedView(lang)
	first := deletedResult()
	first.Change, first.Before, first.After.Count, first.Remark, first.Addition = textAdded, nil, 3, remarkFirst, &first.After.CaptureLink
	first.Snippets = []shownLine{
		{{Op: layout.Added, Text: "Air "}, {Op: layout.Added, Text: "pollution", Mark: true}, {Op: layout.Added, Text: "."}},
	}
	later := first
	later.Before, later.Remark = &changeSide{
		fixture.Capture(at(2016, 1, 1, 0, 0)),
		0,
	}, remarkNone
	v.Change, v.Tabs, v.Results, v.Filters, v.Notices, v.Building = textAdded, searchTabs(textAdded), []shownChange{first, later}, nil,
		nil, nil
	v.Total, v.PageNo, v.First, v.Prev, v.Next, v.Suggestion, v.Domains = 2, 1, 1, "", "", banner.Link{}, nil
	return v
}

// askedPage is the page of a search, whose box has what was asked.
func askedPage(lang, q string) layout.Page {
	p := fixture.Page(lang)
	p.Asks, p.Asked = true, q
	return p
}

// valuesView shows what templates read, of pages of several collections.
func valuesView(lang string) searchView {
	v := presentView(lang)
	v.Tabs, v.Everywhere, v.CSV = nil, true, "/web/search?q=pollution&output=csv"
	v.JSON = "/web/search?q=pollution&output=json"
	v.Rankings = []choice{{Href: "/web/search?q=pollution"}, {
		Text: "most cited", Href: "/web/search?q=pollution&ranking=most+cited", Active: true,
	}}
	v.Collections = []choice{{"web", "/-/search?q=pollution&collection=web", 1200, false}, {"old", "/-/search?q=pollution", 34, true}}
	v.Columns = []valueColumn{
		{"price", "/web/search?q=pollution&sort=-price", "ascending"}, {"makers", "/web/search?q=pollution&sort=makers", ""},
	}
	for i := range v.Pages {
		v.Pages[i].Values = [][]shownValue{{{Text: "12.5"}}, {
			{Text: "Ada", Href: "/web/2016/http://a.example/ada"},
			{Text: "گریس", Href: "/web/2016/http://a.example/g.png", Picture: "/web/2016im_/http://a.example/g.png"},
		}}
		v.Pages[i].Collection = banner.Link{Href: "/old/", Text: "old"}
	}
	return v
}

func askView(lang string) searchView {
	return searchView{Page: askedPage(lang, ""), URL: uriR, Exact: true, Terms: "/web/terms"}
}

func refusedView(lang string) searchView {
	v := askView(lang)
	v.Q, v.Refused, v.URL, v.URIR = strings.Repeat("x", 300), refusedLong, "", ""
	return v
}

func presentView(lang string) searchView {
	v := searchView{
		Page: askedPage(lang, "pollution"), Q: "pollution", Change: textPresent, From: "2016",
		Hidden: []layout.Hidden{{Name: "mime", Value: "text/html"}},
		Filters: []filter{
			{byFrom, "2016", "/web/search?q=pollution&mime=text/html"},
			{byMIME, "text/html", "/web/search?q=pollution&from=2016"},
		},
		Tabs:  append([]tab{{textPresent, "/web/search?q=pollution&change=present", 1234, true}}, searchTabs(textPresent)...),
		Total: 1234, PageNo: 1, First: 1, Next: "/web/search?q=pollution&page=2",
		Sorts: []choice{
			{Href: "/web/search?q=pollution", Active: true},
			{Text: "newest", Href: "/web/search?q=pollution&sort=newest"},
			{Text: "oldest", Href: "/web/search?q=pollution&sort=oldest"},
		},
		Chart: mostTerms(lang).Years,
		Domains: []choice{
			{"epa.gov", "/web/search?q=pollution&domain=epa.gov", 1000, false},
			{"example.org", "/web/search?q=pollution&domain=example.org", 234, false},
		},
		Types: []choice{
			{"text/html", "/web/search?q=pollution", 1200, true},
			{"application/pdf", "/web/search?q=pollution&mime=application/pdf", 34, false},
		},
		Langs:   []choice{{"en", "/web/search?q=pollution&lang=en", 1100, false}, {"fa", "/web/search?q=pollution&lang=fa", 134, false}},
		WithAll: 12, NoneHas: []string{"tannery"}, Match: &banner.Link{Href: "/web/search?q=pollution&match=all", Text: "all"},
		Address: &banner.Link{Href: "/web/*/http://pollution.example/", Text: "http://pollution.example/"},
	}
	older, newer := fixture.Capture(at(2010, 11, 4, 3, 2)),
		fixture.Capture(at(2017, 2, 18, 11, 42))
	gone := banner.CaptureLink{Href: "/web/diff?url=x&from=20170218114200&to=20170320073000", Time: at(2017, 3, 20, 7, 30)}
	lines := []shownLine{{{Text: "… causes serious damage: air "}, {Text: "pollution", Mark: true}, {Text: " and its costs …"}}}
	v.Pages = []shownPage{
		{Title: "Acid Rain | US EPA", URIR: uriR, Best: newer, First: older, Last: newer, Versions: 14, Gone: &gone, Snippets: lines},
		{URIR: uriR, Best: older, First: older, Last: older, Versions: 1, Still: true, Missing: []string{"air", "acid rain"}},
		{
			Title: "هوای پاک و آلودگی", URIR: uriR, Best: older, First: older, Last: newer, Versions: 2,
			Snippets: []shownLine{{{Text: "از "}, {Text: "آلودگی", Mark: true}, {Text: " هوا"}}},
		},
	}
	return v
}

func presentAskView(lang string) searchView {
	return searchView{Page: askedPage(lang, ""), Change: textPresent, Terms: "/web/terms"}
}

func presentNothingView(lang string) searchView {
	v := presentView(lang)
	v.Q, v.Total, v.Pages, v.Sorts, v.Chart, v.Next = "poluttion", 0, nil, nil, nil, ""
	v.Domains, v.Types, v.Langs, v.Address = nil, nil, nil, nil
	v.Suggestion = banner.Link{Href: "/web/search?q=pollution", Text: "pollution"}
	v.Nothing = &noResults{Why: nothingFilteredPages, Count: 17, Href: "/web/search?q=poluttion"}
	return v
}

func standsView(lang string) searchView {
	v := addedView(lang)
	v.Change, v.Tabs, v.Total, v.Results, v.Years = textDeleted, searchTabs(textDeleted), 0, nil, nil
	v.Nothing = &noResults{
		nothingStands, 17, textAdded, "/web/search?q=pollution&change=added", nil,
		&standing{fixture.Capture(at(2017, 3, 20, 7, 30)), uriR, "Acid Rain"},
	}
	return v
}

func nothingView(lang string) searchView {
	v := standsView(lang)
	v.Nothing = &noResults{Why: nothingNever}
	v.Building = &layout.Progress{Done: 1, Total: 2}
	return v
}

func mostTerms(lang string) termsView {
	v := termsView{
		Page: fixture.Page(lang), Action: "/web/terms", Domain: "epa.gov", JSON: "/web/terms?format=json", CSV: "/web/terms?format=csv",
		Search: "/web/search", Table: "/web/terms/table",
		Filters: []filter{{byDomain, "epa.gov", "/web/terms"}},
		Tabs:    []tab{{textDeleted, "/web/terms", 40321, true}, {textAdded, "/web/terms?change=added", 51, false}},
	}
	v.URIR = ""
	for y := 1997; y <= 2025; y++ {
		ts := at(y, 1, 1, 0, 0).String()[:4]
		v.Years = append(v.Years, choice{ts, "/web/terms?from=" + ts + "&to=" + ts, (y*y*7919)%4000 - 800*(y%3), y == 2017})
	}
	for i := range v.Years {
		v.Years[i].Count = max(v.Years[i].Count, 0)
	}
	for i, s := range []string{"pollution", "climate", "acidification", "آلودگی", "空气", "<b>"} {
		k := shownTerm{Text: s, Href: "/web/search?q=" + s, Times: 4000 - 700*i, Changes: 300 - 40*i}
		for j := range v.Years {
			k.ByYear = append(k.ByYear, (j*j*(i+3))%17*((j+i)%3)/2)
		}
		v.Terms = append(v.Terms, k)
	}
	words := []banner.Link{
		{Href: "/web/search?q=climate&domain=www.epa.gov", Text: "climate"},
		{Href: "/web/search?q=acid&domain=www.epa.gov", Text: "acid"},
	}
	v.Domains = []shownDomain{
		{choice{"www.epa.gov", "/web/terms?domain=www.epa.gov", 39000, false}, words},
		{choice{"epa.gov", "/web/terms", 1321, true}, words[:1]},
	}
	return v
}

func noTermsView(lang string) termsView {
	v := mostTerms(lang)
	v.Change, v.Terms, v.From, v.Filters = textAdded, nil, "1901", []filter{{byFrom, "1901", "/web/terms"}}
	return v
}

func TestLifespansAreWrittenOut(t *testing.T) {
	for _, c := range []struct {
		tag      string
		from, to cdx.Timestamp
		want     string
	}{
		{"en", 20101104030200, 20170320073000, "6 years, 4 months"},
		{"en", 20101104030200, 20111104030200, "1 year"},
		{"en", 20101104030200, 20111104030159, "11 months, 30 days"},
		{"en", 20100131000000, 20100228000000, "28 days"},
		{"en", 20100131000000, 20100304000000, "1 month, 1 day"},
		{"en", 20101104030200, 20101105030159, "less than a day"},
		{"en", 20101104030200, 20101104030200, "less than a day"},
		{"en", 20120229000000, 20130301000000, "1 year"},
		{"uk", 20101104030200, 20170320073000, "6 років, 4 місяці"},
		{"uk", 20101104030200, 20111204030200, "1 рік, 1 місяць"},
		{"ru", 20101104030200, 20150930073000, "4 года, 10 месяцев"},
		{"de", 20101104030200, 20111204030200, "1 Jahr, 1 Monat"},
		{"fa", 20101104030200, 20170320073000, "۶ سال و ۴ ماه"},
		{"zh", 20101104030200, 20170320073000, "6 年 4 个月"},
	} {
		if got := lifespan(locale.For(c.tag), c.from, c.to); got != c.want {
			t.Errorf("%s: from %d to %d is %q, want %q", c.tag, c.from, c.to, got, c.want)
		}
	}
}

func TestMomentsTellTheLifeOfTheText(t *testing.T) {
	deleted, semi, added := deletedResult(), deletedResult(), deletedResult()
	semi.Change, semi.After.Count = textSemiDeleted, 2
	added.Change, added.Before.Count, added.After.Count = textAdded, 0, 1
	first, unknown := added, deleted
	first.Before, unknown.Addition = nil, nil
	for _, c := range []struct {
		name   string
		result shownChange
		want   string
		stood  string
	}{
		{
			"a deletion", deleted, "First there 20101104030200 ; Last there 20170218114200 4 times; Gone 20170320073000 0 times",
			"There for 6 years, 4 months.",
		},
		{"a partial one still stands", semi, "First there 20101104030200 ; Before 20170218114200 4 times; After 20170320073000 2 times", ""},
		{"an addition", added, "Not there 20170218114200 0 times; There 20170320073000 1 time", ""},
		{"the first version", first, "Not there  nothing archived; There 20170320073000 1 time", ""},
		{"an addition that is not known", unknown, "Last there 20170218114200 4 times; Gone 20170320073000 0 times", ""},
	} {
		var got []string
		for _, m := range c.result.moments(english) {
			got = append(got, strings.Join([]string{m.label, layout.StampOf(m.capture.Time), m.times}, " "))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s is told as %q, want %q", c.name, s, c.want)
		}
		if s := c.result.timeThere(english); s != c.stood {
			t.Errorf("%s: %q, want %q", c.name, s, c.stood)
		}
	}
}

func TestSnippetsMarkWordsInsideWhatBecameOfThem(t *testing.T) {
	for _, c := range []struct {
		name    string
		snippet shownLine
		want    string
	}{
		{
			"a line that went",
			shownLine{{Op: layout.Deleted, Text: "air "}, {Op: layout.Deleted, Text: "pollution", Mark: true}, {Op: layout.Deleted, Text: "."}},
			`<p class="gone" dir="auto"><span class="sign">−</span> <del>air <mark>pollution</mark>.</del></p>`,
		},
		{
			"a line that came",
			shownLine{{Op: layout.Added, Text: "air", Mark: true}},
			`<p class="new" dir="auto"><span class="sign">+</span> <ins><mark>air</mark></ins></p>`,
		},
		{
			"a line that changed",
			shownLine{{Op: layout.Equal, Text: "no "}, {Op: layout.Deleted, Text: "air", Mark: true}, {Op: layout.Added, Text: "rain", Mark: true}},
			`<p class="" dir="auto">no <del><mark>air</mark></del><ins><mark>rain</mark></ins></p>`,
		},
		{"a line that stayed", shownLine{{Op: layout.Equal, Text: "air", Mark: true}}, `<p class="" dir="auto"><mark>air</mark></p>`},
		{"no text", nil, `<p class="" dir="auto"></p>`},
	} {
		if got := looks.Render(t, lineOf(c.snippet)); got != c.want {
			t.Errorf("%s is\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

func TestNothingFoundSaysWhyAndWhere(t *testing.T) {
	for _, c := range []struct {
		nothing noResults
		want    string
	}{
		{noResults{Why: nothingNever}, english.Find.Never},
		{noResults{Why: nothingYet}, english.Find.Yet},
		{noResults{Why: nothingFiltered, Count: 1, Href: "/x"}, "without them there is 1 change."},
		{noResults{Why: nothingFiltered, Count: 2, Href: "/x"}, english.Find.LiftAll},
		{noResults{Why: nothingStands, Count: 17, Other: textAdded, Href: "/x"}, "the newest versions of 17 pages still have it"},
		{noResults{Why: nothingStands, Count: 1, Other: textAdded, Href: "/x"}, english.Find.SeeAdded},
		{noResults{Why: nothingPartly, Count: 3, Other: textSemiDeleted, Href: "/x"}, english.Find.SeeFewer},
		{noResults{Why: nothingKind, Count: 3, Other: textDeleted, Href: "/x"}, "deleted in 3 changes"},
		{noResults{Why: nothingApart, Parts: []banner.Link{{Href: "/x", Text: "acid"}}}, "<bdi>acid</bdi>"},
		{noResults{Why: nothingPage, Href: "/x"}, english.Find.FirstPage},
	} {
		v := standsView("en")
		v.Nothing = &c.nothing
		got := looks.Render(t, resultsPage(v))
		if !strings.Contains(got, c.want) {
			t.Errorf("%+v does not say %q", c.nothing, c.want)
		}
		if leads := strings.Contains(got, `href="/x"`); leads != (c.nothing.Why != nothingNever && c.nothing.Why != nothingYet) {
			t.Errorf("%+v: the page leads there: %v", c.nothing, leads)
		}
	}
}

func hostileSearch(page layout.Page) searchView {
	v := deletedView("en")
	v.Page, v.Asks, v.Asked = page, true, hostile
	v.Q, v.URL, v.Domain, v.From, v.To = hostile, hostile, hostile, hostile, hostile
	v.Filters, v.Suggestion = []filter{{byURL, hostile, hostile}}, banner.Link{Href: hostile, Text: hostile}
	v.Results[0].Title, v.Results[0].URIR, v.Results[0].Diff, v.Results[0].Snippets[0][1].Text = hostile, hostile, hostile, hostile
	v.Domains[0] = choice{hostile, hostile, 1, false}
	v.Nothing = nil
	return v
}

func hostileTerms(page layout.Page) termsView {
	v := mostTerms("en")
	v.Page, v.Domain, v.From, v.To, v.JSON, v.Action = page, hostile, hostile, hostile, hostile, hostile
	v.Terms[0].Text, v.Terms[0].Href, v.Years[0].Text, v.Years[0].Href = hostile, hostile, hostile, hostile
	v.Domains[0].Text, v.Domains[0].Terms[0] = hostile, banner.Link{Href: hostile, Text: hostile}
	return v
}

// Each filter has a name of its own, and limits of time one for pages and one for changes.
func TestFiltersAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for by := byURL; by <= byLang; by++ {
		name := by.words(english, textDeleted)
		if name == "" || seen[name] {
			t.Errorf("filter %d is called %q", by, name)
		}
		seen[name] = true
		if inPages := by.words(english, textPresent); (inPages != name) != (by == byFrom || by == byTo) || inPages == "" {
			t.Errorf("filter %d is called %q of changes and %q of pages", by, name, inPages)
		}
	}
}

func TestHowFarASearchIsBuilt(t *testing.T) {
	const last = "the latest captures may be missing"
	for p, want := range map[layout.Progress]string{{Done: 3, Total: 4}: "3", {Done: 4, Total: 4}: last, {Done: 5, Total: 4}: last} {
		if got := built(english, &p); !strings.Contains(got, want) {
			t.Errorf("%d of %d: %s", p.Done, p.Total, got)
		}
	}
}
