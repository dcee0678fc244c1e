package pages_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/corpora"
	"github.com/varve-archive/varve/replay/pages/comparison"
	"github.com/varve-archive/varve/replay/replaytest"
)

// There are two numbers for a change, and no place has a third. How many different words went and came is what /changes says; banner,
// calendar and monitor say it with the words "different words". How many words are marked is what a diff says, above the marked words,
// and so does a feed.

func TestEveryPlaceSaysTheSameNumbers(t *testing.T) {
	for name, archived := range map[string]string{
		"made up": replaytest.Write(t, replaytest.Counted()), "sample": replaytest.Sample(t),
	} {
		t.Run(name, func(t *testing.T) {
			if compareNumbers(t, archived, 1) == 0 {
				t.Error("no change was compared")
			}
		})
	}
}

// Of the corpora every fifth address is compared, since all take minutes.
func TestEveryPlaceSaysTheSameNumbersOfTheCorpora(t *testing.T) {
	corpora.SkipShort(t)
	folders := map[string]bool{}
	for _, file := range corpora.Files(t, ".warc.gz") {
		folders[filepath.Dir(file)] = true
	}
	for dir := range folders {
		if filepath.Base(filepath.Dir(dir)) == "corpus" {
			t.Run(filepath.Base(dir), func(t *testing.T) { compareNumbers(t, dir, 5) })
		}
	}
}

// numbers compares what an archive says in all places.
type numbers struct {
	testing.TB
	h       http.Handler
	changes int
	words   int // that were searched for and found
}

// compareNumbers compares what an archive says of every nth address, and returns how many changes it compared.
func compareNumbers(t *testing.T, archived string, nth int) (changes int) {
	s := replaytest.Searchable(t, []string{archived})
	n := &numbers{TB: t, h: s.Handler()}
	seen := map[string]bool{}
	for c, err := range s.Archive().Index.Whole.Captures(t.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Text == 0 || seen[c.Key] {
			continue
		}
		seen[c.Key] = true
		if len(seen)%nth != 0 {
			continue
		}
		for _, level := range []string{"content", "text"} {
			n.page(c.URL, level)
		}
	}
	t.Logf("%d changes, %d words of them in the search", n.changes, n.words)
	return n.changes
}

// read decodes the JSON answer of a path.
func (n *numbers) read(path string, into any) bool {
	n.Helper()
	w := replaytest.Get(n, n.h, path)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		n.Errorf("%s: %d %.200s", path, w.Code, w.Body)
		return false
	}
	return true
}

// said returns what a page says, without mark-up.
func (n *numbers) said(path string) string {
	return plain(replaytest.Get(n, n.h, path, "Accept", "text/html", "Accept-Language", "en").Body.String())
}

func plain(body string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(body, " "))), " ")
}

// page compares all changes of an address.
func (n *numbers) page(uri, level string) {
	query := func(with ...string) string {
		v := url.Values{"url": {uri}, "level": {level}}
		for i := 0; i < len(with); i += 2 {
			v.Set(with[i], with[i+1])
		}
		return v.Encode()
	}
	var list timeline.ChangeList
	if !n.read("/web/changes?"+query(), &list) {
		return
	}
	var changes []told
	for i := range list.Ranges {
		if list.Ranges[i].Change == nil {
			continue
		}
		if i == 0 {
			n.Errorf("%s: the first version is a change", uri)
			continue
		}
		n.changes++
		where := fmt.Sprintf("%s %s at level %s", list.Ranges[i].First, uri, level)
		was, is := &list.Ranges[i-1], &list.Ranges[i]
		n.differs(where, is.Change)
		shown, words := n.diff(where, "/web/diff?"+query("from", was.Last, "to", is.First), is.Change)
		n.sliding(where, "/web/diff?"+query("index", strconv.Itoa(i-1)), is.Change, shown)
		changes = append(changes, told{is.First, i - 1, *is.Change, shown, is.Kind != "page", words})
		if level == "content" {
			n.banners(where, was, is)
		}
	}
	if len(changes) > 0 {
		n.feed(uri, level, len(list.Ranges), changes)
		n.monitor(uri, level, changes)
	}
	if level == "content" {
		n.calendar(uri, &list)
		n.cdx(uri, &list)
	} else {
		n.searched(uri, changes)
	}
}

