package visual_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/disk"
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
		Blocks: []visual.Block{{Place: visual.Content, Kind: visual.Image, X: 10, Y: 20, W: 100, H: 50}},
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
		!slices.Equal(got.Vector, p.Vector) || got.Image.Width != 640 || got.Image.Height != 900 ||
		got.Thumb.Width != 320 || got.Thumb.Height != 240 {
		t.Errorf("got %+v, %v", got, err)
	}
	img, err := png.Decode(bytes.NewReader(content))
	if err != nil || !bytes.Equal(got.Blocks[0].Grain, visual.Grain(img, image.Rect(10, 20, 110, 70), true)) {
		t.Errorf("the grain is that of another part; %v", err)
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

// The pictures of a URI-R are listed oldest first, those of the same time by width, whatever order their files have. A file that is
// being written is no picture.
func TestPicturesAreListedInOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := visual.NewStore(dir)
	var want []visual.At
	for _, at := range []visual.At{
		{Time: 20140101000000, Width: 1280}, {Time: 20150101000000, Width: 390}, {Time: 20150101000000, Width: 1280},
	} {
		at.Coll, at.Key = "web", "org,example)/a"
		want = append(want, at)
	}
	for _, n := range []int{2, 0, 1} {
		if err := s.Save(want[n], &visual.Picture{Recipe: visual.Recipe, URL: "http://example.org/a"}); err != nil {
			t.Fatal(err)
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "records", "web", "*", "*", "*"))
	if err != nil || len(found) != len(want) {
		t.Fatalf("%q, %v", found, err)
	}
	for _, name := range []string{disk.HalfWritten + "1", "2015-390", "20150101000000-wide", "20150101000000"} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(found[0]), name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.List("web", "org,example)/a"); err != nil || !slices.Equal(list, want) {
		t.Errorf("listed %v, %v", list, err)
	}
}

// Two pictures with the same pixels have one image. One that was cut off is stored again.
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
	found, _ := filepath.Glob(filepath.Join(dir, "images", "*", "*"))
	if len(found) != 1 {
		t.Fatalf("%d files", len(found))
	}
	if err := os.Truncate(found[0], 9); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(content, "image/png"); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(found[0]); err != nil || !bytes.Equal(again, content) {
		t.Errorf("an image that was cut off has %d bytes, %v", len(again), err)
	}
	if _, err := visual.NewStore(filepath.Join(dir, "images", "none\x00")).Put(content, "image/png"); err == nil {
		t.Error("an image that is nowhere is kept")
	}
}

// An image has the suffix of its type, and is opened by its hash alone.
func TestNamesOfImages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := visual.NewStore(dir)
	for kind, suffix := range map[string]string{"image/jpeg": ".jpg", "image/webp": ".webp"} {
		f, err := s.Put([]byte(kind), kind)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "images", f.Hash[:2], f.Hash+suffix)); err != nil || f.Bytes != len(kind) {
			t.Errorf("%s: %+v, %v", kind, f, err)
		}
	}
	for _, hash := range []string{"", "../../a", strings.Repeat("A", 64), strings.Repeat("a", 63), strings.Repeat("a", 65)} {
		if _, err := s.Open(visual.File{Hash: hash}); err == nil || errors.Is(err, os.ErrNotExist) {
			t.Errorf("the image %q: %v", hash, err)
		}
	}
}

