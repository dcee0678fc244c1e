package rewrite

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

// What a browser loads with a document is told from what it may load, and from what a reader has to follow.
func TestWhatADocumentEmbeds(t *testing.T) {
	for _, tt := range []struct {
		name, page string
		want       string // paths
	}{
		{
			"sheets, scripts, pictures, frames",
			`<link rel=stylesheet href=/a><script src=/b></script><img src=/c><iframe src=/d></iframe>`, "/a /b /c /d",
		},
		{"media and objects", `<video src=/a poster=/b></video><object data=/c></object><embed src=/d><body background=/e>`, "/a /b /c /d /e"},
		{"what a reader follows", `<a href=/a>a</a><form action=/b></form><link rel=canonical href=/c>`, ""},
		{"one of several candidates", `<img src=/a srcset="/b 2x"><picture><source srcset=/c></picture><video><source src=/d></video>`, ""},
		{
			"what may be asked for later",
			`<link rel=preload as=image href=/a><link rel="alternate stylesheet" href=/b><link rel=icon href=/c>`, "",
		},
		{"what is in style sheets and scripts", `<style>p{background:url(/a)}</style><p style="background:url(/b)"><script>f("/c")</script>`, ""},
		{
			"what is not shown",
			`<noscript><link rel=stylesheet href=/d><img src=/a></noscript><template><img src=/b></template><img src=/c>`, "/c",
		},
		{"what is not shown in the body", `<p>x<noscript><img src=/a></noscript><template><img src=/b></template><img src=/c>`, "/c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			o := Options{Base: "http://a.example/", Resolve: func(refs []uses.Ref) []string {
				for _, ref := range refs {
					if ref.Embedded {
						got = append(got, strings.TrimPrefix(ref.URI, "http://a.example"))
					}
				}
				return make([]string, len(refs))
			}}
			if err := HTML(io.Discard, strings.NewReader(tt.page), o); err != nil || !slices.Equal(got, strings.Fields(tt.want)) {
				t.Errorf("%v, %v, want %s", got, err, tt.want)
			}
		})
	}
}