// differs checks that a change says that something differs.
func (n *numbers) differs(where string, d *timeline.Delta) {
	if d.Similarity >= 1 {
		n.Errorf("%s: a change with similarity %v", where, d.Similarity)
	}
}

// diff checks the diff to which the arrow of a change leads. It returns how many words it marks, and some of them.
func (n *numbers) diff(where, path string, want *timeline.Delta) (shown comparison.DiffShown, words []string) {
	var a comparison.DiffAnswer
	if !n.read(path, &a) {
		return shown, nil
	}
	if a.Change == nil || a.Shown == nil {
		n.Errorf("%s: no diff", where)
		return shown, nil
	}
	sameDelta(n, where+": diff", a.Change, want)
	shown = marked(a.Blocks)
	if shown != *a.Shown {
		n.Errorf("%s: the diff says %+v and marks %+v", where, *a.Shown, shown)
	}
	if shown == (comparison.DiffShown{}) && a.Change.Pictures == 0 && !anyEdit(a.Blocks) {
		n.Errorf("%s: the diff is empty", where)
	}
	if a.Change.Similarity >= 1 {
		n.Errorf("%s: the diff says that nothing differs", where)
	}
	if says := n.said(path); !strings.Contains(says, headline(shown)) {
		n.Errorf("%s: the page of the diff does not say %q", where, headline(shown))
	}
	return shown, someWords(a.Blocks)
}

func sameDelta(t testing.TB, where string, got, want *timeline.Delta) {
	a, b := *got, *want
	a.Similarity, b.Similarity = 0, 0 // that of the diff counts words; the index estimates
	if a != b {
		t.Errorf("%s says %+v, changes say %+v", where, a, b)
	}
}

// marked counts the words in the edits of a diff as a reader does.
func marked(blocks []comparison.DiffBlock) (out comparison.DiffShown) {
	for _, b := range blocks {
		for _, e := range b.Edits {
			words := len(strings.FieldsFunc(e.Text, func(r rune) bool { return r != '_' && !unicode.In(r, unicode.L, unicode.N) }))
			switch e.Op {
			case "insert":
				out.Added += words
			case "delete":
				out.Deleted += words
			case "move":
				out.Moved += words
			}
		}
	}
	return out
}

// anyEdit reports whether a diff marks anything, if only a sign.
func anyEdit(blocks []comparison.DiffBlock) bool {
	return slices.ContainsFunc(blocks, func(b comparison.DiffBlock) bool {
		return slices.ContainsFunc(b.Edits, func(e comparison.DiffEdit) bool { return e.Op != "equal" })
	})
}

