package e2e

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A writing is a command that writes to its disk.
type writing struct {
	before []string                                  // a command that has been run when there was room, if any
	args   []string                                  // {} stands for the folder of the disk
	serves bool                                      // it runs until it is stopped
	asked  func(t *testing.T, at string)             // what it is asked for while it serves
	files  func(t *testing.T) []string               // what it reads, from elsewhere: the last arguments of both commands
	only   bool                                      // of the one before, if there is one
	result func(t *testing.T, d *fillingDisk) string // what can be asked of what it made, else what index and search say
	ended  string                                    // what it says when it had made all of it already
	long   bool                                      // the short form of the tests leaves it out
}

func writings(t *testing.T) map[string]writing {
	t.Helper()
	index := []string{"index", "--data", "{}/data"}
	all := map[string]writing{
		"indexing":            {args: index, files: someFiles},
		"building the search": {before: index, args: []string{"index", "--search", "--data", "{}/data"}, files: someFiles},
		"unpacking":           {args: []string{"index", "--data", "{}/data", "--unpack", "{}/unpacked"}, files: packedAsAWhole},
		"serving":             {args: []string{"serve", "--data", "{}/data", "--no-search"}, serves: true, files: someFiles},
		"making a CA":         {args: []string{"serve", "--data", "{}/data", "--proxy", "127.0.0.1:0", "--no-search"}, serves: true},
		"the demo":            {args: []string{"demo", "--data", "{}/data", "--no-search"}, serves: true, long: true},
		"backup": {
			before: index, args: []string{"backup", "--data", "{}/data", "{}/kept"}, files: someFiles, only: true, result: restored,
		},
		"restore": {args: []string{"restore", "--data", "{}/data"}, files: aBackup},
	}
	for _, format := range []string{"warc", "wacz", "cdxj", "jsonl"} {
		args := []string{"export", "--data", "{}/data", "--format", format, "--output", "{}/out"}
		all["export as "+format] = writing{
			before: index, args: args, files: someFiles, only: true, result: exported(format), ended: "is there already",
		}
	}
	site := crawled(t, 12, 0)
	live := gathers{
		site: site, archive: start(t, "serve", someFiles(t)[0]),
		crawl: site.file(t, ""), sources: sourcesOf(t, site),
	}
	if path, err := exec.LookPath("chromium"); err == nil {
		all["render"] = writing{
			before: index, args: []string{"render", "--data", "{}/data", "--chromium", path, "http://full.example/a1"}, files: someFiles, only: true,
			result: pictured, long: true,
		}
	}
	for name, w := range live.writings() {
		all[name] = w
	}
	return all
}

// someFiles are two files with pages that have text.
func someFiles(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		a := &archive{}
		for i := range 20 {
			text := strings.Repeat("the river rose over "+name+strconv.Itoa(i)+" ", 30)
			a.page("http://full.example/"+name+strconv.Itoa(i%5), "2014010100"+strconv.Itoa(1000+i), "<title>"+name+"</title><p>"+text)
		}
		put(t, filepath.Join(dir, name+".warc.gz"), a.bytes())
	}
	return []string{dir}
}

