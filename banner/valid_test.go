package banner

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/static"
)

// walk visits every element, including those inside <template>.
func walk(n *html.Node, visit func(*html.Node)) {
	if n.Type == html.ElementNode {
		visit(n)
	}
	for c := range n.ChildNodes() {
		walk(c, visit)
	}
}

func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func hasAttribute(n *html.Node, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, ok := attribute(n, name)
		return ok
	})
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

func insideLabel(n *html.Node) bool {
	for p := range n.Ancestors() {
		if p.Data == "label" && textOf(p) != "" {
			return true
		}
	}
	return false
}

// fault says what is wrong with an element for those who can't see it, or under a policy that forbids inline code; ""
// if nothing is.
func fault(n *html.Node) string {
	for _, a := range n.Attr {
		if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
			return "carries an inline " + a.Key
		}
	}
	kind, _ := attribute(n, "type")
	switch n.Data {
	case "html", "nav":
		if n.Data == "html" && !hasAttribute(n, "lang") || n.Data == "html" && !hasAttribute(n, "dir") {
			return "says no language or direction"
		}
	case "input", "select":
		if kind != "hidden" && !hasAttribute(n, "aria-label") && !insideLabel(n) {
			return "has no label"
		}
	case "button", "summary", "a":
		if textOf(n) == "" && !hasAttribute(n, "aria-label") && pictureOf(n) == "" {
			return "has no name"
		}
		if href, ok := attribute(n, "href"); n.Data == "a" && (!ok || href == "") {
			return "leads nowhere"
		}
	case "script":
		if !hasAttribute(n, "src") {
			return "is inline"
		}
	}
	return ""
}

// pictureOf returns what a picture in an element says to those who can't see it.
func pictureOf(n *html.Node) (alt string) {
	walk(n, func(n *html.Node) {
		if n.Data == "img" && alt == "" {
			alt, _ = attribute(n, "alt")
		}
	})
	return alt
}

func TestMarkupIsWhole(t *testing.T) {
	for _, lang := range locale.Tags() {
		for name, c := range fixtures(lang) {
			t.Run(name+"/"+lang, func(t *testing.T) {
				source := render(t, c)
				if strings.HasPrefix(name, "banner") {
					source = `<!DOCTYPE html><html lang="en" dir="ltr"><body>` + source
				}
				doc, err := html.Parse(strings.NewReader(source))
				if err != nil {
					t.Fatal(err)
				}
				ids := map[string]bool{}
				walk(doc, func(n *html.Node) {
					if s := fault(n); s != "" {
						t.Errorf("<%s> %v %s", n.Data, n.Attr, s)
					}
					if id, ok := attribute(n, "id"); ok && ids[id] {
						t.Errorf("id %q stands twice", id)
					} else if ok {
						ids[id] = true
					}
				})
			})
		}
	}
}

// hostile is text as it may occur in a URI-R, a title or an archived word. Its quotes and brackets must always be
// escaped.
const hostile = `"'><script>alert(1)</script><!--</template></varve-banner>&lt;`

