package duplicates_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/duplicates"
	"github.com/varve-archive/varve/memento"
)

// several are records with a group of mirrors, one of versions that are mirrored, and one of pictures.
func several() []archivetest.Record {
	at := func(uri, body string) archivetest.Record { return archivetest.Record{URI: "http://" + uri, Body: body} }
	picture := func(uri, body string) archivetest.Record {
		return archivetest.Record{URI: "http://" + uri, Body: "\x89PNG\r\n\x1a\n" + body, Head: "Content-Type: image/png\n"}
	}
	changed := strings.Replace(snow, "nine", "many", 1)
	return []archivetest.Record{
		at("a.example/acid", page("a", acid)), at("b.example/acid", page("a", acid)), at("c.example/acid", page("a", acid)),
		at("a.example/snow", page("a", snow)), at("b.example/snow", page("a", snow)),
		at("a.example/snow", page("a", changed)), at("b.example/snow", page("a", changed)),
		picture("a.example/x.png", "1"), picture("b.example/y.png", "1"), picture("c.example/z.png", "1"),
		picture("a.example/v.png", "2"), picture("b.example/w.png", "2"),
	}
}

// A part of the pairs, or of the groups, is what stands there in the whole list, wherever it begins and ends.
func TestPartsOfLists(t *testing.T) {
	t.Parallel()
	uris := memento.URIs{Coll: "web"}
	for across, want := range map[bool][]string{
		false: {
			"mirror a/snow b/snow 12", "mirror a/snow b/snow 12", // of either text
			"version a/snow a/snow", "mirror a/snow b/snow", "mirror b/snow a/snow", "version b/snow b/snow",
			"mirror a/acid b/acid", "mirror a/acid c/acid", "mirror b/acid c/acid",
			"picture a/x.png b/y.png", "picture a/x.png c/z.png", "picture b/y.png c/z.png", "picture a/v.png b/w.png",
		},
		true: {
			"mirror a/snow b/snow 12", "mirror a/snow b/snow 12", "mirror a/snow b/snow", "mirror b/snow a/snow",
			"mirror a/acid b/acid", "mirror a/acid c/acid", "mirror b/acid c/acid",
			"picture a/x.png b/y.png", "picture a/x.png c/z.png", "picture b/y.png c/z.png", "picture a/v.png b/w.png",
		},
	} {
		f := found(t, duplicates.Query{Threshold: 0.6, Across: across}, several()...)
		all := f.ListPairs(uris, 0, 100)
		var got []string
		for _, p := range all.Pairs {
			short := func(c duplicates.CaptureItem) string {
				if c.URIM != "/web/"+c.Datetime+"/"+c.OriginalURI {
					t.Errorf("%+v", c)
				}
				return strings.Replace(strings.TrimPrefix(c.OriginalURI, "http://"), ".example", "", 1)
			}
			line := p.Kind + " " + short(p.Captures[0]) + " " + short(p.Captures[1])
			if strings.HasSuffix(line, "snow") && p.Similarity == 1 {
				line += " 12"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(want, got); diff != "" || all.Total != len(want) || all.Equal != 2 || all.Cut || all.Across != across {
			t.Errorf("across %v: %d, %d of pictures:\n%s", across, all.Total, all.Equal, diff)
		}
		for from := range len(want) + 2 {
			for limit := 1; limit <= len(want)+1; limit++ {
				begin := min(from, len(want))
				part := f.ListPairs(uris, from, limit)
				if diff := cmp.Diff(all.Pairs[begin:min(begin+limit, len(want))], part.Pairs); diff != "" || part.Total != all.Total {
					t.Errorf("%d behind %d, of %d:\n%s", limit, from, part.Total, diff)
				}
			}
		}
		whole := f.List(uris, 0, 100)
		for from := range 4 {
			for limit := 1; limit <= 3; limit++ {
				part := f.List(uris, from, limit)
				begin, end := min(from, 2), min(from+limit, 2)
				if diff := cmp.Diff(whole.Groups[begin:end], part.Groups) + cmp.Diff(whole.Pictures[begin:end], part.Pictures); diff != "" {
					t.Errorf("%d groups behind %d:\n%s", limit, from, diff)
				}
				if part.Total != 2 || part.Equal != 2 {
					t.Errorf("%d groups and %d of pictures in all", part.Total, part.Equal)
				}
			}
		}
	}
}

// Whoever wants no more pairs gets none, whether those of one text come next or those of two.
func TestPairsEndWithTheirConsumer(t *testing.T) {
	t.Parallel()
	f := found(t, duplicates.Query{Threshold: 0.6}, several()...)
	for most := 1; most <= 6; most++ {
		var got []string
		for p := range f.Groups[0].Pairs() {
			if got = append(got, fmt.Sprint(p.A.URL, p.B.URL)); len(got) == most {
				break
			}
		}
		if len(got) != most {
			t.Errorf("%d pairs, want %d: %q", len(got), most, got)
		}
	}
}