func TestWhyThereIsNoPicture(t *testing.T) {
	t.Parallel()
	known := map[string]visual.Note{}
	for _, note := range []visual.Note{"", visual.Cut, visual.Crashed, visual.Hung, visual.Large, visual.Silent, visual.Crowded} {
		p := visual.Picture{Note: note, Height: 10, PageHeight: 20}
		say := p.Sentence()
		if other, twice := known[say]; twice || (say == "") != (note == "") {
			t.Errorf("%q and %q: %q", note, other, say)
		}
		known[say] = note
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

// An image of more pixels than a browser makes here is not unpacked.
func TestImagesHaveBounds(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	for height, want := range map[uint32]string{8192: "unexpected EOF", 8193: "has 8192 × 8193 pixels"} {
		head := binary.BigEndian.AppendUint32(append([]byte("IHDR"), 0, 0, 0x20, 0), height)
		head = append(head, 8, 0, 0, 0, 0)
		file := append(append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13), head...)
		file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(head))
		if err := s.Develop(&visual.Picture{}, shotOf(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d pixels high: %v, want %s", height, err, want)
		}
	}
}

// The vector is that of the page without what lies over it.
func TestWhatLiesOverAPageIsNoneOfItsWords(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	under, over := pngOf(t, 640, 480, wordy(101, 0)), pngOf(t, 640, 480, wordy(7919, 0))
	var plain, covered visual.Picture
	err := errors.Join(s.Develop(&plain, shotOf(under)), s.Develop(&covered, &visual.Shot{Kept: over, Exact: over, Bare: under}))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(plain.Vector, covered.Vector) || plain.Image.Hash == covered.Image.Hash {
		t.Error("the vector is that of what lies over the page")
	}
	if err := s.Develop(&visual.Picture{}, &visual.Shot{Kept: over, Exact: over, Bare: []byte("none")}); err == nil {
		t.Error("a page without what lies over it that can't be read is no error")
	}
}

// wordy is a page of words that a seed chooses, some pixels from the top.
func wordy(seed, top int) func(x, y int) uint8 {
	return func(x, y int) uint8 {
		y -= top
		word := (x/80 + 8*(y/30)) * seed
		inside := y >= 0 && x%80 < 20+word%37 && y%30 < 8+word%5
		if inside && (x*word/7+y*(word%11+1))%3 == 0 {
			return 0
		}
		return 255
	}
}

// A picture that could not be found among others of its look is not kept: then it is made again.
func TestPicturesWithoutLooksAreNotKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, at := visual.NewStore(dir), visual.At{Coll: "web", Key: "example,a)/", Time: 20150101000000, Width: 640}
	p := &visual.Picture{Recipe: visual.Recipe, URL: "http://a.example/", Time: at.Time, Width: at.Width}
	if err := s.Develop(p, shotOf(pngOf(t, 640, 480, wordy(101, 0)))); err != nil {
		t.Fatal(err)
	}
	looks := filepath.Join(dir, "records", "web", "looks")
	if err := os.MkdirAll(looks, 0o755); err != nil { // no file can be written there
		t.Fatal(err)
	}
	if err := s.Save(at, p); err == nil {
		t.Fatal("it is kept where it can't be found")
	}
	if _, err := s.Load(at); !errors.Is(err, visual.ErrNone) {
		t.Errorf("it is there: %v", err)
	}
	if err := os.Remove(looks); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(looks, []byte("0123456789abcdef 2015010"), 0o600); err != nil { // what a full disk left of a line
		t.Fatal(err)
	}
	if err := s.Save(at, p); err != nil {
		t.Fatal(err)
	}
	if found, err := s.Alike("web", p, 10, nil); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
	text, err := os.ReadFile(looks)
	if err != nil {
		t.Fatal(err)
	}
	line := string(text[bytes.LastIndexByte(bytes.TrimSpace(text), '\n')+1:])
	for _, broken := range [][2]string{{"20150101000000", "201501x"}, {" 640 ", " wide "}, {" ", "x "}} {
		text = append(text, strings.Replace(line, broken[0], broken[1], 1)...)
	}
	if err := os.WriteFile(looks, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := s.Alike("web", p, 10, nil); err != nil || len(found) != 1 {
		t.Errorf("with lines that can't be read: %v, %v", found, err)
	}
	records, _ := filepath.Glob(filepath.Join(dir, "records", "web", "*", "*", "*"))
	if len(records) != 1 {
		t.Fatalf("%q", records)
	}
	if err := errors.Join(os.Remove(records[0]), os.Mkdir(records[0], 0o755)); err != nil { // no file can be written there either
		t.Fatal(err)
	}
	if err := s.Save(at, p); err == nil {
		t.Error("it is kept without a record")
	}
}

func TestLooksThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "records", "web", "looks"), 0o700); err != nil {
		t.Fatal(err)
	}
	if found, err := visual.NewStore(dir).Alike("web", &visual.Picture{}, 10, nil); err == nil {
		t.Errorf("a folder in place of the file: %v", found)
	}
}

