package corpora

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A Truth is one line of a sample archive's ground truth: a capture and what really changed in it.
type Truth struct {
	URI, Datetime, MIME, Record, Digest, File, Redirect, State string

	Status       int
	Offset, Rlen int64

	TextSHA        string   `json:"text_sha"`
	TextLen        int      `json:"text_len"`
	TextChanged    *bool    `json:"text_changed_from_prev"`
	MainChanged    *bool    `json:"main_changed_from_prev"`
	DigestChanged  *bool    `json:"digest_changed_from_prev"`
	Boilerplate    bool     `json:"boilerplate_only"`
	FurnitureMaybe bool     `json:"furniture_maybe"`
	Noise          []string `json:"noise"`
	Soft404        bool
}

// TruthFiles returns the ground truths of sample archives whose sources say what changed, and WildFiles those of pages of the live web
// whose own text was marked by a person. Both skip the test if there are none. VARVE_CORPORA names another folder than the one beside the
// checkout.
func TruthFiles(t testing.TB) []string { return truths(t, "*.truth.jsonl.gz") }

// WildFiles is described at [TruthFiles].
func WildFiles(t testing.TB) []string { return truths(t, "*.wild.jsonl.gz") }

func truths(t testing.TB, pattern string) []string {
	t.Helper()
	dir := os.Getenv("VARVE_CORPORA")
	if dir == "" {
		dir = Dir(t)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Skip("no ../shared/corpus: the sample archives are not beside the checkout")
	}
	return found
}

// Each calls do with each line of a ground truth.
func Each[T any](t testing.TB, file string, do func(T)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for lines := json.NewDecoder(z); ; {
		var v T
		err := lines.Decode(&v)
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		do(v)
	}
}

// Pages calls do with every nth page of each ground truth, one truth after the other.
func Pages(t testing.TB, nth int, do func(truth string, body []byte, contentType string)) {
	t.Helper()
	for _, file := range TruthFiles(t) {
		n := 0
		Each(t, file, func(v Truth) {
			if n++; v.TextLen == 0 || v.Record != "response" || n%nth != 0 || t.Failed() {
				return
			}
			body, contentType := Body(t, filepath.Join(filepath.Dir(file), v.File), v.Offset, v.Rlen)
			do(file, body, contentType)
		})
	}
}

// SomePages returns up to 150 pages of each archive, and their total size in bytes.
func SomePages(b testing.TB) (all [][]byte, size int64) {
	b.Helper()
	taken := map[string]int{}
	Pages(b, 1, func(truth string, body []byte, _ string) {
		if taken[truth]++; taken[truth] <= 150 {
			all = append(all, body)
			size += int64(len(body))
		}
	})
	return all, size
}

// WildPages does the same with the pages of the live web.
func WildPages(t testing.TB, nth int, do func(truth string, body []byte, contentType string)) {
	t.Helper()
	for _, file := range WildFiles(t) {
		n := 0
		Each(t, file, func(v struct {
			File   string
			Offset int64
		},
		) {
			if n++; n%nth != 0 || t.Failed() {
				return
			}
			body, contentType := Body(t, filepath.Join(filepath.Dir(file), v.File), v.Offset, 1<<30)
			do(file, body, contentType)
		})
	}
}

// Body returns the payload of the response record at offset, without its content codings.
func Body(t testing.TB, file string, offset, length int64) (body []byte, contentType string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(io.NewSectionReader(f, offset, length))
	if err != nil {
		t.Fatal(err)
	}
	z.Multistream(false) // a record is one member
	record, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := bytes.Cut(record, []byte("\r\n\r\n"))
	n := len(rest)
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if k, v, _ := strings.Cut(line, ":"); strings.EqualFold(k, "Content-Length") {
			n, _ = strconv.Atoi(strings.TrimSpace(v))
		}
	}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rest[:n])), nil)
	if err != nil {
		t.Fatal(err)
	}
	var r io.Reader = resp.Body
	if resp.Header.Get("Content-Encoding") == "gzip" {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	}
	if body, err = io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	return body, resp.Header.Get("Content-Type")
}
