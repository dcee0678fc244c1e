package write_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nlnwa/gowarc"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/internal/disk"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const (
	page      = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 12\r\n\r\n<p>hello</p>"
	chunked   = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"
	unchanged = "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"
	asked     = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
)

// exchange returns an exchange with a URI and messages.
func exchange(uri, response string) write.Exchange {
	return write.Exchange{
		URI: uri, Time: noon, IP: "192.0.2.1", Protocols: []string{"http/1.1"},
		Response: strings.NewReader(response), Request: strings.NewReader(asked),
	}
}

func newWriter(t *testing.T, cfg write.Config) *write.Writer {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	if cfg.Name == "" {
		cfg.Name = "test"
	}
	w, err := write.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// A got is a record as it was read back.
type got struct {
	kind, uri string
	head      warc.Fields
	block     string
}

// readAll reads all finished files of a folder with varve's own reader, and checks their digests.
func readAll(t *testing.T, dir string) (all []got) {
	t.Helper()
	for _, path := range finished(t, dir) {
		all = append(all, read(t, path)...)
	}
	return all
}

func finished(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func read(t *testing.T, path string) (all []got) {
	t.Helper()
	f, err := warc.Local{}.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for rec, err := range warc.Scan(t.Context(), f, path, 0) {
		if err != nil {
			t.Fatal(err)
		}
		g := got{kind: rec.Type, uri: rec.TargetURI, head: slices.Clone(rec.Header)}
		block, err := io.ReadAll(rec.Block)
		if err != nil {
			t.Fatal(err)
		}
		g.block = string(block)
		all = append(all, g)
	}
	for rec, err := range warc.Scan(t.Context(), f, path, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if findings, err := rec.Verify(); err != nil || len(findings) > 0 {
			t.Errorf("%s %s: %v, %v", rec.Type, rec.TargetURI, findings, err)
		}
	}
	return all
}

func TestAnExchangeIsReadBackAsItWas(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	says := warc.Fields{{Name: "software", Value: "varve/test"}, {Name: "robots", Value: "obey\nx: y"}}
	w := newWriter(t, write.Config{Dir: dir, Info: says})
	e := exchange("http://a.example/", chunked)
	e.Metadata = warc.Fields{{Name: "via", Value: "http://a.example/before"}, {Name: "hopsFromSeed", Value: "L"}}
	e.Header = warc.Fields{{Name: "WARC-Source-URI", Value: "http://archive.example/2016/http://a.example/"}}
	e.Protocols = []string{"http/1.1", "tls/1.3"}
	done, err := w.Write(e)
	if err != nil {
		t.Fatal(err)
	}
	if got := done.Payload.Digest.String(); got != "FKXGYNOJJ7H3IFO35FPUBC445EPOQRXN" { // SHA-1 of "hello world"
		t.Errorf("the payload's digest is %s: chunks count", got)
	}
	if !strings.HasSuffix(done.Path, ".warc.gz.open") || done.Revisit || done.Payload.Status != 200 {
		t.Errorf("%+v", done)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	all := readAll(t, dir)
	if len(all) != 4 {
		t.Fatalf("%d records", len(all))
	}
	for _, r := range all {
		if !strings.HasPrefix(r.head.Get("WARC-Block-Digest"), "sha1:") {
			t.Errorf("the block of the %s has no digest", r.kind)
		}
	}
	info, response, request, metadata := all[0], all[1], all[2], all[3]
	said := warc.ParseFields(info.block)
	if info.kind != "warcinfo" || said.Get("software") != "varve/test" || said.Get("robots") != "obey x: y" ||
		info.head.Get("WARC-Filename")+".open" != filepath.Base(done.Path) {
		t.Errorf("warcinfo: %+v", info)
	}
	if response.kind != "response" || response.block != chunked || response.uri != "http://a.example/" {
		t.Errorf("response: %+v", response)
	}
	id := response.head.Get("WARC-Record-ID")
	for name, want := range map[string][]string{
		"WARC-Date": {"2026-03-01T12:00:00Z"}, "WARC-IP-Address": {"192.0.2.1"}, "WARC-Protocol": {"http/1.1", "tls/1.3"},
		"WARC-Payload-Digest": {"sha1:FKXGYNOJJ7H3IFO35FPUBC445EPOQRXN"}, "Content-Type": {"application/http; msgtype=response"},
		"WARC-Source-URI": {"http://archive.example/2016/http://a.example/"}, "WARC-Truncated": nil, "WARC-Concurrent-To": nil,
	} {
		if diff := cmp.Diff(want, response.head.All(name)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	if request.kind != "request" || request.block != asked || request.head.Get("WARC-Concurrent-To") != id {
		t.Errorf("request: %+v", request)
	}
	if metadata.kind != "metadata" || metadata.head.Get("WARC-Concurrent-To") != id ||
		metadata.block != "via: http://a.example/before\r\nhopsFromSeed: L\r\n" {
		t.Errorf("metadata: %+v", metadata)
	}
}

// Bodies of any size and kind come back, and a large one isn't held in memory.
func TestMessages(t *testing.T) {
	t.Parallel()
	large := "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("0123456789abcdef", 64<<10)
	for name, message := range map[string]string{
		"a page": page, "chunks": chunked, "large": large, "no body": "HTTP/1.1 204 No Content\r\n\r\n", "no head": "hello",
		"nothing": "", "gzip that ends early": "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\n\x1f\x8b\x08\r\n0\r\n\r\n",
		"chunks that end early": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nhello",
		"bytes behind it":       chunked + "rest", "LF": "HTTP/1.0 200 OK\n\nx",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w := newWriter(t, write.Config{Dir: dir})
			e := exchange("http://a.example/", message)
			e.Request = nil
			if _, err := w.Write(e); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if all := readAll(t, dir); len(all) != 2 || all[1].block != message {
				t.Errorf("%.200q", all)
			}
		})
	}
}

func TestRevisits(t *testing.T) {
	t.Parallel()
	first := write.Original{URI: "http://a.example/first", Time: noon.Add(-time.Hour)}
	known := func(p write.Payload) (write.Original, bool) {
		return first, p.Status == 200 && p.Digest.String() == "FKXGYNOJJ7H3IFO35FPUBC445EPOQRXN"
	}
	const identical, notModified = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
		"http://netpreserve.org/warc/1.1/revisit/server-not-modified"
	head, _, _ := strings.Cut(chunked, "5\r\nhello")
	for name, tt := range map[string]struct {
		message, truncated string
		since              *write.Original
		kind, profile      string
		block              string
	}{
		"known":                  {message: chunked, kind: "revisit", profile: identical, block: head},
		"known but cut off":      {message: chunked, truncated: "time", kind: "response", block: chunked},
		"known with another 404": {message: "HTTP/1.1 404 No\r\n\r\nhello world", kind: "response", block: "HTTP/1.1 404 No\r\n\r\nhello world"},
		"not known":              {message: page, kind: "response", block: page},
		"not modified":           {message: unchanged, since: &first, kind: "revisit", profile: notModified, block: unchanged},
		"not modified since what": {
			message: unchanged, kind: "response", block: unchanged,
		},
		"modified": {message: page, since: &first, kind: "response", block: page},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w := newWriter(t, write.Config{Dir: dir, Known: known})
			e := exchange("http://a.example/", tt.message)
			e.Since, e.Truncated = tt.since, tt.truncated
			done, err := w.Write(e)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			r := readAll(t, dir)[1]
			if r.kind != tt.kind || r.block != tt.block || r.head.Get("WARC-Profile") != tt.profile || done.Revisit != (tt.kind == "revisit") {
				t.Errorf("%+v", r)
			}
			if tt.kind == "revisit" && (r.head.Get("WARC-Refers-To-Target-URI") != first.URI ||
				r.head.Get("WARC-Refers-To-Date") != "2026-03-01T11:00:00Z") {
				t.Errorf("it refers to something else: %+v", r.head)
			}
			wantCut := tt.truncated
			if tt.profile == identical {
				wantCut = "length"
			}
			if got := r.head.Get("WARC-Truncated"); got != wantCut {
				t.Errorf("truncated %q", got)
			}
		})
	}
}

func TestFilesAreRolledBetweenExchanges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var told []string
	w := newWriter(t, write.Config{Dir: dir, Size: 2500, Finished: func(path string) { told = append(told, path) }})
	for i := range 7 {
		if _, err := w.Write(exchange(fmt.Sprintf("http://a.example/%d", i), page)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Sync(), w.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	paths := finished(t, dir)
	if len(paths) < 3 || !slices.Equal(paths, told) {
		t.Errorf("files %v, told %v", paths, told)
	}
	next := 0
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || info.Size() > 2500 {
			t.Errorf("%s: %d bytes, %v", path, info.Size(), err)
		}
		for i, r := range read(t, path) {
			switch {
			case i == 0 && r.kind != "warcinfo", i%2 == 1 && r.kind != "response", i > 0 && i%2 == 0 && r.kind != "request":
				t.Errorf("%s: record %d is a %s", path, i, r.kind)
			case i%2 == 1:
				if r.uri != fmt.Sprintf("http://a.example/%d", next) {
					t.Errorf("%s instead of %d", r.uri, next)
				}
				next++
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.open")); len(left) > 0 || next != 7 {
		t.Errorf("%v is left, %d exchanges", left, next)
	}
	if _, err := w.Write(exchange("http://a.example/", page)); !errors.Is(err, write.ErrClosed) {
		t.Errorf("a closed writer: %v", err)
	}
}

// A file ends when it is asked for, and has an exchange however small files are to be.
func TestFilesEndBetweenExchanges(t *testing.T) {
	t.Parallel()
	for size, want := range map[int64][]int{0: {2, 1}, 1: {1, 1, 1}} {
		dir := t.TempDir()
		w := newWriter(t, write.Config{Dir: dir, Size: size})
		write := func() error {
			_, err := w.Write(exchange("http://a.example/", page))
			return err
		}
		if err := errors.Join(w.Sync(), w.Roll(), w.Leave(), write(), write(), w.Roll(), w.Roll(), write(), w.Close()); err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, path := range finished(t, dir) {
			got = append(got, len(read(t, path))/2) // beside the warcinfo
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("files of %d bytes: %s", size, diff)
		}
	}
}

// Whoever takes a file away that is being written is told what is lost, at once rather than at the end of the file.
func TestAFileThatIsTakenAway(t *testing.T) {
	for name, take := range map[string]func(path string) error{
		"removed":         os.Remove,
		"renamed":         func(path string) error { return os.Rename(path, path+".old") },
		"with its folder": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"replaced":        func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)) },
	} {
		dir := filepath.Join(t.TempDir(), "warcs")
		w := newWriter(t, write.Config{Dir: dir})
		for _, finish := range []bool{false, true} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			one, err := w.Write(exchange("http://a.example/1", page))
			if err != nil {
				t.Fatal(err)
			}
			if err := take(one.Path); err != nil {
				t.Fatal(err)
			}
			if finish {
				err = w.Roll()
			} else {
				_, err = w.Write(exchange("http://a.example/2", page))
			}
			if !errors.Is(err, write.ErrGone) || !strings.Contains(err.Error(), one.Path) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestManyWriteAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := newWriter(t, write.Config{Dir: dir, Size: 20_000})
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			for i := range 20 {
				e := exchange(fmt.Sprintf("http://a.example/%d/%d", g, i), page)
				if _, err := w.Write(e); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var last got
	for _, r := range readAll(t, dir) {
		if r.kind == "response" {
			seen[r.uri] = true
		} else if r.kind == "request" && (last.uri != r.uri || r.head.Get("WARC-Concurrent-To") != last.head.Get("WARC-Record-ID")) {
			t.Errorf("the request for %s stands behind %s", r.uri, last.uri)
		}
		last = r
	}
	if len(seen) != 160 {
		t.Errorf("%d exchanges of 160", len(seen))
	}
}

// A process may be killed at any byte: the exchanges whose records are whole are kept, the rest is cut off.
func TestWhatAKilledProcessLeaves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := newWriter(t, write.Config{Dir: dir})
	for i := range 2 {
		e := exchange(fmt.Sprintf("http://a.example/%d", i), page)
		e.Request = nil
		if _, err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := finished(t, dir)[0]
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var ends []int
	for r := bytes.NewReader(content); r.Len() > 0; {
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		if _, err := io.Copy(io.Discard, z); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(content)-r.Len())
	}
	for cut := range len(content) + 1 {
		left := t.TempDir()
		name := filepath.Join(left, filepath.Base(path))
		if err := os.WriteFile(name+".open", content[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		half, old := filepath.Join(left, ".mending-1"), time.Now().Add(-48*time.Hour) // by a process that was killed while it mended
		if err := errors.Join(os.WriteFile(half, content[:cut], 0o644), os.Chtimes(half, old, old)); err != nil {
			t.Fatal(err)
		}
		found, err := write.Mend(t.Context(), left, "test")
		if err != nil || len(found) != 1 {
			t.Fatalf("cut at %d: %+v, %v", cut, found, err)
		}
		records, end := 0, 0
		for _, e := range ends {
			if e <= cut {
				records, end = records+1, e
			}
		}
		want := write.RepairedFile{Was: name + ".open", Records: records, Cut: int64(cut - end)}
		if records > 1 {
			want.Path = name
			if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, content[:end]) {
				t.Errorf("cut at %d: %d bytes, %v, want %d", cut, len(got), err, end)
			}
		}
		if diff := cmp.Diff(want, found[0]); diff != "" {
			t.Errorf("cut at %d (-want +got)\n%s", cut, diff)
		}
		rest, _ := filepath.Glob(filepath.Join(left, "*.open"))
		if _, err := os.Stat(half); len(rest) > 0 || err == nil {
			t.Errorf("cut at %d: %v is left", cut, rest)
		}
	}
}

func TestMendLeavesAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := newWriter(t, write.Config{Dir: dir})
	if _, err := w.Write(exchange("http://a.example/", page)); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"test-2-20260101000000-00000.warc.gz.open", "test-1.warc.gz.open", "test-20260101000000-00000.warc.gz"} {
		if err := os.WriteFile(filepath.Join(dir, other), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := write.Mend(t.Context(), dir, "test"); err != nil || len(found) > 0 {
		t.Errorf("what is being written, or is another's: %+v, %v", found, err)
	}
	if found, err := write.Mend(t.Context(), filepath.Join(dir, "none"), "test"); err != nil || len(found) > 0 {
		t.Errorf("no folder: %+v, %v", found, err)
	}
	if _, err := write.Mend(t.Context(), dir, "../test"); err == nil {
		t.Error("a name with a folder is taken")
	}
}

func TestMendReplacesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := newWriter(t, write.Config{Dir: dir})
	if _, err := w.Write(exchange("http://a.example/", page)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := finished(t, dir)[0]
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".open", content, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := write.Mend(t.Context(), dir, "test"); !errors.Is(err, os.ErrExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(path + ".open"); err != nil {
		t.Error(err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "a/b", ".a", "a b", strings.Repeat("a", 101)} {
		if _, err := write.New(write.Config{Dir: t.TempDir(), Name: name}); err == nil {
			t.Errorf("the name %q is taken", name)
		}
	}
	w := newWriter(t, write.Config{})
	for want, e := range map[string]write.Exchange{
		"no response": {URI: "http://a.example/", Time: noon},
		"no URI":      {Response: strings.NewReader(page), Time: noon},
		"no time":     {URI: "http://a.example/", Response: strings.NewReader(page)},
	} {
		if _, err := w.Write(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for left := range 3 {
		e := write.Exchange{URI: "http://a.example/", Time: noon, Response: &fading{ReadSeeker: strings.NewReader(page), left: left}}
		if _, err := w.Write(e); err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("a response that can be read %d times: %v", left, err)
		}
		e.Request, e.Response = e.Response, strings.NewReader(page)
		e.Request.(*fading).left = left
		if _, err := w.Write(e); err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("a request that can be read %d times: %v", left, err)
		}
	}
}

// A fading message can be read only a number of times.
type fading struct {
	io.ReadSeeker
	left int
}

func (f *fading) Seek(to int64, whence int) (int64, error) {
	if f.left--; f.left < 0 {
		return 0, errors.New("broken")
	}
	return f.ReadSeeker.Seek(to, whence)
}

// After a failure nothing of the exchange is in the file, and writing goes on.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a small disk to fill")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=66m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be made here: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", dir).Run() })
	w := newWriter(t, write.Config{Dir: dir})
	if _, err := w.Write(exchange("http://a.example/1", page)); err != nil {
		t.Fatal(err)
	}
	fill := filepath.Join(dir, "fill")
	if err := os.WriteFile(fill, make([]byte, 4<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(exchange("http://a.example/2", page)); !errors.Is(err, disk.ErrFull) || !strings.Contains(err.Error(), dir) {
		t.Errorf("on a full disk: %v", err)
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(exchange("http://a.example/3", page)); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if all := readAll(t, dir); len(all) != 5 || all[3].uri != "http://a.example/3" {
		t.Errorf("%+v", all)
	}
}

// gowarc reads what is written, and finds nothing to complain about.
func TestGowarcReadsIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := newWriter(t, write.Config{Dir: dir, Known: func(p write.Payload) (write.Original, bool) {
		return write.Original{URI: p.URI, Time: noon}, p.URI == "http://a.example/2"
	}})
	for i, message := range []string{page, chunked, page} {
		e := exchange(fmt.Sprintf("http://a.example/%d", i), message)
		e.Metadata = warc.Fields{{Name: "via", Value: "x"}}
		if _, err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := gowarc.NewWarcFileReader(finished(t, dir)[0], 0, gowarc.WithSyntaxErrorPolicy(gowarc.ErrFail))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var kinds []string
	for {
		rec, _, validation, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, rec.Type().String())
		for _, found := range *validation {
			if !strings.Contains(found.Error(), "payload") || !strings.Contains(rec.WarcHeader().Get("WARC-Target-URI"), "/1") {
				t.Errorf("%s: %v", rec, found) // gowarc's digest of a payload covers its chunks
			}
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"warcinfo", "response", "request", "metadata", "response", "request", "metadata", "revisit", "request", "metadata",
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkWrite(b *testing.B) {
	message := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + strings.Repeat("<p>Some text of a page, and more.</p>\n", 600)
	for _, threads := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("%d at once", threads), func(b *testing.B) {
			w, err := write.New(write.Config{Dir: b.TempDir(), Name: "bench"})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			var wait sync.WaitGroup
			for t := range threads {
				wait.Go(func() {
					for i := t; i < b.N; i += threads {
						if _, err := w.Write(exchange("http://a.example/", message)); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wait.Wait()
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if _, err := write.Mend(context.Background(), dir, "river"); err != nil { // what a killed process left
		panic(err)
	}
	w, err := write.New(write.Config{Dir: dir, Name: "river", Info: warc.Fields{{Name: "software", Value: "example"}}})
	if err != nil {
		panic(err)
	}
	done, err := w.Write(write.Exchange{
		URI: "http://a.example/", Time: noon,
		Request:  strings.NewReader("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"),
		Response: strings.NewReader("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(done.Payload.Status, done.Payload.Digest)
	if err := w.Close(); err != nil {
		panic(err)
	}
	// Output: 200 VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N
}

// What others have written is taken out of a file, with what was written beside it, and what is left is whole.
func TestRepeatedAnswersAreTakenOut(t *testing.T) {
	t.Parallel()
	for name, repeated := range map[string][]string{
		"none":        nil,
		"one":         {"http://a.example/1"},
		"two":         {"http://a.example/0", "http://a.example/3"},
		"not there":   {"http://b.example/"},
		"all of them": {"http://a.example/0", "http://a.example/1", "http://a.example/2", "http://a.example/3"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w := newWriter(t, write.Config{Dir: dir, Mark: "m1"})
			for i := range 4 {
				if _, err := w.Write(exchange(fmt.Sprint("http://a.example/", i), page)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Leave(); err != nil {
				t.Fatal(err)
			}
			if marks, err := write.Writing(dir, "test"); err != nil || !slices.Equal(marks, []string{"m1"}) {
				t.Errorf("%v, %v", marks, err)
			}
			left, err := write.Mending{Dir: dir, Name: "test", Repeated: func(path string) ([]string, error) {
				if !strings.HasSuffix(path, "-m1.warc.gz.open") {
					t.Errorf("%s is mended", path)
				}
				return repeated, nil
			}}.Run(t.Context())
			if err != nil || len(left) != 1 || left[0].Path == "" {
				t.Fatalf("%+v, %v", left, err)
			}
			var want, got []string
			for i := range 4 {
				if uri := fmt.Sprint("http://a.example/", i); !slices.Contains(repeated, uri) {
					want = append(want, "response "+uri, "request "+uri)
				}
			}
			f, err := warc.Local{}.Open(t.Context(), left[0].Path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for rec, err := range warc.Scan(t.Context(), f, left[0].Path, 0) {
				if err != nil {
					t.Fatal(err)
				}
				if findings, err := rec.Verify(); err != nil || len(findings) > 0 {
					t.Errorf("%s: %v, %v", rec.TargetURI, findings, err)
				}
				if rec.Type == "response" || rec.Type == "request" {
					got = append(got, rec.Type+" "+rec.TargetURI)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
				t.Errorf("%v, %v", all, err)
			}
		})
	}
	if _, err := write.New(write.Config{Dir: t.TempDir(), Name: "test", Mark: "a-b"}); err == nil {
		t.Error("a mark with a hyphen is taken")
	}
	if write.SameWriter("/x/a-20260101000000-00000-m1.warc.gz", "a-20260101000001-00000.warc.gz") ||
		!write.SameWriter("/x/a-20260101000000-00000-m1.warc.gz", "a-20260101000001-00000-m1.warc.gz") {
		t.Error("writers are confused")
	}
}

// A complete file gets the next name that is free beside it, with its time and its mark.
func TestRename(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"a-b-20260101000000-00009-m1.warc.gz", "a-b-20260101000000-00010-m1.warc.gz", "a-b-20260101000000-00011-m2.warc.gz",
		"c-20260101000000-99999.warc.gz", "d.warc.gz", "e-20260101000000-00001.warc.gz.open",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for from, want := range map[string]string{
		"a-b-20260101000000-00009-m1.warc.gz": "a-b-20260101000000-00011-m1.warc.gz",
		"c-20260101000000-99999.warc.gz":      "c-20260101000000-100000.warc.gz",
		"d.warc.gz":                           "", "e-20260101000000-00001.warc.gz.open": "", "gone-20260101000000-00001.warc.gz": "",
	} {
		got, err := write.Rename(filepath.Join(dir, from))
		if want == "" {
			if err == nil || (strings.HasPrefix(from, "gone") != errors.Is(err, fs.ErrNotExist)) {
				t.Errorf("%s: %q, %v", from, got, err)
			}
			continue
		}
		content, failed := os.ReadFile(filepath.Join(dir, want))
		if err != nil || failed != nil || got != filepath.Join(dir, want) || string(content) != from {
			t.Errorf("%s: %q, %v, want %s with %q, %v", from, got, err, want, content, failed)
		}
	}
}
