package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// A shelf is a server with files, in object storage or on a web server.
type shelf struct {
	root     string // path of a folder on it
	config   Config
	put      func(name string, content []byte)
	remove   func(name string)
	requests *atomic.Int64
	broken   *atomic.Int64 // so many of the next answers break off, or fail
}

// faulty counts requests, and lets some fail.
func faulty(h http.Handler, s *shelf) http.Handler {
	s.requests, s.broken = new(atomic.Int64), new(atomic.Int64)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		n := s.broken.Load()
		switch {
		case n <= 0:
			h.ServeHTTP(w, r)
		case n%2 == 0:
			s.broken.Add(-1)
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			s.broken.Add(-1)
			answer := httptest.NewRecorder()
			h.ServeHTTP(answer, r)
			for name, values := range answer.Header() {
				w.Header()[name] = values
			}
			w.Header().Set("Content-Length", fmt.Sprint(answer.Body.Len()))
			w.WriteHeader(answer.Code)
			_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
			panic(http.ErrAbortHandler)
		}
	})
}

func bucketShelf(t *testing.T) *shelf {
	s := &shelf{root: "s3://crawls"}
	return s.on(t, s3test.Wrapped(t, func(h http.Handler) http.Handler { return faulty(h, s) }))
}

// minioShelf is MinIO behind a proxy that lets answers fail.
func minioShelf(t *testing.T) *shelf {
	s := &shelf{root: "s3://crawls"}
	server := s3test.MinIO(t)
	behind, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(faulty(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(behind)
		r.Out.Host = r.In.Host // as it was signed
	}}, s))
	t.Cleanup(proxy.Close)
	s.on(t, server)
	s.config.S3, err = s3.New(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *shelf) on(t *testing.T, server *s3test.Server) *shelf {
	server.Make("crawls")
	client, err := s3.New(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	s.config.S3 = client
	s.put = func(name string, content []byte) { server.Put("crawls", name, content) }
	s.remove = func(name string) { server.Remove("crawls", name) }
	return s
}

func webShelf(t *testing.T) *shelf {
	dir := t.TempDir()
	s := &shelf{}
	clock := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	server := httptest.NewServer(faulty(http.FileServer(http.Dir(dir)), s))
	t.Cleanup(server.Close)
	s.root = server.URL
	s.put = func(name string, content []byte) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		clock = clock.Add(time.Minute)
		made := os.MkdirAll(filepath.Dir(path), 0o755)
		if err := errors.Join(made, os.WriteFile(path, content, 0o644), os.Chtimes(path, clock, clock)); err != nil {
			t.Fatal(err)
		}
	}
	s.remove = func(name string) {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// onEach runs a test with each kind of server.
func onEach(t *testing.T, test func(t *testing.T, s *shelf)) {
	t.Run("bucket", func(t *testing.T) { test(t, bucketShelf(t)) })
	t.Run("minio", func(t *testing.T) { test(t, minioShelf(t)) })
	t.Run("web", func(t *testing.T) { test(t, webShelf(t)) })
}

func (s *shelf) open(t *testing.T) *Storage {
	t.Helper()
	storage, err := New(s.config)
	if err != nil {
		t.Fatal(err)
	}
	return storage
}

func open(t *testing.T, s *Storage, path string) warc.File {
	t.Helper()
	f, err := s.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// noise returns n bytes that look like no others.
func noise(n int) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestFilesAreReadAtAnyOffset(t *testing.T) {
	onEach(t, func(t *testing.T, s *shelf) {
		content := noise(3<<20 + 17)
		s.put("a/b c+ä.warc.gz", content)
		f := open(t, s.open(t), s.root+"/a/b c+ä.warc.gz")
		if f.Size() != int64(len(content)) {
			t.Fatalf("size %d, want %d", f.Size(), len(content))
		}
		if err := iotest.TestReader(io.NewSectionReader(f, 0, 20_000), content[:20_000]); err != nil {
			t.Error(err)
		}
		r := rand.New(rand.NewPCG(2, 3))
		var wg sync.WaitGroup
		for range 4 {
			offsets := []int64{0, int64(len(content)) - 1, r.Int64N(int64(len(content))), r.Int64N(int64(len(content)))}
			wg.Go(func() {
				for _, offset := range offsets {
					p := make([]byte, 70_000)
					n, err := f.ReadAt(p, offset)
					want := content[offset:min(len(content), int(offset)+len(p))]
					if !bytes.Equal(p[:n], want) || (err == io.EOF) != (len(want) < len(p)) {
						t.Errorf("offset %d: %d bytes, %v", offset, n, err)
					}
				}
			})
		}
		wg.Wait()
		if whole, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size())); err != nil || !bytes.Equal(whole, content) {
			t.Errorf("from beginning to end: %d bytes, not as they were put: %v", len(whole), err)
		}
		if _, err := f.ReadAt(make([]byte, 1), f.Size()); err != io.EOF {
			t.Errorf("behind the end: %v", err)
		}
		if _, err := f.ReadAt(make([]byte, 1), -1); err == nil {
			t.Error("before the beginning there is something")
		}
	})
}

// A record costs one request, again none; a scan a few, which grow.
func TestRangesAreFewAndAsLongAsNeeded(t *testing.T) {
	onEach(t, func(t *testing.T, s *shelf) {
		s.put("a.warc.gz", noise(20<<20))
		storage := s.open(t)
		f := open(t, storage, s.root+"/a.warc.gz")
		count := func(read func()) int64 {
			before := s.requests.Load()
			read()
			return s.requests.Load() - before
		}
		record := func() { _, _ = f.ReadAt(make([]byte, 9_000), 1<<20) }
		if first, again := count(record), count(record); first != 1 || again != 0 {
			t.Errorf("a record took %d requests, then %d", first, again)
		}
		n := count(func() {
			_, _ = io.CopyBuffer(struct{ io.Writer }{io.Discard}, io.NewSectionReader(f, 0, f.Size()), make([]byte, 64<<10))
		})
		if again := count(func() { _, _ = storage.Stat(t.Context(), s.root+"/a.warc.gz") }); again != 0 {
			t.Errorf("an object that was opened just now is described by %d requests", again)
		}
		if n > 15 {
			t.Errorf("reading 20 MB from beginning to end took %d requests", n)
		}
		at := int64(4 << 20)
		next := func() { _, _ = f.ReadAt(make([]byte, 1000), at); at += 1000 } // of a jump, and of reads that continue it
		if got := []int64{count(next), count(next), count(next), count(next)}; !slices.Equal(got, []int64{1, 1, 1, 0}) {
			t.Errorf("reads in a row take %d requests, want the third to read ahead", got)
		}
		at -= 2000
		if n := count(next); n != 0 {
			t.Errorf("what was read ahead, from its beginning, takes %d requests", n)
		}
		for size, again := range map[int]int64{1 << 20: 0, 1<<20 + 1: 1} {
			read := func() { _, _ = f.ReadAt(make([]byte, size), 7<<20) }
			if first, second := count(read), count(read); first != 1 || second != again {
				t.Errorf("a range of %d bytes takes %d requests, then %d", size, first, second)
			}
		}
		if err := f.Close(); err != nil || f.(*file).ahead != nil {
			t.Errorf("closed, it holds %d bytes that were read ahead, %v", len(f.(*file).ahead), err)
		}
	})
}

func TestBrokenAnswersAreAskedForAgain(t *testing.T) {
	onEach(t, func(t *testing.T, s *shelf) {
		content := noise(100_000)
		s.put("a.warc.gz", content)
		f := open(t, s.open(t), s.root+"/a.warc.gz")
		s.broken.Store(2)
		p := make([]byte, len(content))
		if _, err := f.ReadAt(p, 0); err != nil && err != io.EOF || !bytes.Equal(p, content) {
			t.Errorf("after answers that broke off: %v", err)
		}
	})
}

// What breaks off again and again is given up after a few times, with the bytes that came before.
func TestAnswersThatAlwaysBreakOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken, from := errors.New("broken"), []int(nil)
		err := readResuming(t.Context(), make([]byte, 100), func(p []byte, done int) (int, error) {
			from = append(from, done)
			return min(len(p), 10), broken
		})
		if !errors.Is(err, broken) || !slices.Equal(from, []int{0, 10, 20, 30}) {
			t.Errorf("read from %v, %v", from, err)
		}
	})
}

