package index

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// Pending revisits are resolved in batches. Each is resolved, wherever a batch ends.
func TestRevisitsAreResolvedAcrossBatches(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		for _, n := range []int{resolveBatch, resolveBatch + 1} {
			x := open(t)
			revisits := make([]cdx.Capture, n)
			for i := range revisits {
				revisits[i] = page(fmt.Sprintf("http://example.com/%05d", i), 20150101)
				if revisits[i].Kind = cdx.Revisit; i%10 == 0 {
					revisits[i].Digest = "NONE"
				}
			}
			waiting := (n + 9) / 10
			put(t, x, "revisits", revisits...)
			if found, left, err := x.Resolve(t.Context()); found != 0 || left != n || err != nil {
				t.Errorf("of %d, before there is an original: %d found, %d left, %v", n, found, left, err)
			}
			put(t, x, "original", page("http://example.org/", 20140101))
			before := x.Generation()
			if found, left, err := x.Resolve(t.Context()); found != n-waiting || left != waiting || err != nil {
				t.Errorf("of %d: %d found, %d left, %v; want %d and %d", n, found, left, err, n-waiting, waiting)
			}
			if x.Generation() != before+1 {
				t.Errorf("the generation went from %d to %d", before, x.Generation())
			}
			if found, left, err := x.Resolve(t.Context()); found != 0 || left != waiting || err != nil || x.Generation() != before+1 {
				t.Errorf("once more: %d found, %d left, %v", found, left, err)
			}
			if p := entries(t, x, pendingPrefix); p != waiting {
				t.Errorf("%d revisits wait, want %d", p, waiting)
			}
		}
	})
}

// A server that says "not modified" means the good answer that the crawler had, not a redirect, an error or another
// revisit.
func TestANotModifiedRevisitMeansAGoodCapture(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		kind   cdx.Kind
		want   bool
	}{
		{199, cdx.Response, false},
		{200, cdx.Response, true},
		{206, cdx.Response, true},
		{299, cdx.Response, true},
		{300, cdx.Response, false},
		{301, cdx.Response, false},
		{304, cdx.Response, false},
		{404, cdx.Response, false},
		{200, cdx.Revisit, false},
	} {
		x := openOn(t, stores["memory"](t))
		before := page("http://example.com/", 20140101)
		before.Digest, before.Text = "GOOD", 5
		between := page("http://example.com/", 20140601)
		between.Status, between.Kind, between.Digest = c.status, c.kind, "OTHER"
		revisit := cdx.Capture{URL: "http://example.com/", Time: 20150101000000, Kind: cdx.Revisit, NotModified: true}
		put(t, x, "a", before, between, revisit)
		if _, _, err := x.Resolve(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := collect(t, x.Captures(t.Context(), cdx.Span{
			Coll: "web", From: surt.Of("http://example.com/"), Exact: true,
			Since: 20150101000000,
		}))[0]
		want := int64(0)
		if c.want {
			want = 1000
		}
		if got.Origin.Offset != want || got.Unresolved() {
			t.Errorf("behind status %d, kind %d: it means the capture at %d, want that at %d", c.status, c.kind, got.Origin.Offset, want)
		}
	}
}

// A revisit repeats the bytes of another answer, which may have had another status, whether it names that answer or not.
func TestARevisitKeepsItsOwnStatus(t *testing.T) {
	t.Parallel()
	const to = "http://example.com/there"
	missing, moved := page("http://other.example/", 20140101), page("http://example.com/", 20140101)
	missing.Status, missing.MIME = 404, ""
	moved.Status, moved.Redirect = 301, "http://example.com/elsewhere"
	named := func(r cdx.Capture) cdx.Capture {
		r.RefersToURI, r.RefersToTime = moved.URL, moved.Time
		return r
	}
	revisit := func(status int, redirect string) cdx.Capture {
		return cdx.Capture{
			URL: "http://example.com/", Time: 20150101000000, Kind: cdx.Revisit, Digest: missing.Digest, Status: status, Redirect: redirect,
		}
	}
	for name, c := range map[string]struct {
		original, revisit cdx.Capture
		status            int
		redirect          string
	}{
		"of an error elsewhere":       {missing, revisit(302, to), 302, to},
		"of a redirect":               {moved, revisit(200, ""), 200, ""},
		"that has none":               {missing, revisit(0, ""), 404, ""},
		"that says nothing":           {moved, revisit(304, ""), 301, moved.Redirect},
		"of the redirect it names":    {moved, named(revisit(302, to)), 302, to},
		"named, that has none":        {moved, named(revisit(0, "")), 301, moved.Redirect},
		"named, an answer":            {moved, named(revisit(200, "")), 200, ""},
		"of a redirect, as it is one": {moved, revisit(301, ""), 301, moved.Redirect},
	} {
		x := openOn(t, stores["memory"](t))
		put(t, x, "a", c.original, c.revisit)
		if _, _, err := x.Resolve(t.Context()); err != nil {
			t.Fatal(err)
		}
		span := cdx.Span{Coll: "web", From: surt.Of(c.revisit.URL), Exact: true, Since: c.revisit.Time}
		got := collect(t, x.Captures(t.Context(), span))[0]
		if got.Status != c.status || got.Redirect != c.redirect || got.Unresolved() || got.MIME != c.original.MIME {
			t.Errorf("%s: %d to %q, %s, want %d to %q", name, got.Status, got.Redirect, got.MIME, c.status, c.redirect)
		}
	}
}

