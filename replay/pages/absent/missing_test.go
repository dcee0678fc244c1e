package absent_test

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// The missing page of a TimeGate shows what was captured around the requested datetime.
func TestMissingPagesAreOfTheirMoment(t *testing.T) {
	s, _ := replaytest.Serve(t, replaytest.Write(t, replaytest.Moved()))
	for _, tt := range []struct {
		path, datetime string
		status         int
	}{
		{"/web/" + replaytest.Site + "/acid?x=1", "", 404},
		{"/web/" + replaytest.Site + "/acid?x=1", "Thu, 01 Jan 2015 00:00:00 GMT", 404},
		{"/web/20150101000000/" + replaytest.Site + "/acid?x=1", "", 404},
	} {
		w := replaytest.Get(t, s.Handler(), tt.path, "Accept", "text/html", "Accept-Datetime", tt.datetime)
		body := w.Body.String()
		want := "/web/20200101000000/" + replaytest.Site + "/acid"
		if tt.datetime != "" || strings.Contains(tt.path, "2015") {
			want = "/web/20150101000001/" + replaytest.Site + "/acid"
		}
		if w.Code != tt.status || !strings.Contains(body, want) {
			t.Errorf("%s %s: %d, want %s in\n%s", tt.path, tt.datetime, w.Code, want, body)
		}
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Moved()).Ask(
		"/web/20180101000001/"+replaytest.Site+"/acid", "/web/2018/"+replaytest.Site+"/nothing",
	)
}
