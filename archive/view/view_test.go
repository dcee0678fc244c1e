package view_test

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
	"github.com/varve-archive/varve/cdx/surt"
)

// decoys are captures among those of the suite of [cdxtest] that decoyRules exclude, and nothing else.
func decoys(captures []cdx.Capture) []cdx.Capture {
	var out []cdx.Capture
	for i, c := range captures {
		c.Time, c.Offset = 20050101000000+cdx.Timestamp(i%50), 1_000_000+int64(i)
		out = append(out, c)
		if c.Offset++; i%3 == 0 {
			c.URL = "http://www.decoy.example/" + strings.Repeat("x", i%7)
			c.Key, c.Time = surt.Of(c.URL), captures[i].Time
			out = append(out, c)
		}
		if c.Offset++; i%5 == 0 {
			c.URL = "http://example.org/a/decoys/form"
			c.Key = surt.OfRequest(c.URL, "POST", []byte("a=b"), "application/x-www-form-urlencoded")
			out = append(out, c)
		}
	}
	return out
}

const decoyRules = `rules:
- {url: "*", captured: {from: 2005, to: 2006}, access: exclude}
- {url: "*.decoy.example", access: exclude}
- {url: "http://example.org/a/decoys/", access: exclude}
- {url: "http://example.org/a/decoys/form", access: allow, group: staff}
`

// What is excluded is as if it had never been archived, whatever is asked.
func TestAViewIsAnIndexWithoutWhatIsExcluded(t *testing.T) {
	cdxtest.Run(t, func(captures []cdx.Capture) cdx.Source {
		x := indextest.Open(t, "")
		indextest.Fill(t, x, cdxtest.Coll, append(captures, decoys(captures)...))
		return &view.View{Whole: x, Policy: archivetest.Policy(t, decoyRules)}
	})
}

// A CDX answer doesn't say where an original is that readers may not know of, in a field or by a filter.
func TestOriginalsThatAreExcludedHaveNoPlace(t *testing.T) {
	t.Parallel()
	x := indextest.Open(t, "")
	var captures []cdx.Capture
	for i, c := range []cdx.Capture{
		{RefersToURI: "http://decoy.example/", RefersToTime: 20140101000000},
		{RefersToURI: "http://decoy.example/"},
		{RefersToURI: "http://example.org/", RefersToTime: 20050101000000},
		{RefersToURI: "http://example.org/", RefersToTime: 20140101000000},
		{},
	} {
		c.Time, c.Kind, c.URL, c.Key = 20150101000000+cdx.Timestamp(i), cdx.Revisit, "http://example.org/", "org,example)/"
		c.FileName, c.Location, c.Origin = "a.warc.gz", cdx.Location{Offset: int64(i), Length: 1}, cdx.Location{File: 1, Offset: 88, Length: 500}
		captures = append(captures, c)
	}
	indextest.Fill(t, x, cdxtest.Coll, captures)
	for query, want := range map[string]string{
		"": "20150101000000 - - -\n20150101000001 - - -\n20150101000002 - - -\n" +
			"20150101000003 500 88 a.warc.gz\n20150101000004 500 88 a.warc.gz\n",
		"&filter=orig.offset:88":  "20150101000003 500 88 a.warc.gz\n20150101000004 500 88 a.warc.gz\n",
		"&collapse=orig.filename": "20150101000000 - - -\n20150101000003 500 88 a.warc.gz\n",
	} {
		w, v := httptest.NewRecorder(), &view.View{Whole: x, Policy: archivetest.Policy(t, decoyRules)}
		r := httptest.NewRequest(http.MethodGet, "/?url=http://example.org/&fl=timestamp,orig.length,orig.offset,orig.filename"+query, nil)
		cdx.NewAPI(v, nil).Serve(w, r, cdxtest.Coll)
		if got := w.Body.String(); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", query, got, want)
		}
	}
}