// What was replaced or removed is an error, never other bytes.
func TestAnObjectThatChanges(t *testing.T) {
	onEach(t, func(t *testing.T, s *shelf) {
		s.put("a.warc.gz", noise(50_000))
		storage := s.open(t)
		f := open(t, storage, s.root+"/a.warc.gz")
		s.put("a.warc.gz", noise(50_001))
		if n, err := f.ReadAt(make([]byte, 100), 10); !errors.Is(err, ErrChanged) {
			t.Errorf("replaced: %d bytes, %v", n, err)
		}
		if again := open(t, storage, s.root+"/a.warc.gz"); again.Size() != 50_001 {
			t.Errorf("opened again it has %d bytes", again.Size())
		}
		f = open(t, storage, s.root+"/a.warc.gz")
		s.remove("a.warc.gz")
		before := s.requests.Load()
		if n, err := f.ReadAt(make([]byte, 100), 10); n != 0 || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("removed: %d bytes, %v", n, err)
		}
		if n := s.requests.Load() - before; n != 1 {
			t.Errorf("what was removed is asked for %d times", n)
		}
		if _, err := s.open(t).Open(t.Context(), s.root+"/a.warc.gz"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("opened after it was removed: %v", err)
		}
	})
}

// Some web servers ignore the condition of a request.
func TestAFileThatChangesOnAServerThatIgnoresConditions(t *testing.T) {
	for field, versions := range map[string][2]string{
		"ETag": {`"1"`, `"2"`}, "Last-Modified": {"Mon, 02 Jan 2006 15:04:05 GMT", "Tue, 03 Jan 2006 15:04:05 GMT"}, "Content-Range": {},
	} {
		replaced := false
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			version, size := versions[0], 50
			if replaced {
				version, size = versions[1], 51
			}
			if field == "Content-Range" {
				w.Header().Set("ETag", `"1"`)
			} else {
				w.Header().Set(field, version)
				size = 50
			}
			var from, to int
			_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to, size))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(noise(51)[from : to+1])
		}))
		storage, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		f := open(t, storage, server.URL+"/a.warc")
		if _, err := f.ReadAt(make([]byte, 5), 10); err != nil {
			t.Errorf("%s: %v", field, err)
		}
		replaced = true
		if _, err := f.ReadAt(make([]byte, 5), 20); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: another file is read: %v", field, err)
		}
		server.Close()
	}
}

