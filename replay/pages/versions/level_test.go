package versions_test

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/versions"
	"github.com/varve-archive/varve/replay/respond"
)

// Links keep the level that a reader has chosen; those at the default level are short.
func TestLinksKeepTheLevel(t *testing.T) {
	uris := memento.URIs{Coll: "web"}
	for asked, want := range map[string][]string{
		"":        {"/web/*/http://a.example/?b", "/web/diff/http://a.example/?b", "/web/diff/20150101000000/20160101000000/http://a.example/?b"},
		"content": {"/web/*/http://a.example/?b", "/web/diff/http://a.example/?b", "/web/diff/20150101000000/20160101000000/http://a.example/?b"},
		"text": {
			"/web/?level=text&url=http%3A%2F%2Fa.example%2F%3Fb", "/web/diff?level=text&url=http%3A%2F%2Fa.example%2F%3Fb",
			"/web/diff?from=20150101000000&level=text&to=20160101000000&url=http%3A%2F%2Fa.example%2F%3Fb",
		},
	} {
		level, err := versions.LevelIn(respond.Path{Params: url.Values{"level": {asked}}})
		if err != nil {
			t.Fatal(err)
		}
		const uriR = "http://a.example/?b"
		got := []string{
			versions.CalendarAt(level, uris, uriR), versions.SliderAt(level, uris, uriR),
			versions.DiffAt(level, uris, 20150101000000, 20160101000000, uriR),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", asked, diff)
		}
	}
	if level, err := versions.LevelIn(respond.Path{Params: url.Values{"level": {"pixels"}}}); respond.AsFailure(err).Status != 400 {
		t.Errorf("%s, %v", level, err)
	}
}
