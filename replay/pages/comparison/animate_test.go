package comparison_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/pages/comparison"
	"github.com/varve-archive/varve/replay/replaytest"
)

const (
	mill     = "http://a.example/mill"
	millPair = "/web/animate/20140101000000/20160101000000/" + mill
)

func animated(tb testing.TB) http.Handler {
	const html, plain = "text/html; charset=utf-8", "text/plain; charset=utf-8"
	list := []replaytest.Typed{
		{
			Date: "20140101000000", URI: mill,
			Kind: html + "\r\nSet-Cookie: a=b\r\nContent-Language: en\r\nRefresh: 0; url=/x\r\nStrict-Transport-Security: max-age=9",
			Body: "<title>The mill</title><link rel=stylesheet href=/a.css><h1>Mill</h1><p>The old tannery stood here. It paid nothing.",
		},
		{Date: "20160101000000", URI: mill, Kind: html, Body: "<title>A mill</title><h1>Mill</h1><p>The tannery stood here. It paid well."},
		{Date: "20140101000000", URI: "http://a.example/a.css", Kind: "text/css", Body: "p{background:url(/i.png)}"},
		{Date: "20140101000000", URI: "http://a.example/i.png", Kind: "image/png", Body: "\x89PNG\r\n\x1a\n1"},
		{Date: "20160101000000", URI: "http://a.example/i.png", Kind: "image/png", Body: "\x89PNG\r\n\x1a\n2"},
		{Date: "20140101000000", URI: "http://a.example/b", Kind: "application/zip", Body: "PK1"},
		{Date: "20160101000000", URI: "http://a.example/b", Kind: "image/png", Body: "\x89PNG\r\n\x1a\n1"},
		{
			Date: "20140101000000", URI: "http://a.example/frames", Kind: html,
			Body: "<title>Old frames</title><frameset><frame src=/mill><noframes>Words here.</noframes></frameset>",
		},
		{
			Date: "20160101000000", URI: "http://a.example/frames", Kind: html,
			Body: "<title>New frames</title><frameset><frame src=/mill><noframes>Words there.</noframes></frameset>",
		},
		{Date: "20140101000000", URI: "http://a.example/plain", Kind: plain, Body: "Some words."},
		{Date: "20160101000000", URI: "http://a.example/plain", Kind: plain, Body: "Other words."},
		{
			Date: "20140101000000", URI: "http://a.example/xhtml", Kind: "application/xhtml+xml",
			Body: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p>Old words.</p></body></html>`,
		},
		{
			Date: "20160101000000", URI: "http://a.example/xhtml", Kind: "application/xhtml+xml",
			Body: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p>New words.</p></body></html>`,
		},
		{
			Date: "20140101000000", URI: "http://a.example/huge", Kind: html,
			Body: "<p>Old." + strings.Repeat("<a href=http://a.example/i.png>", 400_000),
		},
		{Date: "20160101000000", URI: "http://a.example/huge", Kind: html, Body: "<p>New."},
	}
	var older, newer strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&older, "<p>Line %d stays.<p>%d goes entirely.", i, i)
		fmt.Fprintf(&newer, "<p>Line %d stays.", i)
	}
	list = append(list, replaytest.Typed{Date: "20140101000000", URI: "http://a.example/many", Kind: html, Body: older.String()},
		replaytest.Typed{Date: "20160101000000", URI: "http://a.example/many", Kind: html, Body: newer.String()})
	s, _ := replaytest.Serve(tb, replaytest.WriteTyped(tb, list), replaytest.Write(tb, []replaytest.Record{
		{Date: "20140101000000", URI: "http://a.example/gone", Status: 200, Location: "", Body: "<p>It was here."},
		{Date: "20160101000000", URI: "http://a.example/gone", Status: 404, Location: "", Body: "<p>Not here."},
		{Date: "20160101000000", URI: "http://a.example/away", Status: 302, Location: "http://b.example/", Body: ""},
	}))
	return s.Handler()
}

