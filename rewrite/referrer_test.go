package rewrite

import (
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

// An element that tells the origin tells varve's, so it tells all; one that tells nobody still doesn't.
func TestElementsTellWhoLeadsOn(t *testing.T) {
	for in, want := range map[string]string{
		`<a referrerpolicy="origin" href="#">`:                      `<a referrerpolicy="unsafe-url" href="#">`,
		`<a referrerPolicy=Strict-Origin>`:                          `<a referrerPolicy=unsafe-url>`,
		`<iframe referrerpolicy='strict-origin-when-cross-origin'>`: `<iframe referrerpolicy='unsafe-url'>`,
		`<a referrerpolicy="no-referrer">`:                          `<a referrerpolicy="no-referrer">`,
		`<a referrerpolicy="same-origin">`:                          `<a referrerpolicy="same-origin">`,
		`<a referrerpolicy="">`:                                     `<a referrerpolicy="">`,
		`<a referrerpolicy="other">`:                                `<a referrerpolicy="other">`,
	} {
		for _, tt := range []struct {
			use     uses.Use
			resolve uses.Resolver
			want    string
		}{
			{uses.Page, func(refs []uses.Ref) []string { return slices.Repeat([]string{"/r"}, len(refs)) }, "<img src=/r>" + want},
			{uses.Page, nothing, "<img src=i>" + in},
			{uses.BannerOnly, nothing, "<img src=i>" + in},
		} {
			var b strings.Builder
			o := Options{Base: "http://a.example/", Use: tt.use, Resolve: tt.resolve}
			if err := HTML(&b, strings.NewReader("<img src=i>"+in), o); err != nil || b.String() != tt.want {
				t.Errorf("%s: %s, %v, want %s", in, b.String(), err, tt.want)
			}
		}
	}
}
