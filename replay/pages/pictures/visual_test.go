package pictures_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/pictures"
	"github.com/varve-archive/varve/replay/replaytest"
)

// seenPage says the same in three captures, between which its photograph was exchanged, and something else in a fourth.
const seenPage = "http://seen.example/"

// seen returns a server over the page, with pictures of the first two captures and a note on the last.
func seen(t *testing.T) http.Handler {
	t.Helper()
	body := func(words string) string {
		return "<!doctype html><title>The weir</title><p>In the evening the herons come to the weir, where the fish jump and " + words + "."
	}
	same := body("the water is never still")
	records := []replaytest.Record{
		{Date: "20100101000000", URI: seenPage, Status: 200, Body: same},
		{Date: "20110101000000", URI: seenPage, Status: 200, Body: same},
		{Date: "20120101000000", URI: seenPage, Status: 200, Body: same},
		{Date: "20130101000000", URI: seenPage, Status: 200, Body: body("boats are for hire at the ferry house by the hour")},
		{Date: "20130101000000", URI: "http://seen.example/never", Status: 200, Body: same},
	}
	store := visual.NewStore(filepath.Join(t.TempDir(), "pictures"))
	for ts, shade := range map[cdx.Timestamp]uint8{20100101000000: 40, 20110101000000: 200} {
		img := image.NewGray(image.Rect(0, 0, 1280, 900))
		draw.Draw(img, image.Rect(20, 100, 420, 400), image.NewUniform(color.Gray{shade}), image.Point{}, draw.Src)
		var content bytes.Buffer
		if err := png.Encode(&content, img); err != nil {
			t.Fatal(err)
		}
		p := &visual.Picture{Recipe: visual.Recipe, URL: seenPage, Time: ts, Width: 1280, PageHeight: 900, Damage: 0.25, Blocks: []visual.Block{
			{Place: visual.Content, Kind: visual.Image, X: 20, Y: 100, W: 400, H: 300, Text: "a heron"},
			{Place: visual.Content, Kind: visual.Text, X: 20, Y: 420, W: 400, H: 40, Text: "In the evening", TextHash: 1},
		}}
		if err := store.Develop(p, &visual.Shot{Kept: content.Bytes(), Exact: content.Bytes()}); err != nil {
			t.Fatal(err)
		}
		save(t, store, p)
	}
	save(t, store, &visual.Picture{Recipe: visual.Recipe, URL: seenPage, Time: 20130101000000, Width: 1280, Note: visual.Hung})
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	files := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { _ = files.Close() })
	a := replaytest.Archive(t, archive.Config{Index: x, Records: files, Pictures: store})
	s, err := replay.New(replay.Config{Archive: a})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{replaytest.Write(t, records)}); err != nil {
		t.Fatal(err)
	}
	return s.Handler()
}

func save(t *testing.T, store *visual.Store, p *visual.Picture) {
	t.Helper()
	if err := store.Save(visual.At{Coll: "web", Key: surt.Of(p.URL), Time: p.Time, Width: p.Width}, p); err != nil {
		t.Fatal(err)
	}
}

func TestLevelVisual(t *testing.T) {
	t.Parallel()
	h := seen(t)
	var got struct {
		Level    string
		Captures int
		Looked   *int
		Ranges   []struct {
			First    string
			Captures int
			Open     bool
		}
	}
	if err := json.Unmarshal(replaytest.Fetch(t, h, "/web/changes?level=visual&url="+seenPage), &got); err != nil {
		t.Fatal(err)
	}
	var ranges []string
	for _, r := range got.Ranges {
		ranges = append(ranges, fmt.Sprintf("%s %d %t", r.First, r.Captures, r.Open))
	}
	want := []string{"20100101000000 1 false", "20110101000000 2 true", "20130101000000 1 true"}
	if !slices.Equal(ranges, want) || got.Level != "visual" || got.Captures != 4 || got.Looked == nil || *got.Looked != 2 {
		t.Errorf("got %+v", got)
	}
	cdx := string(replaytest.Fetch(t, h, "/web/cdx?fl=timestamp,change&url="+seenPage))
	if want := "20100101000000 none\n20110101000000 visual\n20120101000000 none\n20130101000000 content\n"; cdx != want {
		t.Errorf("CDX:\n%s", cdx)
	}
	text := string(replaytest.Fetch(t, h, "/web/changes?url="+seenPage))
	if strings.Contains(text, "looked") || strings.Contains(text, "open") {
		t.Errorf("level content speaks of pictures: %s", text)
	}
	if r := replaytest.Get(t, h, "/web/changes?level=visual&url=http://seen.example/never"); r.Code != 404 ||
		!strings.Contains(r.Body.String(), "no picture was made") {
		t.Errorf("a page without pictures: %d %s", r.Code, r.Body)
	}
}

