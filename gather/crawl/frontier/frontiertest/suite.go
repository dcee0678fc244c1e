// Package frontiertest tests implementations of a frontier. Each calls [Run] in a test of its package.
package frontiertest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/politeness"
)

// An Opener opens the frontier of a crawl as the next process would. It closes the one that it opened before.
type Opener func(t *testing.T, cfg frontier.Config) frontier.Frontier

// Run tests an implementation. begin returns an opener for a new crawl.
func Run(t *testing.T, begin func(t *testing.T) Opener) {
	for name, test := range map[string]func(*testing.T, Opener){
		"order":                     order,
		"each key once":             eachKeyOnce,
		"hosts have to wait":        hostsWait,
		"one host does not keep":    othersGoOn,
		"who refuses is remembered": whoRefusesIsRemembered,
		"again comes last":          againComesLast,
		"the next process":          nextProcess,
		"limits":                    limits,
		"what a loss of power took": lost,
		"what stays as it was":      fixed,
		"documents":                 documents,
		"turns at a host":           turns,
		"begun anew":                anew,
		"claims":                    claims,
		"one of many claims":        oneClaims,
		"a claimed host is busy":    claimedBusy,
		"claimed refusals add up":   claimedRefusals,
		"what is only counted":      counts,
	} {
		t.Run(name, func(t *testing.T) { test(t, begin(t)) })
	}
}

// patiently returns a configuration without pauses.
func patiently() politeness.Config { return politeness.Config{PerHost: 10_000} }

func open(t *testing.T, o Opener, order frontier.Order) frontier.Frontier {
	t.Helper()
	f := o(t, frontier.Config{Order: order, Politeness: patiently()})
	if err := f.Join(t.Context(), frontier.Setup{}); err != nil {
		t.Fatal(err)
	}
	return f
}

func page(host, path string, depth int) frontier.Item {
	return frontier.Item{Key: host + path, URL: "http://" + host + path, Host: host, Kind: frontier.Page, Depth: depth}
}

func part(host, path string) frontier.Item {
	item := page(host, path, 3)
	item.Kind = frontier.Part
	return item
}

func found(t *testing.T, f frontier.Frontier, items ...frontier.Item) {
	t.Helper()
	if err := f.Found(t.Context(), frontier.Found{Items: items}); err != nil {
		t.Fatal(err)
	}
}

