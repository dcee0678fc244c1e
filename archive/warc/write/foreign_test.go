package write_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive/warc/write"
)

// warcio 2.4.11 from npm knows nothing of varve. It must read the same records, and find the digests that are written.
func TestAForeignReader(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "..", "..", "e2e", "mementoclient")
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "warcio")); err != nil {
		t.Skip("warcio is not installed: run npm ci in e2e/mementoclient, as make test does")
	}
	dir := t.TempDir()
	w := newWriter(t, write.Config{Dir: dir, Known: func(p write.Payload) (write.Original, bool) {
		return write.Original{URI: p.URI, Time: noon}, p.URI == "http://a.example/2"
	}})
	for i, message := range []string{page, chunked, page} {
		if _, err := w.Write(exchange(fmt.Sprintf("http://a.example/%d", i), message)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(finished(t, dir)[0])
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "warcio.mjs", file)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("warcio: %v", err)
	}
	var all []struct {
		Type, URI, Date, Digest, Payload, ConcurrentTo, ID, Body string
		Status                                                   int
	}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if len(all) != 7 {
		t.Fatalf("%d records: %s", len(all), out)
	}
	for i, want := range []struct{ kind, body string }{{"response", "<p>hello</p>"}, {"response", "hello world"}, {"revisit", ""}} {
		answer, request := all[1+2*i], all[2+2*i]
		if answer.Type != want.kind || answer.Body != want.body || answer.Status != 200 || answer.Date != "2026-03-01T12:00:00Z" ||
			answer.URI != fmt.Sprintf("http://a.example/%d", i) {
			t.Errorf("%+v", answer)
		}
		if want.kind == "response" && answer.Digest != answer.Payload {
			t.Errorf("the payload's digest is %s, warcio has %s", answer.Digest, answer.Payload)
		}
		if request.Type != "request" || request.ConcurrentTo != answer.ID {
			t.Errorf("%+v does not belong to %+v", request, answer)
		}
	}
}
