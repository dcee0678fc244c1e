package archive_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// Readers see what there is of a body, and are told that it is cut off; what the storage can't read now is an error.
func TestBodiesAsFarAsTheyGo(t *testing.T) {
	type seen struct {
		Body          string
		Before, After bool // whether it is known to be cut off before and after it is read
		Ahead         int
		Length        int64
		Failed        bool
	}
	const plain, coded = 4 << 10, 256 << 10
	packed := gzipped("<p>text")
	head := func(name, value string) warc.Fields { return warc.Fields{{Name: name, Value: value}} }
	chunks := func(s string) io.Reader {
		return warc.Body(warc.Message{Header: head("Transfer-Encoding", "chunked")}, bufio.NewReader(strings.NewReader(s)))
	}
	broken := func(err error) io.Reader { return io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(err)) }
	damage := &warc.Damage{Reason: "cut off"}
	for name, tt := range map[string]struct {
		known  bool
		header warc.Fields
		body   io.Reader
		length int64
		want   seen
	}{
		"whole":                         {body: strings.NewReader("abc"), length: 3, want: seen{"abc", false, false, plain, 3, false}},
		"as long as it says":            {header: head("Content-Length", "3"), length: 3, want: seen{"", false, false, plain, 3, false}},
		"shorter than it says":          {header: head("Content-Length", "4"), length: 3, want: seen{"", true, true, plain, 3, false}},
		"empty though it says more":     {header: head("Content-Length", "4"), length: 0, want: seen{"", true, true, plain, 0, false}},
		"of a length that nobody knows": {header: head("Content-Length", "4"), length: -1, want: seen{"", false, false, plain, -1, false}},
		"known to be cut off":           {true, nil, broken(damage), 9, seen{"abc", true, true, plain, -1, false}},
		"damaged, and nobody knew":      {false, nil, broken(damage), 9, seen{"abc", false, false, plain, 9, true}},
		"on a storage that fails":       {true, nil, broken(archivetest.ErrBroken), 9, seen{"abc", true, true, plain, -1, true}},
		"packed": {
			header: head("Content-Encoding", "gzip"), body: strings.NewReader(packed), length: 9,
			want: seen{"<p>text", false, false, coded, -1, false},
		},
		"packed and cut off": {
			header: head("Content-Encoding", "gzip"), body: strings.NewReader(packed[:len(packed)-4]), length: 9,
			want: seen{"<p>text", false, true, coded, -1, false},
		},
		"in chunks":         {body: chunks("3\r\nabc\r\n0\r\n\r\n"), length: -1, want: seen{"abc", false, false, coded, -1, false}},
		"within a chunk":    {body: chunks("4\r\nabc"), length: -1, want: seen{"abc", false, true, coded, -1, false}},
		"in too few chunks": {body: chunks("3\r\nabc\r\n"), length: -1, want: seen{"abc", false, true, coded, -1, false}},
	} {
		if tt.body == nil {
			tt.body = strings.NewReader("")
		}
		a := &archive.Response{Capture: &cdx.Capture{Truncated: tt.known}, Header: tt.header, Body: tt.body, Length: tt.length}
		r, err := a.Readable()
		if err != nil {
			t.Fatal(err)
		}
		got := seen{Before: r.CutOff(), Ahead: r.LookAhead(), Length: a.Length}
		b, err := io.ReadAll(r)
		got.Body, got.After, got.Failed = string(b), r.CutOff(), err != nil
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A half is a storage whose files can't be read beyond 100 kB.
type half struct{ warc.Local }

func (h half) Open(ctx context.Context, path string) (warc.File, error) {
	f, err := h.Local.Open(ctx, path)
	return halfFile{f}, err
}

type halfFile struct{ warc.File }

func (f halfFile) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > 100_000 {
		return 0, archivetest.ErrBroken
	}
	return f.File.ReadAt(p, at)
}

// A storage that fails within a page must not make it a shorter page.
func TestHalfAPageIsNoText(t *testing.T) {
	var long strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&long, "<p>%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	for name, record := range map[string]archivetest.Record{
		"plain":  {Body: long.String()},
		"packed": {Head: "Content-Encoding: gzip\n", Body: gzipped(long.String())},
	} {
		record.Date, record.URI = day(0), page
		shelf := archivetest.Keep(t, record)
		store := warc.NewStoreOn(half{}, func(id cdx.FileID) (string, bool) { f, ok := shelf.Index.File(id); return f.Path, ok })
		defer store.Close()
		s := over(t, archive.Config{Index: shelf.Index, Records: store})
		if text, err := s.Text(t.Context(), shelf.Capture(t, day(0), page)); !errors.Is(err, archivetest.ErrBroken) {
			t.Errorf("%s: %d bytes of text, %v", name, len(text.String()), err)
		}
	}
}
