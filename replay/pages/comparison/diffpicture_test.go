package comparison_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// The diff and the slider of a picture show it before and after, told apart by more than a tint.
func TestPicturesWithoutAPageAreCompared(t *testing.T) {
	const png, other = "http://a.example/i.png", "http://a.example/b"
	h := animated(t)
	const from, to = "20140101000000", "20160101000000"
	for _, path := range []string{
		"/web/diff/" + from + "/" + to + "/" + png, "/web/diff/" + png, "/web/diff?level=any&from=" + from + "&to=" + to + "&url=" + png,
	} {
		body := replaytest.Get(t, h, path, "Accept", "text/html").Body.String()
		for _, want := range []string{
			`src="/web/` + from + "im_/" + png + `"`, `src="/web/` + to + "im_/" + png + `"`, "another picture", "<del><a ", "<ins><a ",
		} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %s in %s", path, want, body)
			}
		}
		if strings.Contains(body, "There is no text to compare.") {
			t.Errorf("%s speaks of a text", path)
		}
	}
	answer := replaytest.Get(t, h, "/web/diff/"+from+"/"+to+"/"+png).Body.String()
	if !strings.Contains(answer, "/web/"+from+"im_/"+png) || !strings.Contains(answer, `"change":null`) {
		t.Errorf("as JSON: %s", answer)
	}
	for _, path := range []string{"/web/diff/" + from + "/" + from + "/" + png, "/web/diff/" + from + "/" + to + "/" + other} {
		if body := replaytest.Get(t, h, path, "Accept", "text/html").Body.String(); strings.Contains(body, "another picture") {
			t.Errorf("%s: %s", path, body)
		}
	}
}

// Films are links, since players may play by themselves.
func TestFilmsAreCompared(t *testing.T) {
	t.Parallel()
	const from, to, page = "20140101000000", "20160101000000", "http://a.example/film"
	film := func(id string) string {
		return "<title>Mill</title><main><p>" + strings.Repeat("The keeper showed the mill at the river. ", 9) +
			"<iframe src='https://player.example/embed/" + id + "'></iframe></main>"
	}
	s, _ := replaytest.Serve(t, replaytest.Write(t, []replaytest.Record{
		{Date: from, URI: page, Status: 200, Body: film("one")}, {Date: to, URI: page, Status: 200, Body: film("two")},
	}))
	body := replaytest.Get(t, s.Handler(), "/web/diff/"+from+"/"+to+"/"+page, "Accept", "text/html").Body.String()
	for _, want := range []string{
		"another picture", `<del><a href="/web/` + from + `/https://player.example/embed/one"`,
		`<ins><a href="/web/` + to + `/https://player.example/embed/two"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if strings.Contains(body, "<img") {
		t.Errorf("a film as an image: %s", body)
	}
	ofText := replaytest.Get(t, s.Handler(), "/web/diff?level=text&from="+from+"&to="+to+"&url="+page, "Accept", "text/html").Body.String()
	if !strings.Contains(ofText, "Mill") || strings.Contains(ofText, "another picture") {
		t.Errorf("a difference of texts is one of films: %s", ofText)
	}
}
