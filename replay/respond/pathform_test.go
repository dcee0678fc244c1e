package respond

import (
	"net/http"
	"testing"
)

// Each kind of path with a URI-R has a form with parameters too, for the same question.
func TestParsePathWithParameters(t *testing.T) {
	const of = "?url=http%3A%2F%2Fe.org%2F%3Fa"
	for _, tt := range []struct {
		target string
		want   Path // without Params
	}{
		{"/web/changes" + of, Path{Kind: Changes, URIR: "http://e.org/?a"}},
		{"/web/changes" + of + "&at=2014", Path{Kind: Changes, URIR: "http://e.org/?a"}},
		{"/web/diff" + of, Path{Kind: SlidingDiff, URIR: "http://e.org/?a"}},
		{"/web/diff" + of + "&at=2014", Path{Kind: SlidingDiff, URIR: "http://e.org/?a"}},
		{"/web/diff" + of + "&from=2014", Path{Kind: Diff, From: "2014", URIR: "http://e.org/?a"}},
		{"/web/diff" + of + "&to=2015", Path{Kind: Diff, To: "2015", URIR: "http://e.org/?a"}},
		{"/web/animate" + of + "&from=2014&to=2015", Path{Kind: Animate, From: "2014", To: "2015", URIR: "http://e.org/?a"}},
		{"/web/landing" + of + "&at=2014", Path{Kind: Landing, From: "2014", URIR: "http://e.org/?a"}},
		{"/web/similar" + of + "&at=2014", Path{Kind: Similar, From: "2014", URIR: "http://e.org/?a"}},
		{"/web/inspect" + of + "&at=2014", Path{Kind: Inspect, From: "2014", URIR: "http://e.org/?a"}},
		{"/web/still" + of + "&at=2014", Path{Kind: Still, From: "2014", URIR: "http://e.org/?a"}},
		{"/web/thumb" + of + "&at=2014", Path{Kind: Thumb, From: "2014", URIR: "http://e.org/?a"}},
		{"/web/?a", Path{Kind: Collection}},
		{"/web/similar/2014/http://e.org/?a", Path{Kind: Similar, From: "2014", URIR: "http://e.org/?a"}},
		{"/web/timemap" + of + "&format=json", Path{Kind: TimeMap, Format: "json", Page: 1, URIR: "http://e.org/?a"}},
		{"/web/terms?url=e.org&from=2014", Path{Kind: Terms}},
		{"/web/terms/table?terms=a&at=2014", Path{Kind: TermTable}},
		{"/web/duplicates?across=1", Path{Kind: Duplicates}},
		{"/web/suggest?q=riv", Path{Kind: Suggest}},
		{"/web/feed?url=http://example.org/", Path{Kind: Feed}},
		{"/web/monitor?since=7d", Path{Kind: Monitor}},
		{"/web/thumb/2014/http://example.org/", Path{Kind: Thumb, From: "2014", URIR: "http://example.org/"}},
		{"/web/20140101000000/info?url=http://example.org/", Path{Kind: Info, From: "20140101000000", URIR: "http://example.org/"}},
		{"/web/2014/info", Path{Kind: Info, From: "2014"}},
		{"/web/2014/information.example/", Path{Kind: Memento, From: "2014", URIR: "http://information.example/"}},
		{"/web/feed.example/", Path{Kind: TimeGate, URIR: "http://feed.example/"}},
		{"/web/opensearch.xml", Path{Kind: OpenSearch}},
		{"/web/opensearch.xml?a", Path{Kind: OpenSearch}},
		{"/web/search?url=e.org&from=2014", Path{Kind: Search}},
		{"/web/cdx?url=e.org&from=2014", Path{Kind: CDX}},
		{"/web/changes", Path{Kind: Changes}},

		{"/web/animate/2014/2015/http://e.org/", Path{Kind: Animate, From: "2014", To: "2015", URIR: "http://e.org/"}},
		{"/web/animate/2014/http://e.org/", Path{Kind: Animate, URIR: ""}},
		{"/web/landing/http://e.org/", Path{Kind: Landing, URIR: "http://e.org/"}},
		{"/web/inspect/http://e.org/", Path{Kind: Inspect, URIR: "http://e.org/"}},
		{"/web/still/2014", Path{Kind: Still}},
		{"/web/diff/2014/2015.org/", Path{Kind: SlidingDiff}},
		{"/web/search/x.org", Path{Kind: TimeGate}},
		{"/web/terms/x.org", Path{Kind: TimeGate}},
		{"/web/20140101000000999/http://e.org/", Path{Kind: TimeGate}},
		{"/web/2014-2015*/http://e.org/", Path{Kind: Calendar, From: "2014", URIR: "http://e.org/"}},
		{"/web/*2015/http://e.org/", Path{Kind: Calendar, From: "2015", URIR: "http://e.org/"}},
		{"/web/*/*", Path{Kind: PrefixList, URIR: "*"}},
	} {
		got := ParsePath(tt.target)
		tt.want.Coll, got.Params = "web", nil
		if got.Kind != tt.want.Kind || got.URIR != tt.want.URIR || got.From != tt.want.From || got.To != tt.want.To ||
			got.Format != tt.want.Format || got.Page != tt.want.Page || got.Coll != tt.want.Coll {
			t.Errorf("%s\n got %+v\nwant %+v", tt.target, got, tt.want)
		}
	}
}

// A client of a proxy, or one that takes this server for a proxy, sends a whole address (RFC 9112 §3.2.2).
func TestParsePathInAbsoluteForm(t *testing.T) {
	for _, tt := range []struct {
		target string
		kind   Kind
		uriR   string
	}{
		{"http://varve.example/web/http://e.org/", TimeGate, "http://e.org/"},
		{"https://varve.example/web/", Collection, ""},
		{"http://varve.example", NoPath, ""},
		{"://varve.example/web/", NoPath, ""},
		{"web/http://e.org/", NoPath, ""},
	} {
		if p := ParsePath(tt.target); p.Kind != tt.kind || p.URIR != tt.uriR {
			t.Errorf("%s: got %+v", tt.target, p)
		}
	}
}

func TestMethodsOfKinds(t *testing.T) {
	for k := NoPath; k <= OpenSearch; k++ {
		want := "GET, HEAD, OPTIONS"
		if k == TimeGate || k == Memento {
			want = "GET, HEAD, POST, PUT, OPTIONS"
		} else if k == TermTable {
			want = "GET, HEAD, POST, OPTIONS"
		}
		if got := k.Methods(); got != want {
			t.Errorf("%d: %s", k, got)
		}
		f := AsFailure(NoMethod(&http.Request{Method: "DELETE"}, k))
		if f.Status != http.StatusMethodNotAllowed || f.Header.Get("Allow") != want {
			t.Errorf("%d: %d, Allow: %s", k, f.Status, f.Header.Get("Allow"))
		}
	}
}

// Every kind has a name of its own, by which requests are counted.
func TestKindsHaveNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for k := range kinds {
		if k.String() == "" || seen[k.String()] {
			t.Errorf("kind %d is called %q", k, k)
		}
		seen[k.String()] = true
	}
	if TimeGate.String() != "timegate" || Visual.String() != "visual" || PrefixList.String() != "addresses" {
		t.Error("names are of other kinds")
	}
}
