package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// stores are the stores that tests run on. The one in memory hides that it can be shared: an index on a shared one waits for others.
var stores = map[string]func(tb testing.TB) kv.Store{
	"badger": func(tb testing.TB) kv.Store {
		s, err := badger.Open("", nil)
		if err != nil {
			tb.Fatal(err)
		}
		return s
	},
	"memory": func(testing.TB) kv.Store { return struct{ kv.Store }{kvtest.NewMemory()} },
}

// onEachStore runs a test on each store, given a function that opens an empty index there.
func onEachStore(t *testing.T, test func(t *testing.T, open func(testing.TB) *Index)) {
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			test(t, func(tb testing.TB) *Index { return openOn(tb, open(tb)) })
		})
	}
}

func openOn(tb testing.TB, s kv.Store) *Index {
	tb.Helper()
	x, err := New(tb.Context(), s)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { x.Close() })
	return x
}

// put indexes captures as one finished file called name. Their offsets follow from their order.
func put(t *testing.T, x *Index, name string, captures ...cdx.Capture) cdx.FileID {
	t.Helper()
	id, err := x.PutFile(t.Context(), File{Collection: "web", Name: name, Path: "/store/" + name})
	if err != nil {
		t.Fatal(err)
	}
	w := x.Writer(t.Context(), "web")
	for i := range captures {
		c := captures[i]
		if c.Key == "" {
			c.Key = surt.Of(c.URL)
		}
		c.File, c.Offset, c.Length = id, int64(i*1000), 900
		if err := w.Add(&c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if _, err := x.PutFile(t.Context(), File{
		ID: id, Collection: "web", Name: name, Path: "/store/" + name, Done: true,
		Scanned: 1 << 30,
	}); err != nil {
		t.Fatal(err)
	}
	return id
}

func collect(t *testing.T, seq iter.Seq2[*cdx.Capture, error]) []cdx.Capture {
	t.Helper()
	var out []cdx.Capture
	for c, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *c)
	}
	return out
}

func stamps(captures []cdx.Capture) []string {
	var out []string
	for _, c := range captures {
		out = append(out, c.Time.String()[:8]+c.FileName)
	}
	return out
}

func page(url string, ts cdx.Timestamp) cdx.Capture {
	return cdx.Capture{URL: url, Time: ts * 1000000, Status: 200, MIME: "text/html", Digest: "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"}
}

func TestCaptureSurvivesTheIndex(t *testing.T) { onEachStore(t, testCaptureSurvivesTheIndex) }

func testCaptureSurvivesTheIndex(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	for _, want := range []cdx.Capture{
		{URL: "http://example.com/", Time: 20140101000000, Status: 200, MIME: "text/html", Digest: "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", Text: 7},
		{
			URL: "http://example.com/a", Time: 99991231235959, Status: 301, MIME: "x-odd/type", Digest: "sha256:00ff",
			Redirect: "http://example.org/", Payload: "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
		},
		{URL: "http://example.com/b", Time: 10101000000, Kind: cdx.Resource, Truncated: true},
		{
			URL: "http://example.com/c", Time: 20140101000000, Kind: cdx.Revisit, NotModified: true, Origin: cdx.Location{
				File: 3, Offset: 4,
				Length: 5,
			},
			RefersToURI: "http://example.com/", RefersToTime: 20130101000000,
		},
	} {
		want.Key = surt.Of(want.URL)
		put(t, x, "a.warc.gz", want)
		got := collect(t, x.Captures(context.Background(), cdx.Span{Coll: "web", From: want.Key, Exact: true}))
		if len(got) != 1 {
			t.Fatalf("%s: %d captures, want 1", want.URL, len(got))
		}
		want.File, want.Offset, want.Length, want.FileName = got[0].File, 0, 900, "a.warc.gz"
		if got[0] != want {
			t.Errorf("got  %+v\nwant %+v", got[0], want)
		}
	}
}

func TestUnfinishedFileIsInvisible(t *testing.T) { onEachStore(t, testUnfinishedFileIsInvisible) }

