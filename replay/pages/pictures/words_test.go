package pictures

import (
	"testing"

	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/memento"
)

// A region of text leads to its first words in the diff.
func TestWordsLeadToTheDiff(t *testing.T) {
	for _, tt := range []struct {
		diff, text string
		kind       visual.Kind
		want       string
	}{
		{"/diff", "one two", visual.Text, "/diff#:~:text=one%20two"},
		{"/diff", " a-b, c&d  e\nf g", visual.Text, "/diff#:~:text=a%2Db%2C%20c%26d%20e%20f"},
		{"/diff", "one", visual.Image, ""},
		{"/diff", "one", visual.Video, ""},
		{"/diff", " ", visual.Text, ""},
		{"", "one", visual.Text, ""},
	} {
		if got := wordsOf(tt.diff, &visual.Region{Kind: tt.kind, Text: tt.text}); got != tt.want {
			t.Errorf("%q, %s: %s, want %s", tt.text, tt.kind, got, tt.want)
		}
	}
}

func TestComparisonsKeepTheChoice(t *testing.T) {
	uris := memento.URIs{Coll: "web"}
	const want = "/web/visual?from=20100101000000&to=20110101000000&url=http%3A%2F%2Fa.example%2F"
	for _, tt := range []struct {
		matters []visual.Place
		want    string
	}{{nil, want}, {visual.Places()[:2], want + "&block=" + string(visual.Places()[0]) + "&block=" + string(visual.Places()[1])}} {
		if got := (&comparison{matters: tt.matters}).address(uris, 20100101000000, 20110101000000, "http://a.example/"); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.matters, got, tt.want)
		}
	}
}
