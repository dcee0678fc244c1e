package searches

import (
	"net/url"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/search/history"
)

// The search tells headings from other text, and both from what is around them.
func TestKindsOfBlocks(t *testing.T) {
	got := searchText(&visible.Text{Blocks: []visible.Block{
		{Region: visible.Main},
		{Region: visible.Main, Heading: 1},
		{Region: visible.Main, Heading: 6},
		{Region: visible.Nav},
		{Region: visible.Aside, Heading: 2},
		{Region: visible.Title},
	}}).Kinds
	want := []history.Kind{history.Body, history.Heading, history.Heading, history.Furniture, history.Furniture, history.Body}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Pages of a host share what is known of their references, but not of those that mean something else on each.
func TestReferencesLeadWhereEachPageSays(t *testing.T) {
	known := targets{}
	for range 2 { // the second time from what is known
		for _, tt := range []struct{ page, href, want string }{
			{"http://a.example/stones/list", "quarry", "example,a)/stones/quarry"},
			{"http://a.example/fields/list", "quarry", "example,a)/fields/quarry"},
			{"http://a.example/stones/list", "/quarry", "example,a)/quarry"},
			{"http://a.example/fields/list", "/quarry#top", "example,a)/quarry"},
			{"http://b.example/", "/quarry", "example,b)/quarry"},
			{"https://b.example/", "//c.example/", "example,c)/"},
			{"http://b.example/", "http://a.example/quarry", "example,a)/quarry"},
			{"http://b.example/", "ftp://a.example/quarry", ""},
			{"http://b.example/", "mailto:a@a.example", ""},
			{"http://b.example/", "http://%zz/", ""},
		} {
			base, err := url.Parse(tt.page)
			if err != nil {
				t.Fatal(err)
			}
			if got := known.of(base, tt.href); got != tt.want {
				t.Errorf("%s on %s leads to %q, want %q", tt.href, tt.page, got, tt.want)
			}
		}
	}
	if len(known) != 7 {
		t.Errorf("%d references are known: %v", len(known), known)
	}
}
