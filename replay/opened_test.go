package replay_test

import (
	"os"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A TimeGate knows that a record could be opened for as long as its file stays as it was: it leads elsewhere once the file is cut off or
// another one, and back when it is there again. Of a file that can't be reached nothing is known, so it stays.
func TestATimeGateNoticesWhatHappensToFiles(t *testing.T) {
	page := func(date, words string) []replaytest.Record {
		return []replaytest.Record{{Date: date, URI: "http://page.example/", Status: 200, Body: "<p>" + words}}
	}
	near, far := replaytest.Write(t, page("20200101000000", "near")), replaytest.Write(t, page("20100101000000", "far"))
	s, _ := replaytest.Serve(t, near, far)
	h := s.Handler()
	text, err := os.ReadFile(near)
	if err != nil {
		t.Fatal(err)
	}
	put := func(b []byte) {
		if err := os.WriteFile(near+".new", b, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(near+".new", near); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		what string
		do   func()
		want string
	}{
		{"it is there", func() {}, "/2020"},
		{"it is asked for again", func() {}, "/2020"},
		{"it is gone, which may be for a while", func() { replaytest.Remove(t, near) }, "/2020"},
		{"it is back", func() { put(text) }, "/2020"},
		{"it is empty", func() { put(nil) }, "/2010"},
		{"it is another one", func() { put([]byte(strings.ReplaceAll(string(text), "page.example", "else.example"))) }, "/2010"},
		{"it is back again", func() { put(text) }, "/2020"},
	} {
		c.do()
		w := replaytest.Get(t, h, "/web/http://page.example/", "Accept-Datetime", "Sat, 01 Feb 2020 00:00:00 GMT")
		if got := w.Header().Get("Location"); w.Code != 302 || !strings.Contains(got, c.want) {
			t.Errorf("%s: %d %q, want %s", c.what, w.Code, got, c.want)
		}
	}
}
