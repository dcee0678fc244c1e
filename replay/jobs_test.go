package replay_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/crawls"
	pagejobs "github.com/varve-archive/varve/replay/pages/jobs"
	"github.com/varve-archive/varve/replay/pages/settings"
	"github.com/varve-archive/varve/replay/replaytest"
)

const loopback = replaytest.Loopback

var at, token, asWindow = replaytest.At, replaytest.Token, replaytest.AsWindow()

// checked reads crawl files as far as the tests need: a file that has the word wrong is wrong in line 3.
func checked(file string) (string, []string, error) {
	if strings.Contains(file, "wrong") {
		return "", nil, &pagejobs.Fault{Key: "name", Line: 3, Err: errors.New("that is no name")}
	}
	seeds := []string{freePage}
	if strings.Contains(file, "secret") {
		seeds = []string{secretPage}
	}
	return "river", seeds, nil
}

// texts keep what is saved; a text with the word wrong is wrong.
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
	*into = text
	return nil
}

// ordering returns what makes a server take orders and save settings.
func ordering(folder jobs.Folder, shown runs.Folder, kept *texts, change func(*crawls.Config)) func(*replay.Config) {
	return func(c *replay.Config) {
		c.Crawls = &crawls.Config{Folder: shown}
		if change != nil {
			change(c.Crawls)
		}
		c.Jobs = &pagejobs.Config{Folder: folder, Default: "web", Check: checked}
		c.Settings = &settings.Config{Store: kept, Asked: c.Crawls.Asked, ReadOnly: c.Crawls.ReadOnly}
	}
}

// Crawls are ordered, and settings saved, by whom files are taken from, and by nobody else: above all by no archived page.
func TestWhoMayOrderAndSave(t *testing.T) {
	t.Parallel()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{page("20140101000000", "http://a.example/")}))
	folder, kept := jobs.Folder(filepath.Join(t.TempDir(), "jobs")), &texts{}
	shown := runs.Folder(t.TempDir())
	h := replaytest.Configured(t, x, ordering(folder, shown, kept, nil))
	public := replaytest.Configured(t, x, func(c *replay.Config) {
		ordering(folder, shown, kept, func(c *crawls.Config) { c.Asked = true })(c)
		c.PublicURL = "https://archive.example"
	})
	reads := replaytest.Configured(t, x, ordering(folder, shown, kept, func(c *crawls.Config) { c.ReadOnly = true }))
	const here = "http://" + loopback
	saved := 0
	for _, route := range []struct{ path, body string }{
		{"/-/jobs", "seeds=" + freePage},
		{"/-/settings", "part=templates&text="},
		{"/-/settings", "part=rankings&text="},
	} {
		own, ownPublic := token(h, loopback, route.path, asWindow...), token(public, "archive.example", route.path, asWindow...)
		if own == "" || ownPublic == "" || own == ownPublic {
			t.Fatalf("%s: no tokens", route.path)
		}
		if got := token(h, loopback, route.path, "Accept", "text/html", "Sec-Fetch-Dest", "iframe", "Sec-Fetch-Mode", "navigate"); got != "" {
			t.Errorf("%s: a frame gets the token", route.path)
		}
		if token(reads, loopback, route.path, asWindow...) != "" {
			t.Errorf("%s: there is a form where nothing is written", route.path)
		}
		for _, tt := range []struct {
			name   string
			h      http.Handler
			host   string
			header []string
			want   bool
		}{
			{"a client that is no browser", h, loopback, nil, true},
			{"varve's own page", h, loopback, []string{
				"Origin", here, "Sec-Fetch-Site", "same-origin", "X-Varve-Token", own,
				"Referer", here + route.path,
			}, true},
			{"… without the token", h, loopback, []string{"Origin", here, "Sec-Fetch-Site", "same-origin", "Referer", here + route.path}, false},
			{"… with another", h, loopback, []string{"Origin", here, "X-Varve-Token", ownPublic, "Referer", here + route.path}, false},
			{"another site", h, loopback, []string{"Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site", "X-Varve-Token", own}, false},
			{"a name that leads here", h, "evil.example:8080", nil, false},
			{"through another server", h, loopback, []string{"X-Forwarded-For", "192.0.2.1"}, false},
			{"an archived page", h, loopback, []string{
				"Origin", here, "Sec-Fetch-Site", "same-origin", "X-Varve-Token", own, "Referer", here + "/web/20140101000000/http://a.example/",
			}, false},
			{"the public address", public, "archive.example", []string{"Origin", "https://archive.example", "X-Varve-Token", ownPublic}, true},
			{"a server that writes nothing", reads, loopback, nil, false},
			{"a server that takes no orders", replaytest.Configured(t, x, nil), loopback, nil, false},
		} {
			saved++
			before, err := folder.All()
			if err != nil {
				t.Fatal(err)
			}
			header := append([]string{"Content-Type", "application/x-www-form-urlencoded"}, tt.header...)
			body := route.body
			if route.path == "/-/settings" {
				body += fmt.Sprint("text-", saved)
			}
			w := at(tt.h, "POST", tt.host, route.path, body, header...)
			after, err := folder.All()
			if err != nil {
				t.Fatal(err)
			}
			now := fmt.Sprint("text-", saved)
			done := len(after) > len(before) || kept.templates == now || kept.rankings == now
			if done != tt.want || (w.Code < 300) != tt.want || !tt.want && w.Code != http.StatusForbidden {
				t.Errorf("%s: %s: %d, done %v: %s", route.path, tt.name, w.Code, done, w.Body)
			}
		}
	}
}

