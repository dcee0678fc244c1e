package status_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/internal/disk"
)

var now = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

func aStatus() status.Status {
	s := status.Status{
		Name: "news", Collection: "web", Policy: "adaptive", Running: true, Written: now, Today: status.Usage{Requests: 12},
		Budget: status.Usage{Requests: 2000}, Waiting: 3,
		Sources: []status.Source{
			{
				Kind: "feed", URL: "http://a.example/feed", Asked: now.Add(-90 * time.Second), Next: now.Add(2 * time.Hour), News: now.AddDate(0, 0,
					-3), Polls: 5,
				Useful: 2, Entries: 20, Push: "pushed by http://hub.example/",
			},
			{Kind: "list", URL: "http://b.example/", Problem: "status 404 Not Found"},
			{Kind: "feed", URL: "http://c.example/feed", Aside: "it floods"},
		},
	}
	s.Lag.Add(10 * time.Second)
	s.Lag.Add(2 * time.Minute)
	return s
}

func TestTable(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	s := aStatus()
	if err := s.Table(&out, now); err != nil {
		t.Fatal(err)
	}
	want := `news: running, policy adaptive, requests today: 12 of 2000, pages waiting: 3, lag 1m5s on average
KIND  ASKED   NEXT   NEWS    POLLS  USEFUL  ENTRIES  URL                    
feed  1m ago  in 2h  3d ago  5      2       20       http://a.example/feed  pushed by http://hub.example/
list  never   never  never   0      0       0        http://b.example/      status 404 Not Found
feed  never   never  never   0      0       0        http://c.example/feed  set aside: it floods
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// What is written is read again; what can't be read is named, and the others are there.
func TestFolder(t *testing.T) {
	t.Parallel()
	folder := status.Folder(filepath.Join(t.TempDir(), "follow"))
	if all, err := folder.All(); len(all) > 0 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := folder.Get("news"); !errors.Is(err, status.ErrUnknown) {
		t.Error(err)
	}
	for _, name := range []string{"news", "bad", "none", "Not a name"} {
		if err := os.MkdirAll(folder.Home(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	half := filepath.Join(folder.Home("news"), disk.HalfWritten+"1")
	if err := errors.Join(os.WriteFile(half, nil, 0o600), os.Chtimes(half, time.Time{}, time.Now().Add(-48*time.Hour))); err != nil {
		t.Fatal(err)
	}
	folder.Tidy("news")
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left: %v", half, err)
	}
	s := aStatus()
	other := s
	other.Name = "Not a name"
	if err := errors.Join(folder.Write(s), folder.Write(other), os.WriteFile(folder.Home("file"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder.Home("bad"), "status.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := folder.All()
	if err == nil || !strings.Contains(err.Error(), "bad") || len(all) != 1 {
		t.Errorf("%d, %v", len(all), err)
	}
	if diff := cmp.Diff(s, all[0]); diff != "" {
		t.Error(diff)
	}
}

func TestLag(t *testing.T) {
	t.Parallel()
	var l status.Lag
	for _, d := range []time.Duration{-time.Second, time.Second, 2 * time.Second, 1000 * 24 * time.Hour, 1 << 62} {
		l.Add(d)
	}
	if l.Count != 5 || l.Buckets[0] != 2 || l.Buckets[1] != 1 || l.Buckets[23] != 2 {
		t.Errorf("%+v", l)
	}
}

func TestSpent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		today, budget status.Usage
		spent         bool
	}{
		{status.Usage{Requests: 9, Bytes: 9}, status.Usage{}, false},
		{status.Usage{Requests: 9, Bytes: 9}, status.Usage{Requests: 10, Bytes: 10}, false},
		{status.Usage{Requests: 10}, status.Usage{Requests: 10}, true},
		{status.Usage{Bytes: 10}, status.Usage{Bytes: 10}, true},
	} {
		if s := (status.Status{Today: tt.today, Budget: tt.budget}); s.Spent() != tt.spent {
			t.Errorf("%+v: %t", tt, !tt.spent)
		}
	}
}

// Times are told in the largest unit of which there is one, days from two on.
func TestTimesInTables(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0s ago", 59 * time.Second: "in 59s", time.Minute: "in 1m", 59*time.Minute + 59*time.Second: "in 59m", -time.Hour: "1h ago",
		48*time.Hour - time.Second: "in 47h", 48 * time.Hour: "in 2d",
	} {
		var out strings.Builder
		s := status.Status{Sources: []status.Source{{Next: now.Add(d)}}}
		if err := s.Table(&out, now); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: no %s in\n%s, %v", d, want, &out, err)
		}
	}
}
