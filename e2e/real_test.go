package e2e

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// invoke runs a varve command to its end.
func invoke(t testing.TB, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// isCapture reports whether a record of this type counts as a capture.
func isCapture(kind string) bool {
	return kind == "response" || kind == "revisit" || kind == "resource" || kind == "conversion"
}

// The index must have as many captures as the file has records to index, and id_ must return the payload of the
// record byte for byte. The reference is plainRecords, which shares no code with varve.
func TestRealFiles(t *testing.T) {
	files := realFiles(t)
	data := filepath.Join(t.TempDir(), "data")
	_, stderr, code := invoke(t, append([]string{"index", "--data", data}, files...)...)
	if code != 1 {
		t.Errorf("exit code %d, though some files are broken on purpose", code)
	}
	indexed := indexedFiles(t, data)
	records := map[string][]payload{}
	for _, f := range files {
		all, ok := plainRecords(f)
		switch {
		case strings.Contains(f, ".arc"):
			n, whole := arcRecords(f)
			if got := indexed[f]; whole && got != n && !strings.Contains(stderr, filepath.Base(f)) {
				t.Errorf("%s: %d captures indexed, %d to index, and nothing said", f, got, n)
			}
		case ok && len(all) > 0:
			records[f] = captures(all)
		case !strings.Contains(stderr, f) && !strings.Contains(stderr, filepath.Base(f)):
			t.Errorf("%s is broken, and not named: %d records were read", f, len(all))
		}
	}
	for f, want := range records {
		if got, known := indexed[f]; known && got != len(want) && !strings.Contains(stderr, filepath.Base(f)) {
			t.Errorf("%s: %d captures indexed, %d to index, and nothing said", f, got, len(want))
		}
	}
	if len(records) < 80 {
		t.Errorf("only %d files were read both ways", len(records))
	}
	compareRealPayloads(t, data, stderr, records)
}

// arcRecords counts the records of an ARC file except the first, which describes the file. whole is false if the file
// does not consist of "URL … length" lines followed by that many bytes (Internet Archive, ARC 1.0 file format).
func arcRecords(path string) (n int, whole bool) {
	r, err := inflated(path)
	if err != nil {
		return 0, false
	}
	for {
		line, err := r.ReadString('\n')
		fields := strings.Fields(line)
		switch {
		case err == io.EOF && line == "":
			return n, true
		case err != nil:
			return n, false
		case len(fields) == 0:
			continue
		case len(fields) < 5:
			return n, false
		}
		length, err := strconv.Atoi(fields[len(fields)-1])
		if err != nil {
			return n, false
		}
		if _, err := r.Discard(length); err != nil {
			return n, false
		}
		if !strings.HasPrefix(line, "filedesc:") {
			n++
		}
	}
}

func captures(all []payload) (out []payload) {
	forms := map[string]bool{}
	for _, p := range all {
		forms[p.uri+p.date] = forms[p.uri+p.date] || p.form
	}
	for _, p := range all {
		if isCapture(p.kind) && p.uri != "" && p.date != "" {
			p.form = forms[p.uri+p.date]
			out = append(out, p)
		}
	}
	return out
}

// indexedFiles parses the output of varve files into the number of captures by path.
func indexedFiles(t *testing.T, data string) map[string]int {
	t.Helper()
	out, stderr, code := invoke(t, "files", "--data", data)
	if code != 0 {
		t.Fatalf("varve files: %d: %s", code, stderr)
	}
	indexed := map[string]int{}
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		fields := strings.Fields(line)
		if i == 0 || len(fields) < 8 {
			continue
		}
		n, err := strconv.Atoi(fields[4])
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		indexed[fields[len(fields)-1]] = n
	}
	return indexed
}

// compareRealPayloads fetches each capture that is the only one of its second.
func compareRealPayloads(t *testing.T, data, stderr string, records map[string][]payload) {
	t.Helper()
	s, err := launch(data, "serve")
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	compared := 0
	for f, all := range records {
		for _, p := range all {
			if !p.ok || p.form || len(ts14(p.date)) < 14 || !alone(t, s, p) {
				continue
			}
			a, err := s.try("GET", "/web/"+ts14(p.date)[:14]+"id_/"+strings.ReplaceAll(p.uri, " ", "%20"), "")
			if err != nil {
				if !strings.Contains(stderr, filepath.Base(f)) { // damage that was reported may end the connection
					t.Errorf("%s %s %s: %v", f, p.date, p.uri, err)
				}
				continue
			}
			if sum(a.body) != sum(string(p.body)) {
				t.Errorf("%s %s %s %s: status %d, %d bytes, want %d with %d", f, p.kind, p.date, p.uri, a.status, len(a.body), p.status, len(p.body))
			}
			compared++
		}
	}
	t.Logf("%d captures compared", compared)
	if compared < 500 {
		t.Errorf("only %d captures compared", compared)
	}
}

// alone reports whether no other capture has the same URI-M.
func alone(t *testing.T, s *server, p payload) bool {
	t.Helper()
	second := ts14(p.date)[:14]
	lines := s.get(t, "/web/cdx?url="+url.QueryEscape(p.uri)+"&from="+second+"&to="+second).body
	return strings.Count(lines, "\n") <= 1
}
