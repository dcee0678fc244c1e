package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// delivered is what the server says of a file that was handed in.
type delivered struct {
	Done  bool
	Files []struct {
		Name, State       string
		Stored, Reason    *string
		SameAs            *string `json:"same_as"`
		Captures, Damaged int
		Problems          []struct {
			Offset int64
			Reason string
		}
		Pages []struct {
			URIM string `json:"uri_m"`
		}
	}
}

// upload hands in a file as a client that is no browser, and waits for its end.
func (s *server) upload(t *testing.T, name, content string) (d delivered) {
	t.Helper()
	a := s.send(t, "POST", "/-/uploads?name="+url.QueryEscape(name), content).expect(t, 202)
	at := a.header.Get("Location")
	eventually(t, "the end of "+at, func() bool {
		d = delivered{}
		if err := json.Unmarshal([]byte(s.get(t, at).expect(t, 200).body), &d); err != nil {
			t.Fatal(err)
		}
		return d.Done
	})
	return d
}

// listed returns the names in a folder that a watcher looks at, and the others.
func listed(t *testing.T, dir string) (visible, hidden []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			hidden = append(hidden, e.Name())
		} else {
			visible = append(visible, e.Name())
		}
	}
	return visible, hidden
}

func somePage(uri string) *archive { return (&archive{}).page(uri, day, "<title>t</title><p>at "+uri) }

// Files that are handed in are in the watched folder, under names that are safe, and are indexed once; what can't be read is
// refused with its reason, and nothing of it stays.
func TestUploads(t *testing.T) {
	t.Parallel()
	s, folder := serve(t, map[string][]byte{"first.warc.gz": somePage("http://first.example/").bytes()}, "--upload-limit", "100kB")
	whole := somePage("http://a.example/").page("http://a.example/b", day, "<p>b").bytes()
	wacz := func(method uint16) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateHeader(&zip.FileHeader{Name: "archive/data.warc.gz", Method: method})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(somePage("http://wacz.example/").bytes())
		_ = z.Close()
		return b.String()
	}
	for _, tt := range []struct {
		name, content, stored, same, reason string
		captures, damaged                   int
	}{
		{name: `..\..\/etc/ri ver.warc`, content: string(whole), stored: "ri_ver.warc.gz", captures: 2},
		{name: "again.warc.gz", content: string(whole), same: "ri_ver.warc.gz"},
		{name: "first.warc.gz", content: string(somePage("http://c.example/").bytes()), stored: "first-2.warc.gz", captures: 1},
		{name: "FIRST.WARC", content: string(somePage("http://d.example/").bytes()), stored: "FIRST-3.warc.gz", captures: 1},
		{name: "con", content: string(somePage("http://e.example/").bytes()), stored: "_con.warc.gz", captures: 1},
		{
			name: "cut.warc.gz", content: string(somePage("http://f.example/").bytes()) + string(whole[:90]), stored: "cut.warc.gz",
			captures: 1, damaged: 1,
		},
		{name: "a.wacz", content: wacz(zip.Store), stored: "a.wacz", captures: 1},
		{name: "b.wacz", content: wacz(zip.Deflate), reason: "deflated"},
		{name: "page.warc", content: "<!doctype html><script>alert(1)</script>", reason: "neither WARC, ARC nor WACZ"},
		{name: "empty.warc", content: "", reason: "empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := s.upload(t, tt.name, tt.content)
			f := d.Files[0]
			for what, got := range map[string]*string{tt.stored: f.Stored, tt.same: f.SameAs} {
				if (got == nil) != (what == "") || got != nil && *got != what {
					t.Errorf("%+v, want %q", f, what)
				}
			}
			if f.Name != tt.name || f.Captures != tt.captures || f.Damaged != tt.damaged || len(f.Problems) != tt.damaged {
				t.Errorf("%+v", f)
			}
			if (f.State == "refused") != (tt.reason != "") || tt.reason != "" && !strings.Contains(*f.Reason, tt.reason) {
				t.Errorf("%+v", f)
			}
			for _, p := range f.Pages {
				s.get(t, strings.TrimPrefix(p.URIM, s.url)).expect(t, 200)
			}
			if (tt.captures > 0) != (len(f.Pages) > 0) {
				t.Errorf("pages to begin with: %+v", f.Pages)
			}
		})
	}
	s.send(t, "POST", "/-/uploads?name=large.warc", strings.Repeat("x", 100_001)).expect(t, 413)
	visible, hidden := listed(t, folder)
	want := []string{
		"FIRST-3.warc.gz", "_con.warc.gz", "a.wacz", "cut.warc.gz", "first-2.warc.gz", "first.warc.gz", "ri_ver.warc.gz",
	}
	if !slices.Equal(visible, want) || len(hidden) > 0 {
		t.Errorf("in the folder: %v %v", visible, hidden)
	}
	put(t, filepath.Join(folder, "last.warc.gz"), somePage("http://last.example/").bytes()) // makes the watcher look at all of them
	eventually(t, "the watcher's look", func() bool { return strings.Contains(s.get(t, "/web/cdx?url=last.example").body, "last") })
	for _, uri := range []string{"a.example", "c.example", "f.example", "wacz.example"} {
		if got := s.get(t, "/web/cdx?url="+uri).body; strings.Count(got, "\n") != 1 {
			t.Errorf("%s is indexed as %q", uri, got)
		}
	}
}

