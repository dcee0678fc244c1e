package landing

import (
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/view"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

func TestNeighboursAreOtherFormsOfAnAddress(t *testing.T) {
	tests := []struct {
		name, key string
		begins    string   // the first of them
		also      []string // some of the others
		never     []string
	}{
		{
			"a page", "example,a)/dir/page", "variant /dir/page/index.html",
			[]string{"variant /dir/page.html", "variant /dir/page.jsp", "parent /dir", "parent /dir/index.php", "parent /", "parent /home.html"},
			[]string{"variant /dir/page", "query /dir/page"},
		},
		{
			"with a query", "example,a)/page?a=1", "query /page",
			[]string{"variant /page.html", "parent /"},
			[]string{"variant /page?a=1.html", "parent /page?a=1"},
		},
		{
			"with an ending", "example,a)/dir/page.html", "variant /dir/page",
			[]string{"variant /dir/page.php", "variant /dir/page.aspx", "parent /dir"},
			[]string{"variant /dir/page.html", "variant /dir/page.html/index.html"},
		},
		{
			"an index page", "example,a)/dir/index.html", "variant /dir",
			[]string{"variant /dir/index", "variant /dir/index.php", "parent /dir/home.html", "parent /"},
			[]string{"variant /dir/index.html", "parent /dir/index.html", "parent /dir"},
		},
		{"the index page of a host", "example,a)/index.html", "variant /", []string{"variant /index"}, []string{"parent /"}},
		{
			"a file", "example,a)/dir/photo.png", "variant example,a,m)/dir/photo.png",
			[]string{"parent /dir", "parent /"},
			[]string{"variant /dir/photo.png.html", "variant /dir/photo"},
		},
		{
			"a memento", "example,a)/web/2016/http://www.b.example/dir?x", "variant example,b)/dir?x",
			[]string{"query /web/2016/http://www.b.example/dir", "parent /web/2016"},
			nil,
		},
		{"a session", "example,a)/page;jsessionid=0?a=1", "query /page;jsessionid=0", []string{"variant /page"}, nil},
		{
			"for mobile devices or not", "example,a)/dir?x", "query /dir",
			[]string{"variant example,a,m)/dir?x", "variant example,a,mobile)/dir?x", "variant example,a,amp)/dir?x"},
			[]string{"variant example,m,a)/dir?x"},
		},
		{"of a language", "org,a,en)/p", "variant org,a,en)/p/index.html", []string{"variant org,a,m,en)/p", "variant org,a,en,m)/p"}, nil},
		{"of a language, mobile", "org,a,m,en)/p", "variant org,a,m,en)/p/index.html", []string{"variant org,a,en)/p"}, nil},
		{"mobile", "org,a,m)/p", "variant org,a,m)/p/index.html", []string{"variant org,a)/p"}, []string{"variant org,a,m,m)/p"}},
		{"of a domain m", "org,m)/p", "variant org,m)/p/index.html", []string{"variant org,m,m)/p"}, []string{"variant org)/p"}},
		{"an IP address", "127.0.0.1)/p", "variant 127.0.0.1)/p/index.html", nil, []string{"variant 127.0.0.1,m)/p"}},
		{"a redirect", "example,a)/go?to=https:/b.example/", "variant example,b)/", []string{"query /go"}, nil},
		{
			"the home page", "example,a)/", "variant /index.html",
			[]string{"variant /home.html"},
			[]string{"variant /", "variant /.html", "parent /"},
		},
	}
	reasons := map[Why]string{WhyNoQuery: "query", WhyVariant: "variant", WhyParent: "parent"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, n := range neighbours(tt.key) {
				got = append(got, reasons[n.why]+" "+strings.TrimPrefix(n.key, "example,a)"))
			}
			if got[0] != tt.begins {
				t.Errorf("the first is %s", got[0])
			}
			for _, want := range tt.also {
				if !slices.Contains(got, want) {
					t.Errorf("%s is not in %q", want, got)
				}
			}
			for _, not := range tt.never {
				if slices.Contains(got, not) {
					t.Errorf("%s is in %q", not, got)
				}
			}
			seen := map[string]bool{}
			for _, n := range got {
				_, key, _ := strings.Cut(n, " ")
				if seen[key] {
					t.Errorf("%s comes twice", key)
				}
				seen[key] = true
			}
		})
	}
	deep := neighbours("example,a)" + strings.Repeat("/a", 1000))
	if most := (maxFolders+2)*(len(indexPages)+1) + 2*len(pageEndings); len(deep) > most || deep[len(deep)-7].key != "example,a)/" {
		t.Errorf("of a deep page: %d, the last folder is %.40q", len(deep), deep[len(deep)-7].key)
	}
	if got := neighbours("no host"); got != nil {
		t.Errorf("of what is no key: %v", got)
	}
}

