package settings_test

import (
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/settings"
	"github.com/varve-archive/varve/replay/replaytest"
)

var isForm = []string{"Content-Type", "application/x-www-form-urlencoded"}

// collections returns an index with a page in each of some collections.
func collections(t *testing.T, names ...string) *index.Index {
	t.Helper()
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	file := replaytest.Write(t, []replaytest.Record{{Date: "20140101000000", URI: "http://a.example/", Status: 200, Body: "<p>a"}})
	for _, name := range names {
		if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: name}, []string{file}); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// A text of 64 KB is saved even where each of its bytes takes three in the form. The log tells what was saved, and only that.
func TestHowLongATextMayBe(t *testing.T) {
	t.Parallel()
	const most, long = 64 << 10, "the text is longer than 64 KB"
	x := collections(t, "web")
	for _, tt := range []struct {
		name, body, says string
		code             int
	}{
		{"as long as may be", "part=rankings&text=" + strings.Repeat("%C3%A4", most/2), "", 200},
		{"a byte longer", "part=rankings&text=x" + strings.Repeat("%C3%A4", most/2), long, 400},
		{"the longest form", "part=rankings&text=" + strings.Repeat("x", 4*most-len("part=rankings&text=")), long, 400},
		{"a longer form", "part=rankings&text=" + strings.Repeat("x", 4*most+1-len("part=rankings&text=")), "the form can't be read", 400},
		{"no form", "part=rankings&text=%zz", "the form can't be read", 400},
	} {
		kept, said := &texts{}, &logbuffer.Buffer{}
		h := replaytest.Configured(t, x, func(c *replay.Config) { c.Settings = &settings.Config{Store: kept, Log: said.Logger()} })
		w := at(h, "POST", loopback, "/-/settings", tt.body, isForm...)
		if w.Code != tt.code || !strings.Contains(w.Body.String(), tt.says) || len(kept.rankings) != map[int]int{200: most}[tt.code] {
			t.Errorf("%s: %d %.100s, %d bytes are saved", tt.name, w.Code, w.Body, len(kept.rankings))
		}
		told := strings.Contains(said.String(), `msg="settings were saved" collection=web part=rankings`)
		if told != (tt.code == 200) || said.String() != "" && !told {
			t.Errorf("%s: the log says %q", tt.name, said)
		}
	}
}

// The page is of one collection and leads to the others.
func TestTheSettingsOfEachCollection(t *testing.T) {
	t.Parallel()
	kept := &texts{}
	h := replaytest.Configured(t, collections(t, "fens", "web"), func(c *replay.Config) { c.Settings = &settings.Config{Store: kept} })
	for path, others := range map[string][2]string{
		"/-/settings": {"fens", "web"}, "/-/settings?collection=fens": {"fens", "web"}, "/-/settings?collection=web": {"web", "fens"},
	} {
		w := at(h, "GET", loopback, path, "", asWindow...)
		page, own, other := w.Body.String(), others[0], others[1]
		for _, want := range []string{
			`action="/-/settings?collection=` + own + `"`, `href="/` + own + `/"`, `href="/-/settings?collection=` + other + `"`,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %s in %s", path, want, page)
			}
		}
		if strings.Contains(page, `href="/-/settings?collection=`+own+`"`) {
			t.Errorf("%s leads to itself: %s", path, page)
		}
		if kept, vary := w.Header().Get("Cache-Control"), strings.Join(w.Header().Values("Vary"), ", "); kept != "no-store" ||
			!strings.Contains(vary, "Accept") || !strings.Contains(vary, "Sec-Fetch-Dest") || !strings.Contains(vary, "Sec-Fetch-Mode") {
			t.Errorf("%s: kept as %q, varies by %q", path, kept, vary)
		}
		if data := at(h, "GET", loopback, path, "").Body.String(); !strings.HasPrefix(data, `{"collection":"`+own+`",`) {
			t.Errorf("%s as data: %s", path, data)
		}
	}
	w := at(h, "POST", loopback, "/-/settings?collection=web", "part=rankings&text=a%0D%0Ab", isForm...)
	if w.Code != 200 || kept.rankings != "a\nb" || !strings.HasPrefix(w.Body.String(), `{"collection":"web",`) {
		t.Errorf("%d %s, saved %q", w.Code, w.Body, kept.rankings)
	}
}

