package holdings

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/catalogue"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// indexed returns an archive over captures, whose places are filled in.
func indexed(t *testing.T, captures []cdx.Capture) *Counts {
	t.Helper()
	x := indextest.Open(t, "")
	file := index.File{Collection: "web", Name: "a.warc.gz", Path: "/store/a.warc.gz"}
	var err error
	if file.ID, err = x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w := x.Writer(t.Context(), "web")
	for i := range captures {
		c := captures[i]
		if c.Key == "" {
			c.Key = surt.Of(c.URL)
		}
		c.Location = cdx.Location{File: file.ID, Offset: int64(i) * 1000, Length: int64(i) + 1}
		if err := w.Add(&c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	file.Done, file.Scanned = true, int64(len(captures)+1)*1000
	if _, err := x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{})
	return a
}

func TestWhatCapturesSayOfTheirAddress(t *testing.T) {
	const page, form = "http://a.example/page", "http://a.example/form"
	a := indexed(t, []cdx.Capture{
		{URL: page, Time: 20100101000000, Status: 200, MIME: "text/html", Digest: "x:1"},
		{URL: "https://a.example/page", Time: 20110101000000, Status: 200, MIME: "application/xhtml+xml", Digest: "x:1"},
		{URL: page, Time: 20120101000000, Status: 404, MIME: "text/plain", Digest: "x:2"},
		{URL: page, Time: 20130101000000, Kind: cdx.Revisit, Digest: "x:2"}, // its original is not known
		{URL: form, Key: surt.OfRequest(form, http.MethodPost, []byte("a=b"), "text/plain"), Time: 20100101000000, Status: 200},
		{URL: "http://b.example/", Time: 20140101000000, Status: 503, MIME: "text/plain", Digest: "x:3"},
	})
	want := []Address{
		{
			Key: "example,a)/page", URL: page, Captures: 4, First: 20100101000000, Last: 20130101000000, Status: 404,
			MIME: "application/xhtml+xml", Bytes: 1 + 2 + 3 + 4, differs: 2, differed: 20130101000000, shown: true,
		},
		{
			Key: "example,b)/", URL: "http://b.example/", Captures: 1, First: 20140101000000, Last: 20140101000000, Status: 503,
			MIME: "text/plain", Bytes: 6,
		},
	}
	for from, want := range map[string][]Address{"": want, "example,b": want[1:]} {
		var got []Address
		for at, err := range a.Addresses(t.Context(), "web", from, "") {
			if err != nil {
				t.Fatal(err)
			}
			only := *at
			only.sum, only.years = 0, nil
			got = append(got, only)
		}
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("from %q:\n%+v\nwant\n%+v", from, got, want)
		}
	}
	for range a.Addresses(t.Context(), "web", "", "") { // ends where its reader does
		break
	}
}

// Whatever may begin a version differs, and changes the sum of an address, by which its versions are known again.
func TestWhatMayBeginAVersion(t *testing.T) {
	first := cdx.Capture{Time: 20100101000000, Digest: "x:1", Status: 200, Redirect: "http://a.example/", Text: 7, MIME: "text/html"}
	sums := map[uint64]string{}
	for name, tt := range map[string]struct {
		change func(*cdx.Capture)
		differ bool
	}{
		"nothing":  {func(*cdx.Capture) {}, false},
		"time":     {func(c *cdx.Capture) { c.Time++ }, false},
		"digest":   {func(c *cdx.Capture) { c.Digest = "x:2" }, true},
		"status":   {func(c *cdx.Capture) { c.Status = 404 }, true},
		"redirect": {func(c *cdx.Capture) { c.Redirect = "" }, true},
		"text":     {func(c *cdx.Capture) { c.Text = 0 }, true},
		"cut off":  {func(c *cdx.Capture) { c.Truncated = true }, true},
	} {
		c, a := first, Address{}
		tt.change(&c)
		a.add(&c, nil)
		if other := sums[a.sum]; other != "" {
			t.Errorf("%s has the sum of %s", name, other)
		}
		if sums[a.sum] = name; differ(&first, &c) != tt.differ || differ(&c, &first) != tt.differ {
			t.Errorf("%s differs: %t", name, !tt.differ)
		}
	}
	if none := (cdx.Capture{}); !differ(&none, &none) {
		t.Error("captures whose digests nobody knows are the same")
	}
	typed := Address{}
	for _, c := range []cdx.Capture{
		{MIME: "text/css", Status: 404}, {Status: 200}, {MIME: "text/html", Status: 299}, {Status: 200}, {MIME: "a/b", Status: 300},
	} {
		typed.add(&c, &first)
	}
	if typed.MIME != "text/html" {
		t.Errorf("it is %s, want what its newest capture with a 2xx is", typed.MIME)
	}
}

