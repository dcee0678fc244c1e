package main

import (
	"bytes"
	"context"
	"errors"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// Exit 0: done. 1: work failed in part (named on stderr). 2: wrong usage. Standard output carries data only.
func TestExitCodes(t *testing.T) {
	empty, some := t.TempDir(), filepath.Join(t.TempDir(), "some.warc")
	if err := os.WriteFile(some, []byte(warcRecord("http://a.example/", "20100101000000", "text")), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want int
	}{
		{"version", []string{"version"}, exitDone},
		{"help", []string{"--help"}, exitDone},
		{"help of a command", []string{"index", "--help"}, exitDone},
		{"no command", nil, exitDone},
		{"an unknown command", []string{"replay"}, exitUsage},
		{"an unknown flag", []string{"serve", "--port", "1"}, exitUsage},
		{"index without a path", []string{"index"}, exitUsage},
		{"changes without a URL", []string{"changes"}, exitUsage},
		{"remove without a file", []string{"remove"}, exitUsage},
		{"search without words", []string{"search"}, exitUsage},
		{"an export over a file", []string{"export", "--output", some}, exitPart},
		{"an unknown format", []string{"cdx", "--format", "xml"}, exitUsage},
		{"an unknown level", []string{"changes", "--level", "deep", "http://a.example/"}, exitUsage},
		{"a collection's name in upper case", []string{"cdx", "--collection", "Web"}, exitUsage},
		{"a collection's name that is a path", []string{"cdx", "--collection", "../web"}, exitUsage},
		{"a log format", []string{"cdx", "--log-format", "xml"}, exitUsage},
		{"an empty folder", []string{"index", empty}, exitUsage},
		{"a missing path", []string{"index", filepath.Join(empty, "none.warc")}, exitUsage},
		{"a missing path beside an archive", []string{"index", some, filepath.Join(empty, "none.warc")}, exitPart},
		{"a server over a missing path", []string{"serve", filepath.Join(empty, "none.warc")}, exitUsage},
		{"a server over a missing path beside an archive", []string{"serve", some, empty}, exitPart},
		{"a port in no range", []string{"serve", "--listen", "127.0.0.1:99999"}, exitPart},
		{"a public address that is none", []string{"serve", "--public-url", "not a url"}, exitPart},
		{"nothing in an index", []string{"cdx"}, exitDone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			args := append(tt.args, "--data", filepath.Join(empty, "data"))
			if tt.args == nil {
				args = nil
			}
			if got := run(context.Background(), args, &stdout, &stderr); got != tt.want {
				t.Errorf("exit %d, want %d: %s", got, tt.want, &stderr)
			}
			if tt.want != exitDone && (stdout.Len() > 0 || !strings.HasPrefix(stderr.String(), "varve: ")) {
				t.Errorf("standard output %q, standard error %q", &stdout, &stderr)
			}
		})
	}
}

// Work that is interrupted is not done: the exit code is that of the signal, and a sentence says how to go on. What runs until it is told
// to stop is done then.
func TestInterruptedIsNotDone(t *testing.T) {
	t.Parallel()
	file := replaytest.Write(t, []replaytest.Record{{Date: "20200101000000", URI: "http://mill.example/", Status: 200, Body: "text"}})
	for name, tt := range map[string]struct {
		args  []string
		cause string
		want  int
		said  string
	}{
		"Ctrl-C":             {[]string{"index", file}, "interrupt signal received", 130, "interrupted: run the same command again to go on"},
		"TERM":               {[]string{"index", file}, "terminated signal received", 143, "interrupted: run the same command again to go on"},
		"HUP":                {[]string{"index", file}, "hangup signal received", 129, "interrupted: run the same command again to go on"},
		"TERM for the check": {[]string{"check"}, "terminated signal received", 143, "interrupted"},
		"a server":           {[]string{"serve", "--listen", "127.0.0.1:0", file}, "terminated signal received", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			if code, _, stderr := varve(t, "index", "--data", data, file); code != exitDone {
				t.Fatal(stderr)
			}
			ctx, stop := context.WithCancelCause(t.Context())
			stop(errors.New(tt.cause))
			var stdout, stderr bytes.Buffer
			code := run(ctx, append(tt.args, "--data", data), &stdout, &stderr)
			if code != tt.want || !strings.Contains(stderr.String(), tt.said) {
				t.Errorf("exit %d, want %d\n%s", code, tt.want, &stderr)
			}
		})
	}
}

// Files may have names that aren't text, and go by the bytes of the names or by what varve files shows of them.
func TestNamesThatAreNotText(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	at := filepath.Join(dir, "caf\xe9.warc")
	for _, name := range []string{at, "caf\xe9.warc", `caf\xe9.warc`} {
		if err := os.WriteFile(at, []byte(warcRecord("http://a.example/", "20100101000000", "text")), 0o644); err != nil {
			t.Skip("the file system takes UTF-8 only: ", err)
		}
		for _, args := range [][]string{{"index", at}, {"check"}, {"remove", name}} {
			var stdout, stderr bytes.Buffer
			if got := run(t.Context(), append(args, "--data", data), &stdout, &stderr); got != exitDone {
				t.Errorf("%q: exit %d: %s", args, got, &stderr)
			}
			if args[0] == "remove" && stderr.String() != "varve: removed caf\\xe9.warc (1 capture)\n" {
				t.Errorf("%q", &stderr)
			}
		}
	}
}

// What libraries say by the standard log is part of varve's log, in its format, and only where details are wanted.
func TestWhatLibrariesSay(t *testing.T) {
	for level, want := range map[string]string{"info": "", "debug": `"level":"DEBUG","msg":"Unsolicited response"`} {
		var out, said bytes.Buffer
		if code := run(t.Context(), []string{"version", "--log-format=json", "--log-level=" + level}, &out, &said); code != exitDone {
			t.Fatal(code, said.String())
		}
		log.Println("Unsolicited response")
		if got := said.String(); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q", level, got)
		}
	}
}