// A revisit that names its original takes it only if the digests agree.
func TestANamedOriginalMustFit(t *testing.T) {
	t.Parallel()
	const d1, d2 = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"
	for _, c := range []struct {
		name        string
		digest      string
		notModified bool
		at          cdx.Timestamp
		want        bool
	}{
		{"the digest of the original", d1, false, 20140101000000, true},
		{"another digest", d2, false, 20140101000000, false},
		{"no digest", "", false, 20140101000000, true},
		{"another digest, but not modified", d2, true, 20140101000000, true},
		{"a second beside it", "", false, 20140101000001, false},
	} {
		x := openOn(t, stores["memory"](t))
		orig := page("http://example.org/", 20140101)
		orig.Digest = d1
		put(t, x, "a", orig, cdx.Capture{
			URL: "http://example.com/", Time: 20150101000000, Kind: cdx.Revisit, Digest: c.digest, NotModified: c.notModified,
			RefersToURI: "http://example.org/", RefersToTime: c.at,
		})
		found, left, err := x.Resolve(t.Context())
		if err != nil || found+left != 1 || found == 1 != c.want {
			t.Errorf("%s: %d found, %d left, %v", c.name, found, left, err)
		}
		wait := 1
		if c.want {
			wait = 0
		}
		if n := entries(t, x, pendingPrefix); n != wait {
			t.Errorf("%s: %d wait, want %d", c.name, n, wait)
		}
	}
}