// Without a folder files go beside the index, and are there again when the server is started anew.
func TestUploadsToAnEmptyServer(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	s, err := launch(data, "serve")
	if err != nil {
		t.Fatal(err)
	}
	s.upload(t, "a.warc.gz", string(somePage("http://a.example/").bytes()))
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(data, "uploads", "web")
	put(t, filepath.Join(dir, "b.warc.gz"), somePage("http://b.example/").bytes())
	if s, err = launch(data, "serve"); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"http://a.example/", "http://b.example/"} {
		s.get(t, "/web/"+day+"id_/"+uri).expect(t, 200)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
}

// Only a server that is for its own machine takes files unasked.
func TestWhoTakesFiles(t *testing.T) {
	t.Parallel()
	content := string(somePage("http://a.example/").bytes())
	for _, tt := range []struct {
		name   string
		args   []string
		fields []string
		status int
	}{
		{"on loopback", nil, nil, 202},
		{"told not to", []string{"--uploads=false"}, nil, 403},
		{"… in the other way", []string{"--no-uploads"}, nil, 403},
		{"for the public", []string{"--public-url", "https://archive.example"}, nil, 403},
		{"… and asked to", []string{"--public-url", "https://archive.example", "--uploads"}, nil, 202},
		{"behind another server", nil, []string{"X-Forwarded-For: 192.0.2.1"}, 403},
		{"… and asked to", []string{"--uploads"}, []string{"X-Forwarded-For: 192.0.2.1"}, 202},
	} {
		s := start(t, append([]string{"serve"}, tt.args...)...)
		a := s.send(t, "POST", "/-/uploads?name=a.warc.gz", content, tt.fields...)
		if a.status != tt.status {
			t.Errorf("%s: %d %s", tt.name, a.status, a.body)
		}
		home := s.get(t, "/", append(tt.fields, "Accept: text/html", "Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate")...).body
		if strings.Contains(home, `name="token"`) != (tt.status == 202) {
			t.Errorf("%s: the home page says otherwise", tt.name)
		}
	}
}

// A server that is killed while a file comes in shows nothing of it, and the next one removes what is left.
func TestKilledWhileAFileComesIn(t *testing.T) {
	folder, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
	put(t, filepath.Join(folder, "first.warc.gz"), somePage("http://first.example/").bytes())
	s, err := launch(data, "serve", folder)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	whole := somePage("http://a.example/").bytes()
	fmt.Fprintf(conn, "POST /-/uploads?name=a.warc.gz HTTP/1.1\r\nHost: %s\r\nContent-Length: 1000000\r\n\r\n", conn.RemoteAddr())
	_, _ = conn.Write(append(whole, make([]byte, 100_000)...))
	eventually(t, "a file that comes in", func() bool { _, hidden := listed(t, folder); return len(hidden) > 0 })
	_ = s.cmd.Process.Kill()
	<-s.over
	if visible, _ := listed(t, folder); !slices.Equal(visible, []string{"first.warc.gz"}) {
		t.Errorf("it can be seen: %v", visible)
	}
	if s, err = launch(data, "serve", folder); err != nil {
		t.Fatal(err)
	}
	if visible, hidden := listed(t, folder); len(hidden) > 0 || len(visible) != 1 {
		t.Errorf("left: %v %v", visible, hidden)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
}

// A full disk ends in a sentence, and nothing stays of the file.
func TestUploadsOnAFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a small disk to fill")
	}
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=110m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be made here: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", disk).Run() })
	put(t, filepath.Join(disk, "first.warc.gz"), somePage("http://first.example/").bytes())
	s := start(t, "serve", disk)
	a := s.send(t, "POST", "/-/uploads?name=a.warc", strings.Repeat("x", 60<<20)).expect(t, 507)
	if !strings.Contains(a.body, "disk is full") {
		t.Error(a.body)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /-/uploads?name=a.warc HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
		conn.RemoteAddr())
	for range 60 { // of a size that nobody has said
		fmt.Fprintf(conn, "%x\r\n%s\r\n", 1<<20, strings.Repeat("x", 1<<20))
	}
	fmt.Fprint(conn, "0\r\n\r\n")
	if answer, _ := io.ReadAll(conn); !strings.Contains(string(answer), " 507 ") {
		t.Errorf("%.300s", answer)
	}
	if visible, hidden := listed(t, disk); len(visible) != 1 || len(hidden) > 0 {
		t.Errorf("left: %v %v", visible, hidden)
	}
	if d := s.upload(t, "b.warc", string(somePage("http://b.example/").bytes())); d.Files[0].State != "done" {
		t.Errorf("with room: %+v", d)
	}
}
