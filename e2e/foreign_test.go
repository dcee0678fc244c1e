package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wayback-machine 0.2.1 and strip-wayback-toolbar 1.0.4 from npm know nothing of varve. The first reads the
// availability API and a TimeMap; the second removes from a page what the archive inserted. make test installs them
// from their lock file.
func TestForeignWaybackClients(t *testing.T) {
	if _, err := os.Stat(filepath.Join("mementoclient", "node_modules", "wayback-machine")); err != nil {
		t.Skip("wayback-machine is not installed: run npm ci in e2e/mementoclient, as make test does")
	}
	const page = "http://clients.example/a"
	a := &archive{}
	a.page(page, "20150101000000", "<!doctype html><html><head><title>a</title></head><body><p>one</p></body></html>")
	a.page(page, "20160101000000", "<!doctype html><html><head><title>a</title></head><body><p>two</p></body></html>")
	s := a.serve(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "wayback.cjs", s.url, "web", page, "20150101000000")
	cmd.Dir = "mementoclient"
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the clients: %v", err)
	}
	var got struct {
		Closest  struct{ URL, Timestamp string }
		Timeline struct {
			Original    string
			TimeGate    string
			First, Last struct{ URL string }
			Mementos    []struct{ URL string }
		}
		Page, Stripped string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got.Closest.Timestamp != "20160101000000" || got.Closest.URL != s.url+"/web/20160101000000/"+page {
		t.Errorf("the closest is %+v", got.Closest)
	}
	if l := got.Timeline; l.Original != page || l.First.URL != s.url+"/web/20150101000000/"+page || l.Last.URL != s.url+
		"/web/20160101000000/"+page || len(l.Mementos) != 2 {
		t.Errorf("the timeline is %+v", l)
	}
	for _, ours := range []string{"varve", "wombat", "wbinfo", "TOOLBAR"} {
		if !strings.Contains(got.Page, ours) && ours != "wombat" && ours != "wbinfo" || strings.Contains(got.Stripped, ours) {
			t.Errorf("%s is still there:\n%s", ours, got.Stripped)
		}
	}
	if !strings.Contains(got.Stripped, "<head><title>a</title>") || !strings.Contains(got.Stripped, "<p>one</p>") {
		t.Errorf("what is left is\n%s", got.Stripped)
	}
}
