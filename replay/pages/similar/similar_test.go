package similar_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/similar"
	"github.com/varve-archive/varve/replay/replaytest"
)

func TestSimilarCaptures(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	h := s.Handler()
	var l similar.List
	w := replaytest.Get(t, h, "/web/similar/20150101000003/"+replaytest.Site+"/fog")
	if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range l.Results {
		got = append(got, fmt.Sprintf("%.1f %s %s", r.Similarity, r.Datetime, r.OriginalURI))
	}
	want := "1.0 20200101000000 " + replaytest.Site + "/acid|1.0 20180101000004 http://mist.example.net/fog.html"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if w := replaytest.Get(t, h, "/web/similar/2015/"+replaytest.Site+"/fog", "Accept",
		"text/html"); !strings.Contains(w.Body.String(), "mist.example.net") {
		t.Errorf("the page lacks a result: %d", w.Code)
	}
	for path, status := range map[string]int{
		"/web/similar/2015/" + replaytest.Site + "/none":                          404,
		"/web/similar?at=2015&threshold=2&url=" + replaytest.Site + "%2Ffog":      400,
		"/web/similar?at=2015&limit=0&url=" + replaytest.Site + "%2Ffog":          400,
		"/web/similar?at=x&url=" + replaytest.Site + "%2Ffog":                     400,
		"/web/similar?at=2015&threshold=0.9&limit=1&url=" + replaytest.Site + "/": 200,
	} {
		if w := replaytest.Get(t, h, path); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Moved()).Ask(
		"/web/similar?at=2018&url="+replaytest.Site+"/acid", "/web/similar/2018/"+replaytest.Site+"/fog",
	)
}
