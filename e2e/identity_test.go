package e2e

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nlnwa/gowarc"

	"github.com/varve-archive/varve/internal/testkit/corpora"
)

// A payload is what an independent reader (gowarc and net/http, without varve's code) finds in a record.
type payload struct {
	kind, uri, date string
	profile         string
	refersTo        string // datetime of the original
	status          int
	body            []byte
	ok              bool // the independent reader could parse the message
	form            bool // a POST or PUT request
}

// readAll reads the records of a WARC file one after another.
func readAll(t testing.TB, file string) (all []payload) {
	t.Helper()
	r, err := gowarc.NewWarcFileReader(file, 0, gowarc.WithNoValidation(), gowarc.WithSyntaxErrorPolicy(gowarc.ErrIgnore),
		gowarc.WithSpecViolationPolicy(gowarc.ErrIgnore), gowarc.WithUnknownRecordTypePolicy(gowarc.ErrIgnore),
		gowarc.WithAddMissingDigest(false), gowarc.WithFixContentLength(false), gowarc.WithFixDigest(false), gowarc.WithFixSyntaxErrors(false),
		gowarc.WithFixWarcFieldsBlockErrors(false))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, _, _, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%s: gowarc: %v", file, err)
		}
		all = append(all, take(t, rec))
	}
}

func take(t testing.TB, rec gowarc.WarcRecord) payload {
	t.Helper()
	defer rec.Close()
	h := rec.WarcHeader()
	p := payload{
		kind: h.Get(gowarc.WarcType), uri: strings.Trim(h.Get(gowarc.WarcTargetURI), "<>"), date: h.Get(gowarc.WarcDate),
		profile: h.Get(gowarc.WarcProfile), refersTo: h.Get(gowarc.WarcRefersToDate),
	}
	block, err := rec.Block().RawBytes()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(block)
	if err != nil {
		return p
	}
	if p.kind != "response" || !strings.HasPrefix(h.Get(gowarc.ContentType), "application/http") {
		p.body, p.ok = b, true
		return p
	}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(b)), nil)
	if err != nil {
		return p
	}
	p.status = resp.StatusCode
	p.body, err = io.ReadAll(resp.Body)
	p.ok = err == nil
	return p
}

func ts14(date string) string {
	return strings.NewReplacer("-", "", "T", "", ":", "", "Z", "").Replace(date)
}

// id_ must return the archived bytes. The SHA-1 of every response and every revisit in the sample archive is compared
// with the bytes in the WARC file.
func TestDemoReplaysByteForByte(t *testing.T) {
	s := demo(t)
	files, err := filepath.Glob(filepath.Join(s.data, "demo", "*.warc.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	responses := map[string]payload{} // by URI and datetime
	var all []payload
	posted := map[string]bool{}
	for _, f := range files {
		for _, p := range readAll(t, f) {
			switch p.kind {
			case "request":
				posted[p.uri+p.date] = true
			case "response":
				responses[p.uri+p.date] = p
				all = append(all, p)
			case "revisit":
				all = append(all, p)
			}
		}
	}
	checked := 0
	for _, p := range all {
		want := p
		if p.kind == "revisit" {
			want = responses[p.uri+p.refersTo]
		}
		if posted[p.uri+p.date] {
			continue
		}
		a := s.get(t, "/web/"+ts14(p.date)+"id_/"+p.uri, "Accept-Encoding: br, gzip")
		if a.status != want.status || sum(a.body) != sum(string(want.body)) {
			t.Errorf("%s %s %s: %d %s, want %d %s", p.kind, p.date, p.uri, a.status, sum(a.body), want.status, sum(string(want.body)))
		}
		if p.kind == "revisit" && strings.Contains(p.profile, "server-not-modified") && a.status != http.StatusOK {
			t.Errorf("%s %s: a server-not-modified revisit answers %d", p.date, p.uri, a.status)
		}
		checked++
	}
	if checked < 800 {
		t.Errorf("only %d captures", checked)
	}
}

func sum(s string) string {
	b := sha1.Sum([]byte(s))
	return base32.StdEncoding.EncodeToString(b[:])
}

// realFiles returns the WARC and ARC files of public projects. It skips the test if they are missing.
func realFiles(t *testing.T) (files []string) {
	t.Helper()
	_ = filepath.WalkDir(filepath.Join(corpora.Dir(t), "real"), func(path string, d os.DirEntry, err error) error {
		for _, suffix := range []string{".warc", ".warc.gz", ".arc", ".arc.gz"} {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, suffix) {
				files = append(files, path)
			}
		}
		return err
	})
	return files
}

// plainRecords splits a WARC file by heads and lengths, without repairing anything. ok is false if the file does not
// consist of whole records, such as one that is broken on purpose.
func plainRecords(path string) (all []payload, ok bool) {
	r, err := inflated(path)
	if err != nil {
		return nil, false
	}
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			return all, true
		}
		if strings.TrimSpace(line) == "" && err == nil {
			continue
		}
		if !strings.HasPrefix(line, "WARC/") {
			return all, false
		}
		p, ok := plainRecord(r)
		if !ok {
			return all, false
		}
		all = append(all, p)
	}
}

// inflated opens a file, and inflates it if its content is gzip.
func inflated(path string) (*bufio.Reader, error) {
	b, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(b, []byte("\x1f\x8b")) {
		return bufio.NewReader(bytes.NewReader(b)), err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return bufio.NewReader(z), nil
}

func plainRecord(r *bufio.Reader) (p payload, ok bool) {
	head := map[string]string{}
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return p, false
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		if name = strings.ToLower(name); head[name] == "" {
			head[name] = strings.TrimSpace(value)
		}
	}
	n, err := strconv.ParseInt(head["content-length"], 10, 64)
	if err != nil || n < 0 || n > 64<<20 {
		return p, false
	}
	p = payload{
		kind: strings.ToLower(head["warc-type"]), uri: strings.Trim(head["warc-target-uri"], "<>"), date: head["warc-date"],
		body: make([]byte, n),
	}
	if _, err := io.ReadFull(r, p.body); err != nil {
		return p, false
	}
	p.form = p.kind == "request" && (bytes.HasPrefix(p.body, []byte("POST ")) || bytes.HasPrefix(p.body, []byte("PUT ")))
	switch {
	case p.kind == "response" && strings.HasPrefix(strings.ToLower(head["content-type"]), "application/http"):
		p.cutHead()
	default:
		p.ok = p.kind == "resource" || p.kind == "conversion"
	}
	return p, true
}

// cutHead removes the head of an HTTP message, and the transfer coding if it is valid.
func (p *payload) cutHead() {
	end, blank := bytes.Index(p.body, []byte("\r\n\r\n")), 4
	if lf := bytes.Index(p.body, []byte("\n\n")); lf >= 0 && (end < 0 || lf < end) {
		end, blank = lf, 2
	}
	if end < 0 {
		return
	}
	head := strings.ToLower(string(p.body[:end]))
	p.body = p.body[end+blank:]
	if fields := strings.Fields(head); len(fields) > 1 {
		p.status, _ = strconv.Atoi(fields[1])
	}
	p.ok = p.status >= 200 && p.status <= 599 && p.status != 204 && p.status != 304
	if !strings.Contains(head, "\ntransfer-encoding:") {
		return
	}
	body, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(p.body)))
	if p.body = body; err != nil {
		p.ok = false
	}
}
