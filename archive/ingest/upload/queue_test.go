package upload

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// A storage of the tests has one folder.
type storage struct {
	folder *Folder
	index  func(path string, told Indexing) error // nil finds seven captures
	asked  func(while State)                      // called where a file has to be in a state; nil for nothing
}

func (s *storage) Folder(coll string) (*Folder, error) {
	if coll != "web" {
		return nil, errors.New("no such collection")
	}
	return s.folder, s.folder.Prepare()
}

func (s *storage) Files(string, int64) []string {
	if s.asked != nil {
		s.asked(Checking)
	}
	paths, _ := filepath.Glob(filepath.Join(s.folder.Dir, "*.warc"))
	return paths
}

func (s *storage) Claim(string, string) func() { return func() {} }

func (s *storage) Index(_ context.Context, _, path string, told Indexing) error {
	if s.asked != nil {
		s.asked(AtIndex)
	}
	if s.index != nil {
		return s.index(path, told)
	}
	var done, total, captures atomic.Int64
	captures.Store(7)
	told.Began(&done, &total, &captures)
	return nil
}

func queue(t *testing.T, s *storage) *Queue {
	t.Helper()
	if s.folder == nil {
		s.folder = &Folder{Dir: t.TempDir(), Owner: "me"}
	}
	return NewQueue(s, 1000, slog.New(slog.DiscardHandler))
}

func TestQueue(t *testing.T) {
	page := response("http://a.example/", "x")
	for _, tt := range []struct {
		name, said, content string
		index               func(path string, told Indexing) error
		want                Status
		reason              string
	}{
		{name: "a WARC", said: "../a b.warc.gz", content: page, want: Status{State: Done, Stored: "a_b.warc", Captures: 7}},
		{name: "the same again", said: "z.warc", content: "there", want: Status{State: Done, SameAs: "there.warc"}},
		{name: "something else", said: "a.warc", content: "x", want: Status{State: Refused, Why: "no-archive"}, reason: "neither WARC"},
		{
			name: "too much", said: "a.warc", content: strings.Repeat(page, 9), want: Status{State: Refused, Why: "larger", Args: []string{"0"}},
			reason: "larger than",
		},
		{
			name: "what can't be indexed", said: "a.warc", content: page, want: Status{State: Failed, Stored: "a.warc", Why: "later"},
			reason: "it is stored", index: func(string, Indexing) error {
				return errors.New("the index is broken")
			},
		},
		{
			name: "damage", said: "a.warc", content: page + page[:200],
			want: Status{State: Done, Stored: "a.warc", Damaged: 1, Problems: []Problem{{Offset: int64(len(page)), Reason: "cut off"}}},
			index: func(_ string, told Indexing) error {
				told.Report(Problem{Offset: int64(len(page)), Reason: "cut off"})
				return nil
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &storage{index: tt.index, folder: &Folder{Dir: t.TempDir(), Owner: "me"}}
			if err := os.WriteFile(filepath.Join(s.folder.Dir, "there.warc"), []byte("there"), 0o600); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				d := queue(t, s)
				go d.Run(ctx)
				v := d.Open("web")
				s.asked = func(while State) {
					if now := v.Status()[0].State; now != while {
						t.Errorf("the file is %s, want %s", now, while)
					}
				}
				err := v.Receive(ctx, tt.said, int64(len(tt.content)), strings.NewReader(tt.content))
				synctest.Wait()
				got := d.Delivery(v.ID).Status()[0]
				if !strings.Contains(got.Reason, tt.reason) || (got.Reason == "") != (tt.reason == "") {
					t.Errorf("because %q", got.Reason)
				}
				all := 1
				if got.Stored != "" {
					all = 2
				}
				if names := names(t, s.folder.Dir); len(names) != all {
					t.Errorf("in the folder: %v", names)
				}
				want := tt.want
				want.GivenName, want.Size, want.Percent, want.Reason = tt.said, int64(len(tt.content)), 100, got.Reason
				if want.Why != "larger" {
					want.Received = want.Size
				}
				if want.Stored != "" {
					want.Checked, want.Pages = want.Size, []Page{{URIR: "http://a.example/", Time: 20170218114200}}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%v: %s", err, diff)
				}
				cancel()
			})
		})
	}
}

