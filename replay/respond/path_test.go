package respond

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
)

func TestParsePath(t *testing.T) {
	for _, c := range []struct {
		target string
		want   Path
	}{
		{"/", Path{Kind: Home}},
		{"/?url=x", Path{Kind: Home, Params: url.Values{"url": {"x"}}}},
		{"/-/healthz", Path{Kind: Internal, Internal: "healthz"}},
		{"/-/static/a.css?v=1", Path{Kind: Internal, Internal: "static/a.css", Params: url.Values{"v": {"1"}}}},
		{"/wayback/available?url=e.org", Path{Kind: Internal, Internal: "available", Params: url.Values{"url": {"e.org"}}}},
		{"/cdx/search/cdx?url=e.org", Path{Kind: Internal, Internal: "cdx", Params: url.Values{"url": {"e.org"}}}},
		{"/cdx/search/xd?url=e.org", Path{Kind: Internal, Internal: "cdx", Params: url.Values{"url": {"e.org"}}}},
		{"/cdx/search.org/cdx", Path{Kind: TimeGate, Coll: "cdx", URIR: "http://search.org/cdx"}},
		{"/collinfo.json", Path{Kind: Internal, Internal: "collinfo.json"}},
		{"/wayback/available.org/", Path{Kind: TimeGate, Coll: "wayback", URIR: "http://available.org/"}},
		{"/web", Path{Kind: Collection, Coll: "web"}},
		{"/web/", Path{Kind: Collection, Coll: "web"}},
		{"/web?url=http://e.org/", Path{Kind: Collection, Coll: "web", Params: url.Values{"url": {"http://e.org/"}}}},
		{"/Web/", Path{}},
		{"/.x/", Path{}},
		{"/web/http://example.org/a?b=c", Path{Kind: TimeGate, Coll: "web", URIR: "http://example.org/a?b=c"}},
		{"/web/http:/example.org/", Path{Kind: TimeGate, Coll: "web", URIR: "http://example.org/"}},
		{"/web/https%3A//example.org/", Path{Kind: TimeGate, Coll: "web", URIR: "https://example.org/"}},
		{"/web/http%3A%2F%2Fexample.org/%2F", Path{Kind: TimeGate, Coll: "web", URIR: "http://example.org/%2F"}},
		{"/web/http://example.org/?u=http%3A%2F%2Fx", Path{Kind: TimeGate, Coll: "web", URIR: "http://example.org/?u=http%3A%2F%2Fx"}},
		{"/web///example.org/", Path{Kind: TimeGate, Coll: "web", URIR: "http://example.org/"}},
		{"/web/example.org", Path{Kind: TimeGate, Coll: "web", URIR: "http://example.org"}},
		{"/web/localhost:8080/x", Path{Kind: TimeGate, Coll: "web", URIR: "http://localhost:8080/x"}},
		{"/web/other?a=b", Path{Kind: TimeGate, Coll: "web"}},
		{"/web/localhost/x", Path{Kind: TimeGate, Coll: "web"}},
		{"/web/urn:isbn:1", Path{Kind: TimeGate, Coll: "web", URIR: "urn:isbn:1"}},
		{"/web/20130102.org/1", Path{Kind: TimeGate, Coll: "web", URIR: "http://20130102.org/1"}},
		{"/web/20130102/1.com", Path{Kind: Memento, Coll: "web", From: "20130102", URIR: "http://1.com"}},
		{"/web/2014/http://e.org/", Path{Kind: Memento, Coll: "web", From: "2014", URIR: "http://e.org/"}},
		{
			"/web/20140101000000id_/http://e.org/?a//b",
			Path{Kind: Memento, Coll: "web", From: "20140101000000", Mod: "id_", URIR: "http://e.org/?a//b"},
		},
		{"/web/20140101000000$br:x/http://e.org/", Path{Kind: Memento, Coll: "web", From: "20140101000000", Mod: "$br:x", URIR: "http://e.org/"}},
		{"/web/id_/http://e.org/", Path{Kind: TimeGate, Coll: "web", Mod: "id_", URIR: "http://e.org/"}},
		{"/web/timemap/link/http://e.org/", Path{Kind: TimeMap, Coll: "web", Format: "link", Page: 1, URIR: "http://e.org/"}},
		{"/web/timemap/json/3/http://e.org/", Path{Kind: TimeMap, Coll: "web", Format: "json", Page: 3, URIR: "http://e.org/"}},
		{"/web/timemap.org/", Path{Kind: TimeGate, Coll: "web", URIR: "http://timemap.org/"}},
		{"/web/cdx?url=e.org&limit=2", Path{Kind: CDX, Coll: "web", Params: url.Values{"url": {"e.org"}, "limit": {"2"}}}},
		{"/web/cdx", Path{Kind: CDX, Coll: "web"}},
		{"/web/changes/http://e.org/?level=text", Path{Kind: Changes, Coll: "web", URIR: "http://e.org/?level=text"}},
		{
			"/web/changes?url=http%3A%2F%2Fe.org%2F&level=text",
			Path{Kind: Changes, Coll: "web", URIR: "http://e.org/", Params: url.Values{"url": {"http://e.org/"}, "level": {"text"}}},
		},
		{"/web/diff/2014/2015/http://e.org/", Path{Kind: Diff, Coll: "web", From: "2014", To: "2015", URIR: "http://e.org/"}},
		{"/web/diff/http://e.org/", Path{Kind: SlidingDiff, Coll: "web", URIR: "http://e.org/"}},
		{
			"/web/diff?url=e.org&from=2014&to=2015",
			Path{
				Kind: Diff, Coll: "web", From: "2014", To: "2015", URIR: "http://e.org",
				Params: url.Values{"url": {"e.org"}, "from": {"2014"}, "to": {"2015"}},
			},
		},
		{"/web/landing/20140101000000/http://e.org/", Path{Kind: Landing, Coll: "web", From: "20140101000000", URIR: "http://e.org/"}},
		{"/web/inspect/20140101000000/http://e.org/?a=1", Path{Kind: Inspect, Coll: "web", From: "20140101000000", URIR: "http://e.org/?a=1"}},
		{"/web/still/20140101000000/http://e.org/", Path{Kind: Still, Coll: "web", From: "20140101000000", URIR: "http://e.org/"}},
		{"/web/*/http://e.org/", Path{Kind: Calendar, Coll: "web", URIR: "http://e.org/"}},
		{"/web/%2A/http://e.org/", Path{Kind: Calendar, Coll: "web", URIR: "http://e.org/"}},
		{"/web/2014*/http://e.org/", Path{Kind: Calendar, Coll: "web", From: "2014", URIR: "http://e.org/"}},
		{"/web/*/http://e.org/a/*", Path{Kind: PrefixList, Coll: "web", URIR: "http://e.org/a/*"}},
		{"/web/*/http://e.org/caf\xe9*", Path{Kind: PrefixList, Coll: "web", URIR: "http://e.org/caf%E9*"}},
		{"/web/*/*.e.org", Path{Kind: PrefixList, Coll: "web", URIR: "*.e.org"}},
		{"/web/*?url=http%3A%2F%2Fe.org%2Fa%3Fb", Path{Kind: Calendar, Coll: "web", URIR: "http://e.org/a?b"}},
		{"/web/*?url=e.org&matchType=exact&from=2010", Path{Kind: Calendar, Coll: "web", URIR: "http://e.org"}},
		{"/web/*?url=http://e.org/a&matchType=prefix", Path{Kind: PrefixList, Coll: "web", URIR: "http://e.org/a*"}},
		{"/web/*?url=e.org/a&matchType=host", Path{Kind: PrefixList, Coll: "web", URIR: "e.org/*"}},
		{"/web/*?url=http://e.org/a&matchType=domain", Path{Kind: PrefixList, Coll: "web", URIR: "*.e.org"}},
		{"/web/*?url=*.e.org&matchType=domain", Path{Kind: PrefixList, Coll: "web", URIR: "*.e.org"}},
		{"/web/*?matchType=prefix", Path{Kind: Calendar, Coll: "web"}},
		{"http://localhost:8080/web/http://e.org/", Path{Kind: TimeGate, Coll: "web", URIR: "http://e.org/"}},
		{"/web/search?q=a", Path{Kind: Search, Coll: "web", Params: url.Values{"q": {"a"}}}},
		{"*", Path{}},
	} {
		got := ParsePath(c.target)
		if len(got.Params) == 0 {
			got.Params = nil
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s\n got %+v\nwant %+v", c.target, got, c.want)
		}
	}
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{
		"/web/2014id_/http://e.org/", "/web/timemap/link/2/e.org", "/web/http%3A%2F%2F%2f", "/-/x", "http://a",
		"/web/diff/1/2/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, target string) {
		p := ParsePath(target)
		if p.Kind != Memento {
			return
		}
		again := ParsePath("/" + p.Coll + "/" + p.From + p.Mod + "/" + p.URIR)
		if again.URIR != p.URIR && !strings.HasPrefix(p.URIR, " ") || again.From != p.From {
			t.Errorf("%q reads back as %+v, was %+v", target, again, p)
		}
	})
}
