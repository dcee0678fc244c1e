package ingest

import (
	"testing"

	"github.com/fsnotify/fsnotify"
)

func TestClaims(t *testing.T) {
	t.Parallel()
	var none *Claims
	if none.has("/a.warc") {
		t.Error("nobody's claims have a file")
	}
	var c Claims
	release := c.Take("/a.wacz")
	for path, want := range map[string]bool{"/a.wacz": true, "/a.wacz#archive/data.warc.gz": true, "/b.wacz": false, "/a.wacz.warc": false} {
		if c.has(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
	if release(); c.has("/a.wacz") {
		t.Error("a claim that was taken back still holds")
	}
}

// Writing to a file that is still coming in puts nothing off.
func TestWhatMattersInAFolder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		op   fsnotify.Op
		name string
		want bool
	}{
		{fsnotify.Create, "/w/a.warc", true},
		{fsnotify.Write, "/w/a.warc.gz", true},
		{fsnotify.Write, "/w/A.WACZ", true},
		{fsnotify.Write, "/w/.incoming-1-2", false},
		{fsnotify.Create, "/w/folder", true},
		{fsnotify.Rename, "/w/.incoming-1-2", true},
		{fsnotify.Remove, "/w/folder", true},
		{fsnotify.Chmod, "/w/a.warc", false},
	} {
		if got := matters(fsnotify.Event{Name: tt.name, Op: tt.op}); got != tt.want {
			t.Errorf("%v of %s: %v", tt.op, tt.name, got)
		}
	}
}
