package visual_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/cdx"
)

func pngOf(t *testing.T, w, h int, shade func(x, y int) uint8) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetGray(x, y, color.Gray{shade(x, y)})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// shotOf is what a browser would have shown as an image.
func shotOf(content []byte) *visual.Shot { return &visual.Shot{Kept: content, Exact: content} }

func slope(x, y int) uint8 { return uint8(x%97*2 + y%31) }

func TestAPictureIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := visual.NewStore(dir)
	at := visual.At{Coll: "web", Key: "org,example)/a", Time: 20150101000000, Width: 1280}
	if _, err := s.Load(at); !errors.Is(err, visual.ErrNone) {
		t.Fatalf("an empty store: %v", err)
	}
	p := &visual.Picture{
		Recipe: visual.Recipe, URL: "http://example.org/a", Time: at.Time, Width: 1280, Title: "A",
		Blocks: []visual.Block{{Place: visual.Content, Kind: visual.Image, X: 10, Y: 10, W: 100, H: 100}},
		Parts:  []visual.Part{{URL: "http://example.org/a.png", Time: 20150101000001}},
	}
	content := pngOf(t, 640, 900, slope)
	if err := s.Develop(p, shotOf(content)); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(at, p); err != nil {
		t.Fatal(err)
	}
	got, err := visual.NewStore(dir).Load(at)
	if err != nil || !got.HasImage() || got.Title != "A" || got.Height != 900 || len(got.Blocks[0].Grain) != 16*16+3 || len(got.Parts) != 1 ||
		!slices.Equal(got.Vector, p.Vector) || got.Thumb.Width != 320 || got.Thumb.Height != 240 {
		t.Errorf("got %+v, %v", got, err)
	}
	f, err := s.Open(got.Image)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if same, _ := io.ReadAll(f); !bytes.Equal(same, content) {
		t.Error("the image is another")
	}
	list, err := s.List("web", at.Key)
	if err != nil || !slices.Equal(list, []visual.At{at}) {
		t.Errorf("listed %v, %v", list, err)
	}
	if list, err := s.List("web", "org,example)/b"); err != nil || len(list) > 0 {
		t.Errorf("of another URI-R: %v, %v", list, err)
	}
}

// Two pictures with the same pixels have one image.
func TestImagesAreKeptOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := visual.NewStore(dir)
	content := pngOf(t, 64, 64, slope)
	for range 3 {
		if _, err := s.Put(content, "image/png"); err != nil {
			t.Fatal(err)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "images", "*", "*")); len(found) != 1 {
		t.Errorf("%d files", len(found))
	}
}

func TestDamagedAndOlderRecordsAreNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := visual.NewStore(dir)
	at := visual.At{Coll: "web", Key: "k", Time: 20150101000000, Width: 390}
	older := &visual.Picture{Recipe: visual.Recipe + 1, URL: "http://example.org/"}
	if err := s.Save(at, older); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(at); !errors.Is(err, visual.ErrNone) {
		t.Errorf("of another recipe: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "records", "web", "*", "*", "*"))
	if len(files) != 1 {
		t.Fatalf("%d records", len(files))
	}
	for _, content := range []string{"", "no record", "\x28\xb5\x2f\xfd"} {
		if err := os.WriteFile(files[0], []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Load(at); !errors.Is(err, visual.ErrNone) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestAnImageIsNamedByItsHashAlone(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	for _, hash := range []string{"", "..", "../../../../etc/passwd", strings.Repeat("A", 64), strings.Repeat("/", 64)} {
		if f, err := s.Open(visual.File{Hash: hash, Type: "image/webp"}); err == nil {
			f.Close()
			t.Errorf("%q was opened", hash)
		}
	}
}

func TestWhatIsNoImageIsRefused(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	for _, content := range []string{"", "RIFF", "<svg/>"} {
		if err := s.Develop(&visual.Picture{}, shotOf([]byte(content))); err == nil {
			t.Errorf("%q is a picture", content)
		}
	}
}

func TestAlike(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	save := func(url string, ts cdx.Timestamp, shade func(x, y int) uint8) uint64 {
		p := &visual.Picture{Recipe: visual.Recipe, URL: url, Time: ts, Width: 640}
		if err := s.Develop(p, shotOf(pngOf(t, 640, 480, shade))); err != nil {
			t.Fatal(err)
		}
		if err := s.Save(visual.At{Coll: "web", Key: url, Time: ts, Width: 640}, p); err != nil {
			t.Fatal(err)
		}
		return p.Look
	}
	waves := func(x, y int) uint8 { return uint8(x/80*53%200 + y/60*31%50) }
	look := save("http://a.example/", 20150101000000, waves)
	save("http://mirror.example/", 20160101000000, func(x, y int) uint8 { return waves(x, y) + 3 })
	save("http://other.example/", 20160101000000, func(x, y int) uint8 { return 255 - waves(x, y) })
	if look := save("http://blank.example/", 20160101000000, func(int, int) uint8 { return 255 }); look != 0 {
		t.Errorf("a blank page looks like %x", look)
	}
	found, err := s.Alike("web", look, 10)
	var urls []string
	for _, l := range found {
		urls = append(urls, l.URL)
	}
	if err != nil || !slices.Equal(urls, []string{"http://a.example/", "http://mirror.example/"}) {
		t.Errorf("got %v, %v", urls, err)
	}
	if found, err := s.Alike("other", look, 10); err != nil || len(found) > 0 {
		t.Errorf("in another collection: %v, %v", found, err)
	}
}
