package jobs_test

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/crawls"
	pagejobs "github.com/varve-archive/varve/replay/pages/jobs"
	"github.com/varve-archive/varve/replay/replaytest"
)

var isForm = []string{"Content-Type", "application/x-www-form-urlencoded"}

// What a form says becomes the crawl file that somebody would have written.
func TestAFormBecomesACrawlFile(t *testing.T) {
	t.Parallel()
	folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	h := ordering(t, folder, runs.Folder(t.TempDir()))
	for _, tt := range []struct {
		form url.Values
		want string
	}{
		{url.Values{"seeds": {page}}, "seeds:\n    - " + page + "\n"},
		{url.Values{}, "seeds: []\n"},
		{
			url.Values{
				"seeds": {" http://a.example/1\r\nhttp://a.example/2 "}, "name": {" river "}, "scope": {"prefix"}, "max_pages": {" 7 "},
				"max_depth": {"0"}, "walltime": {" 90m "}, "browser": {"1"}, "template": {"template:\r\n  each: li\r\n"},
			},
			"seeds:\n    - http://a.example/1\n    - http://a.example/2\nname: river\nscope: prefix\nmax_pages: 7\nmax_depth: 0\n" +
				"walltime: 1h30m0s\nbrowser: true\ntemplate:\n    each: li\n",
		},
		{
			url.Values{"seeds": {page}, "template": {"each: li\nfields: []"}},
			"seeds:\n    - " + page + "\ntemplate:\n    each: li\n    fields: []\n",
		},
		{url.Values{"seeds": {page}, "file": {"a: b\r\nc: d"}}, "a: b\nc: d"},
	} {
		w := at(h, "POST", loopback, "/-/jobs", tt.form.Encode(), isForm...)
		all, err := folder.All()
		if err != nil || w.Code != http.StatusCreated || len(all) == 0 || w.Header().Get("Location") != "/-/jobs/"+all[0].ID {
			t.Errorf("%v: %d %s, %v", tt.form, w.Code, w.Body, err)
		} else if j := all[0]; j.File != tt.want || j.New || j.Collection != "web" || j.Name != "river" {
			t.Errorf("%v: %q in %+v", tt.form, j.File, j)
		}
	}
}

// A fault is said where the form has what it is about.
func TestWhereAFaultIsSaid(t *testing.T) {
	t.Parallel()
	wrong := errors.New("it is wrong")
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{{Date: "20140101000000", URI: page, Status: 200, Body: "<p>a"}}))
	for _, tt := range []struct {
		fault       error
		form        url.Values
		field, says string // on the page
		data        string
	}{
		{&pagejobs.Fault{Key: "max_pages", Line: 2, Err: wrong}, url.Values{}, "max_pages", "It is wrong.", "max_pages: it is wrong"},
		{&pagejobs.Fault{Key: "template.fields", Err: wrong}, url.Values{}, "template", "It is wrong.", "template: it is wrong"},
		{&pagejobs.Fault{Key: "delay", Line: 2, Err: wrong}, url.Values{}, "", "Delay: it is wrong.", "delay: it is wrong"},
		{&pagejobs.Fault{Err: wrong}, url.Values{}, "", "It is wrong.", "it is wrong"},
		{wrong, url.Values{}, "", "It is wrong.", "it is wrong"},
		{
			&pagejobs.Fault{Key: "delay", Line: 1, Err: wrong},
			url.Values{"file": {"x"}},
			"file", "Line 1: delay: it is wrong.", "line 1: delay: it is wrong",
		},
		{&pagejobs.Fault{Key: "delay", Err: wrong}, url.Values{"file": {"x"}}, "file", "Delay: it is wrong.", "delay: it is wrong"},
		{&pagejobs.Fault{Line: 12, Err: wrong}, url.Values{"file": {"x"}}, "file", "Line 12: it is wrong.", "line 12: it is wrong"},
		{nil, url.Values{"template": {"a: b: c"}}, "template", "Yaml: ", "template: yaml: "},
		{nil, url.Values{"template": {"# a"}}, "template", "Want fields, and perhaps each", "template: want fields"},
		{nil, url.Values{"max_depth": {"1.5"}}, "max_depth", "want a number, 0 for no limit.", `max_depth: "1.5": want a number, 0 for no limit`},
	} {
		folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
		h := replaytest.Configured(t, x, func(c *replay.Config) {
			c.Crawls = &crawls.Config{Folder: runs.Folder(t.TempDir())}
			c.Jobs = &pagejobs.Config{Folder: folder, Default: "web", Check: func(string) (string, []string, error) { return "a", nil, tt.fault }}
		})
		w := at(h, "POST", loopback, "/-/jobs", tt.form.Encode(), isForm...)
		if w.Code != 400 || !strings.HasPrefix(w.Body.String(), tt.data) {
			t.Errorf("%v: %d %s", tt, w.Code, w.Body)
		}
		w = at(h, "POST", loopback, "/-/jobs", tt.form.Encode(), append(isForm, asWindow...)...)
		place := `class="note wrong" role` // above the form
		if tt.field != "" {
			place = `id="wrong-` + tt.field + `"`
		}
		_, said, found := strings.Cut(w.Body.String(), place)
		if said, _, _ = strings.Cut(said, "</bdi>"); w.Code != 400 || !found || !strings.Contains(said, tt.says) {
			t.Errorf("%v: %d, said %q", tt, w.Code, said)
		}
		if all, err := folder.All(); err != nil || len(all) > 0 {
			t.Errorf("left: %v, %v", all, err)
		}
	}
}