func next(t *testing.T, f frontier.Frontier, l frontier.Limits) frontier.Assignment {
	t.Helper()
	h, err := f.Next(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// take returns the next item and its key, "" if there is none.
func take(t *testing.T, f frontier.Frontier) (frontier.Item, string) {
	t.Helper()
	h := next(t, f, frontier.Limits{})
	return h.Item, h.Item.Key
}

// rest returns the keys of all remaining items.
func rest(t *testing.T, f frontier.Frontier) (keys []string) {
	t.Helper()
	for {
		_, key := take(t, f)
		if key == "" {
			return keys
		}
		keys = append(keys, key)
	}
}

func done(t *testing.T, f frontier.Frontier, item frontier.Item, a frontier.Answer) {
	t.Helper()
	if isNew, err := f.Done(t.Context(), item, a); err != nil || !isNew {
		t.Fatalf("%s is done: %t, %v", item.Key, isNew, err)
	}
}

func stateOf(t *testing.T, f frontier.Frontier) frontier.State {
	t.Helper()
	s, err := f.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ok(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func order(t *testing.T, o Opener) {
	for by, want := range map[frontier.Order]string{
		frontier.Breadth: "a/i a/1 a/2 a/3 a/4 a/late",
		frontier.Depth:   "a/i a/4 a/3 a/2 a/1 a/late",
	} {
		f := open(t, o, by)
		ok(t, f.Restart(t.Context()), f.Join(t.Context(), frontier.Setup{}))
		late := page("a", "/late", 0)
		late.Late = true
		found(t, f, late, page("a", "/1", 0), page("a", "/3", 1), page("a", "/2", 0), page("b", "/1", 2), page("b", "/2", 2),
			page("a", "/4", 1), part("a", "/i"))
		keys := rest(t, f)
		if len(keys) != 8 || keys[0][0] == keys[1][0] {
			t.Errorf("%s: %v: hosts don't come in turn", by, keys)
		}
		keys = slices.DeleteFunc(keys, func(k string) bool { return k[0] == 'b' })
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("%s: %s, want %s", by, got, want)
		}
		ok(t, f.End(t.Context(), "", 0))
	}
}

// Each key is handed out once, even if it is found again while its item is requested or after it is done.
func eachKeyOnce(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	found(t, f, page("a", "/1", 0), page("a", "/1", 3), page("a", "/2", 0))
	first, _ := take(t, f)
	found(t, f, page("a", "/1", 0))
	if mine, err := f.Holds(t.Context(), first); err != nil || !mine {
		t.Errorf("it is its own: %t, %v", mine, err)
	}
	done(t, f, first, frontier.Answer{Status: 200, Bytes: 10})
	found(t, f, page("a", "/1", 0))
	before := stateOf(t, f)
	for what, item := range map[string]frontier.Item{"done twice": first, "never queued": page("a", "/0", 0)} {
		if isNew, err := f.Done(t.Context(), item, frontier.Answer{Status: 200, Bytes: 10}); isNew || err != nil {
			t.Errorf("%s: %t, %v", what, isNew, err)
		}
	}
	if diff := cmp.Diff(before, stateOf(t, f)); diff != "" {
		t.Error(diff)
	}
	if s := stateOf(t, f); s.Pages != 1 || s.Bytes != 10 {
		t.Errorf("%+v", s)
	}
	if got := strings.Join(rest(t, f), " "); got != "a/2" {
		t.Errorf("then %s", got)
	}
}

func hostsWait(t *testing.T, o Opener) {
	f := o(t, frontier.Config{Order: frontier.Breadth, Politeness: politeness.Config{PerHost: 1, Delay: time.Hour}})
	ok(t, f.Join(t.Context(), frontier.Setup{}))
	var items []frontier.Item
	for _, host := range []string{"a", "ab", "a:80", "b"} {
		items = append(items, page(host, "/1", 0), page(host, "/2", 0))
	}
	found(t, f, items...)
	var first frontier.Item
	var keys []string
	for range 4 {
		item, key := take(t, f)
		if keys = append(keys, key); key == "a/1" {
			first = item
		}
	}
	slices.Sort(keys)
	if diff := cmp.Diff([]string{"a/1", "a:80/1", "ab/1", "b/1"}, keys); diff != "" {
		t.Error(diff)
	}
	if h := next(t, f, frontier.Limits{}); h.OK || h.Held != 4 {
		t.Errorf("%+v", h)
	}
	first.Turn = politeness.Answer{Status: 200}
	done(t, f, first, frontier.Answer{Status: 200})
	if h := next(t, f, frontier.Limits{}); h.OK || h.Held != 3 || !h.Waits || h.Wait <= 0 || h.Wait > time.Hour {
		t.Errorf("%+v", h)
	}
}

// A pause that a host asks for, in an answer or in its robots.txt, delays only that host.
func othersGoOn(t *testing.T, o Opener) {
	f := o(t, frontier.Config{Politeness: politeness.Config{PerHost: 1}})
	ok(t, f.Join(t.Context(), frontier.Setup{}))
	found(t, f, page("busy", "/1", 0), page("busy", "/2", 0), page("slow", "/1", 0), page("slow", "/2", 0), page("z", "/1", 0),
		page("z", "/2", 0), page("z", "/3", 0))
	for range 3 {
		item, _ := take(t, f)
		item.Turn.Status = 200
		switch item.Host {
		case "busy":
			item.Turn = politeness.Answer{Status: 503, RetryAfter: "1000"}
			ok(t, f.Again(t.Context(), item))
			continue
		case "slow":
			ok(t, f.Slow(t.Context(), item, time.Hour))
		}
		ok(t, f.Back(t.Context(), item))
	}
	for _, want := range []string{"slow/1", "z/1", "z/2", "z/3"} { // slow was not slow yet, or is by now
		h := next(t, f, frontier.Limits{})
		if want == "slow/1" && h.OK && h.Item.Host != "slow" {
			want = "z/1"
		}
		if !h.OK {
			break
		}
		if h.Item.Host == "busy" || h.Item.Host == "slow" && h.Item.Key != "slow/1" {
			t.Errorf("%s, want %s", h.Item.Key, want)
		}
		h.Item.Turn.Status = 200
		done(t, f, h.Item, frontier.Answer{Status: 200})
	}
	if h := next(t, f, frontier.Limits{}); h.OK || !h.Waits || h.Wait <= 15*time.Minute {
		t.Errorf("%+v", h)
	}
}

// An item that was not requested says nothing about its host, whose next refusal makes the pause longer.
func whoRefusesIsRemembered(t *testing.T, o Opener) {
	f := o(t, frontier.Config{Politeness: politeness.Config{PerHost: 1}})
	ok(t, f.Join(t.Context(), frontier.Setup{}))
	found(t, f, page("busy", "/1", 0))
	item, _ := take(t, f)
	item.Turn = politeness.Answer{Status: 429, RetryAfter: "0"}
	ok(t, f.Again(t.Context(), item))
	item, _ = take(t, f)
	ok(t, f.Back(t.Context(), item))
	item, _ = take(t, f)
	item.Turn = politeness.Answer{Status: 429}
	ok(t, f.Again(t.Context(), item))
	if h := next(t, f, frontier.Limits{}); h.OK || h.Wait <= 3*time.Second { // 4 s after the second refusal
		t.Errorf("%+v", h)
	}
}

func againComesLast(t *testing.T, o Opener) {
	for _, by := range []frontier.Order{frontier.Breadth, frontier.Depth} {
		f := open(t, o, by)
		ok(t, f.Restart(t.Context()), f.Join(t.Context(), frontier.Setup{}))
		found(t, f, page("a", "/1", 0), page("a", "/2", 0), page("a", "/3", 5))
		var twice []frontier.Item
		for range 2 {
			item, _ := take(t, f)
			twice = append(twice, item)
		}
		for _, item := range twice {
			ok(t, f.Again(t.Context(), item))
		}
		last, _ := take(t, f)
		if last.Tries != 0 {
			t.Errorf("%s: %+v comes before what wasn't tried", by, last)
		}
		for range 2 {
			if item, _ := take(t, f); item.Tries != 1 {
				t.Errorf("%s: %+v", by, item)
			}
		}
		ok(t, f.End(t.Context(), "", 0))
	}
}

// The next process gets the items that are queued and not done, and no others.
func nextProcess(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	var items []frontier.Item
	for i := range 600 { // more than one batch
		items = append(items, page("a", fmt.Sprintf("/%04d", i), 0))
	}
	before := time.Now().Add(-time.Minute)
	ok(t, f.Begin(t.Context(), items, time.Now()))
	first, _ := take(t, f)
	second, _ := take(t, f)
	seen := frontier.Seen{URI: first.URL, Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), File: "x.warc.gz"}
	skips := []frontier.Skip{
		{Key: "out", Reason: "scope"},
		{Key: "out", Reason: "scope"},
		{Key: "deep", Reason: frontier.Trap, Trap: "path", Now: true},
		{Key: "deep", Reason: frontier.Trap, Trap: "path", Now: true},
		{Key: "a/0005", Reason: "depth", Now: true},
	}
	what := frontier.Found{Skipped: skips, Widen: "http://b/", DocKey: first.Key, Doc: []byte(`{"url":"x"}`), Docs: 1}
	ok(t, f.Found(t.Context(), what), f.Found(t.Context(), what))
	done(t, f, first, frontier.Answer{Status: 200, Bytes: 10, Digest: "200 X", Seen: seen})
	ok(t, f.End(t.Context(), "", 2*time.Second), f.Sync(t.Context(), func() error { return nil }))

	f = open(t, o, frontier.Breadth)
	s := stateOf(t, f)
	want := frontier.Totals{
		Pages: 1, Docs: 1, Bytes: 10, Skipped: map[string]int64{"scope": 1, "trap": 1}, Traps: map[string]int64{"path": 1},
		Status: map[string]int64{"200": 1}, Seconds: 2,
	}
	if diff := cmp.Diff(want, s.Totals); diff != "" {
		t.Error(diff)
	}
	if s.Begun.Before(before) || s.Begun.After(time.Now().Add(time.Minute)) ||
		s.Ended != "" || !slices.Equal(s.Widens, []string{"http://b/"}) {
		t.Errorf("begun %s, ended %q, widens %v", s.Begun, s.Ended, s.Widens)
	}
	if got, there, err := f.Payload(t.Context(), "200 X"); err != nil || !there || got != seen {
		t.Errorf("%+v, %t, %v", got, there, err)
	}
	if _, there, err := f.Queued(t.Context(), first.Key); there || err != nil {
		t.Errorf("what is done is queued: %v", err)
	}
	again, there, err := f.Queued(t.Context(), second.Key)
	if err != nil || !there || again.URL != second.URL {
		t.Errorf("%+v, %t, %v", again, there, err)
	}
	done(t, f, again, frontier.Answer{Status: 404})
	found(t, f, page("deep", "", 0)) // on another way
	keys := rest(t, f)
	if len(keys) != 599 || slices.Contains(keys, first.Key) || slices.Contains(keys, second.Key) || !slices.Contains(keys, "deep") {
		t.Errorf("%d items are left", len(keys))
	}
}

func limits(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	found(t, f, page("a", "/1", 0), page("a", "/2", 0), page("a", "/3", 0), page("b", "/1", 0))
	two := frontier.Limits{Pages: 2}
	first, second := next(t, f, two), next(t, f, two)
	if third := next(t, f, two); !first.OK || !second.OK || third.OK || third.Held != 2 || third.Limit != "" {
		t.Errorf("%+v", third)
	}
	found(t, f, part("c", "/i")) // parts are of pages that were asked for
	picture := next(t, f, two)
	if !picture.OK || picture.Item.Kind != frontier.Part {
		t.Errorf("%+v", picture)
	}
	done(t, f, picture.Item, frontier.Answer{Status: 200, Bytes: 5})
	done(t, f, first.Item, frontier.Answer{Status: 301}) // a redirect to a page
	third := next(t, f, two)
	if !third.OK {
		t.Errorf("%+v", third)
	}
	done(t, f, second.Item, frontier.Answer{Status: 200, Bytes: 10})
	done(t, f, third.Item, frontier.Answer{Status: 404, Bytes: 10})
	if h := next(t, f, two); h.OK || h.Limit != frontier.MaxPages || h.Held != 0 || h.Waits {
		t.Errorf("%+v", h)
	}
	if h := next(t, f, frontier.Limits{Bytes: 25}); h.OK || h.Limit != frontier.MaxBytes {
		t.Errorf("%+v", h)
	}
	ok(t, f.Found(t.Context(), frontier.Found{DocKey: "a", Doc: []byte("{}"), Docs: 1}))
	if h := next(t, f, frontier.Limits{Docs: 1}); h.OK || h.Limit != frontier.MaxDocs {
		t.Errorf("%+v", h)
	}
	if h := next(t, f, frontier.Limits{Pages: 3, Docs: 2, Bytes: 26}); !h.OK {
		t.Errorf("%+v", h)
	}
}

// Answers whose file was never synced can be lost, and then they are requested again.
func lost(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	found(t, f, page("a", "/1", 0), page("a", "/2", 0), page("a", "/3", 0), page("a", "/4", 0))
	answer := func(item frontier.Item) frontier.Answer {
		return frontier.Answer{Status: 200, Bytes: 7, File: "f", Failed: 3, Digest: item.Key, Seen: frontier.Seen{URI: item.URL}}
	}
	var items []frontier.Item
	for range 3 {
		item, _ := take(t, f)
		items = append(items, item)
	}
	done(t, f, items[0], answer(items[0]))
	during := func() error {
		_, err := f.Done(t.Context(), items[1], answer(items[1])) // may be missing in the files
		return err
	}
	ok(t, f.Sync(t.Context(), during))
	broken := errors.New("broken")
	if err := f.Sync(t.Context(), func() error { return broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	done(t, f, items[2], answer(items[2]))
	if own, err := f.Unsettled(t.Context()); err != nil || len(own) > 0 {
		t.Errorf("it does not trust itself: %v, %v", own, err)
	}
	ok(t, f.End(t.Context(), "", 0))

	f = open(t, o, frontier.Breadth)
	unsettled, err := f.Unsettled(t.Context())
	slices.SortFunc(unsettled, func(a, b frontier.Written) int { return strings.Compare(a.Item.Key, b.Item.Key) })
	if err != nil || len(unsettled) != 2 || unsettled[0].Item.Key != "a/2" || unsettled[1].Answer.File != "f" {
		t.Fatalf("%+v, %v", unsettled, err)
	}
	ok(t, f.Settle(t.Context(), unsettled[:1], unsettled[1:]))
	if s := stateOf(t, f); s.Pages != 2 || s.Bytes != 14 || s.Status["200"] != 2 || s.FailedSteps != 6 {
		t.Errorf("%+v", s)
	}
	_, kept, err := f.Payload(t.Context(), "a/2")
	_, gone, err2 := f.Payload(t.Context(), "a/3")
	if ok(t, err, err2); !kept || gone {
		t.Errorf("payloads: %t, %t", kept, gone)
	}
	if left, err := f.Unsettled(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("%+v, %v", left, err)
	}
	keys := rest(t, f)
	if slices.Sort(keys); !slices.Equal(keys, []string{"a/3", "a/4"}) {
		t.Errorf("%v are handed out", keys)
	}
}

func fixed(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	ok(t, f.Restart(t.Context()))
	is := func(value string) frontier.Setup {
		return frontier.Setup{Fixed: []frontier.Setting{{Key: "collection", Value: value}}}
	}
	ok(t, f.Join(t.Context(), is("web")), f.End(t.Context(), "", 0))
	f = o(t, frontier.Config{})
	var wrong *frontier.MismatchError
	if err := f.Join(t.Context(), is("other")); !errors.As(err, &wrong) ||
		wrong.Key != "collection" || wrong.Value != "web" || wrong.Want != "other" {
		t.Errorf("%v", err)
	}
	ok(t, f.Join(t.Context(), is("web")), f.End(t.Context(), "", 0))
	f = o(t, frontier.Config{})
	ok(t, f.Restart(t.Context()), f.Join(t.Context(), is("other")))
}

func documents(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	var want []string
	for i := range 700 {
		key := fmt.Sprintf("k%03d", (i*331)%700)
		want = append(want, key)
		ok(t, f.Found(t.Context(), frontier.Found{DocKey: key, Doc: []byte(key), Docs: 1 + i%2}))
	}
	ok(t, f.Found(t.Context(), frontier.Found{DocKey: "k005", Doc: []byte("again"), Docs: 3}))
	slices.Sort(want)
	var got []string
	ok(t, f.Docs(t.Context(), func(doc []byte) error { got = append(got, string(doc)); return nil }))
	if diff := cmp.Diff(want, got); diff != "" || stateOf(t, f).Docs != 1050 {
		t.Error(diff)
	}
	broken := errors.New("broken")
	if err := f.Docs(t.Context(), func([]byte) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func turns(t *testing.T, o Opener) {
	f := o(t, frontier.Config{Politeness: politeness.Config{PerHost: 2}})
	ok(t, f.Join(t.Context(), frontier.Setup{}))
	for i := range 9 {
		found(t, f, page("a", fmt.Sprint("/", i), 0))
	}
	ended := 0
	for range 3 {
		first, a := take(t, f)
		second, b := take(t, f)
		if _, c := take(t, f); a == "" || b == "" || c != "" {
			t.Fatalf("%q, %q and %q at a time", a, b, c)
		}
		switch ended++; ended {
		case 1:
			done(t, f, first, frontier.Answer{Status: 200})
			ok(t, f.Again(t.Context(), second))
		case 2:
			done(t, f, first, frontier.Answer{Skip: frontier.Skip{Reason: "robots"}})
			ok(t, f.Back(t.Context(), second), f.Back(t.Context(), second))
		default:
			ok(t, f.Back(t.Context(), first), f.Back(t.Context(), second))
		}
	}
	if h := next(t, f, frontier.Limits{}); !h.OK || h.Held != 1 {
		t.Errorf("%+v", h)
	}
}

func anew(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	ok(t, f.Begin(t.Context(), []frontier.Item{page("a", "/1", 0), part("b", "/i")}, time.Now()))
	item, _ := take(t, f)
	done(t, f, item, frontier.Answer{Status: 200, Digest: "200 X", Seen: frontier.Seen{URI: item.URL}})
	ok(t, f.Found(t.Context(), frontier.Found{Widen: "http://c/", DocKey: "k", Doc: []byte("{}"), Docs: 1}),
		f.End(t.Context(), "completed", time.Second))
	f = o(t, frontier.Config{})
	ok(t, f.Restart(t.Context()), f.Join(t.Context(), frontier.Setup{}))
	s := stateOf(t, f)
	if _, there, err := f.Payload(t.Context(), "200 X"); err != nil || !there || !s.Begun.IsZero() ||
		s.Pages != 0 || s.Ended != "" || s.Widens != nil {
		t.Errorf("begun anew, it has more or less than its payloads: %+v", s)
	}
	if keys := rest(t, f); len(keys) > 0 {
		t.Errorf("%v", keys)
	}
	if left, err := f.Unsettled(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	found(t, f, page("a", "/1", 0))
	if _, key := take(t, f); key != "a/1" {
		t.Errorf("%q", key)
	}
}

// A pause in the answer to a claimed item applies to its host, whether the item is to be requested again or not.
func claimedBusy(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	for _, host := range []string{"a", "b"} {
		found(t, f, page(host, "/1", 0))
		item, isMine, err := f.Claim(t.Context(), part(host, "/busy"))
		if ok(t, err); !isMine {
			t.Fatal("it can't be claimed")
		}
		item.Turn = politeness.Answer{Status: 503, RetryAfter: "600"}
		if host == "a" {
			ok(t, f.Again(t.Context(), item))
		} else {
			done(t, f, item, frontier.Answer{Status: 503, Bytes: 10})
		}
		if h := next(t, f, frontier.Limits{}); h.OK || !h.Waits || h.Wait < 5*time.Minute {
			t.Errorf("%s is asked again: %+v", host, h)
		}
	}
}

// Answers to claimed items that ask for a pause count one after the other, and only these.
func claimedRefusals(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	found(t, f, page("a", "/1", 0))
	claimed := func(path string) frontier.Item {
		item, isMine, err := f.Claim(t.Context(), part("a", path))
		if ok(t, err); !isMine {
			t.Fatalf("%s can't be claimed", path)
		}
		return item
	}
	refused := claimed("/refused")
	refused.Turn = politeness.Answer{Status: 429, RetryAfter: "0"}
	done(t, f, refused, frontier.Answer{Status: 429, Bytes: 10})
	fine := claimed("/fine")
	fine.Turn = politeness.Answer{Status: 200}
	done(t, f, fine, frontier.Answer{Status: 200, Bytes: 10})
	ok(t, f.Back(t.Context(), claimed("/given-back")))
	again := claimed("/refused-again")
	again.Turn = politeness.Answer{Status: 429}
	done(t, f, again, frontier.Answer{Status: 429, Bytes: 10})
	if h := next(t, f, frontier.Limits{}); h.OK || h.Wait < 3*time.Second || h.Wait > 5*time.Second {
		t.Errorf("the pause after the second refusal: %+v", h)
	}
}

// A claimed item isn't handed out, and stays in the queue until it is done.
func claims(t *testing.T, o Opener) {
	f := o(t, frontier.Config{Politeness: politeness.Config{PerHost: 1, Delay: time.Hour}})
	ok(t, f.Join(t.Context(), frontier.Setup{}))
	found(t, f, page("a", "/queued", 1))
	claim := func(item frontier.Item, want bool) frontier.Item {
		t.Helper()
		got, mine, err := f.Claim(t.Context(), item)
		if err != nil || mine != want {
			t.Fatalf("%s: %t, %v", item.Key, mine, err)
		}
		return got
	}
	queued := claim(part("a", "/queued"), true)
	if queued.Kind != frontier.Page || queued.Depth != 1 {
		t.Errorf("what waits in the queue is claimed as %+v", queued)
	}
	claim(page("a", "/queued", 1), false)
	unknown := claim(part("a", "/new"), true)
	claim(part("a", "/new"), false)
	if h := next(t, f, frontier.Limits{}); h.OK || h.Held != 2 {
		t.Errorf("handed out beside: %+v", h)
	}
	if h := next(t, f, frontier.Limits{Pages: 1}); h.OK {
		t.Errorf("a claimed page doesn't count: %+v", h)
	}
	found(t, f, page("a", "/new", 2)) // it is known
	ok(t, f.Back(t.Context(), queued))
	claim(part("a", "/queued"), true)
	for _, item := range []frontier.Item{queued, unknown} {
		if mine, err := f.Holds(t.Context(), item); err != nil || !mine {
			t.Errorf("%s: %t, %v", item.Key, mine, err)
		}
		done(t, f, item, frontier.Answer{Status: 200})
		claim(item, false)
	}
	if s := stateOf(t, f); s.Pages != 1 || s.Parts != 1 {
		t.Errorf("%+v", s)
	}
	ok(t, f.Found(t.Context(), frontier.Found{Skipped: []frontier.Skip{
		{Key: "a/never", Reason: "robots"}, {Key: "a/later", Reason: "scope", Now: true},
	}}))
	claim(part("a", "/never"), false)
	later := claim(part("a", "/later"), true)
	ok(t, f.Back(t.Context(), later))
	if _, key := take(t, f); key != "a/later" { // claims have taken no turn at the host
		t.Errorf("%q is handed out", key)
	}
}

func oneClaims(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	var claimed atomic.Int64
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			_, mine, err := f.Claim(t.Context(), part("a", "/x"))
			if err != nil {
				t.Error(err)
			}
			if mine {
				claimed.Add(1)
			}
		})
	}
	wait.Wait()
	if h := next(t, f, frontier.Limits{}); claimed.Load() != 1 || h.OK || h.Held != 1 {
		t.Errorf("%d have it, %+v", claimed.Load(), h)
	}
}

// Items that can't be requested again are counted once, and never queued.
func counts(t *testing.T, o Opener) {
	f := open(t, o, frontier.Breadth)
	sent := part("a", "/x POST 123")
	for range 2 {
		ok(t, f.Count(t.Context(), sent, frontier.Answer{Status: 201, Bytes: 7, Digest: "d", Seen: frontier.Seen{URI: "u"}}))
	}
	if s := stateOf(t, f); s.Parts != 1 || s.Bytes != 7 || s.Status["201"] != 1 {
		t.Errorf("%+v", s)
	}
	for key, want := range map[string]bool{sent.Key: true, "a/other": false} {
		if knows, err := f.Knows(t.Context(), key); knows != want || err != nil {
			t.Errorf("%s is known: %t, %v", key, knows, err)
		}
	}
	if seen, there, err := f.Payload(t.Context(), "d"); !there || seen.URI != "u" || err != nil {
		t.Errorf("%+v, %t, %v", seen, there, err)
	}
	if _, key := take(t, f); key != "" {
		t.Errorf("%s is handed out", key)
	}
}
