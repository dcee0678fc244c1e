package opensearch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/searchtest"
)

// A breaking archive can't read the texts of versions from a number on.
type breaking struct {
	*searchtest.Archive
	from uint64
}

func (b *breaking) Text(ctx context.Context, key string, v search.Version) (search.Text, error) {
	if v.Text >= b.from {
		return search.Text{}, errors.New("no record")
	}
	return b.Archive.Text(ctx, key, v)
}

// A page of many long versions is never in memory as a whole. If a version can't be read after others were queued, all are removed.
func TestLongPagesAreWrittenInParts(t *testing.T) {
	t.Parallel()
	a := searchtest.NewArchive()
	const key, many = "org,example)/", 5
	var versions []searchtest.Version
	for n := range many {
		var text strings.Builder
		for i := range 100_000 {
			fmt.Fprintf(&text, "word%d-%d ", n, i)
		}
		versions = append(versions, searchtest.Version{Day: n + 1, Text: text.String()})
	}
	a.Put(key, versions...)
	page, _, _ := a.Page(t.Context(), key)
	for _, tt := range []struct {
		name         string
		broken       uint64
		exposed      bool
		put, removed int
	}{
		{"read", many + 1, false, many + 1, 1},
		{"unreadable at its end", many, false, 3, 6 + 1},
		{"unreadable at its beginning", 1, false, 0, 0},
		{"unreadable, and exposed", 1, true, 0, 6 + 1},
	} {
		u := &update{
			Index: &Index{}, archive: &breaking{a, tt.broken}, progress: &search.Progress{}, log: slog.New(slog.DiscardHandler),
			written: make(chan []operation, 100),
		}
		p := search.StalePage{Page: page, Held: search.Held{Versions: many + 1}, Exposed: tt.exposed}
		if err := u.Replace(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
		close(u.written)
		put, removed := 0, 0
		for ops := range u.written {
			size := 0
			for i, o := range ops {
				if size >= maxBulk {
					t.Errorf("%s: %d operations are queued after %d bytes", tt.name, len(ops)-i, size)
				}
				size += len(o.line)
				if strings.HasPrefix(string(o.line), `{"delete"`) {
					removed++
				} else {
					put++
				}
			}
		}
		if put != tt.put || removed != tt.removed {
			t.Errorf("%s: %d were put and %d removed, want %d and %d", tt.name, put, removed, tt.put, tt.removed)
		}
	}
}

// An update that an engine ends says why, and not that it was stopped.
func TestWhyAnUpdateEnded(t *testing.T) {
	t.Parallel()
	never := says(http.StatusForbidden, `{"error":{"type":"cluster_block_exception","reason":"the disk is full"}}`)
	nothing := says(http.StatusOK, `{"hits":{"hits":[]}}`)
	x, _ := fails(t, nothing, never)
	a := searchtest.NewArchive()
	for i := range 60 { // more than are queued
		text := "mill"
		if i < 2 { // enough to be written
			text = strings.Repeat("mill ", maxBulk/5)
		}
		a.Put(fmt.Sprintf("org,example)/%02d", i), searchtest.Version{Day: 1, Text: text})
	}
	u := &update{Index: x, archive: a, progress: &search.Progress{}, log: slog.New(slog.DiscardHandler)}
	if _, err := u.run(t.Context(), State{}); !hasStatus(err, http.StatusForbidden) || errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