func TestFoldersOfABucket(t *testing.T) {
	t.Run("memory", func(t *testing.T) { foldersOf(t, bucketShelf(t)) })
	t.Run("minio", func(t *testing.T) { foldersOf(t, minioShelf(t)) })
}

func foldersOf(t *testing.T, s *shelf) {
	for _, name := range []string{"2019/a.warc.gz", "2019/b.warc.gz", "2020/deep/er/c.warc.gz", "2019x/d.warc.gz", "note.txt"} {
		s.put(name, []byte(name))
	}
	storage := s.open(t)
	for _, name := range []string{"marks/e[1].warc.gz", "marks [2]/f.warc.gz"} {
		s.put(name, []byte(name))
	}
	for _, name := range []string{"s3://crawls/marks/e[1].warc.gz", "s3://crawls/marks [2]"} {
		if found, err := storage.Find(t.Context(), name); err != nil || !slices.Equal(found, []string{name}) {
			t.Errorf("%s is there, and found is %q, %v", name, found, err)
		}
	}
	list := func(folder string) (names []string) {
		t.Helper()
		for e, err := range storage.List(t.Context(), folder, func(p string) bool { return strings.HasSuffix(p, ".gz") }) {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, strings.TrimPrefix(e.Path, s.root+"/"))
			if e.Size == 0 || e.ModTime.IsZero() {
				t.Errorf("%s: nothing is known of it", e.Path)
			}
		}
		return names
	}
	for folder, want := range map[string][]string{
		"s3://crawls": {
			"2019/a.warc.gz", "2019/b.warc.gz", "2019x/d.warc.gz", "2020/deep/er/c.warc.gz", "marks [2]/f.warc.gz", "marks/e[1].warc.gz",
		},
		"s3://crawls/2019":  {"2019/a.warc.gz", "2019/b.warc.gz"},
		"s3://crawls/2020/": {"2020/deep/er/c.warc.gz"},
		"s3://crawls/none":  nil,
	} {
		if got := list(folder); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", folder, got, want)
		}
	}
	for pattern, want := range map[string][]string{
		"s3://crawls/2019/*.warc.gz":  {"2019/a.warc.gz", "2019/b.warc.gz"},
		"s3://crawls/20??/[b]*":       {"2019/b.warc.gz"},
		"s3://crawls/2019/b.warc.gz":  {"2019/b.warc.gz"},
		"s3://crawls/nothing/*.warc*": nil,
	} {
		found, err := storage.Find(t.Context(), pattern)
		for i := range found {
			found[i] = strings.TrimPrefix(found[i], s.root+"/")
		}
		if err != nil || !slices.Equal(found, want) {
			t.Errorf("%s: %q, %v; want %q", pattern, found, err, want)
		}
	}
	for path, folder := range map[string]bool{"s3://crawls": true, "s3://crawls/2020/deep": true, "s3://crawls/note.txt": false} {
		if e, err := storage.Stat(t.Context(), path); err != nil || e.Folder != folder {
			t.Errorf("%s: %+v, %v", path, e, err)
		}
	}
	if _, err := storage.Open(t.Context(), "s3://crawls/2020/deep"); err == nil || !strings.Contains(err.Error(), "not a file but a folder") {
		t.Errorf("opening a folder: %v", err)
	}
	n := 0
	for e, err := range storage.List(t.Context(), "s3://nowhere/a", func(string) bool { return false }) {
		if n++; e.Path != "s3://nowhere/a/" || err == nil {
			t.Errorf("the files of a bucket that isn't there: %+v, %v", e, err)
		}
	}
	if n != 1 {
		t.Errorf("a bucket that isn't there is named %d times", n)
	}
	if _, err := storage.Stat(t.Context(), "s3://nowhere/a"); !errors.Is(err, s3.ErrNoBucket) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a bucket that isn't there: %v", err)
	}
	if found, err := storage.Find(t.Context(), "s3://nowhere/*.warc.gz"); !errors.Is(err, s3.ErrNoBucket) {
		t.Errorf("a pattern in a bucket that isn't there: %q, %v", found, err)
	}
	if got := storage.Beside("s3://crawls/2019/a.cdx", "../../../other/b.warc.gz"); got != "s3://crawls/other/b.warc.gz" {
		t.Errorf("a path leads out of its bucket, to %s", got)
	}
}

