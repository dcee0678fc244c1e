package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest/upload"
)

func TestVolume(t *testing.T) {
	for text, want := range map[string]volume{
		"10GB": 1e10, "512MiB": 512 << 20, "100 kB": 1e5, "7": 7, "0": 0, "-1": 0, "": 0, "lots": 0, "9EB": 0,
	} {
		var v volume
		if err := v.UnmarshalText([]byte(text)); v != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %d (%v)", text, v, err)
		}
	}
}

// Files go into the first watched folder that can be written, never into one of another program, and else beside the index.
func TestWhereUploadsGo(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.warc"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	beside := func(coll string) string { return filepath.Join(data, "uploads", coll) }
	for _, tt := range []struct {
		name, coll string
		at         []place
		want       string
	}{
		{"a watched folder", "web", []place{{coll: "web", paths: []string{dir}}}, dir},
		{"of another collection", "web", []place{{coll: "news", paths: []string{dir}}}, beside("web")},
		{"a watched file", "web", []place{{coll: "web", paths: []string{filepath.Join(dir, "a.warc")}}}, beside("web")},
		{"files, then a folder", "web", []place{{coll: "web", paths: []string{filepath.Join(dir, "a.warc"), dir}}}, dir},
		{"a folder of another program", "web", []place{{coll: "web", paths: []string{dir}, kept: true}}, beside("web")},
		{"nothing", "new", nil, beside("new")},
	} {
		p := &program{common: common{Data: data}, stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
		s := &shelf{program: p, index: indextest.Open(t, filepath.Join(t.TempDir(), "index")), at: tt.at, folders: map[string]*upload.Folder{}}
		f, err := s.Folder(tt.coll)
		if err != nil || f.Dir != tt.want {
			t.Errorf("%s: %v %v, want %s", tt.name, f, err, tt.want)
		}
	}
}

// What readers have handed in is watched from the next start on, with the other files of its collection, and what was captured.
func TestUploadsAreWatched(t *testing.T) {
	p := &program{common: common{Data: t.TempDir(), Collection: "web"}, stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
	for _, coll := range []string{"web", "new", "No Collection"} {
		if err := os.MkdirAll(filepath.Join(p.uploadsDir(), coll), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	before := []place{{coll: "web", paths: []string{"x"}}}
	got := p.withKept(t.Context(), before, "")
	watched := filepath.Join(p.warcsDir(), "web")
	if len(got) != 2 || len(got[0].paths) != 3 || got[0].paths[2] != watched || got[0].coll != "web" || got[1].coll != "new" ||
		len(before[0].paths) != 1 {
		t.Errorf("%+v, then %+v", before, got)
	}
}

// What was on its way when a server was killed goes with the next, also of collections that have nothing yet; others' files stay.
func TestCutOffUploadsGo(t *testing.T) {
	for name, to := range map[string]string{
		"into a bucket": "s3://given/here", "into a folder": filepath.Join(t.TempDir(), "to"), "beside the index": "",
	} {
		watched := t.TempDir()
		p := &program{common: common{Data: t.TempDir()}, stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
		s := &shelf{
			program: p, index: indextest.Open(t, filepath.Join(t.TempDir(), "index")), at: []place{{coll: "web", paths: []string{watched}}}, to: to,
			folders: map[string]*upload.Folder{},
		}
		mine := ".incoming-" + s.folder("").Owner + "-1"
		dirs := []string{watched}
		if to != "" {
			dirs = nil
		}
		for _, coll := range []string{"web", "new"} {
			f := s.candidates(coll)
			dirs = append(dirs, f[len(f)-1].Dir)
		}
		kept := []string{".incoming-ffffffff0-1", "a.warc.gz"}
		for _, dir := range dirs {
			for _, file := range append([]string{mine}, kept...) {
				if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, file), nil, 0o600)); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.clean()
		for _, dir := range dirs {
			found, err := os.ReadDir(dir)
			if err != nil || len(found) != 2 || found[0].Name() != kept[0] || found[1].Name() != kept[1] {
				t.Errorf("%s: in %s there is %v, %v", name, dir, found, err)
			}
		}
	}
}
