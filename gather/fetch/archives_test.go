package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
)

// A plainWeb asks what tests serve on loopback.
type plainWeb struct{ client http.Client }

func newPlainWeb() *plainWeb {
	return &plainWeb{http.Client{
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (w *plainWeb) Get(ctx context.Context, uri string, head http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, uri, nil)
	if err != nil {
		return nil, err
	}
	if req.URL.Hostname() != "127.0.0.1" {
		return nil, fmt.Errorf("%s: is not on loopback", uri)
	}
	for name, values := range head {
		req.Header[name] = values
	}
	return w.client.Do(req)
}

// A kept page is one capture of an archive that tests ask.
type kept struct {
	time   cdx.Timestamp
	status int
	head   http.Header
	body   string
}

// An elsewhere is an archive of one URI-R that tests ask, in one of the manners of archives.
type elsewhere struct {
	*httptest.Server
	uriR   string
	kept   []kept
	manner manner
	perMap int // mementos in a page of its TimeMap; 0 for all

	mu    sync.Mutex
	asked []string
}

// A manner is how an archive gives its mementos.
type manner int

const (
	wayback  manner = iota // id_, and X-Archive-Orig- before captured fields
	pywb                   // id_, and captured fields as they are
	prefers                // no ts14 in URI-Ms, Prefer: raw
	proposed               // no ts14 in URI-Ms, Prefer: original-content, …
	stubborn               // whatever is asked, rewritten
	own                    // a site that keeps the versions of its own pages
)

func newElsewhere(t *testing.T, uriR string, m manner, pages ...kept) *elsewhere {
	a := &elsewhere{uriR: uriR, kept: pages, manner: m}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *elsewhere) timeMap() string { return a.URL + "/web/timemap/link/" + a.uriR }

func (a *elsewhere) urim(i int) string {
	switch a.manner {
	case wayback, pywb, stubborn:
		return fmt.Sprintf("%s/web/%s/%s", a.URL, a.kept[i].time, a.uriR)
	default:
		return fmt.Sprintf("%s/version/%d", a.URL, i)
	}
}

func (a *elsewhere) wasAsked() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	asked := a.asked
	a.asked = nil
	return asked
}

var ofURIM = regexp.MustCompile(`^/web/(\d+)(id_)?/`)

func (a *elsewhere) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.asked = append(a.asked, r.RequestURI)
	a.mu.Unlock()
	page := 0
	switch path := r.RequestURI; {
	case strings.HasPrefix(path, "/web/timemap/link/"):
		if _, err := fmt.Sscanf(path, "/web/timemap/link/%d/", &page); err != nil {
			page = 0
		}
		a.serveTimeMap(w, page)
	case strings.HasPrefix(path, "/version/"):
		i := 0
		fmt.Sscanf(path, "/version/%d", &i)
		a.serve(w, r, i, strings.HasPrefix(r.Header.Get("Prefer"), a.preference()) && a.preference() != "")
	case ofURIM.MatchString(path):
		m := ofURIM.FindStringSubmatch(path)
		for i, k := range a.kept {
			if k.time.String() == m[1] {
				a.serve(w, r, i, m[2] != "" && a.manner != stubborn)
				return
			}
		}
		http.Redirect(w, r, a.urim(0), http.StatusFound)
	default:
		http.NotFound(w, r)
	}
}

func (a *elsewhere) preference() string {
	switch a.manner {
	case prefers:
		return "raw"
	case proposed:
		return "original-content"
	}
	return ""
}

func (a *elsewhere) serveTimeMap(answer http.ResponseWriter, page int) {
	answer.Header().Set("Content-Type", "application/link-format")
	answer.Header().Set("Content-Encoding", "gzip")
	w := gzip.NewWriter(answer)
	defer w.Close()
	fmt.Fprintf(w, "<%s>; rel=\"original\"", a.uriR)
	first, end := 0, len(a.kept)
	if a.perMap > 0 {
		first = page * a.perMap
		end = min(end, first+a.perMap)
		if end < len(a.kept) {
			fmt.Fprintf(w, ",\n<%s/web/timemap/link/%d/%s>; rel=\"next timemap\"; type=\"application/link-format\"; from=\"%s\"",
				a.URL, page+1, a.uriR, memento.FormatDatetime(a.kept[end].time))
		}
	}
	for i := first; i < end; i++ {
		fmt.Fprintf(w, ",\n<%s>; rel=\"memento\"; datetime=\"%s\"", a.urim(i), memento.FormatDatetime(a.kept[i].time))
	}
}

// serve answers with a memento, as it was captured or as the archive shows it to its readers.
func (a *elsewhere) serve(w http.ResponseWriter, r *http.Request, i int, raw bool) {
	k := a.kept[i]
	h := w.Header()
	for name, values := range k.head {
		if a.manner == wayback {
			name = "X-Archive-Orig-" + name
		}
		h[name] = values
	}
	h.Set("Memento-Datetime", memento.FormatDatetime(k.time))
	h.Add("Link", fmt.Sprintf("<%s>; rel=\"original\", <%s>; rel=\"timemap\"; type=\"application/link-format\"", a.uriR, a.timeMap()))
	if k.head.Get("Content-Type") != "" {
		h.Set("Content-Type", k.head.Get("Content-Type"))
	}
	if to := k.head.Get("Location"); to != "" && a.manner == wayback {
		h.Set("Location", fmt.Sprintf("/web/%s/%s", k.time, to))
	}
	if raw && a.preference() != "" {
		h.Set("Preference-Applied", r.Header.Get("Prefer"))
	}
	body := k.body
	if !raw && a.manner != own {
		body = strings.NewReplacer(`src="/`, fmt.Sprintf(`src="/web/%sim_/http://river.example/`, k.time),
			`href="/`, fmt.Sprintf(`href="%s/web/%s/http://river.example/`, a.URL, k.time)).Replace(body)
	}
	w.WriteHeader(k.status)
	bytes.NewBufferString(body).WriteTo(w)
}
