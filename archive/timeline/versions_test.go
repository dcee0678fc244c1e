package timeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/memento"
)

// arrivals change an index at random: files come, grow over records that were cut off, go, and revisits find their originals.
type arrivals struct {
	t     *testing.T
	rnd   *rand.Rand
	x     *index.Index
	pages []string
	files []index.File
	made  int
	days  int // within which all captures of a file are

	dated, sites int // how often something kept was dated, and how often a host was known
}

// some adds random captures to a file from an offset on, and returns where they end.
func (a *arrivals) some(f *index.File, offset int64) {
	w := a.x.Writer(a.t.Context(), "web")
	defer w.Cancel()
	from := a.rnd.IntN(29 - a.days)
	for range 1 + a.rnd.IntN(12) {
		url := a.pages[a.rnd.IntN(len(a.pages))]
		c := cdx.Capture{
			Key: surt.Of(url), URL: url, Status: 200, MIME: "text/html",
			Time:     cdx.Timestamp(20200101000000 + (from+a.rnd.IntN(a.days))*1000000 + a.rnd.IntN(20)),
			Location: cdx.Location{File: f.ID, Offset: offset, Length: 90},
		}
		switch n := a.rnd.IntN(10); {
		case n == 0:
			c.Status = 503
		case n == 1:
			c.Status, c.Redirect = 301, a.pages[a.rnd.IntN(len(a.pages))]
		case n == 2:
			c.Kind, c.Status, c.Digest = cdx.Revisit, 0, fmt.Sprint("x:", a.rnd.IntN(6))
		case n == 3:
			c.Truncated = true
			a.text(w, &c, a.rnd.IntN(6))
		case n == 4: // what other pages of the site say the same way is missing, too
			c.Status = 404
			a.text(w, &c, a.rnd.IntN(3))
		default:
			a.text(w, &c, a.rnd.IntN(6))
		}
		if err := w.Add(&c); err != nil {
			a.t.Fatal(err)
		}
		f.Resume = offset
		offset += 100
	}
	if err := w.Flush(); err != nil {
		a.t.Fatal(err)
	}
	f.Done, f.Scanned = true, offset
	a.put(f)
}

// text gives a capture one of some texts. They have common paragraphs.
func (a *arrivals) text(w *index.Writer, c *cdx.Capture, n int) {
	body := fmt.Appendf(nil, "Everything that is here stays, "+
		"whatever else may come and go above and below, because somebody has to be able to read it again and again.\n\n"+
		"The words of version number %d stand here, and so they will until the next version takes their place.\n\nIt is %d o'clock.", n/2, n)
	if n == 5 {
		body = []byte("Access denied. Please enable JavaScript and cookies to continue.")
	}
	text := new(visible.Extractor).Extract(body, "text/plain")
	sketch := sketch.Of(&text)
	if err := w.AddText(sketch.ID, sketch.AppendBinary(nil), nil); err != nil {
		a.t.Fatal(err)
	}
	c.Text, c.Digest = sketch.ID, fmt.Sprint("x:", n)
}

func (a *arrivals) put(f *index.File) {
	id, err := a.x.PutFile(a.t.Context(), *f)
	if err != nil {
		a.t.Fatal(err)
	}
	f.ID = id
}

// next does one thing.
func (a *arrivals) next() {
	n := a.rnd.IntN(10)
	switch {
	case n < 5 || len(a.files) == 0:
		a.made++
		f := index.File{Collection: "web", Name: fmt.Sprintf("%d.warc", a.made), Path: fmt.Sprintf("/%d.warc", a.made)}
		a.put(&f)
		a.some(&f, 0)
		a.files = append(a.files, f)
	case n < 7: // the last record is read again, and may be another
		f := &a.files[a.rnd.IntN(len(a.files))]
		a.some(f, f.Resume)
	case n < 8:
		i := a.rnd.IntN(len(a.files))
		if err := a.x.RemoveFiles(a.t.Context(), a.files[i].ID); err != nil {
			a.t.Fatal(err)
		}
		a.files = append(a.files[:i], a.files[i+1:]...)
	default:
		if _, _, err := a.x.Resolve(a.t.Context()); err != nil {
			a.t.Fatal(err)
		}
	}
}