func testUnfinishedFileIsInvisible(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	id, _ := x.PutFile(t.Context(), File{Collection: "web", Name: "a"})
	w := x.Writer(t.Context(), "web")
	for i := range 3 {
		c := page("http://example.com/", cdx.Timestamp(20140101+i))
		c.Key, c.File, c.Offset = surt.Of(c.URL), id, int64(i*100)
		w.Add(&c)
	}
	w.Flush()
	all := func() int {
		n := len(collect(t, x.Captures(t.Context(), cdx.Span{Coll: "web"})))
		key := surt.Of("http://example.com/")
		if near := len(collect(t, x.Closest(t.Context(), "web", key, 20140102000000))); near != n {
			t.Errorf("%d captures show, %d around a datetime", n, near)
		}
		near := 0
		err := x.Nearest(t.Context(), "web", 20140102000000, []string{key}, func(_ int, found iter.Seq2[*cdx.Capture, error]) {
			near = len(collect(t, found))
		})
		if err != nil || near != n {
			t.Errorf("%d captures show, %d of many keys, %v", n, near, err)
		}
		return n
	}
	if n := all(); n != 0 {
		t.Errorf("%d captures of an unfinished file show", n)
	}
	x.PutFile(t.Context(), File{ID: id, Collection: "web", Name: "a", Done: true, Scanned: 200})
	if n := all(); n != 2 {
		t.Errorf("%d captures show, want the 2 in front of Scanned", n)
	}
	if err := x.RemoveFiles(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if n := all(); n != 0 || len(x.Files()) != 0 {
		t.Errorf("%d captures and %d files are left after removing the file", n, len(x.Files()))
	}
}

func TestNearestGivesDistanceOrder(t *testing.T) { onEachStore(t, testNearestGivesDistanceOrder) }

func testNearestGivesDistanceOrder(t *testing.T, open func(testing.TB) *Index) {
	x := open(t)
	var many []cdx.Capture
	for i := range 3 * nearestScan {
		many = append(many, page("http://example.com/many", cdx.Timestamp(20100101+i/28*100+i%28)))
	}
	put(t, x, "b", page("http://example.com/", 20140101), page("http://example.com/", 20140103), page("http://example.com/", 20140110))
	put(t, x, "a", append(many, page("http://example.com/", 20140103))...)
	keys := []string{
		surt.Of("http://example.com/none"), surt.Of("http://example.com/many"), surt.Of("http://example.com/"),
		surt.Of("http://example.com/"),
	}
	seen := map[int][]cdx.Capture{}
	err := x.Nearest(context.Background(), "web", 20140102000000, keys, func(i int, seq iter.Seq2[*cdx.Capture,
		error],
	) {
		seen[i] = collect(t, seq)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"20140101b", "20140103a", "20140103b", "20140110b"}
	for _, i := range []int{2, 3} {
		if got := stamps(seen[i]); !slices.Equal(got, want) {
			t.Errorf("key %d: got %v, want %v", i, got, want)
		}
	}
	if _, ok := seen[0]; ok {
		t.Error("a key without captures was picked from")
	}
	for i, key := range keys {
		direct := collect(t, x.Closest(context.Background(), "web", key, 20140102000000))
		if !slices.Equal(stamps(direct), stamps(seen[i])) {
			t.Errorf("%s: Nearest and Closest differ", key)
		}
	}
}

func TestRevisitFindsItsOriginal(t *testing.T) { onEachStore(t, testRevisitFindsItsOriginal) }

func testRevisitFindsItsOriginal(t *testing.T, open func(testing.TB) *Index) {
	const d1, d2 = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"
	rev := func(url string, ts cdx.Timestamp, digest string) cdx.Capture {
		return cdx.Capture{URL: url, Time: ts * 1000000, Kind: cdx.Revisit, Digest: digest}
	}
	orig := func(url string, ts cdx.Timestamp, digest string, status int) cdx.Capture {
		return cdx.Capture{URL: url, Time: ts * 1000000, Digest: digest, Status: status, MIME: "text/html", Text: 9}
	}
	named := rev("http://example.com/", 20150101, d1)
	named.RefersToURI, named.RefersToTime = "http://example.com/", 20130101000000
	unmodified := rev("http://example.com/", 20150101, "")
	unmodified.NotModified = true
	for _, c := range []struct {
		name    string
		revisit cdx.Capture
		others  []cdx.Capture
		want    cdx.Timestamp // of the original, 0 for none
	}{
		{"the one it names, though another is nearer", named, []cdx.Capture{
			orig("http://example.com/", 20130101, d1, 200),
			orig("http://example.com/", 20140101, d1, 200),
		}, 20130101},
		{"the nearest before it with its digest", rev("http://example.com/", 20150101, d1), []cdx.Capture{
			orig("http://example.com/", 20130101, d1, 200), orig("http://example.com/", 20140101, d1, 200), orig("http://example.com/",
				20141231, d2, 200), orig("http://example.com/", 20150102, d1, 200),
		}, 20140101},
		{"another URI-R with its digest", rev("http://example.com/", 20150101, d1), []cdx.Capture{orig("http://example.com/", 20130101,
			d2, 200), orig("http://other.example/", 20160101, d1, 404)}, 20160101},
		{"the good capture before a server-not-modified one", unmodified, []cdx.Capture{
			orig("http://example.com/", 20130101, d1, 200),
			orig("http://example.com/", 20140101, d2, 404),
		}, 20130101},
		{"nothing", rev("http://example.com/", 20150101, d1), []cdx.Capture{orig("http://example.com/", 20130101, d2, 200)}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := open(t)
			put(t, x, "revisits", c.revisit)
			if _, left, err := x.Resolve(context.Background()); err != nil || left != 1 {
				t.Fatalf("before its original came: left %d, %v", left, err)
			}
			file := put(t, x, "originals", c.others...)
			x.Resolve(context.Background())
			span := cdx.Span{Coll: "web", From: surt.Of(c.revisit.URL), Exact: true, Since: c.revisit.Time, Until: c.revisit.Time}
			got := collect(t, x.Captures(context.Background(), span))[0]
			if c.want == 0 {
				if !got.Unresolved() {
					t.Errorf("found %+v", got.Origin)
				}
				return
			}
			i := slices.IndexFunc(c.others, func(o cdx.Capture) bool { return o.Time == c.want*1000000 })
			if want := (cdx.Location{File: file, Offset: int64(i * 1000), Length: 900}); got.Origin != want ||
				got.Status != c.others[i].Status || got.Text != 9 || got.Digest != c.others[i].Digest {
				t.Errorf("got %+v, want origin %v", got, want)
			}
			if err := x.RemoveFiles(t.Context(), file); err != nil {
				t.Fatal(err)
			}
			if got := collect(t, x.Captures(context.Background(), span))[0]; !got.Unresolved() {
				t.Error("its original's file is gone, the revisit still points there")
			}
			put(t, x, "again", c.others...)
			if found, _, _ := x.Resolve(context.Background()); found != 1 {
				t.Errorf("%d revisits found an original after it came back", found)
			}
		})
	}
}

func TestAnIndexIsThereAfterOpeningAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "index")
	for i, want := range []int{0, 1} {
		store, err := badger.Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := New(t.Context(), store)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(collect(t, x.Captures(context.Background(), cdx.Span{Coll: "web"}))); n != want || x.Has("web") != (want > 0) {
			t.Errorf("opened %d times: %d captures, collections %v", i+1, n, x.Collections())
		}
		put(t, x, "a", page("http://example.com/", 20140101))
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOtherFormatIsRefused(t *testing.T) {
	t.Parallel()
	s, err := badger.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := s.Batch(t.Context())
	b.Set([]byte("mformat"), []byte("varve-0"))
	b.Flush()
	if _, err := New(t.Context(), s); err == nil {
		t.Error("an index of another format was opened")
	}
}

// A list of unsettled files that is damaged is told, not read in part: what is shown depends on it.
func TestADamagedListOfFiles(t *testing.T) {
	t.Parallel()
	s := kvtest.NewMemory()
	x, err := New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	put(t, x, "a", page("http://example.com/", 20140101))
	b := s.Batch(t.Context())
	if err := errors.Join(b.Set(unsettledKey.key(), []byte{0, 0, 0, 1, 0}), b.Flush()); err != nil {
		t.Fatal(err)
	}
	if err := x.RemoveFiles(t.Context(), x.Files()[0].ID); err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("a file is removed: %v", err)
	}
}