// What is filled in wrongly is said beside its field, and nothing is left.
func TestOrderingACrawl(t *testing.T) {
	t.Parallel()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{page("20140101000000", "http://a.example/")}))
	folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	h := replaytest.Configured(t, x, ordering(folder, runs.Folder(t.TempDir()), &texts{}, nil))
	post := func(path string, form url.Values, accept string) (int, string, string) {
		w := at(h, "POST", loopback, path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", accept)
		return w.Code, w.Header().Get("Location"), w.Body.String()
	}
	for _, tt := range []struct {
		form  url.Values
		field string
		says  string
	}{
		{url.Values{"seeds": {freePage}, "max_pages": {"ten"}}, "max_pages", `"ten": want a number`},
		{url.Values{"seeds": {freePage}, "walltime": {"soon"}}, "walltime", "want a time such as 10m"},
		{url.Values{"seeds": {freePage}, "template": {"- x"}}, "template", "want fields"},
		{url.Values{"seeds": {freePage}, "name": {"wrong"}}, "name", "that is no name"},
		{url.Values{"file": {"a: b\nc: d\nname: wrong"}}, "file", "line 3: name: that is no name"},
	} {
		if code, _, said := post("/-/jobs", tt.form, "application/json"); code != 400 ||
			!strings.Contains(strings.ReplaceAll(said, `\`, ""), tt.says) {
			t.Errorf("%v: %d %s", tt.form, code, said)
		}
	}
	for _, form := range []url.Values{{"seeds": {freePage}, "collection": {"none"}}, {"seeds": {freePage}, "collection": {"../x"}}} {
		if code, _, _ := post("/-/jobs", form, "text/html"); code != 404 {
			t.Errorf("%v: %d", form, code)
		}
	}
	w := at(h, "POST", loopback, "/-/jobs", "seeds=x&name=wrong&max_pages=7",
		append([]string{"Content-Type", "application/x-www-form-urlencoded"}, asWindow...)...)
	for _, want := range []string{`id="wrong-name"`, "That is no name", `value="7"`, `name="token"`} {
		if w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("the form again: %d, without %s", w.Code, want)
		}
	}
	if all, err := folder.All(); err != nil || len(all) != 0 {
		t.Fatalf("left: %v, %v", all, err)
	}
	good := url.Values{"seeds": {freePage}, "template": {"each: li\nfields: [{name: a, css: b}]"}, "new": {"1"}}
	code, to, _ := post("/-/jobs", good, "text/html")
	all, err := folder.All()
	if err != nil || len(all) != 1 || code != http.StatusSeeOther || to != "/-/jobs/"+all[0].ID {
		t.Fatalf("%d to %s: %v, %v", code, to, all, err)
	}
	if j := all[0]; !j.New || j.Collection != "web" || !strings.Contains(j.File, "each: li") || !strings.Contains(j.File, "- "+freePage) {
		t.Errorf("%+v", j)
	}
	said := at(h, "GET", loopback, to, "", asWindow...).Body.String()
	if !strings.Contains(said, "waits") || !strings.Contains(said, "varve crawl --wait") {
		t.Errorf("the page: %s", said)
	}
	if said := at(h, "GET", loopback, to, "").Body.String(); !strings.Contains(said, `"state":"waiting"`) || strings.Contains(said, "each") {
		t.Errorf("as data: %s", said)
	}
	for _, tt := range []struct {
		path, do string
		want     int
	}{{to, "x", 400}, {"/-/jobs/none", "cancel", 404}, {to, "cancel", 200}, {to, "cancel", 409}} {
		if code, _, said := post(tt.path, url.Values{"do": {tt.do}}, "application/json"); code != tt.want {
			t.Errorf("%s %s: %d %s", tt.do, tt.path, code, said)
		}
	}
	if w := at(h, "DELETE", loopback, to, ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", w.Code)
	}
}

// Nobody orders in vain: a crawl that is complete begins anew, has another seed, or isn't taken.
func TestCompleteCrawlIsNotOrderedAgain(t *testing.T) {
	t.Parallel()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{page("20140101000000", "http://a.example/")}))
	for name, tt := range map[string]struct {
		change func(*runs.Run)
		form   url.Values
		want   int
	}{
		"complete":         {func(*runs.Run) {}, url.Values{}, 400},
		"begun anew":       {func(*runs.Run) {}, url.Values{"new": {"1"}}, 201},
		"with a new seed":  {func(r *runs.Run) { r.Settings.Seeds = []string{"http://a.example/other"} }, url.Values{}, 201},
		"ended by a limit": {func(r *runs.Run) { r.Limit = "max_pages" }, url.Values{}, 201},
		"stopped":          {func(r *runs.Run) { r.State = runs.Stopped }, url.Values{}, 201},
	} {
		folder, shown := jobs.Folder(filepath.Join(t.TempDir(), "jobs")), runs.Folder(t.TempDir())
		mine, err := shown.Begin(t.Context(), "river")
		if err != nil {
			t.Fatal(err)
		}
		r := runs.Run{Report: runs.Report{State: runs.Completed}, Collection: "web", Settings: runs.Settings{Seeds: []string{freePage}}}
		tt.change(&r)
		if err := errors.Join(mine.Write(r), mine.End()); err != nil {
			t.Fatal(err)
		}
		h := replaytest.Configured(t, x, ordering(folder, shown, &texts{}, nil))
		tt.form.Set("seeds", freePage)
		w := at(h, "POST", loopback, "/-/jobs", tt.form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
		refused := strings.Contains(w.Body.String(), "name: the crawl of this name is complete")
		if w.Code != tt.want || refused != (tt.want == 400) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

// A job whose addresses are excluded isn't there, nor are documents of excluded pages.
func TestExcludedPagesAreInNoJobAndNoDocument(t *testing.T) {
	t.Parallel()
	folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	j, err := folder.Leave(jobs.Job{Name: "river", Collection: "web", Seeds: []string{secretPage}, File: "x"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	shown1 := runs.Folder(filepath.Join(dir, "crawls"))
	mine, err := shown1.Begin(t.Context(), "river")
	if err != nil {
		t.Fatal(err)
	}
	run := runs.Run{
		Report: runs.Report{Name: "river", State: runs.Completed}, Collection: "web", Written: time.Now(), Documents: filepath.Join(dir, "river"),
	}
	if err := errors.Join(mine.Write(run), mine.End()); err != nil {
		t.Fatal(err)
	}
	csv := "url,datetime,price\n" + freePage + ",2016-01-01T00:00:00Z,1\n" + secretPage + ",2013-01-01T00:00:00Z,\"2\n3\"\n" +
		datedPage + ",2010-01-01T00:00:00Z,4\n" + datedPage + ",2014-01-01T00:00:00Z,5\n"
	lines := ""
	for i, of := range [][2]string{{freePage, "2016"}, {secretPage, "2013"}, {datedPage, "2010"}, {datedPage, "2014"}} {
		line, err := json.Marshal(map[string]any{
			"url": of[0], "datetime": of[1] + "-01-01T00:00:00Z", "values": map[string][]string{"n": {fmt.Sprint(i)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		lines += string(line) + "\n"
	}
	err = errors.Join(os.WriteFile(run.Documents+".csv", []byte(csv), 0o644), os.WriteFile(run.Documents+".jsonl", []byte(lines), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	for rules, want := range map[string]struct {
		job       int
		rows      int
		forbidden string
	}{"": {200, 4, "no such text"}, hiddenRules: {404, 2, "secret"}} {
		s, _ := guarded(t, shown(), rules)
		cfg := replay.Config{Archive: s.Archive()}
		ordering(folder, shown1, &texts{}, nil)(&cfg)
		with, err := replay.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		get := func(path string, header ...string) (int, string) {
			w := at(with.Handler(), "GET", loopback, path, "", header...)
			return w.Code, w.Body.String()
		}
		for _, accept := range []string{"text/html", "application/json"} {
			code, _ := get("/-/jobs/"+j.ID, "Accept", accept)
			if _, list := get("/-/jobs", "Accept", accept); code != want.job || strings.Contains(list, j.ID) != (want.job == 200) {
				t.Errorf("%q as %s: %d, %s", rules, accept, code, list)
			}
		}
		for path, ends := range map[string]int{"/-/crawls/river/documents": 1, "/-/crawls/river/documents?output=jsonl": 0} {
			code, said := get(path)
			if code != 200 || strings.Contains(said, want.forbidden) || strings.Count(said, "example/") != want.rows ||
				strings.Count(said, "\n") < want.rows+ends {
				t.Errorf("%q: %s: %d %s", rules, path, code, said)
			}
		}
		if code, _ := get("/-/crawls/river/documents?output=xls"); code != 400 {
			t.Errorf("another output: %d", code)
		}
		if code, _ := get("/-/crawls/none/documents"); code != 404 {
			t.Errorf("of no crawl: %d", code)
		}
		if _, said := get("/-/crawls/river"); !strings.Contains(said, `"documents":"/-/crawls/river/documents"`) || strings.Contains(said, dir) {
			t.Errorf("the crawl: %s", said)
		}
	}
}

// Templates are tried and saved, with what is wrong beside them; one that the inspector made is added to those that were saved.
func TestSavingSettings(t *testing.T) {
	t.Parallel()
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{page("20140101000000", "http://a.example/")}))
	kept := &texts{}
	h := replaytest.Configured(t, x, ordering(jobs.Folder(t.TempDir()), runs.Folder(t.TempDir()), kept, nil))
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
