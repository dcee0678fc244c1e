package export_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/export"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// A house is an archive over files that a test writes.
type house struct {
	dir     string
	index   *index.Index
	archive *archive.Archive
	policy  *access.Policy
}

// newHouse indexes files, given by name and content.
func newHouse(t *testing.T, files map[string][]byte) *house {
	t.Helper()
	h := &house{dir: t.TempDir(), policy: &access.Policy{}}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(h.dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if h.index, err = index.New(t.Context(), kvtest.NewMemory()); err != nil {
		t.Fatal(err)
	}
	report := func(p ingest.Problem) { t.Log(p) }
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: h.index, Collection: "web", Report: report}, []string{h.dir}); err != nil {
		t.Fatal(err)
	}
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := h.index.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	if h.archive, err = archive.New(archive.Config{Index: h.index, Records: store, Access: h.policy}); err != nil {
		t.Fatal(err)
	}
	return h
}

// decide puts a rule into force.
func (h *house) decide(t *testing.T, a access.Access, url string) {
	t.Helper()
	rules, err := access.New([]access.Rule{{URL: url, Access: a}})
	if err != nil {
		t.Fatal(err)
	}
	h.policy.Put(rules)
}

// job returns one over the house. Its problems end up in the second result.
func (h *house) job(t *testing.T, from, to string, urls ...string) (*export.Job, *[]string) {
	t.Helper()
	var since, until cdx.Timestamp
	if from != "" {
		since, _ = cdx.ParseTimestamp(from)
	}
	if to != "" {
		until, _ = cdx.ParseTimestampEnd(to)
	}
	selected, err := export.Select("web", urls, since, until)
	if err != nil {
		t.Fatal(err)
	}
	problems := new([]string)
	return &export.Job{
		Archive: h.archive, Selection: selected, Software: "varve test", Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Report: func(err error) { *problems = append(*problems, err.Error()) },
	}, problems
}

// packed returns records with a gzip member each.
func packed(t *testing.T, records ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, r := range records {
		z, err := gzip.NewWriterLevel(&out, gzip.BestCompression) // so that copied members are told from others
		if err != nil {
			t.Fatal(err)
		}
		_, _ = z.Write(r)
		_ = z.Close()
	}
	return out.Bytes()
}

func one(t *testing.T, r archivetest.Record) []byte {
	t.Helper()
	return archivetest.WARC(t, r)
}

// request returns the record of a request, with a record ID of its own and further lines in its head.
func request(id, uri, date, fields string) []byte {
	ts, _ := cdx.ParseTimestamp(date)
	block := "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	return fmt.Appendf(nil, "WARC/1.1\r\nWARC-Type: request\r\nWARC-Record-ID: <urn:test:%s>\r\nWARC-Date: %s\r\nWARC-Target-URI: %s\r\n"+
		"%sContent-Type: application/http; msgtype=request\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		id, ts.Time().Format(time.RFC3339), uri, fields, len(block), block)
}

// list reads a WARC file and returns a line for each record: type, URI and datetime. It fails on any damage.
func list(t *testing.T, content []byte) (lines []string) {
	t.Helper()
	for rec, err := range warc.Scan(t.Context(), inMemory{bytes.NewReader(content)}, "out.warc", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, rec.Block); err != nil {
			t.Fatal(err)
		}
		if rec.Type == "warcinfo" {
			lines = append(lines, "warcinfo")
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", rec.Type, rec.TargetURI, rec.Date.String()[:8]))
	}
	return lines
}

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

func wantLines(t *testing.T, got []string, want string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.TrimSpace(want); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

// damage overwrites some bytes of a file after it was indexed.
func (h *house) damage(t *testing.T, name string, offset int64) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(h.dir, name), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte("ruined"), offset); err != nil {
		t.Fatal(err)
	}
}

// formats are the ways to export everything.
func (h *house) formats(t *testing.T) map[string]func(context.Context, io.Writer) error {
	t.Helper()
	return h.formatsOf(func() *export.Job { j, _ := h.job(t, "", ""); return j })
}

func (*house) formatsOf(job func() *export.Job) map[string]func(context.Context, io.Writer) error {
	return map[string]func(context.Context, io.Writer) error{
		"warc": func(ctx context.Context, w io.Writer) error { return job().WARC(ctx, w, false) },
		"wacz": func(ctx context.Context, w io.Writer) error { return job().WACZ(ctx, w) },
		"cdxj": func(ctx context.Context, w io.Writer) error { return job().CDXJ(ctx, w) },
		"jsonl": func(ctx context.Context, w io.Writer) error {
			return job().JSONL(ctx, w)
		},
	}
}

func cdxj(t *testing.T, h *house) string {
	t.Helper()
	job, _ := h.job(t, "", "")
	var out bytes.Buffer
	if err := job.CDXJ(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// unpacked returns all text of an export, also what is compressed in a WACZ.
func unpacked(t *testing.T, content []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return string(content)
	}
	var all strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var in io.Reader = r
		if strings.HasSuffix(f.Name, ".gz") {
			if in, err = gzip.NewReader(r); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := io.Copy(&all, in); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