// A key says of which collection it is, however short that name is.
func TestCollectionsInKeys(t *testing.T) {
	t.Parallel()
	for _, coll := range []string{"a", "web"} {
		key := captureKey(pendingPrefix, coll, &cdx.Capture{Key: "com,example)/", Time: 20140101000000})
		name, ts, _, ok := splitTail(key, len(coll))
		if splitColl(key) != coll || !ok || string(name) != "com,example)/" || ts != 20140101000000 {
			t.Errorf("%s: %q, %q at %s, %t", coll, splitColl(key), name, ts, ok)
		}
	}
	for _, key := range []string{"", "pweb\x00", "pweb\x00com,example)/" + strings.Repeat("x", 1+tailLen)} {
		if name, _, _, ok := splitTail([]byte(key), len("web")); ok {
			t.Errorf("%q has the name %q", key, name)
		}
	}
	if got := splitColl([]byte("p\x00com,example)/")); got != "" {
		t.Errorf("without one: %q", got)
	}
}

func FuzzDecodeCapture(f *testing.F) {
	f.Add(encodeCapture(nil, &cdx.Capture{URL: "http://example.com/", Status: 200, MIME: "text/html", Origin: cdx.Location{
		File:   1,
		Offset: 2, Length: 3,
	}, RefersToURI: "x", RefersToTime: 3}))
	f.Add([]byte{0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, v []byte) {
		var c, again cdx.Capture
		if decodeCapture(v, &c) != nil {
			return
		}
		if err := decodeCapture(encodeCapture(nil, &c), &again); err != nil {
			t.Errorf("%v for %+v", err, c)
		}
	})
}

func BenchmarkExactLookup(b *testing.B) {
	x := openOn(b, stores["badger"](b))
	id, _ := x.PutFile(b.Context(), File{Collection: "web", Name: "a", Done: true, Scanned: 1 << 40})
	w := x.Writer(b.Context(), "web")
	for i := range 100_000 {
		c := page(fmt.Sprintf("http://example.com/%d", i/5), cdx.Timestamp(20140101+i%5))
		c.Key, c.File, c.Offset = surt.Of(c.URL), id, int64(i)
		w.Add(&c)
	}
	w.Flush()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for _, err := range x.Captures(context.Background(), cdx.Span{Coll: "web", From: surt.Of(fmt.Sprintf("http://example.com/%d",
			i%20000)), Exact: true}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