func TestHowLongACrawlFileMayBe(t *testing.T) {
	t.Parallel()
	folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	h := ordering(t, folder, runs.Folder(t.TempDir()))
	for _, tt := range []struct {
		name, body string
		code       int
		says       string
	}{
		{"as long as may be", "file=" + strings.Repeat("%C3%A4", jobs.MaxFile/2), 201, ""},
		{"a byte longer", "file=x" + strings.Repeat("%C3%A4", jobs.MaxFile/2), 400, "a crawl file may have at most 64 KB here"},
		{"made of a long form", "template=each:+" + strings.Repeat("x", jobs.MaxFile), 400, "a crawl file may have at most 64 KB here"},
		{"the longest form", "file=" + strings.Repeat("x", 4*jobs.MaxFile-len("file=")), 400, "a crawl file may have at most 64 KB here"},
		{"a longer form", "file=" + strings.Repeat("x", 4*jobs.MaxFile+1-len("file=")), 400, "the form can't be read"},
		{"no form", "file=%zz", 400, "the form can't be read"},
	} {
		w := at(h, "POST", loopback, "/-/jobs", tt.body, isForm...)
		if w.Code != tt.code || !strings.Contains(w.Body.String(), tt.says) {
			t.Errorf("%s: %d %.200s", tt.name, w.Code, w.Body)
		}
	}
	if all, err := folder.All(); err != nil || len(all) != 1 || len(all[0].File) != jobs.MaxFile {
		t.Errorf("%d are left, %v", len(all), err)
	}
}

