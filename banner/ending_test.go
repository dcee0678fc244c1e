package banner

import (
	"bytes"
	"strings"
	"testing"

	"github.com/varve-archive/varve/banner/locale"
)

// An arrow to a version without a page says so, in every language, and has another shape.
func TestArrowsWarn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ends Ending
		en   string
	}{
		{Ending{}, ""},
		{Ending{Kind: KindRedirect}, "redirect"},
		{Ending{Kind: KindRedirect, Home: true}, "redirect to the home page"},
		{Ending{Kind: KindMissing}, "missing"},
		{Ending{Kind: KindMissing, Since: 2017}, "missing since 2017"},
		{Ending{Kind: KindMissing, Soft404: true}, "says “not found”"},
		{Ending{Kind: KindError}, "server error"},
	} {
		for _, lang := range []string{"en", "de", "fa", "ru", "uk", "zh"} {
			texts := locale.For(lang)
			words := test.ends.Words(texts)
			v := smallBanner(lang)
			v.NextVersion = &VersionLink{Href: "/web/2017/x", Time: 20170320073000, Ends: test.ends, Delta: Delta{Added: 0, Deleted: 3, Known: true}}
			var b bytes.Buffer
			if err := Banner(v).Render(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if lang == "en" && words != test.en || (words == "") != (test.en == "") || strings.Contains(words, "{") {
				t.Errorf("%s: %+v is %q", lang, test.ends, words)
			}
			if warns := strings.Contains(b.String(), `class="go next no"`); warns != (test.en != "") || !strings.Contains(b.String(), words) {
				t.Errorf("%s: the banner does not say %q", lang, words)
			}
		}
	}
}
