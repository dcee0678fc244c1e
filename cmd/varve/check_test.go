package main

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// Only what the object storage lacks is lost: its files are in no folder of this machine. An endpoint without the bucket, or with an empty
// one of this name, is another storage.
func TestCheckRepairsFilesInBuckets(t *testing.T) {
	bucket := s3test.Memory(t).Make("archive")
	data := t.TempDir()
	at := func(endpoint string, code int, args ...string) string {
		t.Helper()
		var said bytes.Buffer
		args = append(args, "--data", data, "--s3-endpoint", endpoint)
		if got := run(t.Context(), args, &said, &said); got != code {
			t.Fatalf("%q: exit code %d\n%s", args, got, &said)
		}
		return said.String()
	}
	varve := func(args ...string) string { t.Helper(); return at(bucket.URL, exitDone, args...) }
	for _, name := range []string{"a", "b"} {
		bucket.Put("archive", name+".warc", []byte(warcRecord("http://"+name+".example/", "20100101000000", name)))
	}
	varve("index", "s3://archive")
	for _, other := range []*s3test.Server{s3test.Memory(t), s3test.Memory(t).Make("archive")} {
		at(other.URL, exitPart, "check", "--repair", "--remove-lost")
	}
	for _, tt := range []struct {
		removed string // before the repair
		want    []string
	}{
		{"", []string{"s3://archive/a.warc", "s3://archive/b.warc"}},
		{"a.warc", []string{"s3://archive/b.warc"}},
	} {
		if tt.removed != "" {
			bucket.Remove("archive", tt.removed)
		}
		varve("check", "--repair", "--remove-lost")
		if got := regexp.MustCompile(`s3://\S+`).FindAllString(varve("files"), -1); !slices.Equal(got, tt.want) {
			t.Errorf("without %q the index has %q, want %q", tt.removed, got, tt.want)
		}
	}
}