// The versions of an address are those of its timeline, at each level, and its captures bound them.
func TestVersionsOfAddresses(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 7, "http://a.example/b": 1, "http://c.example/": 2})
	archivetest.PutBare(t, x, "http://d.example/", 5, 0, 0)
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{})
	several := 0
	for at, err := range a.Addresses(t.Context(), "web", "", "") {
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range []change.Level{change.LevelAny, change.LevelText, change.LevelContent} {
			n, changed, err := a.Versions(t.Context(), "web", at, level)
			if err != nil {
				t.Fatal(err)
			}
			tl, err := a.archive.Timelines.Get(t.Context(), "web", at.Key)
			if err != nil {
				t.Fatal(err)
			}
			ranges, err := tl.Ranges(level)
			if err != nil {
				t.Fatal(err)
			}
			var last cdx.Timestamp
			if len(ranges) > 1 {
				several++
				last = ranges[len(ranges)-1].First
			}
			if n != len(ranges) || changed != last {
				t.Errorf("%s by %s: %d versions, the last of %s; its timeline has %d, %s", at.URL, level, n, changed, len(ranges), last)
			}
			if n > at.MostVersions() || changed > at.ChangedBy() {
				t.Errorf("%s by %s: %d versions, the last of %s, but at most %d, %s", at.URL, level, n, changed, at.MostVersions(), at.ChangedBy())
			}
		}
	}
	if several < 4 {
		t.Errorf("only %d had several versions", several)
	}
}

// Whether an address has several versions is asked of its timeline only if its captures differ.
func TestAddressesWithOneVersionAreNotReadAgain(t *testing.T) {
	x, reads := archivetest.CountedIndex(t, map[string]int{"http://a.example/": 1, "http://b.example/": 2})
	a := over(t, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{})
	for at, err := range a.Addresses(t.Context(), "web", "", "") {
		if err != nil {
			t.Fatal(err)
		}
		before := reads.Values.Load()
		n, _, err := a.Versions(t.Context(), "web", at, change.LevelContent)
		if err != nil || n != at.Captures {
			t.Errorf("%s: %d versions, %v", at.URL, n, err)
		}
		if read := reads.Values.Load() > before; read != (at.Captures > 1) {
			t.Errorf("%s with %d captures: is its timeline read? %t", at.URL, at.Captures, read)
		}
	}
}

