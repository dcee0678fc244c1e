package change

import (
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

func TestKindsOfStatuses(t *testing.T) {
	for status, want := range map[int]Kind{
		200: Page, 299: Page, 300: Redirect, 399: Redirect, 304: Page, 400: Error, 404: Missing, 409: Error, 410: Missing, 411: Error, 500: Error,
	} {
		if s := StateOf(&cdx.Capture{Status: status, Text: 1}); s.kind() != want {
			t.Errorf("%d is %v", status, s.kind())
		}
	}
	if s := (State{Status: 200}); s.kind() != Resource {
		t.Errorf("without a text: %v", s.kind())
	}
}

func TestStateOf(t *testing.T) {
	c := cdx.Capture{Time: 20200101000000, Status: 200, Digest: "d", Text: 7, Truncated: true}
	if got := StateOf(&c); !got.Failed || got.Text != 7 || got.Time != c.Time {
		t.Errorf("got %+v", got)
	}
	c = cdx.Capture{Key: surt.Of("https://example.org/A/"), Status: 301, Redirect: "http://www.example.org/a"}
	if got := StateOf(&c); !got.ToSelf {
		t.Errorf("not a redirect to itself: %+v", got)
	}
	c.Redirect = "https://example.org/b"
	if got := StateOf(&c); got.ToSelf {
		t.Errorf("a redirect to itself: %+v", got)
	}
	c.Redirect, c.Status = "https://example.org/a", 200
	if got := StateOf(&c); got.ToSelf {
		t.Errorf("no redirect: %+v", got)
	}
	for mime, want := range map[string]bool{
		"application/json": true, "application/ld+json": true, "text/html": false, "application/json-seq": false, "": false,
	} {
		if got := StateOf(&cdx.Capture{Status: 200, MIME: mime}); got.Data != want {
			t.Errorf("%q is data: %t", mime, got.Data)
		}
	}
}

func TestWhatAStateSays(t *testing.T) {
	for _, tt := range []struct {
		state                   State
		noPage, passing, unseen bool
	}{
		{State{Status: 200}, false, false, false},
		{State{Status: 204}, true, false, false},
		{State{Status: 200, Data: true}, true, false, false},
		{State{Status: 503, Failed: true}, false, true, true},
		{State{Status: 301, ToSelf: true}, false, true, false},
		{State{Status: 304}, false, true, false},
		{State{Status: 200, Beside: true}, false, true, true},
	} {
		if s := &tt.state; s.isNoPage() != tt.noPage || s.passing() != tt.passing || s.unseen() != tt.unseen {
			t.Errorf("%+v: no page %t, passing %t, unseen %t", s, s.isNoPage(), s.passing(), s.unseen())
		}
	}
	menu, gone := sketchOf("<p>Menu<p>Words of one page"), sketchOf("<p>We looked all over the place and have nothing like it.")
	known := site.New(slices.Repeat([]site.Sample{{Pages: []*sketch.Sketch{menu, menu}, Missing: []*sketch.Sketch{gone}}}, 9))
	sums := []uint64{SumOf(LevelAny, known), SumOf(LevelText, known), SumOf(LevelContent, known)}
	if sums[0] != 0 || sums[1] != known.Sum(false) || sums[2] != known.Sum(true) || sums[1] == 0 || sums[1] == sums[2] {
		t.Errorf("sums %d", sums)
	}
	for kind, want := range map[Kind]bool{Page: true, Resource: true, Redirect: false, Missing: false, Error: false} {
		if kind.Shown() != want {
			t.Errorf("a %s is shown: %t", kind, !want)
		}
	}
}

func TestLevels(t *testing.T) {
	for in, want := range map[string]Level{"": LevelContent, "any": LevelAny, "text": LevelText, "content": LevelContent} {
		if got, err := ParseLevel(in); err != nil || got != want {
			t.Errorf("%q: got %s, %v", in, got, err)
		}
	}
	if _, err := ParseLevel("words"); err == nil {
		t.Error("no error for an unknown level")
	}
}
