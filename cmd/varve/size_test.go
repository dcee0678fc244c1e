package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/internal/testkit/invented"
)

// The size that index --search says is what the search takes when the command has ended: segments that were joined are gone.
func TestSizeOfASearch(t *testing.T) {
	dir := t.TempDir()
	from, data := filepath.Join(dir, "warc"), filepath.Join(dir, "data")
	if err := invented.Write(from, invented.Shape{Pages: 1500}); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if got := run(context.Background(), []string{"index", "--search", "--data", data, from}, &stdout, &stderr); got != exitDone {
		t.Fatalf("exit %d: %s", got, &stderr)
	}
	want := fmt.Sprintf(", %.1f MB\n", float64(search.Size(filepath.Join(data, "search", "web")))/1e6)
	if !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("said %q, want %q at the end", &stderr, want)
	}
}