// packedAsAWhole is a file whose records have to be unpacked to be read.
func packedAsAWhole(t *testing.T) []string {
	t.Helper()
	a := &archive{plain: true}
	for i := range 20 {
		a.page("http://full.example/"+strconv.Itoa(i), day, "<p>"+strings.Repeat("text ", 9000))
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(a.bytes())
	_ = z.Close()
	file := filepath.Join(t.TempDir(), "whole.warc.gz")
	put(t, file, b.Bytes())
	return []string{file}
}

// on returns the arguments for a disk.
func on(d *fillingDisk, args, files []string) []string {
	var out []string
	for _, a := range slices.Concat(args, files) {
		out = append(out, strings.ReplaceAll(a, "{}", d.dir))
	}
	return out
}

// run runs a command until it ends or, if it serves, until it is ready or says what keeps it from that.
func (w writing) run(t *testing.T, d *fillingDisk, files []string) (stderr string, code int) {
	t.Helper()
	if w.only {
		files = nil
	}
	args := on(d, w.args, files)
	if !w.serves {
		_, stderr, code = d.invoke(t, args...)
		return stderr, code
	}
	cmd, watch := d.command(t, append(args, "--listen", "127.0.0.1:0")...)
	s := &server{cmd: cmd, log: &output{}, over: make(chan error, 1)}
	said := &output{}
	cmd.Stdout, cmd.Stderr = said, s.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watch()
	go func() { s.over <- cmd.Wait() }()
	for ended := false; !ended && !strings.Contains(s.log.String(), "indexing failed"); {
		select {
		case err := <-s.over:
			s.over <- err
			ended = true
		case <-time.After(20 * time.Millisecond):
			if _, rest, ok := strings.Cut(said.String(), " http://"); ok && s.url == "" {
				s.url = "http://" + rest[:strings.IndexByte(rest, '/')]
			}
			if s.url != "" && (args[0] == "record" || s.ready()) {
				ended = true
				if w.asked != nil {
					w.asked(t, s.url)
				}
			}
		}
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.over:
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		t.Errorf("it doesn't stop: %s", s.log)
		<-s.over
	}
	skipUnanswerable(t, cmd)
	return s.log.String(), cmd.ProcessState.ExitCode()
}

// outcome is what can be asked of the result.
func outcome(t *testing.T, d *fillingDisk) string {
	t.Helper()
	data := filepath.Join(d.dir, "data")
	lines, stderr, code := invoke(t, "cdx", "--data", data)
	if code != 0 {
		t.Errorf("cdx: %d: %s", code, stderr)
	}
	if _, err := os.Stat(filepath.Join(data, "search")); err == nil {
		found, stderr, code := invoke(t, "search", "river", "--json", "--data", data)
		if code != 0 {
			t.Errorf("search: %d: %s", code, stderr)
		}
		lines += found
	}
	return strings.ReplaceAll(lines, d.dir, "")
}

// The disk is full from some write on. Whichever it is, varve says in a sentence which file it could not write and what to do,
// and as soon as there is room the same command ends as if nothing had happened.
func TestFullDiskAtEveryWrite_long(t *testing.T) {
	for name, w := range writings(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && w.long {
				t.Skip("a fifth of a minute: the long form of the tests does it")
			}
			result := outcome
			if w.result != nil {
				result = w.result
			}
			var files []string
			if w.files != nil {
				files = w.files(t)
			}
			whole := newDisk(t)
			w.prepare(t, whole, files)
			if stderr, code := w.run(t, whole, files); code != 0 {
				t.Fatalf("with room: %d: %s", code, stderr)
			}
			want := result(t, whole)
			writes := whole.writes.Load()
			t.Logf("%d writes", writes)
			for _, n := range sample(writes) {
				d := newDisk(t)
				w.prepare(t, d, files)
				d.from = n
				stderr, code := w.run(t, d, files)
				first, _ := d.first.Load().(string)
				if what := complaint(stderr, code, w.serves, d, first); what != "" {
					t.Errorf("write %d (%s): %s; exit %d: %.1500s", n, first, what, code, stderr)
				}
				d.from = 0
				if stderr, code := w.run(t, d, files); code != 0 && (w.ended == "" || !strings.Contains(stderr, w.ended)) {
					t.Errorf("write %d (%s): with room again: exit %d: %.1500s", n, first, code, stderr)
				} else if got := result(t, d); got != want {
					t.Errorf("write %d (%s): with room again it ends otherwise than undisturbed: %s", n, first, cmp.Diff(want, got))
				}
			}
		})
	}
}

func (w writing) prepare(t *testing.T, d *fillingDisk, files []string) {
	t.Helper()
	if w.before == nil {
		return
	}
	if _, stderr, code := invoke(t, on(d, w.before, files)...); code != 0 {
		t.Fatalf("%v: %d: %s", w.before, code, stderr)
	}
}

// complaint says what is wrong with how a command took a full disk, "" if nothing is.
func complaint(stderr string, code int, serves bool, d *fillingDisk, failed string) string {
	for _, crash := range []string{"panic", "goroutine ", "SIGBUS", "fatal error"} {
		if strings.Contains(stderr, crash) {
			return "it crashed"
		}
	}
	switch {
	case failed == "":
		return "" // it wrote less this time
	case code != 1 && !serves || code > 1 || code < 0:
		return "wrong exit code"
	case !strings.Contains(stderr, "no space left on device") && !strings.Contains(stderr, "is full"):
		return "it doesn't say that the disk is full"
	case !strings.Contains(stderr, d.dir):
		return "it names no file"
	case !strings.Contains(stderr, "make room"):
		return "it doesn't say what to do"
	}
	return ""
}

// sample returns the writes to let fail: every one with VARVE_WRITES=all, else some from the first to the last.
func sample(writes int64) []int64 {
	some := int64(12)
	if testing.Short() {
		some = 3
	}
	if os.Getenv("VARVE_WRITES") == "all" {
		some = writes
	}
	var out []int64
	for i := range some {
		if n := 1 + i*(writes-1)/max(1, some-1); len(out) == 0 || n > out[len(out)-1] {
			out = append(out, n)
		}
	}
	return out
}
