package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A table of terms is that of the server's.
func TestTermsOfPagesAtDatetimes(t *testing.T) {
	t.Parallel()
	file := replaytest.Write(t, []replaytest.Record{{
		Date: "20150601000000", URI: "http://mill.example/", Status: 200, Body: replaytest.Paragraphs("The mill grinds."),
	}})
	data, dir := t.TempDir(), t.TempDir()
	if code, _, stderr := varve(t, "index", "--data", data, file); code != exitDone {
		t.Fatal(stderr)
	}
	terms, urls := filepath.Join(dir, "terms"), filepath.Join(dir, "urls")
	for name, text := range map[string]string{terms: "mill\n", urls: "http://mill.example/\nhttp://gone.example/\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, out, stderr := varve(t, "terms", "--data", data, "--terms", terms, "--urls", urls, "--at", "2016")
	if want := "url,at,datetime,status,term,count\nhttp://mill.example/,20161231235959,20150601000000,200,mill,1\n" +
		"http://gone.example/,20161231235959,,,mill,NA\n"; code != exitDone || out != want {
		t.Errorf("%d %s\n%s", code, stderr, out)
	}
	if code, _, _ = varve(t, "terms", "--data", data, "--terms", terms, "--at", "2016"); code != exitUsage {
		t.Errorf("without addresses: exit %d", code)
	}
}