// Revisits that name one another lead to the first, which has the body, in whatever order they are read. Each has its own status.
func TestARevisitOfARevisit(t *testing.T) {
	t.Parallel()
	const d = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	at := func(day int) cdx.Timestamp { return cdx.Timestamp(20150100000000 + day*1000000) }
	uri := func(day int) string { return fmt.Sprintf("http://example.com/%d", day) }
	revisit := func(day, of int, digest string, status int) cdx.Capture {
		return cdx.Capture{
			URL: uri(day), Time: at(day), Kind: cdx.Revisit, Digest: digest, Status: status, RefersToURI: uri(of), RefersToTime: at(of),
		}
	}
	first := cdx.Capture{URL: uri(1), Time: at(1), Status: 200, MIME: "text/html", Digest: d}
	for name, c := range map[string]struct {
		captures []cdx.Capture
		status   int // of the last; 0 if it has no original
	}{
		"without digests":      {[]cdx.Capture{first, revisit(2, 1, "", 0), revisit(3, 2, "", 0)}, 200},
		"with digests":         {[]cdx.Capture{first, revisit(2, 1, d, 0), revisit(3, 2, d, 0)}, 200},
		"the first has one":    {[]cdx.Capture{first, revisit(2, 1, "", 404), revisit(3, 2, d, 0)}, 404},
		"three":                {[]cdx.Capture{first, revisit(2, 1, "", 0), revisit(3, 2, "", 301), revisit(4, 3, "", 503)}, 503},
		"the first comes last": {[]cdx.Capture{revisit(3, 2, "", 0), revisit(2, 1, "", 0), first, revisit(4, 3, "", 0)}, 200},
		"of themselves":        {[]cdx.Capture{revisit(2, 3, "", 0), revisit(3, 2, "", 0), revisit(4, 4, "", 200)}, 0},
	} {
		x := openOn(t, stores["memory"](t))
		put(t, x, "a", c.captures...)
		if _, _, err := x.Resolve(t.Context()); err != nil {
			t.Fatal(err)
		}
		last := c.captures[len(c.captures)-1]
		of := func(uri string) cdx.Capture {
			return slices.Concat(collect(t, x.Captures(t.Context(), cdx.Span{Coll: "web", From: surt.Of(uri), Exact: true})), []cdx.Capture{{}})[0]
		}
		got := of(last.URL)
		if origin := of(first.URL).Location; !got.Unresolved() && got.Origin != origin {
			t.Errorf("%s: its payload is at %v, want %v", name, got.Origin, origin)
		}
		if got.Unresolved() != (c.status == 0) || c.status != 0 && (got.Status != c.status || got.Digest != d || got.MIME != first.MIME) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// An original that isn't there yet may still come. Until then another capture with the digest stands in, and the
// revisit stays pending.
func TestANamedOriginalMayComeLater(t *testing.T) {
	t.Parallel()
	x := openOn(t, stores["memory"](t))
	revisit := page("http://example.com/", 20150101)
	revisit.Kind, revisit.RefersToURI, revisit.RefersToTime = cdx.Revisit, "http://example.org/", 20130101000000
	put(t, x, "a", revisit, page("http://example.com/", 20140101))
	origin := func() cdx.Location {
		t.Helper()
		if _, _, err := x.Resolve(t.Context()); err != nil {
			t.Fatal(err)
		}
		return collect(t, x.Captures(t.Context(), cdx.Span{
			Coll: "web", From: surt.Of("http://example.com/"), Exact: true,
			Since: 20150101000000,
		}))[0].Origin
	}
	if got := origin(); got.File != 1 || got.Offset != 1000 || entries(t, x, pendingPrefix) != 1 {
		t.Errorf("meanwhile: %+v", got)
	}
	named := put(t, x, "b", page("http://example.org/", 20130101))
	if got := origin(); got.File != named || entries(t, x, pendingPrefix) != 0 {
		t.Errorf("once it came: %+v", got)
	}
}

// Nearest reads all captures of a key that has few and walks outwards if there are many. The result is the same.
func TestNearestIsClosestAtEachSize(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		var all []cdx.Capture
		var keys []string
		for n := 1; n <= 2*nearestScan+1; n++ {
			url := fmt.Sprintf("http://example.com/%02d", n)
			keys = append(keys, surt.Of(url))
			for i := range n {
				all = append(all, page(url, cdx.Timestamp(20140101+i)))
			}
		}
		put(t, x, "a", all...)
		for _, ts := range []cdx.Timestamp{
			10101000000, 20140101000000, 20140105120000, 20140108000000, 20140117000000, 20140118000000,
			99991231235959,
		} {
			seen := 0
			err := x.Nearest(t.Context(), "web", ts, keys, func(i int, seq iter.Seq2[*cdx.Capture, error]) {
				seen++
				got, want := collect(t, seq), collect(t, x.Closest(t.Context(), "web", keys[i], ts))
				if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != i+1 {
					t.Errorf("%s around %s: %d captures, want %d", keys[i], ts, len(got), i+1)
				}
			})
			if err != nil || seen != len(keys) {
				t.Errorf("%d of %d keys, %v", seen, len(keys), err)
			}
		}
	})
}

// Bands are written in portions. However many there are, each text is found by its bands.
func TestBandsBeyondWhatAWriterHolds(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, open func(testing.TB) *Index) {
		x := open(t)
		const bandsEach = 16
		n := maxHeldBands/bandsEach + 5
		w := x.Writer(t.Context(), "web")
		bands := make([]uint32, bandsEach)
		for id := range n {
			for b := range bands {
				bands[b] = uint32(id / 2) // two texts are alike
			}
			if err := w.AddText(uint64(id+1), nil, bands); err != nil {
				t.Fatal(err)
			}
			if len(w.bands) >= maxHeldBands {
				t.Fatalf("%d bands are held", len(w.bands))
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		for _, id := range []int{0, 1, maxHeldBands/bandsEach - 1, maxHeldBands / bandsEach, n - 1} {
			want := 2
			if id/2*2+1 >= n {
				want = 1
			}
			if got := similarTo(t, x, "web", uint32(id/2)); len(got) != want {
				t.Errorf("text %d: %v, want %d", id+1, got, want)
			}
		}
	})
}

