package addresses_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

// listedSite is an archive of n pages and as many parts of pages. Page i has captures, versions, a status and a size of its own.
func listedSite(t *testing.T, n int) http.Handler {
	t.Helper()
	x := indextest.Open(t, "")
	file := index.File{Collection: "web", Name: "a.warc.gz", Path: "/store/a.warc.gz"}
	var err error
	if file.ID, err = x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	w, offset := x.Writer(t.Context(), "web"), int64(0)
	put := func(c cdx.Capture) {
		c.Key, c.Location = surt.Of(c.URL), cdx.Location{File: file.ID, Offset: offset, Length: 100 + offset/1000*37%5000}
		offset += 1000
		if err := w.Add(&c); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		url, status := fmt.Sprintf("http://site%d.example/page%d", i%7, i), 200
		if i%5 == 0 {
			status = 404
		}
		for j := range 1 + i*i%6 {
			digest := fmt.Sprintf("x:%d", j/(1+i%3))
			put(cdx.Capture{URL: url, Time: cdx.Timestamp(20100101000000 + 1e10*(i%9) + j), Status: status, MIME: "text/html", Digest: digest})
		}
		put(cdx.Capture{URL: fmt.Sprintf("http://site%d.example/part%d.png", i%7, i), Time: 20150101000000, Status: 200, MIME: "image/png"})
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	file.Done, file.Scanned = true, offset
	if _, err := x.PutFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})})
	if err != nil {
		t.Fatal(err)
	}
	return s.Handler()
}

// An entry is a row of a list in JSON.
type entry struct {
	OriginalURI string `json:"original_uri"`
	Versions    int
	Changes     int
	Captures    int
	Changed     string
	Type        string
	MIME        string
	Status      int
	First, Last string
	Bytes       int64
	Calendar    string
}

type addressList struct {
	Total     *int
	Next      string
	Addresses []entry
}

func list(t *testing.T, h http.Handler, target string) (l addressList) {
	t.Helper()
	w := replaytest.Get(t, h, target, "Accept", "application/json")
	if err := json.Unmarshal(w.Body.Bytes(), &l); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: %d %v\n%.500s", target, w.Code, err, w.Body)
	}
	return l
}

// whole reads all pages of a list.
func whole(t *testing.T, h http.Handler, target string) (all []entry) {
	t.Helper()
	for target != "" {
		l := list(t, h, target)
		if len(l.Addresses) == 0 && len(all) > 0 {
			t.Errorf("%s is empty", target)
		}
		all, target = append(all, l.Addresses...), strings.TrimPrefix(l.Next, "http://varve.example")
	}
	return all
}

func TestAddressesAreInTheOrderThatIsAsked(t *testing.T) {
	h := listedSite(t, 450)
	all := whole(t, h, "/web/?url=*&output=json")
	if len(all) != 450 {
		t.Fatalf("%d pages are listed", len(all))
	}
	for column, compare := range map[string]func(a, b entry) int{
		"address":  func(a, b entry) int { return cmp.Compare(surt.Of(a.OriginalURI), surt.Of(b.OriginalURI)) },
		"captures": func(a, b entry) int { return a.Captures - b.Captures },
		"versions": func(a, b entry) int { return a.Versions - b.Versions },
		"changes":  func(a, b entry) int { return a.Changes - b.Changes },
		"changed":  func(a, b entry) int { return cmp.Compare(a.Changed, b.Changed) },
		"type":     func(a, b entry) int { return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.MIME, b.MIME)) },
		"status":   func(a, b entry) int { return a.Status - b.Status },
		"first":    func(a, b entry) int { return cmp.Compare(a.First, b.First) },
		"last":     func(a, b entry) int { return cmp.Compare(a.Last, b.Last) },
		"size":     func(a, b entry) int { return cmp.Compare(a.Bytes, b.Bytes) },
	} {
		for _, down := range []string{"", "-"} {
			want := slices.Clone(all)
			slices.SortStableFunc(want, func(a, b entry) int {
				if down != "" {
					a, b = b, a
				}
				return compare(a, b)
			})
			if got := whole(t, h, "/web/?url=*&output=json&sort="+down+column); !slices.Equal(got, want) {
				t.Errorf("by %s%s:\n%+v\nwant\n%+v", down, column, got[:5], want[:5])
			}
		}
	}
}