// A storage that doesn't send the range that was asked for gives no bytes, rather than others.
func TestStoragesWithoutRanges(t *testing.T) {
	for name, instead := range map[string]string{"all": "", "others": "bytes=2-9"} {
		server := s3test.Wrapped(t, func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Range") != "" {
					r.Header.Set("Range", instead)
				}
				h.ServeHTTP(w, r)
			})
		})
		s := (&shelf{root: "s3://crawls"}).on(t, server)
		s.put("a.warc", []byte("0123456789"))
		p := make([]byte, 3)
		if _, err := open(t, s.open(t), "s3://crawls/a.warc").ReadAt(p, 4); !errors.Is(err, s3.ErrNoRanges) {
			t.Errorf("%s: read %q, %v", name, p, err)
		}
	}
}

// A web server that sends another range than the one that was asked for gives no bytes either.
func TestAWebServerThatSendsOtherRanges(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("Range"))
		w.Header().Set("Content-Range", "bytes 0-9/10")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = io.WriteString(w, "0123456789")
	}))
	defer server.Close()
	storage, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	f, p := open(t, storage, server.URL+"/a.warc"), make([]byte, 3)
	if _, err := f.ReadAt(p, 4); !errors.Is(err, s3.ErrNoRanges) {
		t.Errorf("read %q, %v", p, err)
	}
	if _, err := f.ReadAt(p, 0); string(p) != "012" || err != nil {
		t.Errorf("the range that it sends: %q, %v", p, err)
	}
	if want := []string{"bytes=0-0", "bytes=4-6", "bytes=0-2"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
}