// A file that could not be compared to the end, because the server stops, is not the same as any other.
func TestAStoppedComparisonFindsNoFile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &storage{asked: func(State) { cancel() }}
	d := queue(t, s)
	if err := os.WriteFile(filepath.Join(s.folder.Dir, "there.warc"), []byte("there"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := d.Open("web")
	if err := v.Receive(t.Context(), "a.warc", -1, strings.NewReader("other")); err != nil {
		t.Fatal(err)
	}
	d.Run(ctx)
	if got := v.Status()[0]; got.State != Refused || got.Why != "stopped" || got.SameAs != "" {
		t.Errorf("%+v", got)
	}
}

// A queue takes a bounded number of files at once, and later others again. What it has not checked when it ends is dropped.
func TestBusyQueue(t *testing.T) {
	d := queue(t, &storage{})
	v, page := d.Open("web"), response("http://a.example/", "x")
	for range 64 {
		if err := v.Receive(t.Context(), "a.warc", -1, strings.NewReader(page)); err != nil {
			t.Fatal(err)
		}
	}
	size := int64(len(page)) // though nobody had said it
	if diff := cmp.Diff(Status{GivenName: "a.warc", State: Waiting, Size: size, Received: size}, v.Status()[0]); diff != "" {
		t.Error(diff)
	}
	if err := v.Receive(t.Context(), "a.warc", -1, unread{t}); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d.Run(ctx)
	for _, s := range v.Status() {
		if s.State != Refused || s.Reason != "the server was stopped" {
			t.Fatalf("%+v", s)
		}
	}
	if err := v.Receive(t.Context(), "a.warc", -1, strings.NewReader(page)); err != nil {
		t.Error(err)
	}
}

type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("it was read")
	return 0, io.EOF
}

// What is refused on arrival leaves its place to others, and a file may be as large as the limit.
func TestRefusedFilesTakeNoPlace(t *testing.T) {
	d := queue(t, &storage{})
	v := d.Open("web")
	for range 65 {
		if err := v.Receive(t.Context(), "a.warc", 1001, unread{t}); !errors.Is(err, ErrTooLarge) {
			t.Fatal(err)
		}
	}
	if err := v.Receive(t.Context(), "a.warc", 1000, strings.NewReader(strings.Repeat("x", 1000))); err != nil {
		t.Error(err)
	}
}

// The oldest deliveries are forgotten.
func TestDeliveriesAreForgotten(t *testing.T) {
	d := queue(t, &storage{})
	first := d.Open("web")
	for range 999 {
		d.Open("web")
	}
	if d.Delivery(first.ID) == nil {
		t.Error("forgotten too early")
	}
	if d.Open("web"); d.Delivery(first.ID) != nil || d.Delivery("") != nil {
		t.Error("not forgotten")
	}
}

func TestNoPlaceForFiles(t *testing.T) {
	d := queue(t, &storage{})
	v := d.Open("other")
	if err := v.Receive(t.Context(), "a.warc", -1, unread{t}); err == nil {
		t.Error("taken")
	}
	if s := v.Status()[0]; s.State != Refused || strings.Contains(s.Reason, "collection") {
		t.Errorf("%+v", s)
	}
}

// On a server that unpacks, what is compressed as one stream is kept as the records that are in it, once.
func TestQueueUnpacks(t *testing.T) {
	page := response("http://a.example/", "x")
	whole := gz(page + response("http://b.example/", "y"))
	cut := whole[:len(whole)-12]
	for _, tt := range []struct {
		name, content string
		unpack        bool
		want          Status
		reason        string
	}{
		{name: "two records", content: whole, unpack: true, want: Status{State: Done, Stored: "a.warc", Captures: 7}},
		{name: "one that doesn't", content: whole, want: Status{State: Refused}, reason: "compressed as one stream"},
		{name: "cut off", content: cut, unpack: true, want: Status{State: Refused}, reason: "can't be unpacked"},
		{name: "no records in it", content: gz("WARC/1.0\r\n" + strings.Repeat("x", 100)), unpack: true, want: Status{State: Refused}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &storage{folder: &Folder{Dir: t.TempDir(), Owner: "me"}}
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				d := queue(t, s)
				d.Unpack = tt.unpack
				go d.Run(ctx)
				v := d.Open("web")
				for range 2 {
					if err := v.Receive(ctx, "a.warc.gz", -1, strings.NewReader(tt.content)); err != nil {
						t.Fatal(err)
					}
				}
				synctest.Wait()
				first, second := v.Status()[0], v.Status()[1]
				if first.State != tt.want.State || first.Stored != tt.want.Stored || !strings.Contains(first.Reason, tt.reason) {
					t.Errorf("%+v", first)
				}
				if second.State != tt.want.State || second.SameAs != tt.want.Stored {
					t.Errorf("again: %+v", second)
				}
				kept := 0
				if tt.want.Stored != "" {
					kept = 1
				}
				if all := names(t, s.folder.Dir); len(all) != kept {
					t.Errorf("in the folder: %v", all)
				}
				cancel()
			})
		})
	}
}

// What unpacks to far more than it is, is not unpacked to its end.
func TestABombIsNotUnpacked(t *testing.T) {
	f := &Folder{Dir: t.TempDir(), Owner: "me"}
	bomb := gz(strings.Repeat("x", 1<<20))
	var received atomic.Int64
	p, err := f.Receive(t.Context(), strings.NewReader(bomb), 1<<20, &received)
	if err != nil {
		t.Fatal(err)
	}
	var refused *Refusal
	if _, err := p.unpacked(t.Context(), 1000); !errors.As(err, &refused) || refused.Why != "grows" {
		t.Errorf("%d bytes that become 1 MiB: %v", len(bomb), err)
	}
	if all := names(t, f.Dir); len(all) != 1 {
		t.Errorf("in the folder: %v", all)
	}
}