// What is cached of versions never makes an answer other than that from all captures, whatever arrives and goes.
func TestCachedVersionsAreThoseOfAllCaptures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testCachedVersionsAreThoseOfAllCaptures) // a file that goes takes a second
}

func testCachedVersionsAreThoseOfAllCaptures(t *testing.T) {
	kept, dated, sites := 0, 0, 0
	for seed := range uint64(3) {
		x, err := index.New(t.Context(), kvtest.NewMemory())
		if err != nil {
			t.Fatal(err)
		}
		a := &arrivals{
			t: t, rnd: rand.New(rand.NewPCG(seed, 1)), x: x, days: 28,
			pages: []string{"http://a.example/", "http://a.example/b", "https://a.example/", "http://c.example/", "http://c.example/d"},
		}
		for range 25 {
			a.next()
			if a.rnd.IntN(3) > 0 {
				kept += sameAnswers(t, a)
			}
		}
		dated, sites = dated+a.dated, sites+a.sites
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
	if kept < 100 || dated < 5 || sites < 100 {
		t.Errorf("versions were kept %d times only, and dated %d times; hosts were known %d times", kept, dated, sites)
	}
}

// What is revalidated is what all captures would say, and chapters before what has changed stay.
func TestRevalidatedVersionsAreThoseOfAllCaptures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testRevalidatedVersionsAreThoseOfAllCaptures) // a file that goes takes a second
}

