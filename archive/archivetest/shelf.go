package archivetest

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A Record is one record of a WARC file written for a test. What is left empty has the value of an ordinary page.
type Record struct {
	Date, URI string // Date is a ts14
	Type      string // WARC-Type; "" is response
	Fields    string // further lines of the record's head, each with "\n"
	Block     string // the whole block of a record that isn't HTTP; the rest is not used then
	Status    int    // 0 is 200
	Location  string
	Head      string // further lines of the HTTP head, each with "\n"; text/html unless it has a Content-Type
	Body      string // of a revisit: what it repeats, which is not written
}

// Moved returns the record of a redirect.
func Moved(date, uri, location string) Record {
	return Record{Date: date, URI: uri, Status: http.StatusMovedPermanently, Location: location}
}

// WARC returns records as a file.
func WARC(tb testing.TB, records ...Record) []byte {
	tb.Helper()
	var b strings.Builder
	for i := range records {
		r := &records[i]
		ts, err := cdx.ParseTimestamp(r.Date)
		if err != nil {
			tb.Fatal(err)
		}
		fields, block := r.Fields, r.Block
		if block == "" {
			sum := sha1.Sum([]byte(r.Body))
			fields += "Content-Type: application/http\nWARC-Payload-Digest: sha1:" + base32.StdEncoding.EncodeToString(sum[:]) + "\n"
			block = r.message()
		}
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:test:%d>\r\nWARC-Date: %s\r\nWARC-Target-URI: %s\r\n",
			cmp.Or(r.Type, "response"), i, ts.Time().Format(time.RFC3339), r.URI)
		fmt.Fprintf(&b, "%sContent-Length: %d\r\n\r\n%s\r\n\r\n", strings.ReplaceAll(fields, "\n", "\r\n"), len(block), block)
	}
	return []byte(b.String())
}

func (r *Record) message() string {
	status := cmp.Or(r.Status, http.StatusOK)
	head := fmt.Sprintf("HTTP/1.1 %d %s\n", status, http.StatusText(status))
	if !strings.Contains(r.Head, "Content-Type") {
		head += "Content-Type: text/html; charset=utf-8\n"
	}
	if r.Location != "" {
		head += "Location: " + r.Location + "\n"
	}
	head = strings.ReplaceAll(head+r.Head+"\n", "\n", "\r\n")
	if r.Type == "revisit" {
		return head
	}
	return head + r.Body
}

// A Shelf is a WARC file in the collection "web", whose records can be broken. It implements archive.Records.
type Shelf struct {
	Index  *index.Index
	Store  *kvtest.Faulty // below the index
	Opened atomic.Int64   // how many records were opened

	warcs  *warc.Store
	broken map[cdx.Location]bool
}

// Keep writes records to a file and indexes it.
func Keep(tb testing.TB, records ...Record) *Shelf {
	tb.Helper()
	store := kvtest.NewFaulty(kvtest.NewMemory())
	x, err := index.New(tb.Context(), store)
	if err != nil {
		tb.Fatal(err)
	}
	s := &Shelf{Index: x, Store: store, broken: map[cdx.Location]bool{}}
	s.warcs = warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	tb.Cleanup(func() { s.warcs.Close() })
	s.Add(tb, records...)
	return s
}

// Add writes further records to another file and indexes it.
func (s *Shelf) Add(tb testing.TB, records ...Record) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "records.warc")
	if err := os.WriteFile(path, WARC(tb, records...), 0o600); err != nil {
		tb.Fatal(err)
	}
	report := func(p ingest.Problem) { tb.Log(p) }
	if _, err := ingest.Run(tb.Context(), ingest.Config{Index: s.Index, Collection: "web", Report: report}, []string{path}); err != nil {
		tb.Fatal(err)
	}
}

// Put adds a capture of the first record of the shelf under another key.
func (s *Shelf) Put(tb testing.TB, key, uri string, ts cdx.Timestamp) {
	tb.Helper()
	for first, err := range s.Index.Captures(tb.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			tb.Fatal(err)
		}
		c := *first
		c.Key, c.URL, c.Time = key, uri, ts
		w := s.Index.Writer(tb.Context(), "web")
		if err := errors.Join(w.Add(&c), w.Flush()); err != nil {
			tb.Fatal(err)
		}
		return
	}
	tb.Fatal("the shelf is empty")
}

// PutBare adds n captures without text under a key, before all others, one a second.
func (s *Shelf) PutBare(tb testing.TB, key string, n int) {
	tb.Helper()
	w := s.Index.Writer(tb.Context(), "web")
	for i := range n {
		c := cdx.Capture{
			Key: key, URL: "http://a.example/", Status: http.StatusOK, Time: cdx.FromTime(time.Date(2000, 1, 1, 0, 0, i, 0, time.UTC)),
			Location: cdx.Location{File: s.Index.Files()[0].ID}, // times tell them apart
		}
		if err := w.Add(&c); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
}

// Capture returns the capture of a URI-R at a datetime, whatever was sent there.
func (s *Shelf) Capture(tb testing.TB, date, uri string) *cdx.Capture {
	tb.Helper()
	key := surt.Of(uri)
	for c, err := range s.Index.Captures(tb.Context(), cdx.Span{Coll: "web", From: key, To: key + "@"}) {
		if err != nil {
			tb.Fatal(err)
		}
		if c.Time.String() == date && c.URL == uri {
			found := *c
			return &found
		}
	}
	tb.Fatalf("%s has no capture at %s", uri, date)
	return nil
}

// Break makes the record of a capture unreadable.
func (s *Shelf) Break(tb testing.TB, date, uri string) {
	tb.Helper()
	s.broken[s.Capture(tb, date, uri).Location] = true
}

// Mend makes all records readable again.
func (s *Shelf) Mend() { clear(s.broken) }

// ErrBroken is the error of a broken record.
const ErrBroken = sentinel.Error("the test broke this record")

// Record implements archive.Records.
func (s *Shelf) Record(ctx context.Context, loc cdx.Location) (*warc.Record, error) {
	if s.broken[loc] {
		return nil, ErrBroken
	}
	s.Opened.Add(1)
	return s.warcs.Record(ctx, loc)
}
