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
	"github.com/varve-archive/varve/internal/testkit/looks"
	"github.com/varve-archive/varve/static"
)

func TestMarkupIsWhole(t *testing.T) { looks.Whole(t, fixtures) }

// hostile is text as it may occur in a URI-R, a title or an archived word. Its quotes and brackets must always be
// escaped.
const hostile = `"'><script>alert(1)</script><!--</template></varve-banner>&lt;`

func TestHostileTextStaysText(t *testing.T) {
	v := smallBanner("en")
	v.URIR, v.Memento, v.CameFrom, v.Source = hostile, hostile, &Link{hostile, hostile}, hostile
	v.PrevVersion.Href, v.Next.Href, v.CaptureList[0].Href = hostile, hostile, hostile
	v.Timeline = NewTimeline([]Tick{{20170101000000, KindPage, true, hostile}}, 1)
	v.Open, v.Search, v.Levels, v.GoTo, v.Calendar, v.Slider = hostile, hostile, hostile, hostile, hostile, hostile
	source := looks.Render(t, Banner(v))
	if !strings.Contains(source, "&lt;script&gt;alert(1)") {
		t.Error("the hostile text does not stand in the banner at all")
	}
	for _, raw := range []string{"<script>alert", "<!--", `"'>`, "</template></varve-banner>"} {
		if strings.Contains(source, raw) {
			t.Errorf("%q stands in the banner unescaped", raw)
		}
	}
}

func TestLinksAreWrittenAsGiven(t *testing.T) {
	v := smallBanner("en")
	href := "/web/20170120080000/http://example.org/a%2Fb?q=ü&x=[1]|2 3"
	v.PrevVersion.Href = href
	doc, err := html.Parse(strings.NewReader(looks.Render(t, Banner(v))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	looks.Walk(doc, func(n *html.Node) {
		if rel, _ := looks.Attribute(n, "rel"); rel == "predecessor-version" {
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
	doc, err := html.Parse(strings.NewReader(looks.Render(t, Banner(v))))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	looks.Walk(doc, func(n *html.Node) {
		if rel, ok := looks.Attribute(n, "rel"); ok && n.Data == "a" {
			found[rel], _ = looks.Attribute(n, "href")
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
	source := looks.Render(t, Banner(v))
	for _, words := range []string{english.FirstVersion, english.NewestVersion} {
		if !strings.Contains(source, words) {
			t.Errorf("%q is not said", words)
		}
	}
}

// TestBannerHasNoFieldThatBrowsersFill: Chromium reports each page that has one to its maker.
func TestBannerHasNoFieldThatBrowsersFill(t *testing.T) {
	doc, err := html.Parse(strings.NewReader(looks.Render(t, Banner(fullBanner("en")))))
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	looks.Walk(doc, func(n *html.Node) {
		kind, _ := looks.Attribute(n, "type")
		if n.Data == "select" || n.Data == "textarea" || n.Data == "input" && !slices.Contains([]string{"hidden", "checkbox", "radio"}, kind) {
			t.Errorf("<%s type=%q> is in the banner", n.Data, kind)
		}
		if href, _ := looks.Attribute(n, "href"); strings.HasPrefix(href, "/web/search?url=") {
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
			if n := len(looks.Render(t, Banner(v))) + sent.Body.Len(); n > maxBanner {
				t.Errorf("%s in %s: %d bytes with the script, want at most %d", name, lang, n, maxBanner)
			}
		}
	}
}

func TestStyleIsASCII(t *testing.T) {
	for _, style := range []string{Style(bannerCSS)} {
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
