package rewrite

import (
	"strings"
	"testing"
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
		for use, want := range map[Use]string{Page: want, BannerOnly: in} {
			var b strings.Builder
			o := Options{Base: "http://a.example/", Use: use, Resolve: func(refs []Ref) []string { return make([]string, len(refs)) }}
			if err := HTML(&b, strings.NewReader(in), o); err != nil || b.String() != want {
				t.Errorf("%s: %s, %v, want %s", in, b.String(), err, want)
			}
		}
	}
}