func TestPicturesAreServed(t *testing.T) {
	t.Parallel()
	h := seen(t)
	for _, tt := range []struct {
		path, kind, says string
		status           int
	}{
		{"/web/thumb/20100101000000/" + seenPage, "image/jpeg", "", 200},
		{"/web/thumb/2011/" + seenPage, "image/jpeg", "", 200},
		{"/web/thumb/20120101000000/" + seenPage, "image/jpeg", "", 200}, // of the version valid then
		{"/web/thumb?at=2011&size=full&url=" + seenPage, "image/webp", "", 200},
		{"/web/thumb?at=2011&size=huge&url=" + seenPage, "", "small or full", 400},
		{"/web/thumb/20130101000000/" + seenPage, "", "did not come to rest", 404},
		{"/web/thumb/x/" + seenPage, "", "needs an address", 400},
		{"/web/visual?from=2010&to=2013&url=" + seenPage, "", "did not come to rest", 404},
		{"/web/visual?from=2010&url=" + seenPage, "", "two datetimes", 400},
	} {
		r := replaytest.Get(t, h, tt.path)
		if r.Code != tt.status || tt.kind != "" && r.Header().Get("Content-Type") != tt.kind || !strings.Contains(r.Body.String(), tt.says) {
			t.Errorf("%s: %d %s %.200s", tt.path, r.Code, r.Header().Get("Content-Type"), r.Body)
		}
	}
	var got pictures.Answer
	if err := json.Unmarshal(replaytest.Fetch(t, h, "/web/visual?from=2012&to=2010&url="+seenPage), &got); err != nil {
		t.Fatal(err)
	}
	want := []pictures.Region{
		{Side: "from", Kind: "changed", Block: "content", Shows: "image", X: 20, Y: 100, W: 400, H: 300},
		{Side: "to", Kind: "changed", Block: "content", Shows: "image", X: 20, Y: 100, W: 400, H: 300},
	}
	if !got.Important || got.Distance <= 0 || got.From.Datetime != "20100101000000" || got.To.Datetime != "20120101000000" ||
		!strings.Contains(got.To.Picture, "at=2011") || !slices.Equal(got.Regions, want) {
		t.Errorf("got %+v", got)
	}
	first := replaytest.Get(t, h, "/web/thumb/2010/"+seenPage)
	if r := replaytest.Get(t, h, "/web/thumb/2010/"+seenPage, "If-None-Match", first.Header().Get("ETag")); r.Code != http.StatusNotModified {
		t.Errorf("asked again: %d", r.Code)
	}
}

// Pages that speak of the versions show them, and links to these pages do.
func TestPagesShowPictures(t *testing.T) {
	t.Parallel()
	h := seen(t)
	for path, want := range map[string][]string{
		"/web/*/" + seenPage: {
			`class="film"`, `alt="The page as it looked on 1 January 2010`, `property="og:image"`, "Versions with a picture: 1 of 2",
		},
		"/web/diff/" + seenPage:           {`class="film"`, `level=visual`},
		"/web/diff/2010/2011/" + seenPage: {"/web/visual?", `property="og:image"`},
		"/web/visual?from=2010&to=2011&url=" + seenPage: {
			"The content looks different.", "25% of what the page embeds is not archived", `property="og:image"`, "<rect", "content, picture",
		},
		"/web/20100101000000/" + seenPage: {"25% of what the page embeds", `value="visual"`},
	} {
		got := replaytest.Get(t, h, path, "Accept", "text/html").Body.String()
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q", path, w)
			}
		}
	}
	never := replaytest.Get(t, h, "/web/20130101000000/http://seen.example/never", "Accept", "text/html")
	if strings.Contains(never.Body.String(), `value="visual"`) {
		t.Error("level visual can be chosen where there are no pictures")
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Counted()).Ask(
		"/web/visual?from=2010&to=2014&url="+replaytest.CountedPage, "/web/thumb/2012/"+replaytest.CountedPage,
	)
}