// A list has pages to its end in any order.
func TestEveryAddressOfALongListIsOnAPage(t *testing.T) {
	h := listedSite(t, 4400)
	all := whole(t, h, "/web/?url=*&output=json")
	for _, down := range []bool{false, true} {
		target, want := "/web/?url=*&output=json&sort=versions", slices.Clone(all)
		if down {
			target = "/web/?url=*&output=json&sort=-versions"
		}
		slices.SortStableFunc(want, func(a, b entry) int {
			if down {
				a, b = b, a
			}
			return a.Versions - b.Versions
		})
		got := whole(t, h, target)
		if first := list(t, h, target); first.Total == nil || *first.Total != 4400 || !slices.Equal(got, want) {
			t.Errorf("%s: %d of %v", target, len(got), replaytest.Value(first.Total))
		}
	}
}

func TestListsOfAddressesAreNarrowed(t *testing.T) {
	h := listedSite(t, 300)
	all := whole(t, h, "/web/?url=*&type=any&output=json")
	for query, fits := range map[string]func(e entry) bool{
		"url=*":                           func(e entry) bool { return e.Type == "page" },
		"url=*&type=image":                func(e entry) bool { return e.Type == "image" },
		"url=*&type=any":                  func(entry) bool { return true },
		"url=*.site3.example&type=any":    func(e entry) bool { return strings.Contains(e.OriginalURI, "site3.") },
		"url=http://site3.example/page1*": func(e entry) bool { return strings.Contains(e.OriginalURI, "site3.example/page1") },
		"url=*&sort=-first":               func(e entry) bool { return e.Type == "page" },
		"url=*&sort=-first&has=0":         func(e entry) bool { return e.Type == "page" && strings.Contains(e.OriginalURI, "0") },
		"url=*&has=PAGE2":                 func(e entry) bool { return strings.Contains(e.OriginalURI, "page2") },
		"url=*&status=404":                func(e entry) bool { return e.Status == 404 },
		"url=*&status=4xx&sort=-last":     func(e entry) bool { return e.Status == 404 },
		"url=*&type=any&status=2xx":       func(e entry) bool { return e.Status == 200 },
		"url=*&captures=4":                func(e entry) bool { return e.Captures >= 4 && e.Type == "page" },
		"url=*&versions=2":                func(e entry) bool { return e.Versions >= 2 },
		"url=*&changes=2&sort=-captures":  func(e entry) bool { return e.Versions >= 3 },
		"url=*&type=any&size=2000":        func(e entry) bool { return e.Bytes >= 2000 },
		"url=*&since=2014":                func(e entry) bool { return e.Last >= "2014" && e.Type == "page" },
		"url=*&until=2012":                func(e entry) bool { return e.First < "2013" && e.Type == "page" },
		"url=*&since=2012&until=2013":     func(e entry) bool { return e.First < "2014" && e.Last >= "2012" && e.Type == "page" },
	} {
		var want []string
		for _, e := range all {
			if fits(e) {
				want = append(want, e.OriginalURI)
			}
		}
		var got []string
		for _, e := range whole(t, h, "/web/?"+query+"&output=json") {
			got = append(got, e.OriginalURI)
		}
		if strings.Contains(query, "sort") {
			slices.Sort(got)
			slices.Sort(want)
		}
		if !slices.Equal(got, want) || len(want) == 0 || len(want) == len(all) && query != "url=*&type=any" {
			t.Errorf("%s: %d addresses, want %d of %d", query, len(got), len(want), len(all))
		}
		if table := table(t, h, "/web/?"+query+"&output=csv"); len(table) != len(want)+1 {
			t.Errorf("%s: %d rows, want %d", query, len(table)-1, len(want))
		}
	}
}

func table(t *testing.T, h http.Handler, target string) [][]string {
	t.Helper()
	w := replaytest.Get(t, h, target)
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
		t.Fatalf("%s: %d %v %v", target, w.Code, w.Header(), err)
	}
	return rows
}

