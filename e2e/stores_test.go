package e2e

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// zipped stores files uncompressed in a WACZ, as its specification demands for archives.
func zipped(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Plain WARC, WARC by gzip members, ARC, and WACZ read in place.
func TestKindsOfStores(t *testing.T) {
	plain := &archive{plain: true}
	plain.page("http://plain.example/", day, "from a plain WARC")
	const arcBody = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nfrom an ARC"
	version := "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n"
	arc := fmt.Sprintf("filedesc://test.arc 0.0.0.0 %s text/plain %d\n%s\n\nhttp://arc.example/ 127.0.0.1 %s text/html %d\n%s\n", day,
		len(version), version, day, len(arcBody), arcBody)
	s, _ := serve(t, map[string][]byte{
		"plain.warc": plain.bytes(), "members.warc.gz": (&archive{}).page("http://members.example/", day, "from gzip members").bytes(),
		"old.arc": []byte(arc),
		"packed.wacz": zipped(t, map[string][]byte{"archive/data.warc.gz": (&archive{}).page("http://wacz.example/", day,
			"from a WACZ").bytes(), "datapackage.json": []byte("{}")}),
	})
	for uri, want := range map[string]string{
		"http://plain.example/": "from a plain WARC", "http://members.example/": "from gzip members",
		"http://arc.example/": "from an ARC", "http://wacz.example/": "from a WACZ",
	} {
		if a := s.get(t, "/web/"+day+"id_/"+uri).expect(t, 200); a.body != want {
			t.Errorf("%s: %q", uri, a.body)
		}
	}
}

// An existing index must work beside the WARC it describes, and instead of indexing it.
func TestImportedIndex(t *testing.T) {
	dir, first, second := t.TempDir(), filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "data")
	put(t, filepath.Join(dir, "a.warc.gz"), (&archive{}).page("http://a.example/", day, "one").page("http://a.example/", "20110101000000",
		"two").bytes())
	if _, stderr, code := invoke(t, "index", "--data", first, dir); code != 0 {
		t.Fatal(stderr)
	}
	lines, _, _ := invoke(t, "cdx", "--data", first)
	put(t, filepath.Join(dir, "a.cdxj"), []byte(lines))
	if _, stderr, code := invoke(t, "index", "--data", second, filepath.Join(dir, "a.cdxj")); code != 0 {
		t.Fatal(stderr)
	}
	if imported, _, _ := invoke(t, "cdx", "--data", second); imported != lines {
		t.Errorf("imported:\n%s\nscanned:\n%s", imported, lines)
	}
	alone := t.TempDir()
	put(t, filepath.Join(alone, "a.cdxj"), []byte(lines))
	third := filepath.Join(t.TempDir(), "data")
	if _, stderr, _ := invoke(t, "index", "--data", third, filepath.Join(alone, "a.cdxj")); strings.Contains(stderr, "goroutine") {
		t.Fatal(stderr)
	}
	if imported, _, _ := invoke(t, "cdx", "--data", third, "http://a.example/"); strings.Count(imported, "\n") != 2 {
		t.Errorf("without its WARC: %q", imported)
	}
}

// Large bodies must be streamed.
func TestLargeRecordStreams(t *testing.T) {
	t.Parallel()
	const size, most = 200 << 20, 50 << 20
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: %d\r\n\r\n", size)
	path := filepath.Join(t.TempDir(), "large.warc")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(f, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: %s\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: "+
		"%s/film\r\n%s\r\nContent-Length: %d\r\n\r\n%s", at(day), host, httpResponse, len(head)+size, head)
	end, err := f.Seek(size, 1) // a hole: zeros that take no space
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("\r\n\r\n"), end); err != nil {
		t.Fatal(err)
	}
	f.Close()
	s := start(t, "serve", path)
	s.get(t, "/web/"+day+"id_/"+host+"/film", "Range: bytes=0-9").expect(t, 206)
	before := resident(t, s)
	for _, target := range []string{raw("/film"), shown("/film")} {
		if a := s.get(t, target).expect(t, 200); len(a.body) != size {
			t.Errorf("%d bytes", len(a.body))
		}
		s.get(t, target, fmt.Sprintf("Range: bytes=%d-", size-10)).expect(t, 206,
			fmt.Sprintf("Content-Range: bytes %d-%d/%d", size-10, size-1, size))
	}
	if grown := resident(t, s) - before; grown > most {
		t.Errorf("the server grew by %d MB", grown>>20)
	}
}

// resident returns the resident memory of the server's process.
func resident(t *testing.T, s *server) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Skipf("this system does not tell how much memory a process holds: %v", err)
	}
	_, after, _ := strings.Cut(string(b), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}