// Starting points are pages that can be read: home pages first, then those near them, and those that were captured and changed often.
func TestStartingPoints(t *testing.T) {
	rank := func(key, mime string, status, captures, versions int) float64 {
		return entryRank(&Address{Key: "example,a)" + key, MIME: mime, Status: status, Captures: captures}, &catalogue.Entry{Versions: versions})
	}
	const page = "text/html"
	for what, got := range map[string]float64{
		"a picture": rank("/a.png", "image/png", 200, 9, 9), "an error": rank("/a", page, 404, 9, 9),
		"a question": rank("/a?b=c", page, 200, 9, 9),
	} {
		if got != 0 {
			t.Errorf("%s has %v", what, got)
		}
	}
	falling := []float64{
		rank("/", page, 200, 9, 9), rank("/a", page, 200, 9, 9), rank("/a/b", page, 200, 9, 9), rank("/a/b/c", page, 200, 9, 9),
		rank("/a/b/c", page, 200, 9, 4), rank("/a/b/c", page, 200, 4, 4), rank("/a/b/c/d/e/f", page, 200, 1, 1), 0,
	}
	for i, r := range falling[1:] {
		if r >= falling[i] {
			t.Errorf("%v", falling)
		}
	}
	for what, tt := range map[string]struct{ got, want float64 }{
		"captures count a quarter of what versions do": {rank("/a", page, 200, 3, 1), 1 + 1 + 2./4},
		"a home page has more":                         {rank("/", page, 200, 3, 1), 1 + 1 + 2./4 + 4},
		"a page two folders down has less":             {rank("/a/b/c", page, 200, 3, 7), 1 + 3 + 2./4 - 1},
		"but never nothing":                            {rank("/a/b/c/d/e", page, 200, 0, 0), 0.1},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", what, tt.got, tt.want)
		}
	}
	if deep := rank("/a/b/c/d/e/f/g/h/i/j", page, 200, 1, 1); deep != rank("/a/b/c/d/e/f", page, 200, 1, 1) {
		t.Errorf("far from home it is %v", deep)
	}
}

func TestTheFirstOfMany(t *testing.T) {
	all := tops[int]{most: 3, compare: cmp.Compare[int]}
	for i := range 20 {
		all.add((i*7 + 5) % 20)
	}
	if got := all.done(); !slices.Equal(got, []int{0, 1, 2}) {
		t.Error(got)
	}
}

func TestSortsOfAddresses(t *testing.T) {
	for mime, want := range map[string]Sort{
		"text/html": SortPage, "application/xhtml+xml": SortPage, "image/svg+xml": SortImage, "text/css": SortStyle,
		"application/x-javascript": SortScript, "application/vnd.openxmlformats-officedocument.wordprocessingml.document": SortDocument,
		"application/pdf": SortDocument, "text/plain": SortDocument, "font/woff2": SortFont, "application/x-font-ttf": SortFont,
		"application/dash+xml": SortMedia, "video/mp4": SortMedia, "application/rss+xml": SortData, "application/json": SortData,
		"application/octet-stream": SortOther, "": SortOther,
	} {
		a := Address{MIME: mime}
		if got := a.Sort(); got != want || a.IsRead() != (want == SortPage || want == SortDocument) {
			t.Errorf("%q is %s, want %s", mime, got, want)
		}
	}
}

// BenchmarkAddresses walks over 20,000 addresses of five captures each; what is timed is one address.
func BenchmarkAddresses(b *testing.B) {
	const addresses, each = 20_000, 5
	x := indextest.Open(b, "")
	file := index.File{Collection: "web", Name: "a.warc.gz", Path: "/store/a.warc.gz"}
	file.ID, _ = x.PutFile(b.Context(), file)
	w := x.Writer(b.Context(), "web")
	for i := range addresses * each {
		url := fmt.Sprintf("http://www.host%d.example/folder/page%d.html", i/each%50, i/each)
		_ = w.Add(&cdx.Capture{
			Key: surt.Of(url), URL: url, Status: 200, MIME: "text/html", Digest: "x:1",
			Time:     cdx.FromTime(time.Date(2010, 1, 1, i%each, 0, 0, 0, time.UTC)),
			Location: cdx.Location{File: file.ID, Offset: int64(i) * 1000, Length: 900},
		})
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	file.Done, file.Scanned = true, addresses*each*1000
	if _, err := x.PutFile(b.Context(), file); err != nil {
		b.Fatal(err)
	}
	a := over(b, archive.Config{Index: x, Records: archivetest.NoRecords{}}, Config{})
	n := 0
	for b.Loop() {
		for range a.Addresses(b.Context(), "web", "", "") {
			if n++; n%addresses == 0 {
				break
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/address")
}