// The same for the questions that only an index answers.
func TestAViewAnswersAsAnIndex(t *testing.T) {
	captures := cdxtest.Captures()
	few, all := indextest.Open(t, ""), indextest.Open(t, "")
	indextest.Fill(t, few, cdxtest.Coll, captures)
	indextest.Fill(t, all, cdxtest.Coll, append(captures, decoys(captures)...))
	want, got := &view.View{Whole: few}, &view.View{Whole: all, Policy: archivetest.Policy(t, decoyRules)}

	var keys []string
	for _, c := range append(captures, decoys(captures)...) {
		keys = append(keys, c.Key)
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for _, r := range [][2]string{
		{"", ""}, {"org,example)/", ""}, {"", "org,example)/a"}, {"example,decoy)/", "example,decoy*"}, {"org,example)/a?", "org,z"},
	} {
		same(t, "keys "+r[0]+" to "+r[1], got.Keys(t.Context(), cdxtest.Coll, r[0], r[1]), want.Keys(t.Context(), cdxtest.Coll, r[0], r[1]))
	}
	if n, err := got.Total(t.Context(), cdxtest.Coll); err != nil || n != int64(len(captures)) {
		t.Errorf("%d captures in total, %v; want %d", n, err, len(captures))
	}
	for _, key := range keys {
		same(t, "times of "+key, got.Times(t.Context(), cdxtest.Coll, key), want.Times(t.Context(), cdxtest.Coll, key))
	}
	for _, ts := range []cdx.Timestamp{10101000000, 20050101000010, 20120101000000, 20210101000000, 99991231235959} {
		if g, w := nearest(t, got, ts, keys), nearest(t, want, ts, keys); g != w {
			t.Errorf("nearest to %s:\n%s\nwant\n%s", ts, g, w)
		}
	}
}

func same[T comparable](t *testing.T, what string, got, want iter.Seq2[T, error]) {
	t.Helper()
	if g, w := gather(t, got), gather(t, want); !slices.Equal(g, w) {
		t.Errorf("%s: %v, want %v", what, g, w)
	}
}

func gather[T any](t *testing.T, all iter.Seq2[T, error]) (out []T) {
	t.Helper()
	for v, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// nearest lists what Nearest offers for each key.
func nearest(t *testing.T, v *view.View, ts cdx.Timestamp, keys []string) string {
	t.Helper()
	offers := make([]string, len(keys))
	err := v.Nearest(t.Context(), cdxtest.Coll, ts, keys, func(i int, candidates iter.Seq2[*cdx.Capture, error]) {
		offers[i] = keys[i] + ":"
		for c, err := range candidates {
			if err != nil {
				t.Fatal(err)
			}
			offers[i] += " " + c.Time.String() + "@" + c.FileName
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(offers, "\n")
}

// What blocked captures, groups and embargoes mean for each kind of view, whatever is asked.
func TestWhatAViewShows(t *testing.T) {
	x := indextest.Open(t, "")
	for _, coll := range []string{"news", "web"} {
		indextest.Fill(t, x, coll, []cdx.Capture{
			{Key: "example)/a", URL: "a", Time: 20100101000000, FileName: coll + ".warc"},
			{Key: "example)/b", URL: "b", Time: 20200101000000, FileName: coll + ".warc"},
		})
	}
	if _, err := x.PutFile(t.Context(), index.File{Collection: "web", Path: "/half.warc", Captures: 7}); err != nil {
		t.Fatal(err)
	}
	const soon = `[{url: "*", captured: {from: 2020}, access: exclude, embargo: {older: 367 days}}]`
	for _, tt := range []struct {
		name, rules string
		view        view.View
		want        string
	}{
		{"no rules", `[]`, view.View{Strict: true, Ahead: true}, "a b"},
		{"what is blocked has its place", `[{url: example/a, access: block}]`, view.View{}, "a b"},
		{"but not in a strict view", `[{url: example/a, access: block}]`, view.View{Strict: true}, "b"},
		{"excluded", `[{url: example/a, access: exclude}]`, view.View{}, "b"},
		{"from a group", `[{url: example/a, access: exclude, group: staff}]`, view.View{Group: "staff"}, "b"},
		{"from another group", `[{url: example/a, access: exclude, group: staff}]`, view.View{Group: "guests"}, "a b"},
		{"under an embargo", `[{url: "*", access: exclude, embargo: {newer: 2 years}}]`, view.View{}, "a"},
		{"after it", `[{url: "*", access: exclude, embargo: {newer: 1 year}}]`, view.View{}, "a b"},
		{"the day before a rule applies", soon, view.View{}, "a b"},
		{"looking ahead", soon, view.View{Ahead: true}, "a"},
		{"the day before a rule ends", `[{url: "*", access: exclude, embargo: {until: 2021-01-02}}]`, view.View{Ahead: true}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := tt.view
			v.Whole, v.Policy = x, archivetest.Policy(t, "rules: "+tt.rules)
			v.Policy.Now = func() time.Time { return time.Date(2021, 1, 1, 12, 0, 0, 0, time.UTC) }
			shows(t, &v, "web", tt.want)
		})
	}
	exclude, err := access.New([]access.Rule{{URL: "example/a", Access: access.Exclude}})
	if err != nil {
		t.Fatal(err)
	}
	v := &view.View{Whole: x, Policy: &access.Policy{}}
	before := v.Generation()
	if v.Policy.Put(access.PerCollection(map[string]*access.Rules{"news": exclude})); v.Generation() == before {
		t.Error("new rules leave the generation as it was")
	}
	shows(t, v, "web", "a b")
	shows(t, v, "news", "b")
}

// shows checks that a view has the captures of these URLs, and no others.
func shows(t *testing.T, v *view.View, coll, want string) {
	t.Helper()
	span := cdx.Span{Coll: coll}
	got := map[string]string{
		"captures": urls(t, v.Captures(t.Context(), span)), "firsts": "", "keys": "", "times": "", "closest": "", "decide": "",
	}
	keys := []string{"example)/a", "example)/b"}
	err := v.Firsts(t.Context(), coll, keys, 1, func(_ int, c *cdx.Capture) bool { got["firsts"] += " " + c.URL; return false })
	if err != nil {
		t.Fatal(err)
	}
	err = v.Read(t.Context(), index.Prefetch{}, func(snap *view.Snapshot) error { got["read"] = urls(t, snap.Captures(span)); return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range gather(t, v.Keys(t.Context(), coll, "", "")) {
		got["keys"] += " " + strings.TrimPrefix(key, "example)/")
	}
	for _, key := range keys {
		if len(gather(t, v.Times(t.Context(), coll, key))) > 0 {
			got["times"] += " " + strings.TrimPrefix(key, "example)/")
		}
		got["closest"] += " " + urls(t, v.Closest(t.Context(), coll, key, 20150101000000))
	}
	for c := range v.Whole.Captures(t.Context(), span) {
		if a := v.Decide(c).Access; a == access.Allow || a == access.Block && !v.Strict {
			got["decide"] += " " + c.URL
		}
	}
	for what, is := range got {
		if is = strings.Join(strings.Fields(is), " "); is != want {
			t.Errorf("%s: %q, want %q", what, is, want)
		}
	}
	n, err := v.Count(t.Context(), span)
	total, err2 := v.Total(t.Context(), coll)
	if w := int64(len(strings.Fields(want))); n != w || total != w || err != nil || err2 != nil {
		t.Errorf("%d captures counted, %d in total, want %d; %v, %v", n, total, w, err, err2)
	}
}

func urls(t *testing.T, all iter.Seq2[*cdx.Capture, error]) string {
	t.Helper()
	var out []string
	for c, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c.URL)
	}
	return strings.Join(out, " ")
}

// An error is passed on, not taken for captures that are hidden.
func TestErrorsInAView(t *testing.T) {
	x := indextest.Open(t, "")
	indextest.Fill(t, x, "web", []cdx.Capture{{Key: "example)/a", URL: "a", Time: 20100101000000, FileName: "a.warc"}})
	v := &view.View{Whole: x, Policy: archivetest.Policy(t, `rules: [{url: "*", access: exclude, captured: {to: 2000}}]`)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := map[string]error{}
	for what, span := range map[string]cdx.Span{"captures": {}, "skip": {Skip: 1}, "newest": {Newest: 2}} {
		span.Coll, got[what] = "web", nil
		for _, got[what] = range v.Captures(ctx, span) {
		}
	}
	for _, got["keys"] = range v.Keys(ctx, "web", "", "") {
	}
	for _, got["times"] = range v.Times(ctx, "web", "example)/a") {
	}
	_, got["count"] = v.Count(ctx, cdx.Span{Coll: "web"})
	_, got["total"] = v.Total(ctx, "web")
	for what, err := range got {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Where a text or a body is found again, what is excluded is not.
func TestEqualTextsInAView(t *testing.T) {
	const a, b, c = "http://a.example/", "http://b.example/", "http://c.example/"
	var records []archivetest.Record
	for _, uri := range []string{a, b, c} {
		records = append(records, archivetest.On("20200101000000", uri, archivetest.Prose("rain")))
	}
	x := archivetest.Keep(t, records...).Index
	v := &view.View{Whole: x, Policy: archivetest.Policy(t, "rules: [{url: b.example, access: exclude}]")}
	var text uint64
	for first := range x.Captures(t.Context(), cdx.Span{Coll: "web"}) {
		text = first.Text
	}
	for what, all := range map[string]iter.Seq2[*cdx.Capture, error]{
		"where":   v.WhereText(t.Context(), "web", text),
		"by text": v.ByText(t.Context(), "web"),
		"digest":  v.SameDigest(t.Context(), "web"),
	} {
		if got := urls(t, all); got != a+" "+c {
			t.Errorf("%s: %s", what, got)
		}
	}
	if got := urls(t, v.Closest(t.Context(), "web", surt.Of(b), 2020)); got != "" {
		t.Errorf("closest: %s", got)
	}
}

// Of an address whose first capture is excluded, the next one counts. A body that only one address has then is not found again.
func TestEqualBodiesOfExcludedCaptures(t *testing.T) {
	var records []archivetest.Record
	for date, hosts := range map[string]string{"20100101000000": "ab", "20200101000000": "a"} {
		for _, host := range hosts {
			records = append(records, archivetest.On(date, "http://"+string(host)+".example/", "one"))
		}
	}
	records = append(records, archivetest.On("20200101000000", "http://c.example/", "one"),
		archivetest.On("20100101000000", "http://a.example/x", "two"), archivetest.On("20200101000000", "http://b.example/x", "two"))
	v := &view.View{
		Whole:  archivetest.Keep(t, records...).Index,
		Policy: archivetest.Policy(t, `rules: [{url: "*", captured: {to: 2015}, access: exclude}]`),
	}
	if got := urls(t, v.SameDigest(t.Context(), "web")); got != "http://a.example/ http://c.example/" {
		t.Error(got)
	}
}

// A rule for one address is a rule for the answers to forms that were sent there, whose keys are others.
func TestAnswersToFormsInAView(t *testing.T) {
	const uri = "http://example.org/form"
	key := surt.OfRequest(uri, "POST", []byte("a=b"), "application/x-www-form-urlencoded")
	x := indextest.Open(t, "")
	indextest.Fill(t, x, "web", []cdx.Capture{{Key: key, URL: uri, Time: 20200101000000, FileName: "a.warc"}})
	rules := archivetest.Policy(t, "rules: [{url: example.org/form, match: exact, access: exclude}, {url: example.org/zoo, access: exclude}]")
	v := &view.View{Whole: x, Policy: rules}
	span := cdx.Span{Coll: "web", From: key, Exact: true}
	if got := urls(t, v.Captures(t.Context(), span)); got != "" || !v.Touches(span) {
		t.Errorf("shown: %s", got)
	}
	for k, err := range v.Keys(t.Context(), "web", key, "") {
		t.Errorf("named: %s, %v", k, err)
	}
	if span.From, span.Exact = "org,example)/form2", true; v.Touches(span) {
		t.Error("another address is touched")
	}
}
