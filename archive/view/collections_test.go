package view_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
)

func TestCollectionsWithOneThatMayComeToBe(t *testing.T) {
	t.Parallel()
	v := &view.View{Whole: indextest.Open(t, t.TempDir())}
	if got := v.CollectionsWith("news"); !slices.Equal(got, []string{"news"}) {
		t.Errorf("of an empty index: %q", got)
	}
	for _, coll := range []string{"sport", "art"} {
		indextest.Fill(t, v.Whole, coll, []cdx.Capture{{Key: "example)/a", URL: "a", Time: 20200101000000, FileName: coll}})
	}
	for coll, want := range map[string]string{"news": "art news sport", "art": "art sport"} {
		if got := strings.Join(v.CollectionsWith(coll), " "); got != want {
			t.Errorf("with %s: %q, want %q", coll, got, want)
		}
	}
}