func TestAnimationSteps(t *testing.T) {
	h := animated(t)
	type step struct{ Op, Deleted, Inserted, Before, After string }
	all := []step{
		{"replaced", "The", "A", "", " mill"},
		{"deleted", "old ", "", "Mill\nThe ", "tannery stood here. It paid nothing."},
		{"replaced", "nothing", "well", "Mill\nThe old tannery stood here. It paid ", "."},
	}
	query := func(q url.Values) string {
		q.Set("url", mill)
		return "/web/animate?" + q.Encode()
	}
	both := func(term string) url.Values {
		return url.Values{"from": {"2014"}, "to": {"2016"}, "term": {term}}
	}
	for _, c := range []struct {
		name, path, term string
		want             []step
	}{
		{"all", millPair, "", all},
		{"datetimes near", "/web/animate/2013/201601/" + mill, "", all},
		{"the newer first", "/web/animate/2016/2014/" + mill, "", all},
		{"with parameters", query(url.Values{"from": {"2014"}, "to": {"2016"}}), "", all},
		{"a word that goes", query(both("OLD")), "OLD", all[1:2]},
		{"a word that comes", query(both("well")), "well", all[2:]},
		{"a word that stays", query(both("tannery")), "tannery", []step{}},
		{"several words", query(both("old well")), "old well", all[1:]},
		{"a phrase", query(both(`"the old tannery"`)), `"the old tannery"`, all[1:2]},
		{"a phrase that comes", query(both(`"the tannery"`)), `"the tannery"`, all[1:2]},
		{"one with itself", "/web/animate/2014/2014/" + mill, "", []step{}},
		{"a page and an error", "/web/animate/2014/2016/http://a.example/gone", "", []step{{"replaced", "It was", "Not", "", " here."}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := replaytest.Get(t, h, c.path)
			var got comparison.AnimationAnswer
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			steps := []step{}
			for i, s := range got.Steps {
				steps = append(steps, step{s.Op, s.Deleted, s.Inserted, s.Before, s.After})
				if s.Title != (s.Deleted == "The") {
					t.Errorf("step %d says of the title: %v", i, s.Title)
				}
			}
			if d := cmp.Diff(c.want, steps); d != "" {
				t.Error(d)
			}
			if got.Term != c.term || got.Total != len(c.want) || got.From.Datetime != "20140101000000" || got.OriginalURI == mill &&
				len(c.want) > 0 && got.To.URIM != "http://varve.example/web/20160101000000/"+mill {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestAnimationsThatAreTooLongAreCutOff(t *testing.T) {
	var got comparison.AnimationAnswer
	if err := json.Unmarshal(replaytest.Fetch(t, animated(t), "/web/animate/2014/2016/http://a.example/many"), &got); err != nil {
		t.Fatal(err)
	}
	if got.Total != 1200 || len(got.Steps) != 500 {
		t.Errorf("%d of %d steps", len(got.Steps), got.Total)
	}
}

// The answer to a browser for each kind of pair.
func TestAnimatedPages(t *testing.T) {
	h := animated(t)
	const cantPlay, noText, noPage, notBoth = "can’t be played in the page", "There is no text to compare.", "is not a page whose text " +
		"could change", "an error or a redirect"
	for _, c := range []struct {
		name, path string
		status     int
		says       []string
	}{
		{"a page", millPair, 200, []string{"<varve-animation>", "The old tannery", "/web/20140101000000cs_/http://a.example/a.css"}},
		{"datetimes near", "/web/animate/2016/2014/" + mill, 302, nil},
		{"the second datetime near", "/web/animate/20140101000000/2016/" + mill, 302, nil},
		{"the first datetime near", "/web/animate/2014/20160101000000/" + mill, 302, nil},
		{
			"of a word", "/web/animate?from=20140101000000&to=20160101000000&term=old&url=" + mill, 200,
			[]string{"only where &#8220;<bdi>old</bdi>&#8221; goes or comes"},
		},
		{"XHTML", "/web/animate/20140101000000/20160101000000/http://a.example/xhtml", 200, []string{"<varve-animation>"}},
		{"frames", "/web/animate/20140101000000/20160101000000/http://a.example/frames", 200, []string{cantPlay, noPage}},
		{"plain text", "/web/animate/20140101000000/20160101000000/http://a.example/plain", 200, []string{cantPlay, noPage}},
		{"a page too large", "/web/animate/20140101000000/20160101000000/http://a.example/huge", 200, []string{cantPlay, noPage}},
		{
			"a picture", "/web/animate/20140101000000/20160101000000/http://a.example/i.png", 200,
			[]string{cantPlay, noText, "/web/diff/20140101000000/20160101000000/http://a.example/i.png"},
		},
		{"a page that went missing", "/web/animate/20140101000000/20160101000000/http://a.example/gone", 200, []string{cantPlay, notBoth}},
		{"a redirect", "/web/animate/20160101000000/20160101000000/http://a.example/away", 200, []string{cantPlay, notBoth}},
		{"never captured", "/web/animate/20140101000000/20160101000000/http://a.example/never", 404, nil},
		{"no datetimes", "/web/animate/" + mill, 400, nil},
		{"one datetime", "/web/animate?from=2014&url=" + mill, 400, nil},
		{"no datetime at all", "/web/animate?from=2014&to=never&url=" + mill, 400, nil},
		{"an open quote", "/web/animate?from=2014&to=2016&term=%22a&url=" + mill, 400, nil},
		{"no address", "/web/animate", 400, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := replaytest.Get(t, h, c.path, "Accept", "text/html")
			if w.Code != c.status {
				t.Fatalf("%d, want %d: %.300s", w.Code, c.status, w.Body)
			}
			for _, says := range c.says {
				if !strings.Contains(w.Body.String(), says) {
					t.Errorf("%q is not in\n%.3000s", says, w.Body)
				}
			}
			if to := w.Header().Get("Location"); c.status == 302 && to != millPair {
				t.Errorf("it leads to %s", to)
			}
			if kind := w.Header().Get("Content-Type"); w.Code == 200 && kind != "text/html; charset=utf-8" {
				t.Errorf("it is %s", kind)
			}
			if w.Header().Get("Memento-Datetime") != "" {
				t.Error("it says that it is a memento")
			}
		})
	}
}

func TestAnimatedPagesHaveTheirPolicy(t *testing.T) {
	h := animated(t)
	one, two := replaytest.Get(t, h, millPair, "Accept", "text/html"), replaytest.Get(t, h, millPair, "Accept", "text/html")
	policy := one.Header().Get("Content-Security-Policy")
	for _, part := range []string{
		"default-src 'unsafe-inline' data: blob: http://varve.example/web/ http://varve.example/-/static/;",
		"connect-src 'none'", "worker-src 'none'", "object-src 'none'", "frame-ancestors 'self'",
	} {
		if !strings.Contains(policy, part) {
			t.Errorf("%s lacks %s", policy, part)
		}
	}
	_, after, _ := strings.Cut(policy, "script-src 'nonce-")
	nonce, rest, _ := strings.Cut(after, "'")
	if len(nonce) < 20 || !strings.HasPrefix(rest, "; connect-src") || strings.Contains(two.Header().Get("Content-Security-Policy"), nonce) {
		t.Errorf("the nonce %q says too little, or scripts may come from elsewhere: %s", nonce, policy)
	}
	if n := strings.Count(one.Body.String(), nonce); n != 3 {
		t.Errorf("the nonce stands at %d scripts", n)
	}
	for name, want := range map[string]string{
		"X-Robots-Tag": "noindex", "Content-Language": "en", "Cache-Control": "no-cache", "Vary": "Accept, Accept-Language, Accept-Encoding",
		"Set-Cookie": "", "Refresh": "", "Strict-Transport-Security": "", "X-Archive-Orig-Set-Cookie": "", "Link": "",
	} {
		if got := one.Header().Get(name); got != want {
			t.Errorf("%s: %s, want %q", name, got, want)
		}
	}
	head := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodHead, "http://varve.example"+millPair, nil)
	r.RequestURI = millPair
	r.Header.Set("Accept", "text/html")
	h.ServeHTTP(head, r)
	if head.Body.Len() != 0 || head.Header().Get("Content-Length") != one.Header().Get("Content-Length") {
		t.Errorf("HEAD: %d bytes, Content-Length %s, of GET %s", head.Body.Len(), head.Header().Get("Content-Length"),
			one.Header().Get("Content-Length"))
	}
}

// The parts of the older page must have the older datetime, even those that a style sheet embeds.
func TestNestedResourcesOfAnimatedPagesKeepTheirDatetime(t *testing.T) {
	h := animated(t)
	for _, referer := range []string{millPair, "/web/animate?from=20140101000000&to=20160101000000&url=" + mill} {
		w := replaytest.Get(t, h, "/web/20140101000000cs_/http://a.example/a.css", "Referer", "http://varve.example"+referer)
		if want := "url(/web/20140101000000im_/http://a.example/i.png)"; !strings.Contains(w.Body.String(), want) {
			t.Errorf("from %s: %d %s", referer, w.Code, w.Body)
		}
	}
}
