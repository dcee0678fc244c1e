package info_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// manyParts serves a page with n style sheets, of which every tenth was never captured, and m pictures, of which none was.
// Each style sheet has a picture of its own, and then size bytes more.
func manyParts(t *testing.T, n, m, size int) *replay.Server {
	t.Helper()
	const date = "2012-01-01T00:00:00Z"
	var page, parts strings.Builder
	page.WriteString("<!doctype html><title>Many</title>")
	for i := range n {
		fmt.Fprintf(&page, "<link rel=stylesheet href=%d.css>\n", i)
		if i%10 != 9 {
			parts.WriteString(replaytest.ResponseText(fmt.Sprintf("http://a.example/%d.css", i), date, "",
				fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\np { background: url(%d.png) }\n%s", i, strings.Repeat(" ", size))))
		}
	}
	for i := range m {
		fmt.Fprintf(&page, "<img src=never/%d.png>\n", i)
	}
	text := replaytest.ResponseText("http://a.example/", date, "", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+page.String())
	return serveFile(t, "many.warc", text+parts.String(), &access.Policy{})
}

// A page with very many parts is told whole, or it is said what is left out, in numbers.
func TestInfoOfVeryManyParts(t *testing.T) {
	for _, tt := range []struct {
		name                            string
		sheets, pictures, size          int
		total, missing, leftOut, unread int
	}{
		{"all of them", 900, 290, 0, 2000, 90 + 810 + 290, 0, 0},
		{"more addresses than are listed", 10, 2500, 0, 2000, 1991, 519, 0},
		{"more parts than are looked through, which are 16 MiB", 30, 0, 1 << 20, 30 + 16, 3 + 16, 0, 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := manyParts(t, tt.sheets, tt.pictures, tt.size)
			p := infoOf(t, s, "20120101000000", "http://a.example/").Parts
			if p.Total != tt.total || p.Missing != tt.missing || len(p.List) != p.Total || p.LeftOut != tt.leftOut || p.Unread != tt.unread ||
				p.More != (tt.leftOut+tt.unread > 0) {
				t.Errorf("%d parts, %d missing, %d left out, %d unread, more: %t", p.Total, p.Missing, p.LeftOut, p.Unread, p.More)
			}
			page := replaytest.Get(t, s.Handler(), "/web/20120101000000/info?url=http://a.example/", "Accept", "text/html").Body.String()
			for said, want := range map[string]bool{"left out: ": tt.leftOut > 0, "not looked through": tt.unread > 0} {
				if strings.Contains(page, said) != want {
					t.Errorf("the page says %q: %t", said, !want)
				}
			}
		})
	}
}