func TestSpelling(t *testing.T) {
	long := strings.Repeat("abcdefghij", 20)
	tests := []struct {
		name, a, b string
		distance   int
		ok         bool
	}{
		{"the same", "page", "page", 0, false},
		{"a letter", "page", "pages", 1, true},
		{"a letter of four is all", "page", "pagers", 2, false},
		{"another letter", "page", "paqe", 1, true},
		{"two letters of five", "pages", "pagesss", 2, true},
		{"three letters of five", "pages", "pagessss", 3, false},
		{"two letters missing of five", "pages", "pag", 2, true},
		{"three letters missing of five", "pages", "pa", 3, false},
		{"two letters of nine", "weatherly", "weathxrlyz", 2, true},
		{"three letters of ten", "weatherman", "weathxrmyxn", 3, true},
		{"three other letters of nine", "weatherly", "wxaxhxrly", 3, false},
		{"nothing is spelled like nothing", "a", "", 0, false},
		{"what lies in a folder", "page", "pag/", 0, false},
		{"names of two hundred letters", long, long + "x", 1, true},
		{"longer names are left alone", long + "x", long, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d, ok := spelling(tt.a, tt.b); ok != tt.ok || ok && d != tt.distance {
				t.Errorf("%d, %v", d, ok)
			}
		})
	}
}

func TestAFullFolderIsScannedAroundTheFirstLetters(t *testing.T) {
	keys := func(n int) func(yield func(string, error) bool) {
		return func(yield func(string, error) bool) {
			for range n {
				if !yield("dir/x", nil) {
					return
				}
			}
		}
	}
	for n, want := range map[int]bool{0: true, 1_000: true, 1_001: false} {
		f := speller{dir: "dir/", name: "y"}
		if all, err := f.scan(keys(n)); all != want || err != nil {
			t.Errorf("%d keys: all %v, %v", n, all, err)
		}
	}
}

// Another query is like one that has all of its parameters and others, or some of them and no others.
func TestOtherQueries(t *testing.T) {
	t.Parallel()
	const at = "http://a.example/p"
	var records []archivetest.Record
	for _, query := range []string{"", "?a=1&b=2", "?a=1", "?c=3", "?a=1&c=3", "?a=1&b=2&c=3&d=4", "?a=1&b=2&c=3"} {
		records = append(records, archivetest.On("2020", at+query, "text"))
	}
	f := &finder{timeline.New(timeline.Config{View: &view.View{Whole: archivetest.Keep(t, records...).Index}})}
	for asked, want := range map[string][]string{
		"": nil, "?a=1&b=2": {"?a=1", "?a=1&b=2&c=3", "?a=1&b=2&c=3&d=4"}, "?e=5": nil, "?d=4": {"?a=1&b=2&c=3&d=4"},
	} {
		found, err := f.otherQueries(t.Context(), "web", surt.Of(at+asked))
		var got []string
		for _, n := range found {
			got = append(got, strings.TrimPrefix(n.key, surt.Of(at)))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q (%v)", asked, got, want, err)
		}
	}
}

func TestFirstGoodIsASuccess(t *testing.T) {
	for status, want := range map[int]bool{199: false, 200: true, 299: true, 300: false, 404: false} {
		tl := timeline.Timeline{Captures: []cdx.Capture{{Time: 20200101000000, Status: status}}}
		if got := firstGood(20200101000000, tl.Closest(20200101000000)); (got != nil) != want {
			t.Errorf("%d: %v", status, got)
		}
	}
}