// headline is what the page of a diff says of its words.
func headline(d comparison.DiffShown) string {
	var out []string
	for _, c := range []struct {
		n    int
		what string
	}{{d.Deleted, "deleted"}, {d.Added, "added"}, {d.Moved, "moved"}} {
		if c.n > 0 {
			out = append(out, counted(c.n, "word")+" "+c.what)
		}
	}
	return strings.Join(out, ", ")
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// sliding checks the same change on the sliding diff.
func (n *numbers) sliding(where, path string, want *timeline.Delta, shown comparison.DiffShown) {
	var a comparison.SlidingAnswer
	if !n.read(path, &a) {
		return
	}
	if a.Change == nil || a.Shown == nil || *a.Shown != shown {
		n.Errorf("%s: the sliding diff marks %+v, the diff %+v", where, a.Shown, shown)
		return
	}
	sameDelta(n, where+": sliding diff", a.Change, want)
}

// different is how pages other than diffs say a change.
func different(d *timeline.Delta) string {
	var out []string
	unit := ""
	if d.Added > 0 {
		out, unit = append(out, "+"+thousands(d.Added)), plural(d.Added)
	}
	if d.Deleted > 0 {
		out, unit = append(out, "−"+thousands(d.Deleted)), plural(d.Deleted)
	}
	switch {
	case unit != "":
	case d.Pictures > 0:
		unit = "another picture"
	default:
		unit = "same words, new order"
	}
	return strings.Join(append(out, unit), " ")
}

func plural(n int) string {
	if n == 1 {
		return "different word"
	}
	return "different words"
}

var (
	arrowBack = regexp.MustCompile(`(?s)<a[^>]*rel="predecessor-version".*?</a>`)
	arrowOn   = regexp.MustCompile(`(?s)<a[^>]*rel="successor-version".*?</a>`)
)

// banners checks the arrows between the two versions, on both sides.
func (n *numbers) banners(where string, was, is *timeline.ValidityRange) {
	want := different(is.Change)
	for _, side := range []struct {
		memento, leadsTo string // a kind
		arrow            *regexp.Regexp
	}{{is.FirstMemento, was.Kind, arrowBack}, {was.LastMemento, is.Kind, arrowOn}} {
		if side.leadsTo == "missing" { // the arrow says that instead
			continue
		}
		u, err := url.Parse(side.memento)
		if err != nil {
			n.Fatal(err)
		}
		w := replaytest.Get(n, n.h, strings.TrimPrefix(side.memento, u.Scheme+"://"+u.Host), "Accept", "text/html", "Accept-Language", "en")
		if !strings.Contains(w.Body.String(), "<varve-banner") { // it is no page
			continue
		}
		if says := plain(side.arrow.FindString(w.Body.String())); !strings.Contains(says, want) {
			n.Errorf("%s: the arrow at %s says %q, want %q", where, side.memento, says, want)
		}
	}
}

// calendar checks the list of versions beside the months.
func (n *numbers) calendar(uri string, list *timeline.ChangeList) {
	says := n.said("/web/*/" + uri)
	for i := range list.Ranges {
		if d := list.Ranges[i].Change; d != nil && len(list.Ranges) < 100 && !strings.Contains(says, different(d)) {
			n.Errorf("%s: the calendar does not say %q", uri, different(d))
		}
	}
}

// cdx checks that CDX has as many versions, and a change of content where one begins.
func (n *numbers) cdx(uri string, list *timeline.ChangeList) {
	begins := map[string]bool{}
	for i := range list.Ranges {
		begins[list.Ranges[i].First] = i > 0
	}
	last, ranges := "", 0
	answer := replaytest.Get(n, n.h, "/web/cdx?fl=timestamp,range,change&url="+url.QueryEscape(uri)).Body.String()
	if strings.Count(answer, "\n") != list.Captures { // it lists addresses with the same key that are spelled differently, too
		return
	}
	for line := range strings.Lines(answer) {
		f := strings.Fields(line)
		if _, err := cdx.ParseTimestamp(f[0]); err != nil {
			n.Fatal(err)
		}
		at, err := strconv.Atoi(f[1])
		if err != nil {
			n.Fatal(err)
		}
		ranges = max(ranges, at+1)
		if f[2] == "content" && (!begins[f[0]] || f[0] == last) {
			n.Errorf("%s %s: CDX says that the content changed, changes do not", f[0], uri)
		}
		if f[2] == "content" {
			last = f[0]
			delete(begins, f[0])
		}
	}
	if ranges != len(list.Ranges) {
		n.Errorf("%s: CDX has %d versions, changes %d", uri, ranges, len(list.Ranges))
	}
	for first, change := range begins {
		if change {
			n.Errorf("%s %s: a version begins, CDX says nothing of it", first, uri)
		}
	}
}
