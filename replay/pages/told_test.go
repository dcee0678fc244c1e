package pages_test

import (
	"encoding/xml"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/replay/pages/comparison"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/replaytest"
)

// A told is a change that feed, monitor and change search have to tell of as /changes and the diff do.
type told struct {
	first string // capture of the version
	index int    // of the pair in the sliding diff
	delta timeline.Delta
	shown comparison.DiffShown
	gone  bool     // the version shows no page of its own
	words []string // some that went or came
}

var counts = regexp.MustCompile(`[0-9]+ words? (deleted|added|moved)|another picture`)

// feed checks the feed of a page: an entry for each version, and the words of the diff in each.
func (n *numbers) feed(uri, level string, versions int, changes []told) {
	var feed struct {
		Entries []struct {
			Updated string `xml:"updated"`
			Summary string `xml:"summary"`
		} `xml:"entry"`
	}
	w := replaytest.Get(n, n.h, "/web/feed?"+url.Values{"url": {uri}, "level": {level}, "limit": {"100"}}.Encode(), "Accept-Language", "en")
	if err := xml.Unmarshal(w.Body.Bytes(), &feed); err != nil {
		n.Errorf("feed of %s: %d %.200s", uri, w.Code, w.Body)
		return
	}
	if versions <= 100 && len(feed.Entries) != versions {
		n.Errorf("the feed of %s at level %s has %d entries, changes have %d", uri, level, len(feed.Entries), versions)
	}
	says := map[string]string{}
	for _, e := range feed.Entries {
		at := strings.NewReplacer("-", "", ":", "", "T", "", "Z", "").Replace(e.Updated)
		line, _, _ := strings.Cut(e.Summary, "</p>")
		says[at] = plain(line)
	}
	for _, c := range changes {
		got, listed := says[c.first]
		want := summaryLine(&c)
		if want == "" && !counts.MatchString(got) { // signs alone changed: the line is an excerpt
			continue
		}
		if listed && got != want && !c.gone {
			n.Errorf("%s %s at level %s: the feed says %q, want %q", c.first, uri, level, got, want)
		}
	}
}

// summaryLine is the first line of a summary.
func summaryLine(c *told) string {
	var out []string
	if says := headline(c.shown); says != "" {
		out = strings.Split(says, ", ")
	}
	if c.delta.Pictures > 0 {
		out = append(out, "another picture")
	}
	return strings.Join(out, " · ")
}

// monitor checks what a monitor says of the changes of a page.
func (n *numbers) monitor(uri, level string, changes []told) {
	path := "/web/monitor?" + url.Values{"url": {uri}, "level": {level}, "since": {"1990"}, "limit": {"100"}}.Encode()
	var answer struct {
		Changes []struct {
			Datetime       string
			Added, Deleted int
		}
	}
	if !n.read(path, &answer) {
		return
	}
	page := n.said(path)
	for _, c := range changes {
		for _, got := range answer.Changes {
			if got.Datetime != c.first {
				continue
			}
			if got.Added != c.delta.Added || got.Deleted != c.delta.Deleted {
				n.Errorf("%s %s at level %s: the monitor says +%d −%d, changes say %+v", c.first, uri, level, got.Added, got.Deleted, c.delta)
			}
			if want := different(&c.delta); !c.gone && !strings.Contains(page, want) {
				n.Errorf("%s %s at level %s: the page of the monitor does not say %q", c.first, uri, level, want)
			}
		}
	}
}

// maxSearched bounds the searches for one page.
const maxSearched = 12

// searched checks that change search finds words that went or came, and counts them as the sliding diff does.
func (n *numbers) searched(uri string, changes []told) {
	left := maxSearched
	for _, c := range changes {
		for _, word := range c.words {
			if left--; left < 0 {
				return
			}
			n.word(uri, word, &c)
		}
	}
}

func (n *numbers) word(uri, word string, c *told) {
	var sliding comparison.SlidingAnswer
	at := url.Values{"url": {uri}, "level": {"text"}, "index": {fmt.Sprint(c.index)}, "term": {`"` + word + `"`}}
	if !n.read("/web/diff?"+at.Encode(), &sliding) || sliding.Term == nil || len(sliding.Term.Counts) != 1 {
		n.Errorf("%s %s: the sliding diff counts nothing of %q", c.first, uri, word)
		return
	}
	want := sliding.Term.Counts[0]
	kind := "semi-deleted"
	switch {
	case want.Before == want.After, want.Before > 0 && want.After > want.Before:
		return // it moved, or more of it came: no kind of change
	case want.Before == 0:
		kind = "added"
	case want.After == 0:
		kind = "deleted"
	}
	ask := url.Values{"q": {`"` + word + `"`}, "change": {kind}, "url": {uri}, "matchType": {"exact"}, "limit": {"100"}}
	var answer search.SearchList
	if !n.read("/web/search?"+ask.Encode(), &answer) {
		return
	}
	for i := range answer.Results {
		r := &answer.Results[i]
		if r.After.Datetime != c.first {
			continue
		}
		n.words++
		before := 0
		if r.Before != nil {
			before = *r.Before.Count
		}
		if before != want.Before || *r.After.Count != want.After {
			n.Errorf("%s %s: search has %q %d and %d times, the diff %+v", c.first, uri, word, before, *r.After.Count, want)
		}
		return
	}
	if answer.Total <= len(answer.Results) {
		n.Errorf("%s %s: %q is not found as %s, which the diff counts as %+v", c.first, uri, word, kind, want)
	}
}

// someWords returns at most two plain words that a diff marks as gone or come.
func someWords(blocks []comparison.DiffBlock) (out []string) {
	for _, b := range blocks {
		for _, e := range b.Edits {
			if e.Op != "insert" && e.Op != "delete" {
				continue
			}
			for _, w := range strings.Fields(e.Text) {
				plainWord := len(w) > 4 && !strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) })
				if w = strings.ToLower(w); plainWord && !slices.Contains(out, w) {
					if out = append(out, w); len(out) == 2 {
						return out
					}
				}
			}
		}
	}
	return out
}