func testRevalidatedVersionsAreThoseOfAllCaptures(t *testing.T) {
	stayed, renewed, unshown := 0, 0, 0
	for seed := range uint64(2) {
		x, err := index.New(t.Context(), kvtest.NewMemory())
		if err != nil {
			t.Fatal(err)
		}
		a := &arrivals{
			t: t, rnd: rand.New(rand.NewPCG(seed, 2)), x: x, days: 2,
			pages: []string{"http://a.example/", "https://a.example/", "http://c.example/"},
		}
		for range 40 {
			before := chaptersOf(t, a)
			a.next()
			sameAnswers(t, a)
			unshown += unshownIn(t, a)
			for number := range chaptersOf(t, a) {
				if before[number] {
					stayed++
				} else {
					renewed++
				}
			}
		}
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
	if unshown == 0 {
		t.Error("no capture ever failed to show the page")
	}
	if stayed < renewed/6 {
		t.Errorf("%d chapters stayed, %d were read again", stayed, renewed)
	}
}

// A fullStore can be read. Writing fails with an error if there is one.
type fullStore struct {
	kv.Store
	fails atomic.Pointer[error]
}

// Update implements [kv.Store].
func (s *fullStore) Update(ctx context.Context, f func(kv.Txn) error) error {
	if err := s.fails.Load(); err != nil {
		return *err
	}
	return s.Store.Update(ctx, f)
}

// Where nothing can be written, what is stale is worked out for each who asks.
func TestStaleVersionsOnAFullDiskAreNoFailure(t *testing.T) {
	s := &fullStore{Store: kvtest.NewMemory()}
	x, err := index.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	a := &arrivals{t: t, rnd: rand.New(rand.NewPCG(1, 3)), x: x, days: 2, pages: []string{"http://a.example/"}}
	add := func() {
		a.made++
		f := index.File{Collection: "web", Name: fmt.Sprintf("%d.warc", a.made), Path: fmt.Sprintf("/%d.warc", a.made)}
		a.put(&f)
		a.some(&f, 0)
	}
	for range 15 {
		add()
	}
	if sameAnswers(t, a); sameAnswers(t, a) == 0 { // the first keeps them
		t.Fatal("nothing is kept")
	}
	add()
	lines := overIndex(t, x, 3)
	for _, fails := range []error{kv.ErrReadOnly, disk.ErrFull} { // the first is as somebody wants it
		s.fails.Store(&fails)
		if err := lines.Revalidate(t.Context(), nil); errors.Is(err, disk.ErrFull) != (fails == disk.ErrFull) || errors.Is(err, kv.ErrReadOnly) {
			t.Errorf("where writing fails because of %v: %v", fails, err)
		}
	}
	for _, level := range []change.Level{change.LevelAny, change.LevelText, change.LevelContent} {
		found, err := lines.withVersions(t.Context(), "web", surt.Of("http://a.example/"), level, func(*cachedVersions) error { return nil })
		if found || err != nil {
			t.Errorf("at level %s: found %t, %v", level, found, err)
		}
		tl, err := lines.Get(t.Context(), "web", surt.Of("http://a.example/"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tl.Ranges(level); err != nil {
			t.Errorf("at level %s: %v", level, err)
		}
	}
}

// The versions of a page with many captures are found also where they can't be cached. Only a fault is worth a word in the log.
func TestVersionsThatCannotBeCached(t *testing.T) {
	t.Parallel()
	s := &fullStore{Store: kvtest.NewMemory()}
	x, err := index.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	newLongPages(t, x, 20)
	for _, tt := range []struct {
		name  string
		fails error
		warns bool
	}{{"a full disk", disk.ErrFull, true}, {"a store for readers", kv.ErrReadOnly, false}, {"a store that works", nil, false}} {
		if s.fails.Store(&tt.fails); tt.fails == nil {
			s.fails.Store(nil)
		}
		var said bytes.Buffer
		lines := overIndex(t, x, 10)
		lines.log = slog.New(slog.NewTextHandler(&said, nil))
		tl, err := lines.Get(t.Context(), "web", surt.Of(longPage))
		if err != nil {
			t.Fatal(err)
		}
		if ranges, err := tl.Ranges(change.LevelAny); err != nil || len(ranges) != 5 {
			t.Errorf("%s: %d versions, %v", tt.name, len(ranges), err)
		}
		if warned := strings.Contains(said.String(), "could not be cached"); warned != tt.warns {
			t.Errorf("%s: the log says %q", tt.name, &said)
		}
	}
}

// A store that fails while versions are brought up to date leaves none that were worked out from a part of the captures.
func TestVersionsOfAStoreThatFails(t *testing.T) {
	t.Parallel()
	s := kvtest.NewFaulty(kvtest.NewMemory())
	x, err := index.New(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	a := &arrivals{t: t, rnd: rand.New(rand.NewPCG(1, 4)), x: x, days: 2, pages: []string{"http://a.example/"}}
	for range 12 {
		a.made++
		f := index.File{Collection: "web", Name: fmt.Sprintf("%d.warc", a.made), Path: fmt.Sprintf("/%d.warc", a.made)}
		a.put(&f)
		a.some(&f, 0)
		failed := 0
		for s.FailAt(1); overIndex(t, x, 4).Revalidate(t.Context(), nil) != nil; s.FailAt(1 + failed) {
			failed++
		}
		if s.FailAt(0); failed == 0 {
			t.Error("nothing failed")
		}
		sameAnswers(t, a)
	}
}

// A host of which nothing is cached is not taken for known by those who read one of its pages.
func TestHostsOfWhichNothingIsCached(t *testing.T) {
	t.Parallel()
	x, err := index.New(t.Context(), kvtest.NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	a := &arrivals{t: t, rnd: rand.New(rand.NewPCG(1, 4)), x: x, days: 2, pages: []string{"http://a.example/"}}
	f := index.File{Collection: "web", Name: "1.warc", Path: "/1.warc"}
	a.put(&f)
	a.some(&f, 0)
	lines := overIndex(t, x, 3)
	if _, err := lines.Original(t.Context(), "web", surt.Of("http://a.example/"), 0); err != nil {
		t.Fatal(err)
	}
	if site, known := lines.sites.known(index.HostName{Coll: "web", Host: "example,a"}); known {
		t.Errorf("known is %v", site)
	}
}

// unshownIn returns how many captures of the first page don't show it.
func unshownIn(t *testing.T, a *arrivals) (n int) {
	t.Helper()
	tl, err := overIndex(t, a.x, 4).Get(t.Context(), "web", surt.Of(a.pages[0]))
	if err != nil {
		t.Fatal(err)
	}
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ranges {
		n += len(ranges[i].Unshown)
	}
	return n
}

// chaptersOf returns the numbers of all chapters that are cached, stale or not.
func chaptersOf(t *testing.T, a *arrivals) map[uint64]bool {
	t.Helper()
	numbers := map[uint64]bool{}
	for _, page := range a.pages {
		for level := range byte(3) {
			name := index.CacheName{Coll: "web", Key: surt.Of(page), Sort: level}
			_, err := a.x.Cache().Get(t.Context(), name, func(e *index.Cached) error {
				c, err := parseContents(e.Head)
				for i := range c.chapters {
					numbers[c.chapters[i].number] = true
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return numbers
}

// sameAnswers compares an archive that keeps versions with one that doesn't, after all was renewed, and returns how many it found kept.
func sameAnswers(t *testing.T, a *arrivals) (kept int) {
	t.Helper()
	keeping, plain := overIndex(t, a.x, 4), overIndex(t, a.x, math.MaxInt)
	uris := memento.URIs{Coll: "web"}
	toldAlike(t, a, overIndex(t, a.x, 4))
	if err := keeping.Revalidate(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	sameSites(t, a)
	for _, page := range a.pages {
		for _, level := range []change.Level{change.LevelAny, change.LevelText, change.LevelContent} {
			_, _, found, err := keeping.versions(t.Context(), "web", surt.Of(page), level)
			if err != nil {
				t.Fatal(err)
			}
			if found {
				kept++
			}
			sameChapters(t, keeping, page, level)
			got, want := changesJSON(t, keeping, uris, page, level), changesJSON(t, plain, uris, page, level)
			if got != want {
				t.Errorf("%s at level %s, kept %t:\n got %s\nwant %s", page, level, found, got, want)
			}
			at := cdx.Timestamp(20200101000000 + a.rnd.IntN(30)*1000000)
			got, want = changesAt(t, keeping, uris, page, level, at), changesAt(t, plain, uris, page, level, at)
			if got != want {
				t.Errorf("%s at level %s at %d, kept %t:\n got %s\nwant %s", page, level, at, found, got, want)
			}
		}
		sameNeighbours(t, keeping, plain, page)
	}
	return kept
}

// toldAlike compares what is kept, before all is renewed, with what all captures say to those who know of the site what was known when
// it was kept.
func toldAlike(t *testing.T, a *arrivals, s *Timelines) {
	t.Helper()
	for _, page := range a.pages {
		key := surt.Of(page)
		tl, err := s.Read(t.Context(), "web", key)
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range []change.Level{change.LevelAny, change.LevelText, change.LevelContent} {
			r := &reading{t: s, level: level, src: tl.sketches()}
			var cached []version
			dated := false
			found, err := s.withVersions(t.Context(), "web", key, level, func(of *cachedVersions) (err error) {
				if cached, err = of.versionsIn(0, len(of.chapters)); err != nil || of.facts == 0 {
					return err
				}
				r.site, err = of.siteOf()
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if !found {
				continue
			}
			if r.site != nil {
				now, err := s.sites.Get(t.Context(), "web", key)
				if err != nil {
					t.Fatal(err)
				}
				dated = change.SumOf(level, now) != change.SumOf(level, r.site)
			}
			r.divide(tl.Captures, s.division.Divides(len(tl.Captures)))
			if err := r.run(0); err != nil {
				t.Fatal(err)
			}
			if dated {
				a.dated++
			}
			if got, want := jsonOf(t, rangesOf(cached)), jsonOf(t, r.ranges()); got != want {
				t.Errorf("%s at level %s, dated %t, is cached as\n%s, told by the same site it is\n%s", page, level, dated, got, want)
			}
		}
	}
}

// sameSites compares what is kept of hosts with what is learnt from samples.
func sameSites(t *testing.T, a *arrivals) {
	t.Helper()
	s := overIndex(t, a.x, 4).sites
	for _, page := range a.pages {
		host, _, _ := strings.Cut(surt.Of(page), ")")
		cached, err := s.cachedFacts(t.Context(), index.HostName{Coll: "web", Host: host})
		if err != nil {
			t.Fatal(err)
		}
		if cached == nil {
			continue
		}
		a.sites++
		samples, _, err := s.sample(t.Context(), "web", host+")", host+"*")
		if err != nil {
			t.Fatal(err)
		}
		if learnt := site.New(samples); learnt.Sum(true) != cached.Sum(true) {
			t.Errorf("what is kept of %s isn't what its samples say", host)
		}
	}
}

func overIndex(t *testing.T, x *index.Index, many int) *Timelines {
	t.Helper()
	return under(x, nil, many)
}

// under returns timelines under access rules.
func under(x *index.Index, rules *access.Policy, many int) *Timelines {
	s := New(Config{View: &view.View{Whole: x, Policy: rules}, Software: "varve of this test", CacheSites: true})
	s.many, s.division = many, smallDivision
	return s
}

// smallDivision makes several chapters of some dozen captures.
var smallDivision = change.Division{Whole: 6, Mean: 4}

func changesJSON(t *testing.T, s *Timelines, uris memento.URIs, page string, level change.Level) string {
	t.Helper()
	list, err := s.ChangesOf(t.Context(), uris, page, level)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// sameChapters compares the chapters that are kept with those into which all captures are divided.
func sameChapters(t *testing.T, s *Timelines, page string, level change.Level) {
	t.Helper()
	tl, err := s.Read(t.Context(), "web", surt.Of(page))
	if err != nil {
		t.Fatal(err)
	}
	r := reading{t: s}
	var want, got []heading
	r.divide(tl.Captures, s.division.Divides(len(tl.Captures)))
	for _, p := range r.read {
		want = append(want, heading{first: p.first, captures: len(p.captures)})
	}
	found, err := s.withVersions(t.Context(), "web", surt.Of(page), level, func(s *cachedVersions) error {
		got = nil
		for _, h := range s.chapters {
			got = append(got, heading{first: h.first, captures: h.captures})
		}
		return nil
	})
	if err != nil || found && !reflect.DeepEqual(got, want) {
		t.Errorf("%s at level %s is kept in chapters\n%v, %v, want\n%v", page, level, got, err, want)
	}
}

func changesAt(t *testing.T, s *Timelines, uris memento.URIs, page string, level change.Level, at cdx.Timestamp) string {
	t.Helper()
	w, err := s.ChangesAround(t.Context(), uris, page, level, at)
	if err != nil {
		t.Fatal(err)
	}
	if w == nil {
		return "nothing"
	}
	var b bytes.Buffer
	if err := w.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func sameNeighbours(t *testing.T, keeping, plain *Timelines, page string) {
	t.Helper()
	long, err := keeping.Original(t.Context(), "web", surt.Of(page), 20200110000000)
	if err != nil {
		t.Fatal(err)
	}
	tl, err := plain.Get(t.Context(), "web", surt.Of(page))
	if err != nil {
		t.Fatal(err)
	}
	sameMoments(t, long, tl)
	for i, c := range tl.Captures {
		want, err := tl.Neighbourhood(&c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := long.Neighbourhood(t.Context(), &c)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(told(got), told(want)) {
			t.Errorf("%s at %d: its neighbourhood\n got %s\nwant %s", page, c.Time, around(got), around(want))
		}
		samePlace(t, long, plain.Of(tl), want)
		m, err := long.Memento(t.Context(), c.Time)
		if want := tl.Memento(c.Time); err != nil || !reflect.DeepEqual(m, want) {
			t.Errorf("%s at %d: got %v, %v, want %v", page, c.Time, m, err, want)
		}
		if i%4 == 0 {
			sameClosest(t, keeping, tl, c.Time)
		}
		if got, err := long.LeadsElsewhere(t.Context(), &c); err != nil || got != LeadsElsewhere(tl, &c) {
			t.Errorf("%s at %d leads elsewhere: %t, %v", page, c.Time, got, err)
		}
	}
}

// sameClosest asks for the captures around a datetime, and around others, of a URI-R that was looked at there.
func sameClosest(t *testing.T, keeping *Timelines, tl *Timeline, at cdx.Timestamp) {
	t.Helper()
	o, err := keeping.Original(t.Context(), tl.Coll, tl.Key, at)
	if err != nil {
		t.Fatal(err)
	}
	first, last, err := o.Ends(t.Context())
	n := len(tl.Captures)
	if err != nil || !reflect.DeepEqual(*first, tl.Captures[0]) || !reflect.DeepEqual(*last, tl.Captures[n-1]) {
		t.Errorf("the ends are %v and %v, %v", first, last, err)
	}
	for _, ts := range []cdx.Timestamp{at, at + 1, first.Time, last.Time} {
		var got, want []cdx.Location
		for c, err := range o.Closest(t.Context(), ts) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, c.Location)
		}
		for c := range tl.Closest(ts) {
			want = append(want, c.Location)
		}
		if !slices.Equal(got, want) {
			t.Errorf("closest to %d, looked at %d:\n got %v\nwant %v", ts, at, got, want)
		}
	}
}

// told returns a neighbourhood with what is promised of the captures of other versions.
func told(n *memento.Neighbourhood) memento.Neighbourhood {
	out := *n
	for _, c := range []**cdx.Capture{&out.Predecessor, &out.Successor} {
		if *c != nil {
			*c = &cdx.Capture{Key: (*c).Key, Time: (*c).Time, URL: (*c).URL}
		}
	}
	return out
}

// sameMoments compares the moments of a URI-R with all its captures.
func sameMoments(t *testing.T, long *Original, tl *Timeline) {
	t.Helper()
	n := len(tl.Captures)
	if n == 0 {
		return
	}
	moments, captures, found, err := long.Moments(t.Context(), &tl.Captures[n-1])
	if err != nil || !found {
		if err != nil {
			t.Error(err)
		}
		return
	}
	ranges, err := tl.Ranges(change.LevelContent)
	if err != nil {
		t.Fatal(err)
	}
	if captures != n || moments[0].Time != tl.Captures[0].Time || moments[len(moments)-1].Time != tl.Captures[n-1].Time {
		t.Errorf("%d moments of %d captures, from %v to %v", len(moments), captures, moments[0], moments[len(moments)-1])
	}
	for i, m := range moments {
		begins := slices.ContainsFunc(ranges, func(r change.Range) bool { return r.First == m.Time && r.Kind == m.Kind })
		if i > 0 && moments[i-1].Time >= m.Time || m.Begins && (!begins || m.Time == ranges[0].First && len(ranges) == 1) {
			t.Errorf("moment %d, %v, after %v, is none of a version", i, m, moments[max(i-1, 0)])
		}
	}
}

func samePlace(t *testing.T, long, whole *Original, near *memento.Neighbourhood) {
	t.Helper()
	c := near.Current
	want, err := whole.Place(t.Context(), near, 3)
	if err != nil {
		t.Fatal(err)
	}
	got, err := long.Place(t.Context(), near, 3)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s at %d: its place\n got %s\nwant %s", c.URL, c.Time, jsonOf(t, got), jsonOf(t, want))
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func around(n *memento.Neighbourhood) string {
	var at []any
	for _, c := range []*cdx.Capture{n.First, n.Prev, n.Next, n.Last, n.Predecessor, n.Successor} {
		if c == nil {
			at = append(at, "none")
		} else {
			at = append(at, c.Location, c.Time)
		}
	}
	return fmt.Sprint(at...)
}

// What another version of the program has kept is not taken for what this one would find.
func TestVersionsOfAnotherProgramAreNotTaken(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 20})
	one := overIndex(t, x, 4)
	uris := memento.URIs{Coll: "web"}
	changesJSON(t, one, uris, "http://example.org/", change.LevelText)
	for software, want := range map[string]bool{"varve of this test": true, "varve of tomorrow": false} {
		s := overIndex(t, x, 4)
		s.software = software
		_, _, found, err := s.versions(t.Context(), "web", surt.Of("http://example.org/"), change.LevelText)
		if err != nil || found != want {
			t.Errorf("%s: found %t, %v", software, found, err)
		}
	}
}

func FuzzCachedChapters(f *testing.F) {
	c := chapter{
		Chapter: change.Chapter{
			Captures: 9, In: change.Carry{
				Begun: true, Good: true, Waiting: 3, LastKind: change.Redirect, Real: 1 << 63, Page: 7,
				Last: change.State{Time: 20191231000000, Status: 301, Redirect: "e", Digest: "d", Text: 8},
			},
			Goes: change.Range{Captures: 3, LastIndex: 2, Last: 20200101000000, Unshown: []int{1}},
			Ranges: []change.Range{
				{First: 20200101000000, Last: 20200102000000, FirstIndex: 3, LastIndex: 5, Captures: 3, Status: 200, Until: 20200103000000},
				{
					First: 20200103000000, Last: 20200103000000, FirstIndex: 6, LastIndex: 6, Captures: 1, Kind: change.Redirect, Redirect: "c",
					Unshown: []int{7, 8}, Change: &sketch.Delta{Added: 1, Deleted: 2, SemiDeleted: 3, Pictures: 4, Similarity: 0.5}, Soft404: true,
					Alternates: true,
				},
			},
		},
		goesURL: "a", facts: []rangeFacts{{"a", "b", 0}, {"b", "b", 0.25}},
	}
	back, err := parseChapter(c.append(nil))
	if err != nil || !reflect.DeepEqual(back, &c) {
		f.Fatalf("%+v came back as %+v, %v", c, back, err)
	}
	if n := readable(c.append(nil), parseChapter); n != 2 { // without any range, and without the second
		f.Errorf("%d beginnings of a chapter can be read", n)
	}
	f.Add(c.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parseChapter(b)
		if err != nil {
			return
		}
		again := c.append(nil)
		back, err := parseChapter(again)
		if err != nil || len(back.Ranges) != len(c.Ranges) || !bytes.Equal(back.append(nil), again) {
			t.Errorf("%+v came back as %+v, %v", c, back, err)
		}
	})
}

// readable returns how many of the beginnings of b can be read.
func readable[T any](b []byte, parse func([]byte) (T, error)) (n int) {
	for i := range b {
		if _, err := parse(b[:i]); err == nil {
			n++
		}
	}
	return n
}

func FuzzCachedContents(f *testing.F) {
	c := contents{software: "varve", site: 1 << 60, facts: 9, captures: 5, versions: 2, chapters: []heading{
		{
			first: 20200101000000, number: 7, captures: 2, versions: 2,
			marks: []mark{{20200101000000, change.Page}, {20200101000001, change.Missing}},
		},
		{first: 20200201000000, number: 1 << 31, captures: 3},
	}}
	if back, err := parseContents(c.append(nil)); err != nil || !reflect.DeepEqual(back, &c) {
		f.Fatalf("%+v came back as %+v, %v", c, back, err)
	}
	if n := readable(c.append(nil), parseContents); n != 2 {
		f.Errorf("%d beginnings of a table of contents can be read", n)
	}
	f.Add(c.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parseContents(b)
		if err != nil {
			return
		}
		if back, err := parseContents(c.append(nil)); err != nil || !reflect.DeepEqual(back, c) {
			t.Errorf("%+v came back as %+v, %v", c, back, err)
		}
	})
}

// Furniture, what changes by itself and what "not found" looks like are learnt from all pages of a site, so what comes to others makes
// the versions of a page no more than dated; what comes to the page itself makes them stale.
func TestCachedVersionsAreStaleOnceCapturesCome(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 20})
	levels, uris := []change.Level{change.LevelAny, change.LevelText, change.LevelContent}, memento.URIs{Coll: "web"}
	for _, level := range levels {
		changesJSON(t, overIndex(t, x, 4), uris, "http://example.org/", level)
	}
	for _, tt := range []struct {
		comes string
		fresh bool
	}{
		{"http://example.com/", true},
		{"http://example.org/other", true},
		{"http://example.org/", false},
	} {
		archivetest.PutBare(t, x, tt.comes, 1, 0, 0)
		for _, level := range levels {
			name := index.CacheName{Coll: "web", Key: surt.Of("http://example.org/"), Sort: byte(level)}
			fresh := false
			found, err := x.Cache().Get(t.Context(), name, func(e *index.Cached) error { fresh = e.Fresh(); return nil })
			if err != nil || !found || fresh != tt.fresh {
				t.Errorf("after %s came, at level %s: fresh %t, %v", tt.comes, level, fresh, err)
			}
		}
	}
}

// Versions of captures without texts depend on no site. Once captures with texts come, they do.
func TestVersionsDependOnTheSiteOnceThereAreTexts(t *testing.T) {
	t.Parallel()
	x := indextest.Open(t, "")
	archivetest.PutBare(t, x, longPage, 60, 0, 0)
	lines, uris := overIndex(t, x, 4), memento.URIs{Coll: "web"}
	dependent := func() (depend bool) {
		changesJSON(t, lines, uris, longPage, change.LevelContent)
		found, err := lines.withVersions(t.Context(), "web", surt.Of(longPage), change.LevelContent, func(v *cachedVersions) error {
			depend = v.facts != 0
			return nil
		})
		if !found || err != nil {
			t.Fatalf("found %t, %v", found, err)
		}
		return depend
	}
	if dependent() {
		t.Error("versions without texts depend on a site")
	}
	(&longPages{tb: t, x: x}).file(func(add func(url string, minute, text int)) { add(longPage, 30*365*24*60, 1) })
	if !dependent() {
		t.Error("versions with texts don't depend on their site")
	}
}

// What rules exclude is in no answer, whatever was kept without them or for others.
func TestCachedVersionsTellNothingThatIsExcluded(t *testing.T) {
	x, _ := archivetest.CountedIndex(t, map[string]int{"http://example.org/": 20})
	uris, page, level := memento.URIs{Coll: "web"}, "http://example.org/", change.LevelText
	whole := changesJSON(t, overIndex(t, x, 4), uris, page, level)
	rules := archivetest.Policy(t, "rules:\n- {url: \"http://example.org/\", captured: {from: 2010010105, to: 2010010112}, access: exclude}\n")
	under := func(many int) *Timelines { return under(x, rules, many) }
	got, want := changesJSON(t, under(4), uris, page, level), changesJSON(t, under(math.MaxInt), uris, page, level)
	if got != want || got == whole {
		t.Errorf("with rules got\n%s\nwant\n%s", got, want)
	}
	sameNeighbours(t, under(4), under(math.MaxInt), page)
	if again := changesJSON(t, overIndex(t, x, 4), uris, page, level); again != whole {
		t.Errorf("without them again:\n%s", again)
	}
}