func TestHostileTextStaysText(t *testing.T) {
	page := pageIn("en")
	page.URIR = hostile
	banner := smallBanner("en")
	banner.URIR, banner.Memento, banner.CameFrom, banner.Source = hostile, hostile, &Link{hostile, hostile}, hostile
	banner.PrevVersion.Href, banner.Next.Href, banner.CaptureList[0].Href = hostile, hostile, hostile
	banner.Timeline = NewTimeline([]Tick{{20170101000000, KindPage, true, hostile}}, 1)
	banner.Open, banner.Search, banner.Levels, banner.GoTo, banner.Calendar, banner.Slider = hostile, hostile, hostile, hostile, hostile,
		hostile
	landing := redirectView("en")
	landing.Page, landing.Target, landing.Site = page, hostile, hostile
	landing.TargetCard = &Card{CaptureLink{hostile, 20170101000000}, hostile, hostile, hostile, false}
	landing.Chain[2].URIR, landing.Chain[1].Href = hostile, hostile
	landing.Alternatives[0] = Alternative{CaptureLink{hostile, 20170101000000}, hostile, hostile, Similarity{2, true}, WhySpelling}
	diff := diffView("en")
	diff.Page, diff.Older.Title, diff.Rows[2].Cells[0].Before[1].Text = page, hostile, hostile
	diff.Rows[2].Cells[0].Before[2].Text, diff.Terms[0].Text, diff.Slider = hostile, hostile, hostile
	slider, gone := sliderView("en"), redirectSlider("en")
	slider.Page, slider.Term.Text, slider.Self, slider.Position, slider.Term.Earlier = page, hostile, hostile, hostile, hostile
	slider.Pair.Older.Title, slider.Pair.Rows[2].Cells[0].Before[1].Text, slider.Steps.First, slider.Years[0] = hostile, hostile, hostile,
		Link{hostile, hostile}
	gone.Page, gone.Pair.Newer.Target = page, hostile
	gone.Pair.Older.Kind, gone.Pair.Older.MIME = KindResource, hostile
	addresses := addressesView("en")
	addresses.Page, addresses.Rows[0].URIR, addresses.Rows[0].Href, addresses.Rows[0].MIME = page, hostile, hostile, hostile
	addresses.Asked, addresses.Pattern, addresses.CSV = Asked{Has: hostile, Since: hostile, Status: hostile}, hostile, hostile
	calendar := calendarView("en")
	calendar.Page, calendar.Days[0].Href, calendar.Versions[1].Diff = page, hostile, hostile
	timeMap := timeMapView("en")
	timeMap.Page = page
	collection := collectionView("en")
	collection.Facts.Name, collection.Entries[0].URIR, collection.Entries[0].Href = hostile, hostile, hostile
	collection.Hosts[0].Host, collection.Hosts[0].Href = hostile, hostile
	search, terms := hostileSearch(page), hostileTerms(page)
	monitor := monitorView("en")
	monitor.Page, monitor.Of, monitor.SinceAsked, monitor.Rows[0].Title, monitor.Rows[1].URIR = page, hostile, hostile, hostile, hostile

	played := animationOfTerm("en")
	played.URIR, played.Term, played.Diff, played.All, played.Home, played.Before.Href = hostile, hostile, hostile, hostile, hostile, hostile
	played.Steps[0] = AnimationStep{Deleted: hostile, Inserted: hostile, Before: hostile, After: hostile}

	for name, source := range map[string]string{
		"animation": render(t, Animation(played)),
		"banner":    render(t, Banner(banner)), "landing": render(t, Landing(landing)), "diff": render(t, Diff(diff)),
		"addresses": render(t, Addresses(addresses)), "calendar": render(t, Calendar(calendar)), "timemap": render(t, TimeMap(timeMap)),
		"collection": render(t, Collection(collection)), "search": render(t, Search(search)), "terms": render(t, Terms(terms)),
		"slider": render(t, Slider(slider)), "slider-redirect": render(t, Slider(gone)),
		"monitor": render(t, Monitor(monitor)),
		"uploads": render(t, Uploads(hostileUploads(page))),
		"crawl":   render(t, CrawlPage(hostileCrawl(page))),
		"error":   render(t, Error(ErrorView{Page: page, Status: 404, Detail: hostile})),
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(source, "&lt;script&gt;alert(1)") {
				t.Error("the hostile text does not stand in the page at all")
			}
			for _, raw := range []string{"<script>alert", "<!--", `"'>`, "</template></varve-banner>"} {
				if strings.Contains(source, raw) {
					t.Errorf("%q stands in the page unescaped", raw)
				}
			}
		})
	}
}

func TestLinksAreWrittenAsGiven(t *testing.T) {
	v := smallBanner("en")
	href := "/web/20170120080000/http://example.org/a%2Fb?q=ü&x=[1]|2 3"
	v.PrevVersion.Href = href
	doc, err := html.Parse(strings.NewReader(render(t, Banner(v))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	walk(doc, func(n *html.Node) {
		if rel, _ := attribute(n, "rel"); rel == "predecessor-version" {
			got = append(got, n.Attr[slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "href" })].Val)
		}
	})
	if len(got) != 1 || got[0] != href {
		t.Errorf("predecessor-version leads to %q, want %q", got, href)
	}
}

