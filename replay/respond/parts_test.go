package respond_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/replay/respond"
)

// A player asks for a film in pieces, each of which is a capture of its own.
func TestAskedPartFindsTheCaptureThatHasIt(t *testing.T) {
	const film, uriR = "0123456789abcdefghij", "http://a.example/film.mp4"
	piece := func(date string, first, last int) replaytest.Verbatim {
		return replaytest.Verbatim{Date: date, URI: uriR, Message: fmt.Sprintf("HTTP/1.1 206 Partial Content\r\nContent-Type: video/mp4\r\n"+
			"Content-Range: bytes %d-%d/%d\r\n\r\n%s", first, last, len(film), film[first:last+1])}
	}
	s, _ := replaytest.Serve(t, replaytest.WriteVerbatim(t, []replaytest.Verbatim{
		piece("20150101000000", 0, 9), piece("20150101000005", 10, 14),
	}))
	a := s.Archive()
	tl, err := a.Timelines.Get(t.Context(), "web", surt.Of(uriR))
	if err != nil {
		t.Fatal(err)
	}
	first, err := a.Open(t.Context(), &tl.Captures[0])
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for _, tt := range []struct {
		asked string
		found cdx.Timestamp // 0 for none
		body  string
	}{
		{"bytes=10-", 20150101000005, "abcde"},
		{"bytes=14-19", 20150101000005, "abcde"},
		{"bytes=9-", 0, ""},
		{"bytes=15-", 0, ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Range", tt.asked)
		part, err := respond.AskedPart(r, a, a.Timelines.Of(tl), first)
		if err != nil {
			t.Fatal(err)
		}
		if part == nil {
			if tt.found != 0 {
				t.Errorf("%s: none is found", tt.asked)
			}
			continue
		}
		body, err := io.ReadAll(part.Body)
		part.Close()
		if part.Capture.Time != tt.found || string(body) != tt.body || err != nil {
			t.Errorf("%s: %s has %q, %v", tt.asked, part.Capture.Time, body, err)
		}
	}
}
