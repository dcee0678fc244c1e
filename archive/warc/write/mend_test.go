package write_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/internal/testkit/countdown"
)

// Of a folder's files only those of a writer's name are its own: complete ones, and those that are being written.
func TestWhoseFilesAre(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	names := []string{
		"river-20260101000000-00000.warc.gz", "river-20260101000000-00001-m1.warc.gz", "river-20260101000000-100000.warc.gz",
		"river-20260101000000-00002-m2.warc.gz.open", "river-20260101000000-00003.warc.gz.open", // being written
		"river-2-20260101000000-00000.warc.gz", "other-20260101000000-00000.warc.gz", "river-2026-00000.warc.gz", // of others
		"river-20260101000000-0000.warc.gz", "river-20260101000000-00000-m_1.warc.gz", "xriver-20260101000000-00000.warc.gz",
		"river-20260101000000-00000-" + strings.Repeat("m", 17) + ".warc.gz", "river-20260101000000-00000.warc",
		"riverx20260101000000-00000.warc.gz",
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for i, name := range names {
		if write.IsFinished("river", name) != (i < 3) {
			t.Errorf("%s is complete: %v", name, i >= 3)
		}
		if i < 3 {
			want = append(want, filepath.Join(dir, name))
		}
	}
	slices.Sort(want)
	got, err := write.Finished(dir, "river")
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if marks, err := write.Writing(dir, "river"); err != nil || !slices.Equal(marks, []string{"m2", ""}) {
		t.Errorf("%q, %v", marks, err)
	}
	for path, want := range map[string]string{"/a/b.warc.gz.open": "b.warc.gz", "b.warc.gz": "b.warc.gz"} {
		if got := write.FinalName(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	if write.SameWriter("a.warc.gz", "river-20260101000000-00000-m1.warc.gz") || !write.SameWriter("a.warc.gz", names[0]) {
		t.Error("a name of another form has a mark")
	}
}

// A folder that isn't there has no files; one that can't be read is an error.
func TestFoldersThatCannotBeRead(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, fails := range map[string]bool{filepath.Join(t.TempDir(), "none"): false, file: true} {
		complete, err := write.Finished(dir, "river")
		marks, failed := write.Writing(dir, "river")
		mended, failing := write.Mend(t.Context(), dir, "river")
		if (err != nil) != fails || (failed != nil) != fails || (failing != nil) != fails || len(complete)+len(marks)+len(mended) > 0 {
			t.Errorf("%s: %v, %v, %v", dir, err, failed, failing)
		}
	}
	if _, err := write.New(write.Config{Dir: filepath.Join(file, "below"), Name: "river"}); err == nil {
		t.Error("a folder is made below a file")
	}
	if _, err := write.Mend(t.Context(), t.TempDir(), "a/b"); err == nil {
		t.Error("files of a name that no writer has are mended")
	}
}

// left writes four exchanges, one of them with a form that was sent, and leaves the file as if the process had been killed.
func left(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	w := newWriter(t, write.Config{Dir: dir})
	for i := range 4 {
		e := exchange(fmt.Sprint("http://a.example/", i), page)
		if i == 2 {
			e.Request = strings.NewReader("POST /2 HTTP/1.1\r\nHost: a.example\r\nContent-Length: 3\r\n\r\na=b")
		}
		if _, err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Leave(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// responses returns the addresses of the responses in the only file of a folder.
func responses(t *testing.T, dir string) (out []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, r := range read(t, filepath.Join(dir, all[0].Name())) {
		if r.kind == "response" {
			out = append(out, strings.TrimPrefix(r.uri, "http://a.example/"))
		}
	}
	return out
}

// An answer to a form isn't repeated by another form, so only answers to requests for an address alone are taken out.
func TestAnswersToFormsStay(t *testing.T) {
	t.Parallel()
	dir := left(t)
	repeated := func(string) ([]string, error) { return []string{"http://a.example/1", "http://a.example/2"}, nil }
	if _, err := (write.Mending{Dir: dir, Name: "test", Repeated: repeated}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := responses(t, dir); !slices.Equal(got, []string{"0", "2", "3"}) {
		t.Errorf("%q", got)
	}
}

// Whenever mending is stopped, and if it fails, the file is as it was and can be mended later.
func TestMendingIsDoneOrNot(t *testing.T) {
	t.Parallel()
	repeated := func(string) ([]string, error) { return []string{"http://a.example/1"}, nil }
	stopped, done := 0, false
	for n := 0; !done && n < 10_000; n += 1 + n/8 {
		dir, ctx := left(t), countdown.New(t, n)
		mended, err := write.Mending{Dir: dir, Name: "test", Repeated: repeated}.Run(ctx)
		switch {
		case err == nil:
			if done = true; len(mended) != 1 || !slices.Equal(responses(t, dir), []string{"0", "2", "3"}) {
				t.Errorf("stopped after %d: %+v, %q", n, mended, responses(t, dir))
			}
		case !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), dir) || len(mended) > 0:
			t.Errorf("stopped after %d: %v, %+v", n, err, mended)
		default:
			stopped++
			if got := responses(t, dir); !slices.Equal(got, []string{"0", "1", "2", "3"}) {
				t.Errorf("stopped after %d: %q", n, got)
			}
			if marks, err := write.Writing(dir, "test"); err != nil || len(marks) != 1 {
				t.Errorf("stopped after %d: %q is still to be mended, %v", n, marks, err)
			}
		}
	}
	if !done || stopped < 3 {
		t.Errorf("stopped %d times, done %v", stopped, done)
	}
	dir, why := left(t), errors.New("the index fails")
	mending := write.Mending{Dir: dir, Name: "test", Repeated: func(string) ([]string, error) { return nil, why }}
	if mended, err := mending.Run(t.Context()); !errors.Is(err, why) || len(mended) > 0 {
		t.Errorf("%+v, %v", mended, err)
	}
	if got := responses(t, dir); !slices.Equal(got, []string{"0", "1", "2", "3"}) {
		t.Errorf("%q", got)
	}
}

// What is damaged in the middle of a file stays there, and answers before and behind it are taken out.
func TestMendingAroundDamage(t *testing.T) {
	t.Parallel()
	dir := left(t)
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, all[0].Name())
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var begins []int // of records
	for i := range text {
		if strings.HasPrefix(string(text[i:min(i+3, len(text))]), "\x1f\x8b\x08") {
			begins = append(begins, i)
		}
	}
	text[begins[2]+12] ^= 0xff // in the request of the first exchange
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	repeated := func(string) ([]string, error) { return []string{"http://a.example/0", "http://a.example/3"}, nil }
	mended, err := write.Mending{Dir: dir, Name: "test", Repeated: repeated}.Run(t.Context())
	if err != nil || len(mended) != 1 {
		t.Fatalf("%+v, %v", mended, err)
	}
	after, err := os.ReadFile(mended[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Concat(text[:begins[1]], text[begins[2]:begins[7]]) // without the first answer and the last exchange
	if !slices.Equal(after, want) {
		t.Errorf("%d bytes, want %d: %d records", len(after), len(want), len(begins))
	}
}

// A file keeps away from a number under which another is being written.
func TestRenameLeavesOpenFilesAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a-20260101000000-00000.warc.gz", "a-20260101000000-00001.warc.gz.open"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := write.Rename(filepath.Join(dir, "a-20260101000000-00000.warc.gz"))
	if err != nil || filepath.Base(got) != "a-20260101000000-00002.warc.gz" {
		t.Errorf("%s, %v", got, err)
	}
}

// A failing message can be read up to a byte.
type failing struct {
	*strings.Reader
	at int64
}

func (f *failing) Read(p []byte) (int, error) {
	left := f.at - (f.Size() - int64(f.Len()))
	if left <= 0 {
		return 0, errors.New("broken")
	}
	return f.Reader.Read(p[:min(int64(len(p)), left)])
}

// An eager message ends with its last byte, not behind it.
type eager struct{ *strings.Reader }

func (e eager) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err == nil && e.Len() == 0 {
		err = io.EOF
	}
	return n, err
}

// A message that can't be read to its end isn't written, wherever reading fails, and the next one is. A body that ends early is, since that
// is how it came.
func TestMessagesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := newWriter(t, write.Config{Dir: dir})
	for _, message := range []string{page, chunked, chunked + "more", unchanged} {
		for at := range int64(len(message)) {
			e := exchange("http://a.example/broken", "")
			e.Response = &failing{strings.NewReader(message), at}
			if _, err := w.Write(e); err == nil || !strings.Contains(err.Error(), "broken") {
				t.Errorf("%q, of which %d bytes can be read: %v", message, at, err)
			}
		}
	}
	good := map[string]string{
		"whole": page, "short": strings.Replace(page, "12", "99", 1), "chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
	}
	for name, message := range good {
		e := exchange("http://a.example/"+name, message)
		e.Response = eager{strings.NewReader(message)}
		if _, err := w.Write(e); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, r := range readAll(t, dir) {
		name := strings.TrimPrefix(r.uri, "http://a.example/")
		if r.kind == "response" && r.block != good[name] {
			t.Errorf("%s: %q", name, r.block)
		}
		delete(good, map[string]string{"response": name}[r.kind])
	}
	if len(good) > 0 {
		t.Errorf("%v are missing", good)
	}
}