// rels returns the banner's links by their rel.
func rels(t *testing.T, v BannerView) map[string]string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(render(t, Banner(v))))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	walk(doc, func(n *html.Node) {
		if rel, ok := attribute(n, "rel"); ok && n.Data == "a" {
			found[rel], _ = attribute(n, "href")
		}
	})
	return found
}

func TestAtTheEndsTheWordsStayAndTheLinksGo(t *testing.T) {
	if got := rels(t, smallBanner("en")); len(got) != 4 {
		t.Errorf("in the middle the banner has the links %v, want four", got)
	}
	v := endBanner("en")
	if got := rels(t, v); len(got) != 0 {
		t.Errorf("the only capture has the links %v, want none", got)
	}
	source := render(t, Banner(v))
	for _, words := range []string{english.FirstVersion, english.NewestVersion} {
		if !strings.Contains(source, words) {
			t.Errorf("%q is not said", words)
		}
	}
}

// TestBannerHasNoFieldThatBrowsersFill: Chromium reports each page that has one to its maker.
func TestBannerHasNoFieldThatBrowsersFill(t *testing.T) {
	doc, err := html.Parse(strings.NewReader(render(t, Banner(fullBanner("en")))))
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	walk(doc, func(n *html.Node) {
		kind, _ := attribute(n, "type")
		if n.Data == "select" || n.Data == "textarea" || n.Data == "input" && !slices.Contains([]string{"hidden", "checkbox", "radio"}, kind) {
			t.Errorf("<%s type=%q> is in the banner", n.Data, kind)
		}
		if href, _ := attribute(n, "href"); strings.HasPrefix(href, "/web/search?url=") {
			links++
		}
	})
	if links != 1 {
		t.Errorf("%d links to the search, want 1", links)
	}
}

// maxBanner bounds what a banner adds to a page, including its script in the form it is sent.
const maxBanner = 25_000

func TestBannerIsLight(t *testing.T) {
	r, sent := httptest.NewRequest(http.MethodGet, static.URL("banner.js"), nil), httptest.NewRecorder()
	r.Header.Set("Accept-Encoding", "gzip")
	static.Handler().ServeHTTP(sent, r)
	if sent.Code != http.StatusOK || sent.Header().Get("Content-Encoding") != "gzip" {
		t.Fatalf("the script: %d", sent.Code)
	}
	long := func(v BannerView) BannerView {
		tail := strings.Repeat("x", 300)
		for i := range v.CaptureList {
			v.CaptureList[i].Href += tail
		}
		life := fullLife()
		for i := range life {
			life[i].Href += tail
		}
		v.Timeline = NewTimeline(life, len(life))
		return v
	}
	for _, lang := range locale.Tags() {
		for name, v := range map[string]BannerView{"a long life": fullBanner(lang), "and a long URI-R": long(fullBanner(lang))} {
			if n := len(render(t, Banner(v))) + sent.Body.Len(); n > maxBanner {
				t.Errorf("%s in %s: %d bytes with the script, want at most %d", name, lang, n, maxBanner)
			}
		}
	}
}

func TestStyleIsASCII(t *testing.T) {
	for _, style := range []string{styleElement(bannerCSS), styleElement(animationCSS)} {
		for i := range len(style) {
			if style[i] >= 0x80 {
				t.Fatalf("byte %d of the style is not ASCII, which a page in another charset garbles", i)
			}
		}
		if strings.Count(style, "{") != strings.Count(style, "}") {
			t.Error("the style's braces do not match")
		}
	}
}

func BenchmarkBanner(b *testing.B) {
	for name, v := range map[string]BannerView{"short life": smallBanner("en"), "long life": fullBanner("en")} {
		b.Run(name, func(b *testing.B) {
			var buf bytes.Buffer
			b.ReportAllocs()
			for b.Loop() {
				buf.Reset()
				if err := Banner(v).Render(b.Context(), &buf); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(buf.Len()))
		})
	}
}