// The table says what the list says.
func TestTablesOfAddresses(t *testing.T) {
	h := listedSite(t, 230)
	all, rows := whole(t, h, "/web/?url=*&type=any&output=json"), table(t, h, "/web/?url=*&type=any&output=csv")
	head := []string{"url", "versions", "changes", "captures", "changed", "type", "mime", "status", "first", "last", "bytes", "calendar"}
	if !slices.Equal(rows[0], head) || len(rows) != len(all)+1 {
		t.Fatalf("%v and %d rows, want %d", rows[0], len(rows)-1, len(all))
	}
	for i, e := range all {
		want := []string{
			e.OriginalURI, strconv.Itoa(e.Versions), strconv.Itoa(e.Changes), strconv.Itoa(e.Captures), e.Changed, e.Type, e.MIME,
			strconv.Itoa(e.Status), e.First, e.Last, strconv.FormatInt(e.Bytes, 10), e.Calendar,
		}
		if !slices.Equal(rows[i+1], want) {
			t.Errorf("row %d: %v, want %v", i, rows[i+1], want)
		}
	}
}

var tableRow = regexp.MustCompile(`<tr><td><a href="([^"]*)">`)

// Every link of a page keeps what was asked, and leads on.
func TestPagesOfAddressesKeepWhatWasAsked(t *testing.T) {
	h := listedSite(t, 450)
	const asked = "/web/?url=*&type=page&versions=1&since=2009&has=page&level=text"
	seen := map[string]bool{}
	for target, pages := asked, 0; target != ""; pages++ {
		body := replaytest.Get(t, h, target, "Accept", "text/html").Body.String()
		for _, m := range tableRow.FindAllStringSubmatch(body, -1) {
			if seen[m[1]] || !strings.Contains(m[1], "level=text") {
				t.Errorf("%s: %s twice, or at another level", target, m[1])
			}
			seen[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`<th [^>]*><a href="([^"]*)"`).FindAllStringSubmatch(body, -1) {
			u, err := url.Parse(html.UnescapeString(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			q := u.Query()
			if q.Get("type") != "page" || q.Get("versions") != "1" || q.Get("since") != "2009" || q.Get("level") != "text" ||
				q.Get("has") != "page" || q.Has("start") {
				t.Errorf("a column leads to %v", q)
			}
		}
		target = ""
		if m := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(body); m != nil {
			target = html.UnescapeString(m[1])
		}
		if pages > 3 {
			t.Fatal("the pages have no end")
		}
	}
	if len(seen) != 450 {
		t.Errorf("%d addresses on all pages", len(seen))
	}
}

// Behind the last page programs find nothing, not even what the pages before leave out; readers find the first page.
func TestBehindTheLastPageOfAddresses(t *testing.T) {
	h := listedSite(t, 450)
	for _, page := range []string{"sort=versions&page=4", "sort=-address&page=99", "start=zz"} {
		if l := list(t, h, "/web/?url=*&output=json&"+page); len(l.Addresses) > 0 || l.Next != "" {
			t.Errorf("%s: %d addresses, such as %v, then %q", page, len(l.Addresses), l.Addresses[0], l.Next)
		}
		body := replaytest.Get(t, h, "/web/?url=*&"+page, "Accept", "text/html").Body.String()
		if rows := len(tableRow.FindAllString(body, -1)); rows != 200 || !strings.Contains(body, `rel="next"`) || strings.Contains(body, ".png") {
			t.Errorf("%s: %d rows", page, rows)
		}
	}
}

func TestListsOfAddressesRefuseWhatMakesNoSense(t *testing.T) {
	h := listedSite(t, 3)
	for _, q := range []string{
		"type=pages", "status=ok", "status=4x", "status=40", "captures=-1", "captures=many", "versions=1e3", "size=1k", "since=yesterday",
		"until=20139", "sort=beauty", "sort=--last", "page=0", "output=xml", "level=most",
	} {
		if w := replaytest.Get(t, h, "/web/?url=*&"+q, "Accept", "text/html"); w.Code != http.StatusBadRequest ||
			!strings.Contains(w.Body.String(), "want ") { // and says what makes sense
			t.Errorf("%s: %d %s", q, w.Code, w.Body)
		}
	}
	for q, says := range map[string]string{
		"url=*&has=nowhere":                  "No address is like that.",
		"url=http://site1.example/part*":     "There are no pages here, only parts of pages.",
		"url=*&sort=last&page=1":             `aria-sort="ascending"`,
		"url=*":                              "All addresses of the collection web",
		"url=*&type=any&sort=-size&since=20": `aria-sort="descending"`,
	} {
		w := replaytest.Get(t, h, "/web/?"+q, "Accept", "text/html")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d without %q", q, w.Code, says)
		}
	}
	if w := replaytest.Get(t, h, "/web/?url=http://never.example/*", "Accept", "text/html"); w.Code != http.StatusNotFound {
		t.Errorf("of what was never captured: %d", w.Code)
	}
}

// A page of a list reads the captures that it shows, not those of the whole collection.
func TestAPageOfAddressesReadsNoMore(t *testing.T) {
	pages := map[string]int{}
	for i := range 1000 {
		pages[fmt.Sprintf("http://a.example/%04d", i)] = 2
	}
	x, reads := archivetest.CountedIndex(t, pages)
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})})
	if err != nil {
		t.Fatal(err)
	}
	list(t, s.Handler(), "/web/?url=*&output=json") // what is common to the site is learnt once
	reads.Reset()
	list(t, s.Handler(), "/web/?url=*&output=json")
	if v := reads.Values.Load(); v < 400 || v > 2500 {
		t.Errorf("%d values read for 200 addresses", v)
	}
}