func TestAlike(t *testing.T) {
	t.Parallel()
	s := visual.NewStore(t.TempDir())
	save := func(url string, ts cdx.Timestamp, shade func(x, y int) uint8) *visual.Picture {
		p := &visual.Picture{Recipe: visual.Recipe, URL: url, Time: ts, Width: 640}
		if err := s.Develop(p, shotOf(pngOf(t, 640, 480, shade))); err != nil {
			t.Fatal(err)
		}
		if err := s.Save(visual.At{Coll: "web", Key: surt.Of(url), Time: ts, Width: 640}, p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	page := save("http://a.example/", 20150101000000, wordy(101, 0))
	mirror := save("http://mirror.example/", 20160101000000, wordy(101, 0))
	other := save("http://other.example/", 20160101000000, wordy(7919, 0))
	blank := save("http://blank.example/", 20160101000000, func(int, int) uint8 { return 255 })
	if !page.LooksLike(mirror) || page.LooksLike(other) || page.LooksLike(blank) || blank.LooksLike(blank) ||
		page.LooksLike(&visual.Picture{}) {
		t.Errorf("mirror %t, other %t, blank %t", page.LooksLike(mirror), page.LooksLike(other), page.LooksLike(blank))
	}
	urls := func(coll string) (out []string) {
		found, err := s.Alike(coll, page, 10, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range found {
			out = append(out, l.URL)
		}
		return out
	}
	if got := urls("web"); !slices.Equal(got, []string{"http://a.example/", "http://mirror.example/"}) {
		t.Errorf("got %v", got)
	}
	if found, err := s.Alike("web", page, 1, nil); err != nil || len(found) != 1 {
		t.Errorf("at most one: %v, %v", found, err)
	}
	if found, err := s.Alike("web", blank, 10, nil); err != nil || len(found) > 0 {
		t.Errorf("like a page without content: %v, %v", found, err)
	}
	if got := urls("other"); len(got) > 0 {
		t.Errorf("in another collection: %v", got)
	}
	gone, err := s.Sweep(t.Context(), func(at visual.At) (bool, error) { return at.Key != "example,mirror)/", nil })
	if err != nil || gone != 1 {
		t.Errorf("%d pictures went, %v", gone, err)
	}
	if got := urls("web"); !slices.Equal(got, []string{"http://a.example/"}) {
		t.Errorf("after the mirror went: %v", got)
	}
}

// Images that no record has go, but not those that may be of a picture which is being saved.
func TestSweepImages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := visual.NewStore(dir)
	images := func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "images", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	p := &visual.Picture{Recipe: visual.Recipe, URL: "http://a.example/", Time: 20150101000000, Width: 640}
	if err := s.Develop(p, shotOf(pngOf(t, 640, 480, slope))); err != nil {
		t.Fatal(err)
	}
	at := visual.At{Coll: "web", Key: surt.Of(p.URL), Time: p.Time, Width: 640}
	if err := s.Save(at, p); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put([]byte("being saved"), "image/webp"); err != nil {
		t.Fatal(err)
	}
	age := func() {
		for _, path := range images() {
			then := time.Now().Add(-2 * time.Hour)
			if err := errors.Join(os.Chtimes(path, then, then), os.Chtimes(filepath.Dir(path), then, then)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, step := range []struct {
		name       string
		old, keeps bool
		gone, left int
	}{{"new", false, true, 0, 3}, {"old", true, true, 0, 2}, {"without its capture", true, false, 1, 0}} {
		if step.old {
			age()
		}
		gone, err := s.Sweep(t.Context(), func(visual.At) (bool, error) { return step.keeps, nil })
		if err != nil || gone != step.gone || len(images()) != step.left || s.Has(at) != step.keeps {
			t.Errorf("%s: %d went, %d images are left, %v", step.name, gone, len(images()), err)
		}
	}
}

// TestSweepWhileOthersWrite: a record that another process is writing stays, and what it removed meanwhile is no error.
func TestSweepWhileOthersWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := visual.NewStore(dir)
	at := visual.At{Coll: "web", Key: "example,a)/", Time: 20150101000000, Width: 640}
	if err := s.Save(at, &visual.Picture{Recipe: visual.Recipe, URL: "http://a.example/", Time: at.Time, Width: 640}); err != nil {
		t.Fatal(err)
	}
	saved, err := filepath.Glob(filepath.Join(dir, "records", "web", "*", "*", "*"))
	if err != nil || len(saved) != 1 {
		t.Fatal(saved, err)
	}
	half := filepath.Join(filepath.Dir(saved[0]), disk.HalfWritten+"1")
	if err := os.WriteFile(half, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	keep := func(visual.At) (bool, error) { return false, os.Remove(saved[0]) }
	if _, err := s.Sweep(t.Context(), keep); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(half); err != nil {
		t.Error(err)
	}
	then := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(half, then, then); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sweep(t.Context(), keep); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(half); err == nil {
		t.Error("what a process that ended left stays")
	}
}
