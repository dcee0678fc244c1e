package replay_test

import (
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// Servers behind a balancer share an index: what one of them sent, another one need not send again.
func TestServersOfAnIndexSendTheSameTags(t *testing.T) {
	t.Parallel()
	const page = "/web/20140101000000/" + datedPage
	policy := &access.Policy{}
	one, _ := guarded(t, hidden(), "")
	x := one.Archive().Index.Whole
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	with := func(software string) *replay.Server {
		s, err := replay.New(replay.Config{
			Archive: replaytest.Archive(t, archive.Config{Index: x, Records: store, Access: policy, Software: software}),
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	tag := func(s *replay.Server, status int, condition ...string) string {
		t.Helper()
		w := replaytest.Get(t, s.Handler(), page, condition...)
		if w.Code != status {
			t.Fatalf("status %d, want %d", w.Code, status)
		}
		return w.Header().Get("ETag")
	}
	first := tag(with("1"), 200)
	if first == "" {
		t.Fatal("a rewritten page has no ETag")
	}
	if got := tag(with("1"), 304, "If-None-Match", first); got != first {
		t.Errorf("another server sends %s, not %s", got, first)
	}
	if got := tag(with("2"), 200, "If-None-Match", first); got == first {
		t.Error("another version of the program, which may rewrite in another way, sends the same tag")
	}
	put(t, policy, "rules:\n- {url: \"http://hidden.example/\", match: host, access: exclude}\n")
	if got := tag(with("1"), 200, "If-None-Match", first); got == first {
		t.Error("a server with other rules sends the same tag")
	}
}
