package comparison_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/replay/replaytest"
)

// Each view shows a changed row once: both sides, or one text with both. A table row is no exception.
func TestViewsShowARowOnce(t *testing.T) {
	table := func(price string) string {
		return "<table><tr><th>Fish<th>Price<tr><td>Tench<td>" + price + "<tr><td>Pike<td>7</table><p>It costs " + price
	}
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: replaytest.Site + "/fish", Status: 200, Body: table("5 crowns")},
		{Date: "20160101000000", URI: replaytest.Site + "/fish", Status: 200, Body: table("6 guilders")},
	}))
	b := replaytest.ReaderOf(t, s.Handler())
	const shown = `[...document.querySelectorAll(".diff div")].map((d) => [...d.children].filter((e) => e.offsetHeight)` +
		`.map((e) => e.className.replace("again", "same")).join(" ")).join(", ")`
	for _, tt := range []struct {
		view  string
		width int64
		want  string
	}{
		{"columns", 1280, "same same, gone new, same same, gone new"},
		{"columns", 600, "same, gone new, same, gone new"},
		{"unified", 1280, "same, gone new, same, gone new"},
		{"inline", 1280, "same, both, same, both"},
		{"inline", 600, "same, both, same, both"},
	} {
		if _, err := chromedp.Run(b.Ctx, chromedp.EmulateViewport(tt.width, 900)); err != nil {
			t.Fatal(err)
		}
		b.Open("/web/diff/20150101000000/20160101000000/" + replaytest.Site + "/fish")
		b.Click(`document.querySelector("[name=view][value=` + tt.view + `]")`)
		if got := b.Eval(shown); got != tt.want {
			t.Errorf("%s, %d px: %s, want %s", tt.view, tt.width, got, tt.want)
		}
	}
}

// A row with many cells takes several lines, so that words stay whole. Cells of one column stay below each other.
func TestRowsOfManyCellsWrap(t *testing.T) {
	table := func(first string) string {
		row := "<tr>" + strings.Repeat("<td>hundred", 29)
		return "<table>" + row + "<td>hundred" + row + "<td>" + first + "</table>"
	}
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: replaytest.Site + "/wide", Status: 200, Body: table("hundred")},
		{Date: "20160101000000", URI: replaytest.Site + "/wide", Status: 200, Body: table("two")},
	}))
	b := replaytest.ReaderOf(t, s.Handler())
	for _, width := range []int64{360, 1000} {
		if _, err := chromedp.Run(b.Ctx, chromedp.EmulateViewport(width, 640)); err != nil {
			t.Fatal(err)
		}
		b.Open("/web/diff/20150101000000/20160101000000/" + replaytest.Site + "/wide")
		b.See(`(() => {
  const rows = [...document.querySelectorAll(".diff .cells > p")].filter((p) => p.offsetHeight && p.children.length === 30);
  const lefts = (p) => [...p.children].map((c) => c.offsetLeft - p.offsetLeft).join();
  const oneLine = (c) => c.offsetHeight < 2 * parseFloat(getComputedStyle(c).lineHeight);
  return rows.length > 1 && rows.every((p) => lefts(p) === lefts(rows[0]) && [...p.children].every(oneLine)) &&
    document.documentElement.scrollWidth <= innerWidth;
})()`)
	}
}

// A very long address must not fill the screen. The box has all of it.
func TestLongAddressesLeaveRoom(t *testing.T) {
	long := replaytest.Site + "/" + strings.Repeat("long", 300)
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20150101000000", URI: long, Status: 200, Body: "<p>One"}, {Date: "20160101000000", URI: long, Status: 200, Body: "<p>Two"},
	}))
	b := replaytest.ReaderOf(t, s.Handler())
	if _, err := chromedp.Run(b.Ctx, chromedp.EmulateViewport(360, 640)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/web/diff/20150101000000/20160101000000/", "/web/diff/", "/web/*/"} {
		b.Open(path + long)
		b.See(`document.querySelector("h1").offsetHeight < 200 && document.querySelector("#box [name=url]").value === "` + long + `"`)
	}
}
