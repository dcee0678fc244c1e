package comparison_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// The diff and the slider of a picture show it before and after.
func TestPicturesWithoutAPageAreCompared(t *testing.T) {
	const png, other = "http://a.example/i.png", "http://a.example/b"
	h := animated(t)
	const from, to = "20140101000000", "20160101000000"
	for _, path := range []string{
		"/web/diff/" + from + "/" + to + "/" + png, "/web/diff/" + png, "/web/diff?level=any&from=" + from + "&to=" + to + "&url=" + png,
	} {
		body := replaytest.Get(t, h, path, "Accept", "text/html").Body.String()
		for _, want := range []string{`src="/web/` + from + "im_/" + png + `"`, `src="/web/` + to + "im_/" + png + `"`, "another picture"} {
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
