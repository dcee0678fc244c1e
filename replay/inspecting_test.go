package replay

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/replay/respond"
)

// Readers of all groups and of the proxy wait for the same slots before a page is parsed for them.
func TestInspectorsShareTheirSlots(t *testing.T) {
	t.Parallel()
	shelf := archivetest.Keep(t, archivetest.Record{Date: "2021", URI: "http://a.example/", Body: "<p>one"})
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Archive: a})
	if err != nil {
		t.Fatal(err)
	}
	group := *s
	group.handlers = s.answerFor("readers", s.site)
	inspect := func(ctx context.Context, of *Server) error {
		r := httptest.NewRequestWithContext(ctx, "GET", "/web/inspect?url=http://a.example/&css=p", nil)
		return of.route(httptest.NewRecorder(), r, respond.ParsePath(r.RequestURI))
	}
	all := map[string]*Server{"everybody": s, "a group": &group, "the proxy": s.at(s.site)}
	for name, of := range all {
		if err := inspect(t.Context(), of); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range cap(s.inspecting) {
		s.inspecting <- struct{}{}
	}
	for name, of := range all {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		if err := inspect(ctx, of); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s, without a free slot: %v", name, err)
		}
		cancel()
	}
}
