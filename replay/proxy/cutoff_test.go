package proxy_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A page whose record or coding ends early is shown as far as it goes, and the banner says so where that is known beforehand.
func TestProxyShowsCutOffPagesAsFarAsTheyGo(t *testing.T) {
	var page, coded bytes.Buffer
	page.WriteString("<!doctype html><title>Long</title>")
	for i := range 3000 {
		fmt.Fprintf(&page, "<p>Paragraph %d of a long text, with %d words that no other has.</p>", i, i*7)
	}
	z := gzip.NewWriter(&coded)
	_, _ = z.Write(page.Bytes())
	_ = z.Close()
	whole := replaytest.Message(t, "http://cut.example/file", "Content-Type: text/html\r\n", page.String())
	bytes, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut"+filepath.Base(whole))
	if err := os.WriteFile(cut, bytes[:len(bytes)*3/4], 0o600); err != nil {
		t.Fatal(err)
	}
	p := proxyOf(t, nil, cut, replaytest.Message(t, "http://cut.example/coding", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n",
		coded.String()[:coded.Len()/2]))
	for _, name := range []string{"file", "coding"} {
		got := p.get("http://cut.example/"+name, navigationFrom("none")...)
		if got.StatusCode != 200 || !strings.Contains(got.body, "Paragraph 500 ") || !strings.Contains(got.body, "<varve-banner") {
			t.Errorf("%s: %d with %d bytes", name, got.StatusCode, len(got.body))
		}
		if !strings.Contains(got.body, "This record is cut off") {
			t.Errorf("%s: the banner doesn't say so", name)
		}
	}
}

// A capture that can't be opened gives way to the next one that can. Where none can, the answer says why, not that there is none.
func TestProxyPassesOverWhatCannotBeOpened(t *testing.T) {
	const two, one, blocked = "http://lost.example/two", "http://lost.example/one", "http://lost.example/blocked"
	record := func(uri, body string) replaytest.Record {
		return replaytest.Record{Date: "20150101000000", URI: uri, Status: 200, Body: body}
	}
	lost := replaytest.Write(t, []replaytest.Record{record(two, "of 2015"), record(one, "of 2015")})
	_, x := replaytest.Serve(t, lost, replaytest.Message(t, two, "Content-Type: text/html\r\n", "of another day"),
		replaytest.Write(t, []replaytest.Record{record(blocked, "Secret.")}))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	policy := archivetest.Policy(t, `rules: [{url: "`+blocked+`", access: block, say: "Withdrawn."}]`)
	server, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: store, Access: policy})})
	if err != nil {
		t.Fatal(err)
	}
	p := proxyOver(t, server, nil)
	replaytest.Remove(t, lost)
	for uri, want := range map[string]struct {
		status     int
		text, wait string
	}{
		two:                         {200, "of another day", ""},
		one:                         {503, "can't be read now", "120"},
		one + "?utm_source=x":       {503, "can't be read now", "120"}, // asked for in other words
		blocked:                     {451, "Withdrawn", ""},
		"http://lost.example/never": {404, "has no capture", ""},
	} {
		got := p.get(uri, "Accept-Datetime", acceptDatetime("20150101000000"))
		if got.StatusCode != want.status || !strings.Contains(got.body, want.text) || got.Header.Get("Retry-After") != want.wait {
			t.Errorf("%s: %d %s %s", uri, got.StatusCode, got.Header, got.body)
		}
	}
}