func TestPrefixListsHaveTheFolder(t *testing.T) {
	pages := map[string]int{"http://example.org/f/": 1, "http://example.org/f-2": 1, "http://example.org/f/x": 1, "http://example.org/f2": 1}
	x, _ := archivetest.CountedIndex(t, pages)
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})})
	if err != nil {
		t.Fatal(err)
	}
	for _, sort := range []string{"", "&sort=captures"} {
		var got []string
		for _, e := range whole(t, s.Handler(), "/web/?url=http://example.org/f/*&type=any&output=json"+sort) {
			got = append(got, e.OriginalURI)
		}
		if want := []string{"http://example.org/f/", "http://example.org/f/x"}; !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", sort, got, want)
		}
	}
}

func TestPrefixListsHavePages(t *testing.T) {
	for n, more := range map[int]bool{200: false, 201: true} {
		pages := map[string]int{"http://example.com/": 1}
		for i := range n {
			pages[fmt.Sprintf("http://example.org/%03d", i)] = 1
		}
		x, _ := archivetest.CountedIndex(t, pages)
		s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: archivetest.NoRecords{}})})
		if err != nil {
			t.Fatal(err)
		}
		body := replaytest.Get(t, s.Handler(), "/web/*/http://example.org/*", "Accept", "text/html").Body.String()
		if got := strings.Count(body, `/web/*/http://example.org/`); got != 200 || strings.Contains(body, "example.com/") {
			t.Errorf("of %d: %d addresses", n, got)
		}
		_, rest, found := strings.Cut(body, `rel="next" href="/web/?`)
		if found != more {
			t.Fatalf("of %d: a further page: %t", n, found)
		}
		if !more {
			continue
		}
		next, _, _ := strings.Cut(rest, `"`)
		body = replaytest.Get(t, s.Handler(), "/web/?"+html.UnescapeString(next), "Accept", "text/html").Body.String()
		if strings.Count(body, `/web/*/http://example.org/`) != 1 || !strings.Contains(body, "/web/*/http://example.org/200") {
			t.Errorf("the second page at %s:\n%s", next, body)
		}
	}
}

// Whatever operation of the index's store fails, no answer is wrong.
func TestAnswersWhileTheStoreFails(t *testing.T) {
	t.Parallel()
	replaytest.NewFaults(t, replaytest.Remarkable()).Ask(
		"/web/?url=*", "/web/?url=*&sort=-size&level=text", "/web/?url=*&output=csv", "/web/?url=*&output=json&sort=-captures",
		"/web/?url=*&has=edit", "/web/?url=*&versions=2", "/web/*/"+replaytest.Site+"/*",
	)
}