// Where as many jobs wait as may, the answer says when to come back. What was ordered and canceled is logged.
func TestAFullQueue(t *testing.T) {
	t.Parallel()
	folder, said := jobs.Folder(filepath.Join(t.TempDir(), "jobs")), &logbuffer.Buffer{}
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{{Date: "20140101000000", URI: page, Status: 200, Body: "<p>a"}}))
	h := replaytest.Configured(t, x, func(c *replay.Config) {
		c.Crawls = &crawls.Config{Folder: runs.Folder(t.TempDir()), Log: said.Logger()}
		c.Jobs = &pagejobs.Config{Folder: folder, Default: "web", Check: checked}
	})
	for range jobs.MostWaiting {
		if _, err := folder.Leave(jobs.Job{Name: "river", Collection: "web", File: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	order := func() (int, string) {
		w := at(h, "POST", loopback, "/-/jobs", "seeds="+page, isForm...)
		return w.Code, w.Header().Get("Retry-After")
	}
	if code, again := order(); code != http.StatusServiceUnavailable || again != "60" || said.String() != "" {
		t.Errorf("%d, again after %q, the log says %q", code, again, said)
	}
	all, err := folder.All()
	if err != nil {
		t.Fatal(err)
	}
	id := all[0].ID
	w := at(h, "POST", loopback, "/-/jobs/"+id, "do=cancel", isForm...)
	if w.Code != 200 || w.Header().Get("Location") != "/-/jobs/"+id || !strings.Contains(w.Body.String(), `"state":"canceled"`) ||
		!strings.Contains(w.Body.String(), `"seeds":[]`) || !strings.Contains(said.String(), "an ordered crawl was canceled") {
		t.Errorf("%d %s, the log says %q", w.Code, w.Body, said)
	}
	if code, again := order(); code != http.StatusCreated || again != "" || !strings.Contains(said.String(), `msg="a crawl was ordered"`) {
		t.Errorf("%d, again after %q, the log says %q", code, again, said)
	}
	w = at(h, "POST", loopback, "/-/jobs/"+all[1].ID, "do=cancel", append(isForm, "Accept", "text/html")...)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/-/jobs/"+all[1].ID || w.Body.Len() > 0 {
		t.Errorf("canceled by a browser: %d to %q, %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	if err := os.WriteFile(filepath.Join(string(folder), "waiting", all[2].ID+".json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for method, body := range map[string]string{"GET": "", "POST": "do=cancel"} {
		if w := at(h, method, loopback, "/-/jobs/"+all[2].ID, body, isForm...); w.Code != http.StatusInternalServerError {
			t.Errorf("%s of one that can't be read: %d", method, w.Code)
		}
	}
}

// Of the jobs that are over only so many are kept. One that is forgotten as soon as it is canceled was canceled all the same.
func TestAForgottenJobWasCanceled(t *testing.T) {
	t.Parallel()
	folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	h := ordering(t, folder, runs.Folder(t.TempDir()))
	var left []jobs.Job
	for range jobs.MostOver + 1 {
		j, err := folder.Leave(jobs.Job{Name: "river", Collection: "web", File: "x"})
		if len(left) > 0 && err == nil {
			_, err = folder.Cancel(j.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, j)
	}
	w := at(h, "POST", loopback, "/-/jobs/"+left[0].ID, "do=cancel", isForm...)
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"state":"canceled"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := at(h, "GET", loopback, "/-/jobs/"+left[0].ID, ""); w.Code != 404 {
		t.Errorf("it is kept: %d %s", w.Code, w.Body)
	}
}

// A server that writes nothing shows what was ordered, and neither takes nor cancels anything. Else a browser needs the page's token.
func TestWhoMayOrder(t *testing.T) {
	t.Parallel()
	folder := jobs.Folder(filepath.Join(t.TempDir(), "jobs"))
	j, err := folder.Leave(jobs.Job{Name: "river", Collection: "web", Seeds: []string{page}, File: "x"})
	if err != nil {
		t.Fatal(err)
	}
	_, x := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{{Date: "20140101000000", URI: page, Status: 200, Body: "<p>a"}}))
	for _, readOnly := range []bool{false, true} {
		h := replaytest.Configured(t, x, func(c *replay.Config) {
			c.Crawls = &crawls.Config{Folder: runs.Folder(t.TempDir()), ReadOnly: readOnly}
			c.Jobs = &pagejobs.Config{Folder: folder, Default: "web", Check: checked}
		})
		if token := replaytest.Token(h, loopback, "/-/jobs", asWindow...); (token != "") == readOnly {
			t.Errorf("read only %v: token %q", readOnly, token)
		}
		if shown := at(h, "GET", loopback, "/-/crawls", "", asWindow...).Body.String(); strings.Contains(shown, `href="/-/jobs"`) == readOnly {
			t.Errorf("read only %v: crawls lead to orders: %v", readOnly, readOnly)
		}
		if w := at(h, "GET", loopback, "/-/jobs/"+j.ID, ""); w.Code != 200 {
			t.Errorf("read only %v: shown %d", readOnly, w.Code)
		}
		header := append([]string{"Origin", "http://" + loopback}, isForm...)
		for path, body := range map[string]string{"/-/jobs": "seeds=" + page, "/-/jobs/" + j.ID: "do=cancel"} {
			w := at(h, "POST", loopback, path, body, header...)
			if w.Code != http.StatusForbidden || strings.Contains(w.Body.String(), "this server writes nothing") != readOnly {
				t.Errorf("read only %v: POST %s: %d %s", readOnly, path, w.Code, w.Body)
			}
		}
		if all, err := folder.All(); err != nil || len(all) != 1 || all[0].State != jobs.Waiting {
			t.Errorf("read only %v: %v, %v", readOnly, all, err)
		}
		if w := at(h, "GET", loopback, "/-/jobsearch", ""); w.Code != 404 || strings.Contains(w.Body.String(), "job") {
			t.Errorf("another path: %d %s", w.Code, w.Body)
		}
	}
}
