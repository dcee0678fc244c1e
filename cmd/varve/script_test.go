package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/varve-archive/varve/demo"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"varve": main})
}

// TestScripts runs the stories in testdata/script/*.txtar. Each begins with what it shows.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"archive": writeArchive, "sample": writeSample, "gz": writeGzip, "overwrite": overwrite, "cut": cut, "await": await, "count": count,
			"ruin": ruin, "paths": paths, "outback": outback,
		},
	})
}

// oneSample is held while a sample archive is written. gowarc sets a package variable for each record, and scripts
// run in parallel.
var oneSample sync.Mutex

// writeSample writes the sample archive into a folder: sample DIR.
func writeSample(ts *testscript.TestScript, _ bool, args []string) {
	oneSample.Lock()
	defer oneSample.Unlock()
	_, err := demo.Write(ts.MkAbs(args[0]))
	ts.Check(err)
}

// warcRecord returns a response record as a crawler writes it (ISO 28500:2017).
func warcRecord(uri, ts14, text string) string {
	t, _ := time.Parse("20060102150405", ts14)
	block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: %s\r\n"+
		"WARC-Target-URI: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		ts14, t.Format(time.RFC3339), uri, len(block), block)
}

// writeArchive writes one response for each triple, each as a gzip member unless the name lacks .gz: archive FILE URI
// TS14 TEXT [URI TS14 TEXT]...
func writeArchive(ts *testscript.TestScript, _ bool, args []string) {
	var b bytes.Buffer
	for rest := args[1:]; len(rest) >= 3; rest = rest[3:] {
		record := []byte(warcRecord(rest[0], rest[1], rest[2]))
		if strings.HasSuffix(args[0], ".gz") {
			record = packed(record)
		}
		b.Write(record)
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	ts.Check(os.WriteFile(path, b.Bytes(), 0o644))
}

func packed(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

// writeGzip compresses a file into one gzip stream: gz FROM TO.
func writeGzip(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), packed([]byte(ts.ReadFile(args[0]))), 0o644))
}

// overwrite writes text at an offset of a file: overwrite FILE OFFSET TEXT.
func overwrite(ts *testscript.TestScript, _ bool, args []string) {
	offset, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_RDWR, 0)
	ts.Check(err)
	_, err = f.WriteAt([]byte(args[2]), offset)
	ts.Check(err)
	ts.Check(f.Close())
}

// cut removes bytes from the end of a file: cut FILE BYTES.
func cut(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), info.Size()-n))
}

// await waits until a file exists: await FILE.
func await(ts *testscript.TestScript, _ bool, args []string) {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
	}
	ts.Fatalf("%s does not come", args[0])
}

// count fails unless a file has the given number of lines: count FILE LINES.
func count(ts *testscript.TestScript, _ bool, args []string) {
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); strconv.Itoa(got) != args[1] {
		ts.Fatalf("%s has %d lines, want %s", args[0], got, args[1])
	}
}

// ruin flips a bit in the middle of each file that matches a pattern: ruin PATTERN.
func ruin(ts *testscript.TestScript, _ bool, args []string) {
	paths, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(paths) == 0 {
		ts.Fatalf("nothing is like %s", args[0])
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		ts.Check(err)
		b[len(b)/2] ^= 1
		ts.Check(os.WriteFile(path, b, 0o600))
	}
}

// paths writes a path index with one line: paths INDEX NAME FILE.
func paths(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(args[1]+"\t"+ts.MkAbs(args[2])+"\n"), 0o600))
}

// outback turns a CDX file into what OutbackCDX answers in two requests that overlap: outback FILE NEW. No line
// names the fields.
func outback(ts *testscript.TestScript, _ bool, args []string) {
	lines := strings.SplitAfter(ts.ReadFile(args[0]), "\n")[1:]
	all := strings.Join(lines, "") + strings.Join(lines[len(lines)/2:], "")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(all), 0o600))
}