// What was filled in stays in the form, beside what is wrong with it. A template to add that is none leaves what is there.
func TestWhatIsWrongIsSaidOnThePage(t *testing.T) {
	t.Parallel()
	kept := &texts{templates: "fields: [] # mine", rankings: "old: 1"}
	h := replaytest.Configured(t, collections(t, "web"), func(c *replay.Config) { c.Settings = &settings.Config{Store: kept} })
	token := replaytest.Token(h, loopback, "/-/settings", asWindow...)
	if token == "" {
		t.Fatal("the page has no token")
	}
	const wrong, saved = "hat is no template", "Saved"
	for _, tt := range []struct {
		name, method, query string
		form                url.Values
		code                int
		has, not            []string
	}{
		{"shown", "GET", "", nil, 200, []string{"fields: [] # mine", "old: 1"}, []string{wrong, saved}},
		{"no template is added", "GET", "?add=x", nil, 200, []string{"ant templates under fields", "fields: [] # mine"}, []string{wrong, saved}},
		{
			"wrong templates", "POST", "",
			url.Values{"part": {"templates"}, "text": {"wrong text"}, "url": {"http://a.example/x"}},
			400,
			[]string{wrong, "wrong text", "old: 1", `value="http://a.example/x"`},
			[]string{saved, "# mine"},
		},
		{
			"wrong rankings", "POST", "",
			url.Values{"part": {"rankings"}, "text": {"wrong text"}},
			400,
			[]string{wrong, "wrong text", "fields: [] # mine"},
			[]string{saved, "old: 1"},
		},
		{
			"templates to try on nothing", "POST", "",
			url.Values{"part": {"templates"}, "text": {"mine"}, "do": {"try"}, "url": {" "}},
			400,
			[]string{"ame a page of the archive", "mine"},
			[]string{saved},
		},
		{
			"good rankings", "POST", "",
			url.Values{"part": {"rankings"}, "text": {"new: 2"}},
			200,
			[]string{saved, "new: 2"},
			[]string{wrong, "old: 1"},
		},
	} {
		header := append([]string{"Origin", "http://" + loopback}, append(isForm, asWindow...)...)
		if tt.form != nil {
			tt.form.Set("token", token)
		}
		w := at(h, tt.method, loopback, "/-/settings"+tt.query, tt.form.Encode(), header...)
		page := strings.ReplaceAll(w.Body.String(), "&#39;", "'")
		for _, want := range tt.has {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in %s", tt.name, want, page)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(page, not) {
				t.Errorf("%s: %q in %s", tt.name, not, page)
			}
		}
		if w.Code != tt.code {
			t.Errorf("%s: %d", tt.name, w.Code)
		}
		if tt.form == nil {
			continue
		}
		tt.form.Del("token")
		if w := at(h, tt.method, loopback, "/-/settings"+tt.query, tt.form.Encode(), header...); w.Code != http.StatusForbidden {
			t.Errorf("%s, without a token: %d", tt.name, w.Code)
		}
	}
}

// unread are texts one of which can't be read.
type unread struct {
	texts
	part string
}

func (u *unread) of(part, text string) (string, string, error) {
	if u.part == part {
		return "", "", errors.New("the disk fails")
	}
	return text, "", nil
}

func (u *unread) Templates(string) (text, file string, err error) {
	return u.of("templates", u.templates)
}

func (u *unread) Rankings(string) (text, file string, err error) { return u.of("rankings", u.rankings) }

// Texts that can't be read are no empty ones: whoever saved the page as it is shown would lose them.
func TestTextsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	x := collections(t, "web")
	for _, part := range []string{"templates", "rankings"} {
		h := replaytest.Configured(t, x, func(c *replay.Config) { c.Settings = &settings.Config{Store: &unread{part: part}} })
		for _, header := range [][]string{nil, asWindow} {
			for method, body := range map[string]string{"GET": "", "POST": "part=templates&text=x"} {
				w := at(h, method, loopback, "/-/settings", body, append(isForm, header...)...)
				if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "the disk fails") {
					t.Errorf("%s, %s as %v: %d %s", part, method, header, w.Code, w.Body)
				}
			}
		}
	}
}
