package following

import (
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/looks"
	"github.com/varve-archive/varve/replay/pages/layout"
)

func followOf(name string) nameView {
	return nameView{
		Name: name, Href: "/-/follow/" + name, Running: true, Coll: banner.Link{Href: "/web/", Text: "Rivers of the north"}, Sources: 3,
		Requests: 412, MostRequests: 2000, Bytes: 45_678_901, Waiting: 2, Polls: 1204, Useful: 380, New: 700, Changed: 12, Captured: 2900,
		Lost: 1, Refused: 3, Pushed: 40, Forged: 2, Lag: 754 * time.Second, Last: at(2026, 11, 23, 15, 0),
	}
}

func followedSources() []sourceView {
	address := layout.Address{URIR: "http://www.riverbend.example/feed.xml", Href: "/web/http://www.riverbend.example/feed.xml"}
	return []sourceView{
		{Address: address, Title: "<b>Floods</b>", Aside: "1,200 new entries today that are alike"},
		{Address: address, Asked: at(2026, 11, 23, 14, 0), Due: true, Problem: "its pattern \"li.blog\" matches nothing any more"},
		{
			Address: address, Title: "River news", Asked: at(2026, 11, 23, 14, 0), Next: at(2026, 11, 23, 16, 0), News: at(2026, 11, 22, 9, 30),
			PerDay: 2.4, Polls: 120, Useful: 30, Entries: 41, Push: "told by http://hub.example/",
		},
	}
}

// A page says of each source what somebody has to do, and only that.
func TestWhatIsSaidOfSources(t *testing.T) {
	t.Parallel()
	page := looks.Render(t, followPage(oneView{Page: sharedPage("en"), Follow: followOf("news"), Sources: followedSources()}))
	for text, want := range map[string]int{
		"set aside": 1, "varve follow news.yaml --take-back 'http://www.riverbend.example/feed.xml'": 1, "due now": 1,
		"matches nothing any more":    1,
		"told by http://hub.example/": 1, "&lt;b&gt;Floods": 1, "412 of at most 2,000": 1, "12:34": 1, "budget of today": 0,
	} {
		if got := strings.Count(page, text); got != want {
			t.Errorf("%q stands there %d times, want %d", text, got, want)
		}
	}
}

func TestTheCommandThatTakesASourceBackCanBeCopied(t *testing.T) {
	t.Parallel()
	source := sourceView{Address: layout.Address{URIR: "http://h.example/f?a=1&b='"}, Aside: "too much"}
	page := looks.Render(t, followPage(oneView{Page: sharedPage("en"), Follow: followOf("news"), Sources: []sourceView{source}}))
	if want := `--take-back 'http://h.example/f?a=1&amp;b=%27'</code>`; !strings.Contains(page, want) {
		t.Errorf("the page lacks %s", want)
	}
}
