package proxy_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
