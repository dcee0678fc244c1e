package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/rewrite/uses"
)

func TestDriftIsTheLargestDifference(t *testing.T) {
	const page = cdx.Timestamp(20150102000000)
	for _, tt := range []struct {
		name  string
		use   uses.Use
		parts []cdx.Timestamp
		far   time.Duration
	}{
		{"no parts", uses.Image, nil, 0},
		{"of the same moment", uses.Image, []cdx.Timestamp{page}, 0},
		{"of the same crawl", uses.Image, []cdx.Timestamp{20150102235959, 20150101000001}, 0},
		{"a day later", uses.Image, []cdx.Timestamp{20150103000000}, 24 * time.Hour},
		{"a day before", uses.Style, []cdx.Timestamp{20150101000000}, -24 * time.Hour},
		{"the larger first", uses.Image, []cdx.Timestamp{20150106000000, 20150101000000}, 96 * time.Hour},
		{"the larger last", uses.Image, []cdx.Timestamp{20150104000000, 20141230000000}, -72 * time.Hour},
		{"before goes not behind a smaller one after", uses.Image, []cdx.Timestamp{20141230000000, 20150104000000}, -72 * time.Hour},
		{"as far after as before: the first", uses.Image, []cdx.Timestamp{20141231000000, 20150104000000}, -48 * time.Hour},
		{"links are no parts", uses.Link, []cdx.Timestamp{20160101000000}, 0},
		{"nor links without a banner", uses.Page, []cdx.Timestamp{20160101000000}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var d drift
			for _, part := range tt.parts {
				d.note(tt.use, page, part)
			}
			if d.far() != tt.far {
				t.Errorf("got %s, want %s", d.far(), tt.far)
			}
		})
	}
}

func TestTargetModifiersReadBack(t *testing.T) {
	for _, use := range []uses.Use{uses.Style, uses.Module} {
		mod := targetMod(use, 20150102030405)
		if got, ts, ok := parseTargetMod(mod); got != use || ts != 20150102030405 || !ok {
			t.Errorf("%s: %v %s %t", mod, got, ts, ok)
		}
	}
	for _, mod := range []string{
		"", "cs_", "$cs.2015", "$cs.20151301000000", "$js.20150102030405", "$cs.201501020304056", "cs.20150102030405",
	} {
		if _, _, ok := parseTargetMod(mod); ok {
			t.Errorf("%q carries a target", mod)
		}
	}
}

func TestAPageToBePlayedInIsBounded(t *testing.T) {
	var page limited
	if n, err := page.Write(make([]byte, 16<<20-1)); n != 16<<20-1 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := page.Write([]byte("a")); n != 1 || err != nil {
		t.Errorf("the last byte: %d, %v", n, err)
	}
	if n, err := page.Write([]byte("a")); n != 0 || err != errTooLarge || page.Len() != 16<<20 {
		t.Errorf("one byte more: %d, %v, %d in all", n, err, page.Len())
	}
}

func TestPoliciesNameTheCollectionOnly(t *testing.T) {
	const base, home, inside = "http://varve.example", "/web/", "http://varve.example/web/ http://varve.example/-/static/"
	still := animationPolicy(base, home, "n0nce")
	for _, p := range []string{policy(base, home), still} {
		for _, directive := range strings.Split(p, "; ") {
			name, sources, _ := strings.Cut(directive, " ")
			icon := name == "img-src" // where browsers look for a page's icon, which leads into the collection
			if sources == "'none'" || sources == "'nonce-n0nce'" || name == "frame-ancestors" {
				continue
			}
			sources, found := strings.CutSuffix(sources, " http://varve.example/favicon.ico")
			if found != icon || !strings.HasSuffix(sources, inside) {
				t.Errorf("%s: %s", name, sources)
			}
		}
		if !strings.Contains(p, "; img-src data: blob: "+inside) {
			t.Errorf("no icon: %s", p)
		}
	}
	if !strings.Contains(still, "script-src 'nonce-n0nce';") || strings.Contains(still, "unsafe-eval") {
		t.Error(still)
	}
}
