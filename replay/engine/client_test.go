package engine_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/replay/replaytest"
)

// TestForeignMementoClient lets memento-client from npm, which knows nothing of varve, read a TimeMap and negotiate.
// make test installs it from its lock file.
func TestForeignMementoClient(t *testing.T) {
	dir := filepath.Join("..", "..", "e2e", "mementoclient")
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		t.Skip("memento-client is not installed: run npm ci in e2e/mementoclient, as make test does")
	}
	s, _ := replaytest.Serve(t)
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "check.cjs", server.URL+"/web/", "http://www.riverbend.example/history.html", "2014")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("memento-client: %v", err)
	}
	type link struct{ Href, Rel, Datetime string }
	var got struct{ All, Near []link }
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	var mementos []link
	for _, l := range got.All {
		if l.Datetime != "" {
			mementos = append(mementos, l)
		}
	}
	captures := strings.Count(string(replaytest.Fetch(t, s.Handler(), "/web/cdx?url=http://www.riverbend.example/history.html")), "\n")
	if len(mementos) != captures || mementos[0].Rel != "first memento" || mementos[len(mementos)-1].Rel != "last memento" {
		t.Errorf("the client reads %d of %d mementos from the TimeMap, the first is %+v", len(mementos), captures, mementos[0])
	}
	for _, rel := range []string{"first memento", "last memento"} {
		if !slices.ContainsFunc(got.Near, func(l link) bool { return l.Rel == rel && l.Datetime != "" }) {
			t.Errorf("the client finds no %s at the TimeGate: %+v", rel, got.Near)
		}
	}
}
