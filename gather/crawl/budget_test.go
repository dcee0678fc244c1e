package crawl_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/crawl"
)

// A site that answers nothing to who doesn't bring its cookie back is crawled, without a browser too.
func TestCookiesAreBroughtBack(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("visit"); err != nil || c.Value != "7" {
			http.SetCookie(w, &http.Cookie{Name: "visit", Value: "7", Path: "/"})
			if r.URL.Path == "/set" {
				http.Redirect(w, r, "/", http.StatusFound)
				return
			}
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return
		}
		for i := range 200 { // more than is kept
			http.SetCookie(w, &http.Cookie{Name: "n" + strconv.Itoa(i), Value: strings.Repeat("x", 100)})
		}
		if n := len(r.Cookies()); n > 50 {
			t.Errorf("%d cookies were brought", n)
		}
		html(w, "<a href=/a>a</a><a href=/b>b</a>")
	})
	r := run(t, settings(s))
	if got := r.Status["200"]; got != 3 || !slices.Contains(r.got, "/a") || !slices.Contains(r.got, "/b") {
		t.Errorf("%d pages: %v, %+v", got, r.got, r.Report)
	}
}

// The cookie may be set at the beginning of redirects that lead back there, or on their way; the site is asked again once.
func TestCookiesOnTheWayBack(t *testing.T) {
	t.Parallel()
	for setter, want := range map[string]int{"/": 2, "/1": 2, "/2": 2, "none": 1} {
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == setter {
				http.SetCookie(w, &http.Cookie{Name: "visit", Value: "7", Path: "/"})
			}
			_, err := r.Cookie("visit")
			to := map[string]string{"/": "/1", "/1": "/2", "/2": "/"}[r.URL.Path]
			if to == "" || err == nil && r.URL.Path == "/" {
				page(w, "/in")
				return
			}
			http.Redirect(w, r, to, http.StatusFound)
		})
		if r := run(t, settings(s)); s.asked["/"] != want || s.asked["/in"] != want-1 || s.asked["/1"] != 1 || r.State != crawl.Completed {
			t.Errorf("set by %s: asked for %v", setter, s.asked)
		}
	}
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { // a new one each time
		http.SetCookie(w, &http.Cookie{Name: "visit", Value: strconv.FormatInt(time.Now().UnixNano(), 10), Path: "/"})
		if to := map[string]string{"/": "/1", "/1": "/2", "/2": "/"}[r.URL.Path]; to != "" {
			http.Redirect(w, r, to, http.StatusFound)
		}
	})
	if run(t, settings(s)); s.asked["/"] != 2 {
		t.Errorf("asked for %v", s.asked)
	}
}

// A site that sets a cookie each time and leads back each time is a trap.
func TestCookiesWithoutEnd(t *testing.T) {
	t.Parallel()
	n := 0
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		n++
		http.SetCookie(w, &http.Cookie{Name: "visit", Value: strconv.Itoa(n), Path: "/"})
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	})
	if r := run(t, settings(s)); r.Traps["redirects"] != 1 || r.State != crawl.Completed {
		t.Errorf("%+v", r.Report)
	}
}

// A catalogue with a page for every choice of filters doesn't take the turns of the site's other pages, wherever its addresses have them.
func TestFacetsDoNotEatTheBudget(t *testing.T) {
	t.Parallel()
	for name, choice := range map[string]func(r *http.Request, i int) string{
		"arguments": func(r *http.Request, i int) string { return fmt.Sprintf("/shop?%s&c=1&f=%d", r.URL.RawQuery, i) },
		"values":    func(r *http.Request, i int) string { return fmt.Sprintf("/shop?f=%s,%d", r.URL.Query().Get("f"), i) },
		"parts of paths": func(r *http.Request, i int) string {
			before, ok := strings.CutPrefix(r.URL.Path, "/shop/")
			filter := "filter-" + strconv.Itoa(i)
			if ok && !slices.Contains(strings.Split(before, "/"), filter) {
				return r.URL.Path + "/" + filter
			}
			return "/shop/" + filter
		},
		"parts behind semicolons": func(r *http.Request, i int) string {
			before := strings.TrimPrefix(r.URL.Path, "/shop")
			if !strings.HasPrefix(before, ";") || strings.Contains(before+";", fmt.Sprintf(";f%d=on;", i)) {
				before = ""
			}
			return fmt.Sprintf("/shop%s;f%d=on", before, i)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/article/"))
				html(w, fmt.Sprintf("<title>%s</title>", r.URL.RequestURI()))
				if n < 100 { // 200 in all, seven jumps deep
					fmt.Fprintf(w, "<a href=/article/%d>on</a> <a href=/article/%d>further on</a>", 2*n+1, 2*n+2)
				}
				for i := range 30 {
					fmt.Fprintf(w, "<a href='%s'>filter</a>", choice(r, i))
				}
			})
			set := settings(s)
			set.MaxPages = 300
			r := run(t, set)
			articles, shop := 0, 0
			for _, path := range r.got {
				if strings.HasPrefix(path, "/article/") {
					articles++
				} else if strings.HasPrefix(path, "/shop") {
					shop++
				}
			}
			if r.Pages != 300 || articles != 200 || shop < 64 {
				t.Errorf("%d articles and %d choices of filters: %+v", articles, shop, r.Report)
			}
		})
	}
}

// Pages with names of their own are no choices of filters, however deep they are, nor are the pages of a list.
func TestWhatIsNoFacet(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		html(w, fmt.Sprintf("<title>%s</title>", r.URL.RequestURI()))
		for i := range 150 {
			fmt.Fprintf(w, "<a href=/news/of/town/river-%d>n</a><a href=/2014/05/%d/list/%d>d</a>", i, i%28, i)
		}
	})
	set := settings(s)
	set.MaxPages = 302
	if r := run(t, set); r.Pages != 301 {
		t.Errorf("%+v", r.Report)
	}
}

// What asked to come back, or didn't answer, and had no more turn is told at the end.
func TestPendingRetriesAreTold(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/busy"):
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/":
			html(w, "<a href=/busy/1>1</a><a href=/busy/2>2</a><a href=/1>a</a><a href=/2>b</a><a href=/3>c</a>")
		default:
			html(w, "x")
		}
	})
	set := settings(s)
	set.MaxPages, set.Threads = 4, 1
	if r := run(t, set); r.PendingRetries != 2 || r.Limit != "max_pages" {
		t.Errorf("%+v", r.Report)
	}
}
