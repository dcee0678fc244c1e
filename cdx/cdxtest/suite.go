package cdxtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// Captures returns the suite's captures in random order: keys that are prefixes of other keys, several captures in one
// second in the same and in different files, and one key with many captures.
func Captures() []cdx.Capture {
	var all []cdx.Capture
	add := func(url string, ts cdx.Timestamp, file string, offset int64) {
		all = append(all, cdx.Capture{
			Key: surt.Of(url), Time: ts, URL: url, MIME: "text/html", Status: 200,
			Digest:   fmt.Sprintf("D%031d", len(all)/2),
			Location: cdx.Location{Offset: offset, Length: 100 + offset}, FileName: file,
		})
	}
	for _, url := range []string{
		"http://example.org/", "http://example.org/a", "http://example.org/a/b", "http://example.org/a?x=1", "http://example.org/ab",
		"http://sub.example.org/", "http://example2.org/", "http://example.com/", "http://example.org/a!",
	} {
		add(url, 20200101000000, "one.warc.gz", 10)
		add(url, 20210101000000, "two.warc.gz", 20)
		add(url, 20210101000000, "one.warc.gz", 900)
		add(url, 20210101000000, "one.warc.gz", 30)
		add(url, 20220101000000, "one.warc.gz", 40)
	}
	for i := range 300 {
		add("http://many.org/", cdx.Timestamp(20100101000000+uint64(i/60*100+i%60)), "many.warc.gz", int64(i)*1000)
	}
	add("http://edge.org/", 10101000000, "one.warc.gz", 50) // the earliest and the latest possible second
	add("http://edge.org/", 99991231235959, "one.warc.gz", 60)
	add("dns:example.org", 20200101000000, "one.warc.gz", 70)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// Run checks the source that open returns against the promises of [cdx.Source]. All captures are in the collection
// [Coll].
func Run(t *testing.T, open func(captures []cdx.Capture) cdx.Source) {
	t.Helper()
	captures := Captures()
	want, got := Memory(captures), open(slices.Clone(captures))
	t.Run("spans", func(t *testing.T) {
		for name, s := range spans() {
			t.Run(name, func(t *testing.T) {
				s.Coll = Coll
				compare(t, got.Captures(t.Context(), s), want.Captures(t.Context(), s))
			})
		}
	})
	t.Run("spans that pass over captures", func(t *testing.T) {
		for name, s := range spans() {
			if s.Newest == 0 {
				t.Run(name, func(t *testing.T) { skipping(t, s, got, want) })
			}
		}
	})
	t.Run("counts", func(t *testing.T) {
		for name, s := range spans() {
			t.Run(name, func(t *testing.T) { counting(t, s, got, want) })
		}
	})
	t.Run("resuming after each capture", func(t *testing.T) { resume(t, got, want) })
	t.Run("closest", func(t *testing.T) {
		for name, c := range closests() {
			t.Run(name, func(t *testing.T) {
				compare(t, got.Closest(t.Context(), Coll, c.key, c.ts), want.Closest(t.Context(), Coll, c.key, c.ts))
			})
		}
	})
	t.Run("another collection is empty", func(t *testing.T) {
		compare(t, got.Captures(t.Context(), cdx.Span{Coll: "webx"}), none)
		compare(t, got.Captures(t.Context(), cdx.Span{Coll: "we"}), none)
		compare(t, got.Closest(t.Context(), "webx", "org,example)/", 20200101000000), none)
	})
	t.Run("a walk can be left and made again", func(t *testing.T) {
		for range 2 {
			for range got.Captures(t.Context(), cdx.Span{Coll: Coll}) {
				break
			}
		}
	})
	t.Run("an ended context ends the walk", func(t *testing.T) { canceled(t, got) })
	t.Run("two walks at once", func(t *testing.T) { nested(t, got, want) })
}

func none(func(*cdx.Capture, error) bool) {}

func spans() map[string]cdx.Span {
	const key = "org,example)/a"
	exact := cdx.Span{From: key, Exact: true}
	with := func(s cdx.Span, f func(*cdx.Span)) cdx.Span { f(&s); return s }
	at := cdx.Position{Key: key, Time: 20210101000000, File: "one.warc.gz", Offset: 30}
	return map[string]cdx.Span{
		"everything":                            {},
		"everything in reverse":                 {Reverse: true},
		"one key":                               exact,
		"one key in reverse":                    with(exact, func(s *cdx.Span) { s.Reverse = true }),
		"a key that is none":                    {From: "org,example)/nothing", Exact: true},
		"a key that others begin with":          {From: "org,example)/", Exact: true},
		"an empty key":                          {From: "", Exact: true},
		"a prefix":                              {From: key, To: "org,example)/b"},
		"a prefix in reverse":                   {From: key, To: "org,example)/b", Reverse: true},
		"a host":                                {From: "org,example)", To: "org,example*"},
		"a domain":                              {From: "org,example)", To: "org,example-"},
		"from a key that is none to the end":    {From: "org,example)/aa"},
		"an empty range":                        {From: "x", To: "x"},
		"since, inclusive":                      with(exact, func(s *cdx.Span) { s.Since = 20210101000000 }),
		"until, inclusive":                      with(exact, func(s *cdx.Span) { s.Until = 20210101000000 }),
		"since and until one second":            with(exact, func(s *cdx.Span) { s.Since, s.Until = 20210101000000, 20210101000000 }),
		"since after until":                     with(exact, func(s *cdx.Span) { s.Since, s.Until = 20220101000000, 20210101000000 }),
		"since and until over all keys":         {Since: 20210101000000, Until: 20210601000000},
		"since and until in reverse":            {Since: 20100101000010, Until: 20200101000000, Reverse: true},
		"after a capture":                       with(exact, func(s *cdx.Span) { s.After = at }),
		"after a capture in reverse":            with(exact, func(s *cdx.Span) { s.After, s.Reverse = at, true }),
		"after a capture that is gone":          with(exact, func(s *cdx.Span) { s.After = at; s.After.Offset = 31 }),
		"after a capture that is gone, reverse": with(exact, func(s *cdx.Span) { s.After = at; s.After.Offset = 31; s.Reverse = true }),
		"after a file that is gone":             with(exact, func(s *cdx.Span) { s.After = at; s.After.File = "owl.warc.gz" }),
		"after a file that is gone, reverse": with(exact,
			func(s *cdx.Span) { s.After = at; s.After.File = "owl.warc.gz"; s.Reverse = true }),
		"after a second that is gone":             with(exact, func(s *cdx.Span) { s.After = at; s.After.Time = 20201231235959 }),
		"after a key that is gone":                {From: "org,", To: "org-", After: cdx.Position{Key: "org,example)/aa", Time: 20210101000000}},
		"after a place in front of the range":     {From: key, To: "org,example)/b", After: cdx.Position{Key: "com,", Time: 1}},
		"after a place in a range, with since":    {From: "org,", To: "org-", Since: 20210101000000, After: at},
		"after a place in a range, with until":    {From: "org,", To: "org-", Until: 20210101000000, After: at},
		"after a place in a range, in reverse":    {From: "org,", To: "org-", After: at, Reverse: true},
		"newest one":                              with(exact, func(s *cdx.Span) { s.Newest = 1 }),
		"newest three, cutting a second in two":   with(exact, func(s *cdx.Span) { s.Newest = 3 }),
		"newest of more than there are":           with(exact, func(s *cdx.Span) { s.Newest = 99 }),
		"newest until":                            with(exact, func(s *cdx.Span) { s.Newest, s.Until = 2, 20210101000000 }),
		"newest since":                            with(exact, func(s *cdx.Span) { s.Newest, s.Since = 4, 20210101000000 }),
		"newest of many":                          {From: "org,many)/", Exact: true, Newest: 7},
		"many captures of one key":                {From: "org,many)/", Exact: true},
		"many captures of one key, in reverse":    {From: "org,many)/", Exact: true, Reverse: true},
		"the first and the last second there are": {From: "org,edge)/", Exact: true},
		"a key without a host":                    {From: "dns:", To: "dns;"},
	}
}

type closest struct {
	key string
	ts  cdx.Timestamp
}

func closests() map[string]closest {
	const key = "org,example)/"
	return map[string]closest{
		"a second with several captures": {key, 20210101000000},
		"between two":                    {key, 20200701000000},
		"before the first":               {key, 19700101000000},
		"after the last":                 {key, 20380101000000},
		"equally far from two":           {key, 20210702120000},
		"nearer to the earlier of two":   {key, 20210702115959},
		"a key that is none":             {"org,example)/nothing", 20210101000000},
		"in the middle of many":          {"org,many)/", 20100101000230},
		"equally far, second by second":  {"org,many)/", 20100101000130},
		"the first second there is":      {"org,edge)/", 10101000000},
		"the last second there is":       {"org,edge)/", 99991231235959},
		"between the ends of time":       {"org,edge)/", 50000101000000},
	}
}

// compare walks both sequences in step, because a capture is valid until the next step only.
func compare(t *testing.T, got, want iter.Seq2[*cdx.Capture, error]) {
	t.Helper()
	next, stop := iter.Pull2(want)
	defer stop()
	n := 0
	for g, err := range got {
		if err != nil {
			t.Fatalf("capture %d: %v", n, err)
		}
		w, _, ok := next()
		if !ok {
			t.Fatalf("capture %d: got %s, want no more", n, show(g))
		}
		if show(g) != show(w) {
			t.Fatalf("capture %d:\ngot  %s\nwant %s", n, show(g), show(w))
		}
		n++
	}
	if w, _, ok := next(); ok {
		t.Fatalf("got %d captures, the next should be %s", n, show(w))
	}
}

// show returns all that a source must preserve. File ids may differ.
func show(c *cdx.Capture) string {
	return fmt.Sprint(c.Key, " ", c.Time, " ", c.FileName, " ", c.Offset, " ", c.Length, " ", c.URL, " ", c.MIME, " ", c.Status, " ",
		c.Digest, " ", c.Kind)
}

// skipping skips numbers of captures that end in the middle of a second, too.
func skipping(t *testing.T, s cdx.Span, got, want cdx.Source) {
	s.Coll = Coll
	for _, s.Skip = range []int64{1, 2, 3, 4, 17, 100_000} {
		compare(t, got.Captures(t.Context(), s), want.Captures(t.Context(), s))
	}
}

func counting(t *testing.T, s cdx.Span, got, want cdx.Source) {
	s.Coll = Coll
	for _, s.Skip = range []int64{0, 3} {
		if s.Newest > 0 && s.Skip > 0 {
			continue
		}
		n, err := got.Count(t.Context(), s)
		if w, _ := want.Count(t.Context(), s); err != nil || n != w {
			t.Errorf("passing over %d: counted %d, %v; want %d", s.Skip, n, err, w)
		}
	}
}

// resume walks the whole collection one capture at a time, each time from the position of the last.
func resume(t *testing.T, got, want cdx.Source) {
	for _, reverse := range []bool{false, true} {
		var at cdx.Position
		n := 0
		for w, err := range want.Captures(t.Context(), cdx.Span{Coll: Coll, Reverse: reverse}) {
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for g, err := range got.Captures(t.Context(), cdx.Span{Coll: Coll, Reverse: reverse, After: at}) {
				if err != nil {
					t.Fatal(err)
				}
				if show(g) != show(w) {
					t.Fatalf("reverse %v, after %v:\ngot  %s\nwant %s", reverse, at, show(g), show(w))
				}
				found = true
				break
			}
			if !found {
				t.Fatalf("reverse %v, after %v: got nothing, want %s", reverse, at, show(w))
			}
			at = cdx.PositionOf(w)
			n++
		}
		compare(t, got.Captures(t.Context(), cdx.Span{Coll: Coll, Reverse: reverse, After: at}), none)
		if n == 0 {
			t.Fatal("the suite has no captures")
		}
	}
}

// canceled checks that a cancelled context ends the walk with its error.
func canceled(t *testing.T, got cdx.Source) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range got.Captures(ctx, cdx.Span{Coll: Coll}) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("the walk ended with %v, want %v", last, context.Canceled)
	}
}

// nested walks inside another walk, as annotations do.
func nested(t *testing.T, got, want cdx.Source) {
	n := 0
	for c, err := range got.Captures(t.Context(), cdx.Span{Coll: Coll, From: "org,example)/", To: "org,example)0"}) {
		if err != nil {
			t.Fatal(err)
		}
		s := cdx.Span{Coll: Coll, From: c.Key, Exact: true}
		compare(t, got.Captures(t.Context(), s), want.Captures(t.Context(), s))
		n++
	}
	if n == 0 {
		t.Error("the outer walk found nothing")
	}
}
