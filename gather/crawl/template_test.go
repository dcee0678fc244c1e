package crawl

import (
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/cdx/surt"
)

// A template is for the pages that a crawl is confined to, and no others.
func TestTemplatesAreForTheScope(t *testing.T) {
	for _, tt := range []struct {
		seed   string
		scope  Scope
		widens []string
		in     []string
		out    []string
	}{
		{"http://shop.example/items/1", ScopePage, []string{"https://shop.example/item/one"}, []string{
			"http://shop.example/items/1", "https://www.shop.example/items/1", "http://shop.example/item/one",
		}, []string{"http://shop.example/items/12", "http://shop.example/"}},
		{"http://shop.example/items/1", ScopePrefix, nil, []string{
			"http://shop.example/items/2?a=b", "https://www.shop.example/items/",
		}, []string{
			"http://shop.example/", "http://shop.example/itemsx", "http://a.shop.example/items/1",
		}},
		{"http://www.shop.example/", ScopeHost, []string{"http://other.example/x"}, []string{
			"http://shop.example/", "http://www.shop.example/a/b", "http://other.example/y",
		}, []string{"http://a.shop.example/", "http://shop.example.org/", "http://shop.example:8080/"}},
		{"http://127.0.0.1:8080/", ScopeHost, nil, []string{"http://127.0.0.1:8080/a"}, []string{
			"http://127.0.0.1/a", "http://127.0.0.1:80801/a",
		}},
		{"http://[::1]:8080/a/", ScopePrefix, nil, []string{"http://[::1]:8080/a/b"}, []string{"http://[::1]:8080/b"}},
		{"http://shop.example/", ScopeDomain, nil, []string{"http://a.shop.example/x", "http://shop.example/"}, []string{
			"http://workshop.example/",
		}},
		{"http://shop.example:8080/", ScopeDomain, nil, []string{"http://shop.example:8080/x"}, []string{"http://workshop.example:8080/"}},
		{"http://shop.example/", ScopeAny, nil, []string{"http://elsewhere.example/"}, nil},
	} {
		s := Defaults()
		s.Name, s.Seeds, s.Scope = "test", []string{tt.seed}, tt.scope
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		at := newScope(&s)
		for _, address := range tt.widens {
			at.widen(address)
		}
		patterns := at.patterns(tt.widens)
		set, err := fields.NewSet([]fields.Rule{{URLs: patterns, Fields: []fields.Field{{Name: "a", CSS: "a"}}}})
		if err != nil {
			t.Errorf("%s of %s: %q: %v", tt.scope, tt.seed, patterns, err)
			continue
		}
		for want, list := range map[bool][]string{true: tt.in, false: tt.out} {
			for _, url := range list {
				if found, _ := set.For(surt.Of(url)); (found != nil) != want {
					t.Errorf("%s of %s: %s is in it: %t (%q)", tt.scope, tt.seed, url, !want, patterns)
				}
			}
		}
	}
}
