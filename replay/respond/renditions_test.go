package respond

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/rewrite"
)

// Lists of segments are read if they were captured whole, and aren't longer than any list is.
func TestListsOfSegmentsAreRead(t *testing.T) {
	list := func(uri, body string) archivetest.Record {
		return archivetest.Record{Date: "20200101000000", URI: uri, Head: "Content-Type: application/vnd.apple.mpegurl\n", Body: body}
	}
	var cut bytes.Buffer
	z := gzip.NewWriter(&cut)
	_, err := io.WriteString(z, "#EXTM3U")
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	shelf := archivetest.Keep(t, list("http://a.example/low", "#EXTM3U low"), archivetest.Missing("20200101000000", "http://a.example/gone"),
		list("http://a.example/long", strings.Repeat("x", 1<<20-1)), list("http://a.example/longer", strings.Repeat("x", 1<<20)),
		list("http://a.example/broken", "#EXTM3U"), archivetest.Record{
			Date: "20200101000000", URI: "http://a.example/cut", Head: "Content-Encoding: gzip\n", Body: cut.String()[:cut.Len()-9],
		}, archivetest.Record{
			Date: "20200101000000", URI: "http://a.example/packed", Head: "Content-Encoding: compress\n", Body: "#EXTM3U",
		})
	shelf.Break(t, "20200101000000", "http://a.example/broken")
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	around := &CapturesNear{
		Archive: a, Coll: "web", Time: 20200101000000, Ctx: t.Context(), Log: slog.New(slog.NewTextHandler(&log, nil)),
	}
	for uri, want := range map[string]int{"low": 11, "gone": 0, "never": 0, "long": 1<<20 - 1, "longer": 0} {
		if got := around.Read("http://a.example/" + uri); len(got) != want || log.Len() > 0 {
			t.Errorf("%s: %d bytes, want %d; %s", uri, len(got), want, &log)
		}
	}
	for _, uri := range []string{"broken", "cut", "packed"} {
		if got := around.Read("http://a.example/" + uri); got != nil {
			t.Errorf("%s: read %q", uri, got)
		}
	}
	for _, uri := range []string{"cut", "packed"} {
		if !strings.Contains(log.String(), "http://a.example/"+uri) {
			t.Errorf("that %s can't be read is not logged: %s", uri, &log)
		}
	}
	const lists = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow\n#EXT-X-STREAM-INF:BANDWIDTH=2\nnever\n"
	for _, tt := range []struct {
		name   string
		format rewrite.Format
		list   string
		gone   bool
	}{
		{"a list of which one was captured", rewrite.FormatHLS, lists, true},
		{"of which all were", rewrite.FormatHLS, strings.ReplaceAll(lists, "never", "long"), false},
		{"another format", rewrite.FormatCSS, lists, false},
		{"of a site's player", rewrite.FormatJSON, `{"variants":[{"url":"http://a.example/low"},{"url":"http://a.example/never"}]}`, true},
		{"of a site's player, as a style sheet", rewrite.FormatCSS, `{"variants":[{"url":"http://a.example/never"}]}`, false},
		{"nearly too long", rewrite.FormatHLS, lists + strings.Repeat("#\n", (4<<20-1-len(lists))/2), true},
		{"too long", rewrite.FormatHLS, lists + strings.Repeat("#\n", (4<<20+1-len(lists))/2), false},
	} {
		base := "http://a.example/film"
		if strings.HasPrefix(tt.list, "{") {
			base = "https://x.com/i/api"
		}
		whole, trimmed, err := around.Trim(tt.format, strings.NewReader(tt.list), base)
		if err != nil {
			t.Fatal(err)
		}
		want := tt.list
		if tt.gone {
			want = string(trimmed)
		}
		all, err := io.ReadAll(whole)
		if err != nil || (trimmed != nil) != tt.gone || tt.gone && strings.Contains(want, "never") || string(all) != want {
			t.Errorf("%s: %d of %d bytes, %v", tt.name, len(all), len(tt.list), err)
		}
	}
	broken := iotest.ErrReader(io.ErrUnexpectedEOF)
	if _, trimmed, err := around.Trim(rewrite.FormatHLS, broken, "http://a.example/film"); trimmed != nil || err != io.ErrUnexpectedEOF {
		t.Errorf("a list that can't be read: %q, %v", trimmed, err)
	}
}
