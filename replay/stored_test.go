package replay_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
	"github.com/varve-archive/varve/replay/respond"
)

// attack is what strangers write wherever an archive keeps their words: as a text it does nothing.
const attack = `'"></title></script></textarea><injected-element onclick=alert(1)>`

// hostileFile is a file whose fields attack the pages that show them. The values of its pages attack tables.
func hostileFile(uriR string) string {
	var b strings.Builder
	b.WriteString(replaytest.RecordText("warcinfo", "i",
		"WARC-Date: 2011-01-01T00:00:00Z\r\nWARC-Filename: "+attack+"\r\nContent-Type: application/warc-fields\r\n",
		"software: "+attack+"\r\noperator: "+attack+"\r\ndescription: "+attack+"\r\n"))
	for i, date := range []string{"2011-01-01T00:00:00Z", "2013-01-01T00:00:00Z", "2015-01-01T00:00:00Z"} {
		b.WriteString(replaytest.ResponseText(uriR, date, "WARC-IP-Address: "+attack+"\r\nWARC-Warcinfo-ID: "+attack+"\r\nX-Odd: "+attack+"\r\n",
			"HTTP/1.1 200 "+attack+"\r\nContent-Type: text/html; x="+attack+"\r\nX-Powered-By: "+attack+"\r\nServer: "+attack+"\r\n\r\n"+
				"<!doctype html><title>="+html.EscapeString(attack)+"</title><h1>@"+html.EscapeString(attack)+"</h1><p id="+attack+
				fmt.Sprintf(">-1+1 the river rises in the hills and runs for %d miles past a zeppelin to the sea, ", 100+i)+
				strings.Repeat(html.EscapeString(attack)+" river ", i+1)+"<p>+ more, and <a href='"+url.PathEscape(attack)+"'>a link</a>"))
	}
	b.WriteString(replaytest.ResponseText(uriR+"moved", "2012-01-01T00:00:00Z", "",
		"HTTP/1.1 301 "+attack+"\r\nLocation: http://x.example/"+attack+"\r\n\r\n"))
	b.WriteString(replaytest.ResponseText("=cmd()|http://x.example/", "2012-01-01T00:00:00Z", "",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a river, a zeppelin"))
	return b.String()
}

// What archived pages, their records and those who name collections wrote does nothing in varve's own pages and in the banner, and in no
// cell of a table.
func TestNothingStoredIsInjected(t *testing.T) {
	t.Parallel()
	const uriR = `http://x.example/"><injected-element>`
	path := filepath.Join(t.TempDir(), "'><injected-element>.warc")
	if err := os.WriteFile(path, []byte(hostileFile(uriR)), 0o600); err != nil {
		t.Skipf("the file system takes no such name: %v", err)
	}
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	cfg := replaytest.Over(t, archive.Config{Index: x, Records: store}, searches.Config{Dir: filepath.Join(t.TempDir(), "search")})
	t.Cleanup(func() {
		_ = cfg.Searches.Close()
		store.Close()
	})
	cfg.About = func(string) respond.About { return respond.About{Title: attack, Description: attack} }
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{path}); err != nil {
		t.Fatal(err)
	}
	if _, err := cfg.Searches.Build(t.Context(), "web", false, nil); err != nil {
		t.Fatal(err)
	}
	s, err := replay.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	pages, shown, cells := 0, 0, 0
	for _, of := range []string{uriR, "http://x.example/%22%3E%3Cinjected-element%3E", uriR + "moved", "http://nowhere.example/" + attack} {
		for _, targets := range routes(of) {
			for _, target := range targets {
				for _, as := range []string{target, target + "&output=csv", target + "&format=csv"} {
					w := request(s.Handler(), "GET", strings.ReplaceAll(as, " ", "%20"), "Accept", "text/html")
					switch kind := w.Header().Get("Content-Type"); {
					case w.Code == http.StatusInternalServerError:
						t.Errorf("%s: %d %.200s", as, w.Code, w.Body)
					case strings.HasPrefix(kind, "text/html"):
						pages++
						if strings.Contains(w.Body.String(), html.EscapeString(attack)) {
							shown++
						}
						assertOwn(t, as, w.Header(), w.Body.String())
					case strings.HasPrefix(kind, "text/csv"):
						cells += assertNoFormula(t, as, w.Body.String())
					}
				}
			}
		}
	}
	t.Logf("%d pages, %d of them show what attacks, %d cells", pages, shown, cells)
	if pages < 500 || shown < 100 || cells < 100 {
		t.Errorf("too few were looked at: %d pages, %d that show what attacks, %d cells", pages, shown, cells)
	}
}

// assertOwn fails if a page of varve's own has an element, a handler or a link that somebody injected, or may be framed by others.
func assertOwn(t *testing.T, where string, h http.Header, page string) {
	t.Helper()
	if h.Get("Memento-Datetime") == "" && !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors '") {
		t.Errorf("%s: any site may show it in a frame: %q", where, h.Get("Content-Security-Policy"))
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Data == "injected-element" {
			t.Errorf("%s: an element is injected", where)
		}
		for _, a := range n.Attr {
			if a.Key == "onclick" || (a.Key == "href" || a.Key == "src") && strings.HasPrefix(a.Val, "javascript:") {
				t.Errorf("%s: %s=%q is injected", where, a.Key, a.Val)
			}
		}
	}
}

func assertNoFormula(t *testing.T, where, table string) (cells int) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Errorf("%s: %v", where, err)
	}
	for _, row := range rows {
		cells += len(row)
		if i := slices.IndexFunc(row, func(cell string) bool { return strings.IndexAny(cell, "=+-@\t\r\n") == 0 }); i >= 0 {
			t.Errorf("%s: the cell %.60q is a formula", where, row[i])
		}
	}
	return cells
}
