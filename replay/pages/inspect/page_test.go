package inspect_test

import (
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

const page = "/web/inspect?url=http://mill.example/&at=20150101000000"

// servesOffers serves four versions of a page, with a redirect among them.
func servesOffers(t *testing.T) func(query string) (status int, body string) {
	t.Helper()
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		offers("20140101000000", "flour:10"), offers("20150101000000", "flour:12 bran:8 rye:7"),
		{Date: "20160101000000", URI: "http://mill.example/", Status: 302, Location: "http://elsewhere.example/"},
		offers("20170101000000", "flour:13 bran:8"), offers("20180101000000", "flour:14"),
	}))
	return func(query string) (int, string) {
		w := replaytest.Get(t, s.Handler(), page+query, "Accept", "text/html")
		return w.Code, w.Body.String()
	}
}

// The page leads to the versions around it, to other levels, to data and to settings for later, each with the same question.
func TestThePageLeadsOn(t *testing.T) {
	t.Parallel()
	get := servesOffers(t)
	const template = "- {name: names, css: b, all: true}"
	ask := "&css=.price&name=price&type=number&attribute=title&all=1&clean=[^0-9]&from=2013&to=2019&template=" + url.QueryEscape(template)
	status, body := get(ask)
	link := func(other string) string {
		v, err := url.ParseQuery("url=http://mill.example/&at=20150101000000" + ask + "&" + other)
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range v {
			v[name] = values[len(values)-1:]
		}
		return `"` + html.EscapeString("/web/inspect?"+v.Encode()) + `"`
	}
	for _, want := range []string{
		`rel="prev" href=` + link("at=20140101000000"), `rel="next" href=` + link("at=20170101000000"),
		link("output=csv"), link("output=json"), link("level=content"), link("level=any"),
		`src="/web/still/20150101000000/http://mill.example/"`, `href="/web/20150101000000/http://mill.example/"`,
		"template:\n  fields:\n    - {name: names, css: b, all: true}\n    - {name: price,",
		"fields:\n  - urls: [&#39;http://mill.example/&#39;]\n    fields:\n      - {name: names,",
		`name="from" value="2013"`, `name="to" value="2019"`, `<bdi dir="ltr">names</bdi>`, `<bdi dir="ltr">price</bdi>`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	_, all := get("&name=price&type=number&attribute=title&clean=x&template=" + url.QueryEscape(template))
	if strings.Contains(all, "type=number") || !strings.Contains(all, "output=json") {
		t.Error("settings of a field without a selector are in a link")
	}
	if status != 200 || strings.Contains(body, link("level=text")) {
		t.Errorf("%d, or the level that is shown is a link", status)
	}
	if t.Failed() {
		t.Log(body)
	}
}

// What the field in the form finds is said, with the elements around it. A new selector is tested on other versions.
func TestThePageSaysWhatAFieldFinds(t *testing.T) {
	t.Parallel()
	get := servesOffers(t)
	for query, tt := range map[string]struct {
		status   int
		has, not []string
	}{
		"": {200, []string{`data-element="-1"`, `src="/web/still/20150101000000/http://mill.example/"`}, []string{"<table", "output=csv"}},
		"&css=.price": {200, []string{
			"3 elements", `<bdi dir="ltr">li.offer</bdi></a>`, `<b><bdi dir="ltr">span.price</bdi></b>`, `<bdi dir="ltr">html</bdi></a>`, "<table",
		}, []string{"were tried", `class="rows"`, `data-element="-1"`}},
		"&css=.none":       {200, []string{`data-element="-1"`, "<table"}, []string{"3 elements", "li.offer"}},
		"&css=b[":          {400, []string{`id="wrong"`}, []string{"<table"}},
		"&each=li.offer":   {200, nil, []string{"<table"}},
		"&each=li[&css=b":  {400, []string{`id="wrong"`}, []string{"<table"}},
		"&css=b&each=li":   {200, []string{"each: &#39;li&#39;\n  fields:", "\n    each: &#39;li&#39;\n    fields:", "3 rows, 2 new"}, nil},
		"&css=b&add=1":     {200, []string{"- {name: value, css: b}", `name="css" value=""`}, []string{"elements"}},
		"&css=b&level=any": {200, []string{`name="level" value="any"`}, nil},
		"&css=b&all=1":     {200, []string{"all: true", "<li><bdi>flour</bdi></li><li><bdi>bran</bdi></li><li><bdi>rye</bdi></li>"}, nil},
	} {
		status, body := get(query)
		wrong := status != tt.status
		for _, want := range tt.has {
			wrong = wrong || !strings.Contains(body, want)
		}
		for _, not := range tt.not {
			wrong = wrong || strings.Contains(body, not)
		}
		if wrong {
			t.Errorf("%q: %d\n%s", query, status, body)
		}
	}
}

// Whoever chooses an element gets a selector for it, links to what is around it, and the list that it is in.
func TestThePageOfAChosenElement(t *testing.T) {
	t.Parallel()
	get := servesOffers(t)
	body := ""
	for element := range 20 {
		if _, body = get(fmt.Sprint("&element=", element)); strings.Contains(body, `<b><bdi dir="ltr">span.price</bdi></b>`) {
			break
		}
	}
	for _, want := range []string{"of 3 other", `class="rows" href="/web/inspect?`, "each=li.offer", "<code", `name="name" value="price"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	if t.Failed() {
		t.Log(body)
	}
}
