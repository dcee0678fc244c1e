package studio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/gallery"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/archive/warc/remote"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/internal/chromium"
	"github.com/varve-archive/varve/internal/loadlimit"
)

// collections returns an archive of two collections, with two versions of a page in each.
func collections(t *testing.T) (*workspace.Workspace, *archive.Archive, *strings.Builder) {
	t.Helper()
	said := new(strings.Builder)
	w := &workspace.Workspace{
		Console:  &console.Console{Stdout: io.Discard, Stderr: said},
		Settings: workspace.Settings{Folder: workspace.Folder{Data: t.TempDir()}, Collection: "web"},
	}
	var err error
	if w.Storage, err = remote.New(remote.Config{}); err != nil {
		t.Fatal(err)
	}
	x, err := w.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	for _, coll := range []string{"news", "web"} {
		file := archivetest.WARC(t, archivetest.On("20200101000000", "http://"+coll+".example/", archivetest.Prose("river water")),
			archivetest.On("20200102000000", "http://"+coll+".example/", archivetest.Prose("meadow grass")))
		shown := w.Progress()
		path = strings.TrimSuffix(path, ".warc.gz") + coll + ".warc.gz"
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ingest.Run(t.Context(), w.Ingest(x, coll, shown), []string{path})
		if shown.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	a, err := w.Archive(x, w.Records(x, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	return w, a, said
}

// There are no more missing pictures than one browser makes, of however many collections.
func TestMissingPictures(t *testing.T) {
	t.Parallel()
	w, a, said := collections(t)
	for most, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 4, 500: 4} {
		if list, err := missingPictures(t.Context(), a, most); err != nil || len(list) != want {
			t.Errorf("of at most %d: %d, %v", most, len(list), err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := missingPictures(stopped, a, 500); !errors.Is(err, context.Canceled) {
		t.Errorf("when it is stopped: %v", err)
	}
	said.Reset()
	if err := Sweep(t.Context(), w, a); err != nil || said.Len() > 0 {
		t.Errorf("where there are none to remove: %v, it says %s", err, said)
	}
}

// While a server is idle it pictures each version of each collection, and removes pictures of captures that are gone.
func TestAnIdleServerPicturesItsPages(t *testing.T) {
	t.Parallel()
	if _, err := chromium.Find("", false); err != nil {
		t.Skip("no chromium in the path: the browser tests need one")
	}
	w, a, said := collections(t)
	gone := visual.At{Coll: "web", Key: "example,gone)/", Time: 20190101000000, Width: gallery.Wide}
	if err := a.Pictures.Save(gone, &visual.Picture{Recipe: visual.Recipe, URL: "http://gone.example/", Time: gone.Time}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Keep(ctx, w, a, new(loadlimit.Gate))
	}()
	for end := time.Now().Add(time.Minute); a.Pictures.Has(gone); time.Sleep(10 * time.Millisecond) { // it is swept when all are made
		if time.Now().After(end) {
			t.Fatal("the picture of a capture that is gone stays")
		}
	}
	stop()
	<-ended
	for _, coll := range []string{"news", "web"} {
		pictures, err := a.Gallery.Pictures(t.Context(), coll, "example,"+coll+")/", 0)
		if err != nil || len(pictures) != 2 {
			t.Fatalf("%s: %d pictures, %v", coll, len(pictures), err)
		}
		for i, at := range []cdx.Timestamp{20200101000000, 20200102000000} {
			if p := pictures[i]; p.Time != at || !p.HasImage() || p.Note != "" {
				t.Errorf("%s: %+v", coll, p)
			}
		}
	}
	if n, err := pictureMissing(t.Context(), w, a, new(loadlimit.Gate)); n != 0 || err != nil {
		t.Errorf("once more: %d pictures, %v", n, err)
	}
	made := regexp.MustCompile(`"pages were pictured" pictures=4 bytes=[1-9]`)
	if !made.MatchString(said.String()) || strings.Count(said.String(), "were pictured") != 1 || knownPace(w) != usualPace() ||
		!strings.Contains(said.String(), "were removed\" pictures=1\n") {
		t.Errorf("it takes %+v, and says %s", knownPace(w), said)
	}
}

// Pictures are made without a pause while many are missing, then after each change of the index, and again after a failure.
func TestWhenPicturesAreMade(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var did, said strings.Builder
		ctx, stop := context.WithTimeout(t.Context(), 31*time.Minute)
		defer stop()
		began, calls := time.Now(), 0
		minute := func() int { return int(time.Since(began).Minutes()) }
		generation := func() uint64 { return uint64(1 + minute()/12) }
		picture := func() (made int, err error) {
			calls++
			fmt.Fprint(&did, " picture:", minute())
			switch calls {
			case 1:
				return maxPictures, nil
			case 3:
				return 7, errors.New("no browser")
			}
			return 1, nil
		}
		sweep := func() error { fmt.Fprint(&did, " sweep"); return nil }
		repeat(ctx, generation, picture, sweep, slog.New(slog.NewTextHandler(&said, nil)))
		const want = " picture:0 picture:0 sweep picture:15 picture:20 sweep picture:25 sweep"
		if did.String() != want || strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), "no browser") {
			t.Errorf("did%s, and says %s", did.String(), said.String())
		}
	})
}

// What is only read gets no pictures, and that is said.
func TestNoPicturesWhereNothingIsWritten(t *testing.T) {
	t.Parallel()
	w, a, said := collections(t)
	w.ReadOnly = true
	if Keep(t.Context(), w, a, new(loadlimit.Gate)); !strings.Contains(said.String(), "--render makes no pictures") {
		t.Errorf("it says %s", said)
	}
	if list, err := missingPictures(t.Context(), a, 500); err != nil || len(list) != 4 {
		t.Errorf("%d are missing, %v", len(list), err)
	}
}

// A cost that can't be is not taken for that of earlier runs.
func TestCostOfEarlierPictures(t *testing.T) {
	t.Parallel()
	w := &workspace.Workspace{Settings: workspace.Settings{Folder: workspace.Folder{Data: t.TempDir()}}}
	if err := os.MkdirAll(w.PicturesDir(), 0o755); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]pace{
		"":                                      usualPace(),
		"no.":                                   usualPace(),
		`{"pictures":5,"seconds":8,"bytes":9}`:  {5, 8, 9},
		`{"pictures":0,"seconds":8,"bytes":9}`:  usualPace(),
		`{"pictures":5,"seconds":0,"bytes":9}`:  usualPace(),
		`{"pictures":1,"seconds":.5,"bytes":9}`: usualPace(), // that is no JSON
		`{"pictures":1,"seconds":1,"bytes":0}`:  {1, 1, 0},
	} {
		if err := os.WriteFile(paceFile(w), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := knownPace(w); got != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
	for made, want := range map[int]int{minMeasured - 1: 1, minMeasured: minMeasured} {
		if err := os.WriteFile(paceFile(w), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s := &Studio{Workspace: w, made: made, bytes: 7, began: time.Now().Add(-time.Minute)}
		if err := s.storePace(); err != nil {
			t.Fatal(err)
		}
		if got := knownPace(w); got.Pictures != want || want > 1 && (got.Seconds < 60 || got.Bytes != 7) {
			t.Errorf("after %d pictures: %+v", made, got)
		}
	}
}
