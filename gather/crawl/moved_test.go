package crawl

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/crawl/frontier"
)

// A bucket has files by name.
type bucket []string

func (b bucket) Find(_ context.Context, name string) (string, error) {
	if slices.Contains(b, name) {
		return "s3://b/" + name, nil
	}
	return "", nil
}

func (b bucket) Names(context.Context) ([]string, error) { return b, nil }

// A file that was mended may have been begun before an answer in the one before it came to the queue, wherever that one is.
func TestFilesBeforeAMendedOneAreRead(t *testing.T) {
	dir := t.TempDir()
	const (
		first  = "river-20260101000000-00000-m.warc.gz"
		second = "river-20260101000000-00001-m.warc.gz"
		mended = "river-20260101000000-00002-m.warc.gz"
		later  = "river-20260101000000-00003-m.warc.gz"
		other  = "river-20260101000000-00001-x.warc.gz"
		asked  = "river-20260101000000-00007-y.warc.gz"
	)
	if err := os.WriteFile(filepath.Join(dir, first), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, mended), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	was := []write.RepairedFile{{Was: filepath.Join(dir, mended+".open"), Path: filepath.Join(dir, mended)}}
	unsettled := []frontier.Written{{Answer: frontier.Answer{File: asked}}, {Answer: frontier.Answer{File: mended}}}
	for name, tt := range map[string]struct {
		moved MovedFiles
		want  []string
	}{
		"all are here":  {nil, []string{filepath.Join(dir, first)}},
		"some moved":    {bucket{second, later, other, asked}, []string{"s3://b/" + second, "s3://b/" + asked}},
		"others' moved": {bucket{later, other}, []string{filepath.Join(dir, first)}},
	} {
		c := &Crawl{cfg: Config{Dir: dir, Moved: tt.moved}, set: &Settings{Name: "river"}, log: slog.New(slog.DiscardHandler)}
		got, err := (recovery{c}).uncertain(t.Context(), was, unsettled)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
}
