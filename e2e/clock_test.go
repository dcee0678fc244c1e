package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The clocks of machines that copy files are wrong, and jump. What a file's time is says only whether it differs from what
// it was: nothing depends on which of two is later.
func TestFilesOfAnyTime(t *testing.T) {
	dir, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
	write := func(name, uri, body string, changed time.Time) {
		t.Helper()
		put(t, filepath.Join(dir, name), (&archive{plain: true}).page(uri, day, body).bytes())
		if err := os.Chtimes(filepath.Join(dir, name), changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	index := func() {
		t.Helper()
		if _, stderr, code := invoke(t, "index", "--data", data, dir); code != 0 {
			t.Fatalf("index: %d: %s", code, stderr)
		}
	}
	now := time.Now()
	times := map[string]time.Time{
		"1901.warc": time.Unix(-1<<31, 0), "1969.warc": time.Unix(-1, 0), "1970.warc": time.Unix(0, 0), "now.warc": now,
		"tomorrow.warc": now.Add(24 * time.Hour), "2038.warc": time.Unix(1<<31, 0), "2400.warc": time.Date(2400, 2, 29, 0, 0, 0, 0, time.UTC),
	}
	for name, changed := range times {
		write(name, "http://"+name+".example/", "before", changed)
	}
	index()
	hour := -time.Hour // the clock was put back
	for name, changed := range times {
		switch name {
		case "now.warc", "2038.warc": // another body of the same length
			write(name, "http://"+name+".example/", "behind", changed.Add(hour))
		case "1970.warc", "tomorrow.warc": // grown
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, name), append(b, (&archive{plain: true}).page("http://more-"+name+".example/", day, "more").bytes()...))
			if err := os.Chtimes(filepath.Join(dir, name), changed.Add(hour), changed.Add(hour)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("late.warc", "http://late.example/", "late", now.Add(hour)) // arrived after the first run, and is older
	index()
	stdout, _, _ := invoke(t, "cdx", "--data", data)
	if got, want := strings.Count(stdout, "\n"), len(times)+2+1; got != want {
		t.Errorf("%d captures, want %d:\n%s", got, want, stdout)
	}
	s, err := launch(data, "serve", dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	}()
	says := func(uri, want string) {
		t.Helper()
		if a := s.get(t, "/web/"+day+"id_/"+uri); a.status != 200 || a.body != want {
			t.Errorf("%s: %d %q, want %q", uri, a.status, a.body, want)
		}
	}
	says("http://late.example/", "late")
	for name := range times {
		want := "before"
		if name == "now.warc" || name == "2038.warc" {
			want = "behind"
		}
		says("http://"+name+".example/", want)
	}
	says("http://more-1970.warc.example/", "more")
	says("http://more-tomorrow.warc.example/", "more")

	// A client's clock may be anywhere as well.
	for _, field := range []string{
		"If-Modified-Since: Fri, 31 Dec 9999 23:59:59 GMT", "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
		"If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT", "Date: Fri, 31 Dec 9999 23:59:59 GMT",
	} {
		a, err := s.try("GET", "/web/"+day+"id_/http://late.example/", "", field)
		if err != nil || a.status != 200 || a.body != "late" {
			t.Errorf("%s: %d %q %v", field, a.status, a.body, err)
		}
	}
}