// A file that is read on behalf of a request outlives it.
func TestAFileOfARequest(t *testing.T) {
	s := bucketShelf(t)
	s.put("a.warc", []byte("0123456789"))
	ctx, cancel := context.WithCancel(t.Context())
	of := warc.ReadFor(ctx, open(t, s.open(t), "s3://crawls/a.warc"))
	cancel()
	p := make([]byte, 3)
	if n, err := of.ReadAt(p, 4); n != 3 || string(p) != "456" || err != nil {
		t.Errorf("read %q, %v", p[:n], err)
	}
}

// What servers on the web may do wrong is said, and no request goes to another host.
func TestServersThatCannotBeReadFrom(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/whole.warc":
			fmt.Fprint(w, "all of it")
		case "/gone.warc":
			http.Error(w, "gone", http.StatusGone)
		case "/secret.warc":
			http.Error(w, "no", http.StatusForbidden)
		case "/moved.warc":
			http.Redirect(w, r, other.URL+"/moved.warc", http.StatusFound)
		case "/lying.warc":
			w.Header().Set("Content-Range", "bytes 0-0/*")
			w.WriteHeader(http.StatusPartialContent)
		case "/1":
			http.Redirect(w, r, "/whole.warc", http.StatusFound)
		default: // a number of redirects
			n, _ := strconv.Atoi(r.URL.Path[1:])
			http.Redirect(w, r, "/"+strconv.Itoa(n-1), http.StatusFound)
		}
	}))
	defer server.Close()
	storage, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		"/whole.warc": "doesn't answer ranges", "/gone.warc": "410", "/secret.warc": "403", "/moved.warc": "name that address",
		"/lying.warc": "doesn't answer ranges", "/a.warc?sign=1": "without a query", "/5": "doesn't answer ranges", "/6": "name that address",
	} {
		if _, err := storage.Open(t.Context(), server.URL+path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
	}
	if _, err := storage.Open(t.Context(), "http:///a.warc"); err == nil || !strings.Contains(err.Error(), "want an address with a host") {
		t.Errorf("an address without a host: %v", err)
	}
	if _, err := storage.Open(t.Context(), "gopher://host/a.warc"); err == nil || !strings.Contains(err.Error(), "not known") {
		t.Errorf("a scheme that nobody knows: %v", err)
	}
	n := 0
	for _, err := range storage.List(t.Context(), "gopher://host/", func(string) bool { return true }) {
		if n++; err == nil || !strings.Contains(err.Error(), "not known") {
			t.Errorf("a folder of such a scheme: %v", err)
		}
	}
	if n != 1 {
		t.Errorf("a folder of such a scheme has %d files", n)
	}
	if asked {
		t.Error("a redirect led to another host")
	}
}

// Paths of this machine are read as they would be without object storage.
func TestFoldersOfThisMachine(t *testing.T) {
	storage, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if storage.buckets.client == nil {
		t.Error("there are no buckets unless a client for them is given")
	}
	path := filepath.Join(t.TempDir(), "a.warc")
	if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	n := 0
	for e, err := range storage.List(t.Context(), filepath.Dir(path), func(string) bool { return true }) {
		if !e.Folder {
			n++
		}
		if err != nil || !e.Folder && e.Path != path {
			t.Errorf("it has %+v, %v", e, err)
		}
	}
	found, err := storage.Find(t.Context(), filepath.Join(filepath.Dir(path), "*.warc"))
	if n != 1 || err != nil || !slices.Equal(found, []string{path}) {
		t.Errorf("%d are listed, %q found, %v", n, found, err)
	}
	if e, err := storage.Stat(t.Context(), path); err != nil || e.Size != 7 {
		t.Errorf("it is %+v, %v", e, err)
	}
	p := make([]byte, 7)
	if n, err := open(t, storage, path).ReadAt(p, 0); n != 7 || string(p) != "content" {
		t.Errorf("%q, %v", p[:n], err)
	}
	if got := storage.Beside(path, "b.warc"); got != filepath.Join(filepath.Dir(path), "b.warc") {
		t.Errorf("beside it is %s", got)
	}
}
