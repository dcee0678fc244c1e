package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A server that says nothing, or that ends, is not waited for longer than the caller wants.
func TestAServerThatDoesNotStart(t *testing.T) {
	for name, script := range map[string]string{
		"it says nothing": "exec sleep 60", "it says half": "echo varve: listening on http://127.0.0.1:1/; exec sleep 60", "it ends": "exit 3",
	} {
		dir := t.TempDir()
		binary := filepath.Join(dir, "varve")
		if err := os.WriteFile(binary, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		s, err := start(ctx, binary, dir, dir, filepath.Join(dir, "log"))
		cancel()
		if s != nil || err == nil || !strings.Contains(err.Error(), "did not become ready, see log") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
