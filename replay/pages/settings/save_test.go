package settings_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/replay/pages/settings"
	"github.com/varve-archive/varve/replay/replaytest"
)

const loopback = replaytest.Loopback

var at, asWindow = replaytest.At, replaytest.AsWindow()

// texts keep what is saved; a text with the word wrong is wrong, and one with the word full can't be written.
type texts struct{ templates, rankings string }

func (t *texts) Templates(string) (text, file string, err error) {
	return t.templates, "fields: []", nil
}
func (t *texts) Rankings(string) (text, file string, err error) { return t.rankings, "", nil }
func (t *texts) SaveTemplates(_, text string) error             { return keepText(&t.templates, text) }

func (t *texts) SaveRankings(_, text string) error { return keepText(&t.rankings, text) }

func keepText(into *string, text string) error {
	if strings.Contains(text, "wrong") {
		return errors.New("line 1: that is no template")
	}
	if strings.Contains(text, "full") {
		return &fs.PathError{Op: "write", Path: "/data/settings", Err: syscall.ENOSPC}
	}
	*into = text
	return nil
}

// Templates are tried and saved, with what is wrong beside them; one that the inspector made is added to those that were saved.
func TestSavingSettings(t *testing.T) {
	t.Parallel()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20140101000000", URI: "http://a.example/", Status: 200, Body: "<p>a"},
	}))
	kept := &texts{}
	h := replaytest.Configured(t, x, func(c *replay.Config) { c.Settings = &settings.Config{Store: kept} })
	post := func(form url.Values, header ...string) (int, string, string) {
		w := at(h, "POST", loopback, "/-/settings?collection=web", form.Encode(),
			append([]string{"Content-Type", "application/x-www-form-urlencoded"}, header...)...)
		return w.Code, w.Header().Get("Location"), w.Body.String()
	}
	const text = "# shops\nfields:\n    - urls: ['a.example/*']\n      fields: [{name: a, css: b}]\n"
	code, _, said := post(url.Values{"part": {"templates"}, "text": {strings.ReplaceAll(text, "\n", "\r\n")}}, asWindow...)
	if code != 200 || kept.templates != text || !strings.Contains(said, "Saved") {
		t.Errorf("%d, %q: %s", code, kept.templates, said)
	}
	code, _, said = post(url.Values{"part": {"rankings"}, "text": {"wrong"}}, asWindow...)
	if code != 400 || kept.rankings != "" || !strings.Contains(said, "That is no template") && !strings.Contains(said, "that is no template") {
		t.Errorf("%d: %s", code, said)
	}
	code, _, said = post(url.Values{"part": {"rankings"}, "text": {"full"}})
	if code != 500 || kept.rankings != "" || strings.Contains(said, "/data/settings") {
		t.Errorf("a text that can't be written: %d: %s", code, said)
	}
	code, to, _ := post(url.Values{"part": {"templates"}, "text": {text}, "do": {"try"}, "url": {"http://a.example/"}}, asWindow...)
	if code != 302 || !strings.HasPrefix(to, "/web/inspect?template=") || strings.Contains(to, "token") {
		t.Errorf("%d to %s", code, to)
	}
	if w := at(h, "GET", loopback, to, "", "Accept", "application/json"); w.Code != 200 {
		t.Errorf("trying: %d %s", w.Code, w.Body)
	}
	for _, form := range []url.Values{
		{"part": {"x"}, "text": {"y"}},
		{"part": {"templates"}, "do": {"try"}},
		{"part": {"templates"}, "text": {strings.Repeat("x", 64<<10+1)}},
	} {
		if code, _, _ := post(form); code != 400 {
			t.Errorf("%.60v: %d", form, code)
		}
	}
	add := url.QueryEscape("fields:\n  - urls: ['b.example']\n    fields:\n      - {name: c, css: d}\n")
	said = at(h, "GET", loopback, "/-/settings?add="+add, "", asWindow...).Body.String()
	for _, want := range []string{"# shops", "a.example/*", "b.example", "name: c"} {
		if !strings.Contains(strings.ReplaceAll(said, "&#39;", "'"), want) {
			t.Errorf("with one more, without %q: %s", want, said)
		}
	}
	if w := at(h, "GET", loopback, "/-/settings?collection=none", ""); w.Code != 404 {
		t.Errorf("of no collection: %d", w.Code)
	}
}

func TestWhereNothingIsSaved(t *testing.T) {
	t.Parallel()
	replaytest.Forbids(t, "/-/settings", func(c *replay.Config) { c.Settings = &settings.Config{Store: &texts{}} },
		"saves no settings", "--crawls", "save settings")
}

// Whoever may save settings finds the page from others, with the template of what was inspected.
func TestWhatLeadsToSettings(t *testing.T) {
	t.Parallel()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: "20140101000000", URI: "http://a.example/", Status: 200, Body: "<title>a</title><h1>b</h1><p>c"},
	}))
	kept := &texts{templates: "fields: []"}
	h := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Crawls, c.Settings = &crawls.Config{Folder: runs.Folder(t.TempDir())}, &settings.Config{Store: kept}
	})
	reads := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Crawls, c.Settings = &crawls.Config{Folder: runs.Folder(t.TempDir())}, &settings.Config{Store: kept, ReadOnly: true}
	})
	for path, want := range map[string]string{
		"/-/crawls": `"/-/settings"`,
		"/web/inspect?url=http://a.example/&at=20140101000000&css=h1": "/-/settings?add=" +
			url.QueryEscape("fields:\n  - urls: ['http://a.example/']\n    fields:\n      - {name: value, css: h1}\n") + "&amp;collection=web",
	} {
		for server, leads := range map[*http.Handler]bool{&h: true, &reads: false} {
			if got := at(*server, "GET", loopback, path, "", asWindow...).Body.String(); strings.Contains(got, want) != leads {
				t.Errorf("%s leads there: %v, in %s", path, !leads, got)
			}
		}
	}
	const data = `{"collection":"web","templates":"fields: []"`
	if w := at(h, "GET", loopback, "/-/settings", ""); w.Code != 200 || !strings.Contains(w.Body.String(), data) {
		t.Errorf("as data: %d %s", w.Code, w.Body)
	}
	save := func(h http.Handler) *httptest.ResponseRecorder {
		body := url.Values{"part": {"rankings"}, "text": {"x"}}.Encode()
		return at(h, "POST", loopback, "/-/settings", body, "Content-Type", "application/x-www-form-urlencoded")
	}
	if w := save(reads); w.Code != http.StatusForbidden || kept.rankings != "" {
		t.Errorf("where nothing is written: %d, saved %q", w.Code, kept.rankings)
	}
	w := save(h)
	if w.Code != 200 || kept.rankings != "x" || !strings.Contains(w.Body.String(), `"rankings":"x"`) {
		t.Errorf("without a browser: %d %s", w.Code, w.Body)
	}
	if w := at(h, "DELETE", loopback, "/-/settings", ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", w.Code)
	}
}
