package sketch

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/visible"
)

// A picture is replaced if its place shows another one. Names and digests say which pictures are the same.
func TestReplaced(t *testing.T) {
	shown := func(page, digests string) (all []Shown) {
		for _, p := range strings.Fields(page) {
			if name, picture := strings.CutPrefix(p, "!"); picture {
				page = strings.Replace(page, p, "<img src="+name+">", 1)
			} else {
				page = strings.Replace(page, p, "<p>The "+p+" was drawn by its keeper, who knew it well.</p>", 1)
			}
		}
		text := new(visible.Extractor).Extract([]byte("<main>"+page+"</main>"), "text/html")
		s := Of(&text)
		known := strings.Fields(digests)
		for i := range s.Pictures {
			one := Shown{Picture: &s.Pictures[i]}
			if i < len(known) && known[i] != "-" {
				one.Digest = known[i]
			}
			all = append(all, one)
		}
		return all
	}
	for _, tt := range []struct{ name, older, newer, was, is, want string }{
		{"another picture", "mill !/a.jpg", "mill !/b.jpg", "1", "2", "/a.jpg>/b.jpg"},
		{"whose content is unknown", "mill !/a.jpg", "mill !/b.jpg", "", "", "/a.jpg>/b.jpg"},
		{"the same", "mill !/a.jpg", "mill !/a.jpg", "1", "1", ""},
		{"another under its address", "mill !/a.jpg", "mill !/a.jpg", "1", "2", "/a.jpg>/a.jpg"},
		{"the same, of which one is unknown", "mill !/a.jpg", "mill !/a.jpg", "1", "-", ""},
		{"another size of it", "mill !/a.jpg", "mill !/s/a-300x200.jpg", "1", "2", ""},
		{"another query", "mill !/a.jpg?v=1", "mill !/a.jpg?v=2", "1", "2", "/a.jpg?v=1>/a.jpg?v=2"},
		{"the same under another name", "mill !/a.jpg", "mill !/b.jpg", "1", "1", ""},
		{"added", "mill weir", "mill !/a.jpg weir", "", "1", ""},
		{"removed", "mill !/a.jpg", "mill", "1", "", ""},
		{"moved", "mill !/a.jpg weir", "mill weir !/a.jpg", "1", "1", ""},
		{"moved to where another was", "mill !/a.jpg weir !/b.jpg", "mill !/b.jpg weir", "1 2", "2", ""},
		{"before the text", "!/a.jpg mill", "!/b.jpg mill", "1", "2", "/a.jpg>/b.jpg"},
		{"the second of two", "mill !/a.jpg !/b.jpg", "mill !/a.jpg !/c.jpg", "1 2", "1 3", "/b.jpg>/c.jpg"},
		{"one after each block", "mill !/a.jpg weir !/b.jpg", "mill !/c.jpg weir !/d.jpg", "1 2", "3 4", "/a.jpg>/c.jpg /b.jpg>/d.jpg"},
		{"with a block before it", "mill !/a.jpg", "weir mill !/b.jpg", "1", "2", "/a.jpg>/b.jpg"},
		{"behind another text", "mill !/a.jpg", "weir !/b.jpg", "1", "2", ""},
	} {
		var got []string
		for _, pair := range Replaced(shown(tt.older, tt.was), shown(tt.newer, tt.is)) {
			got = append(got, pair[0].Address+">"+pair[1].Address)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
		}
	}
}