// A key that is too long by a byte is refused; one that just fits isn't.
func TestAWriterRefusesWhatHasNoPlace(t *testing.T) {
	t.Parallel()
	x := openOn(t, stores["badger"](t))
	w := x.Writer(t.Context(), "web")
	defer w.Cancel()
	good := cdx.Capture{Key: "com,example)/", URL: "http://example.com/", Time: 20140101000000, Location: cdx.Location{File: 1}}
	for name, c := range map[string]struct {
		change func(c *cdx.Capture)
		fails  bool
	}{
		"as it is":                  {func(*cdx.Capture) {}, false},
		"the longest key":           {func(c *cdx.Capture) { c.Key = string(letters(maxKey)) }, false},
		"a longer key":              {func(c *cdx.Capture) { c.Key = string(letters(maxKey + 1)) }, true},
		"a zero byte in its key":    {func(c *cdx.Capture) { c.Key = "com\x00" }, true},
		"no file":                   {func(c *cdx.Capture) { c.File = 0 }, true},
		"an offset before the file": {func(c *cdx.Capture) { c.Offset = -1 }, true},
		"a long digest":             {func(c *cdx.Capture) { c.Digest = string(letters(1025)) }, false},
		"a digest with a zero":      {func(c *cdx.Capture) { c.Digest = "a\x00" }, false},
	} {
		put := good
		c.change(&put)
		if err := w.Add(&put); err != nil != c.fails {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if n := entries(t, x, digestPrefix); n != 0 {
		t.Errorf("%d digests that have no place are stored", n)
	}
}

func letters(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'k'
	}
	return b
}

// Originals of revisits in very many files, all with very long paths, are told in as many transactions as it takes, whatever the store.
func TestRevisitsInFilesWithLongPaths(t *testing.T) {
	t.Parallel()
	s, err := badger.OpenToFill(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	x := openOn(t, s)
	const files = 400
	ids := map[cdx.FileID]bool{}
	for i := range files {
		rev := page(fmt.Sprintf("http://example.com/%05d", i), 20150101)
		rev.Kind = cdx.Revisit
		ids[put(t, x, fmt.Sprintf("%s%05d.warc.gz", strings.Repeat("deep/", 800), i), rev)] = true
	}
	put(t, x, "original", page("http://example.org/", 20140101))
	before := x.Generation()
	if found, left, err := x.Resolve(t.Context()); found != files || left != 0 || err != nil {
		t.Fatalf("%d found, %d left, %v", found, left, err)
	}
	for f := range x.files.Load().all() {
		if ids[f.ID] != (f.Changed > before) {
			t.Errorf("file %d changed at %d, of %d", f.ID, f.Changed, before)
		}
	}
	if untold, err := hasNow(t.Context(), x.store, resolvedKey.key()); untold || err != nil {
		t.Errorf("untold %v, %v", untold, err)
	}
	touched, err := x.Touched(t.Context(), "web", stateOf(x.Identity(), before), 1000)
	if err != nil || touched.All || len(touched.Keys) != files {
		t.Errorf("%d are touched, all %v, %v", len(touched.Keys), touched.All, err)
	}
}

// A revisit of another URI-R has the text of its original, for as long as that is there; one of the same URI-R is the same again.
func TestRevisitOfAnotherAddressHasTheText(t *testing.T) {
	t.Parallel()
	x := openOn(t, stores["memory"](t))
	original := page("http://example.com/a", 20150101)
	original.Digest, original.Text = "SAME", 9
	elsewhere, again := page("http://example.com/b", 20150102), page("http://example.com/a", 20150103)
	for _, rev := range []*cdx.Capture{&elsewhere, &again} {
		rev.Kind, rev.Digest, rev.Text = cdx.Revisit, "SAME", 0
	}
	file := put(t, x, "original", original)
	put(t, x, "revisits", elsewhere, again)
	shown := func() (urls []string) {
		if _, _, err := x.Resolve(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, all := range []iter.Seq2[*cdx.Capture, error]{x.Texts().Captures(t.Context(), "web", 9), x.Texts().ByText(t.Context(), "web")} {
			for c, err := range all {
				if err != nil {
					t.Fatal(err)
				}
				urls = append(urls, c.URL)
			}
		}
		return urls
	}
	want := []string{original.URL, elsewhere.URL, original.URL, elsewhere.URL}
	if got := shown(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if err := x.RemoveFiles(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if got := shown(); len(got) > 0 {
		t.Errorf("without the original: %q", got)
	}
	put(t, x, "original", original)
	if got := shown(); !slices.Equal(got, want) {
		t.Errorf("with the original again: %q", got)
	}
}
