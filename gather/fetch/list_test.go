package fetch_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/gather/fetch"
)

// A writtenWeb has answers by their addresses: a status with fields, an empty line, a body.
type writtenWeb struct {
	answers map[string]string
	asked   []string // the last part of each address
	open    int      // bodies
}

func (w *writtenWeb) Get(_ context.Context, uri string, _ http.Header) (*http.Response, error) {
	w.asked = append(w.asked, uri[strings.LastIndex(uri, "/")+1:])
	text, ok := w.answers[uri]
	if !ok {
		return nil, errors.New("refused")
	}
	req, err := http.NewRequest("GET", uri, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(bufio.NewReader(strings.NewReader("HTTP/1.1 "+text)), req)
	if err == nil {
		w.open++
		answer.Body = closing{answer.Body, &w.open}
	}
	return answer, err
}

type closing struct {
	io.Reader
	open *int
}

func (c closing) Close() error {
	*c.open--
	return nil
}

// What leads to TimeMaps, and from one to the next; each is asked once, and what is wrong on the way is reported.
func TestWaysToTimeMaps(t *testing.T) {
	memento := func(year int) string {
		return fmt.Sprintf(`<m%d>; rel="memento"; datetime="Sat, 01 Jan %d 00:00:00 GMT"`, year, year)
	}
	const nothing = "nothing there leads"
	const isMap, isJSON = "200 OK\nContent-Type: application/link-format\n", "200 OK\nContent-Type: application/json\n\n"
	timeMap := func(links ...string) string {
		return isMap + "\n<http://r.example/>; rel=\"original\",\n" + strings.Join(links, ",\n")
	}
	page := func(to, more string) string { return `<` + to + `>; rel="timemap"` + more }
	const day = ` 00:00:00 GMT"`
	for _, tt := range []struct {
		name    string
		answers map[string]string
		ask     fetch.Question
		found   string
		asked   string
		report  string
		err     string
	}{
		{
			name: "a TimeMap", answers: map[string]string{"r": timeMap(memento(2011), memento(2010), memento(2011))},
			found: "m2010 m2011", asked: "r",
		},
		{
			name: "a TimeMap at another place, whose mementos are relative references or not", answers: map[string]string{
				"r":   "302 Found\nLocation: a/t\n\n",
				"a/t": timeMap(memento(2010), strings.Replace(memento(2011), "m2011", "/web/http://r.example/50%-off", 1)),
			}, found: "a/m2010 web/http://r.example/50%25-off", asked: "r t",
		},
		{
			name: "a TimeMap that breaks off", answers: map[string]string{
				"r": strings.Replace(timeMap(memento(2010), memento(2011)), "\n\n", "\nContent-Length: 1000\n\n", 1),
			}, found: "m2010", asked: "r", report: "link at byte 103 unexpected EOF",
		},
		{
			name: "a TimeMap with a Location", answers: map[string]string{"r": strings.Replace(timeMap(memento(2010)), "\n", "\nLocation: x\n", 1)},
			found: "m2010", asked: "r",
		},
		{
			name: "a redirect", answers: map[string]string{"r": "302 Found\nLocation: m\n\n", "m": timeMap(memento(2010))},
			found: "m2010", asked: "r m",
		},
		{
			name: "a TimeGate", answers: map[string]string{
				"r": "200 OK\nLink: <g>; rel=timegate, <h>; rel=timegate\n\n", "g": "404 Not Found\nLink: <m>; rel=timemap\n\n",
				"m": timeMap(memento(2010)),
			}, found: "m2010", asked: "r g m",
		},
		{
			name: "a TimeMap before a TimeGate", answers: map[string]string{
				"r": "200 OK\nLink: <g>; rel=timegate\nLink: <m>; rel=timemap\n\n", "m": timeMap(memento(2010)),
			}, found: "m2010", asked: "r m",
		},
		{name: "a circle", answers: map[string]string{"r": "200 OK\nLink: <r>; rel=timemap\n\n"}, asked: "r", err: nothing},
		{
			name: "a long way", answers: map[string]string{
				"r": "200 OK\nLink: <a>; rel=timegate\n\n", "a": "200 OK\nLink: <b>; rel=timegate\n\n", "b": "200 OK\nLink: <c>; rel=timegate\n\n",
			}, asked: "r a b", err: nothing,
		},
		{
			name:    "a redirect without an end",
			answers: map[string]string{"r": "301 Moved\nLocation: r\n\n"}, asked: "r r r r r r", err: "redirects more than 5 times",
		},
		{
			name:    "a redirect to no address",
			answers: map[string]string{"r": "301 Moved\nLocation: http://[\n\n"}, asked: "r", err: "is no address",
		},
		{name: "a redirect without an address", answers: map[string]string{"r": "301 Moved\n\n"}, asked: "r", err: nothing},
		{name: "other JSON", answers: map[string]string{"r": isJSON + "[1]"}, asked: "r", err: nothing},
		{name: "JSON that breaks off", answers: map[string]string{"r": isJSON + `{"a": `}, asked: "r", err: "unexpected"},
		{name: "an unknown coding", answers: map[string]string{"r": isMap + "Content-Encoding: x\n\n"}, asked: "r", err: "x"},
		{
			name:    "an error that looks like one",
			answers: map[string]string{"r": "404 Not Found\nContent-Type: application/link-format\n\n"}, asked: "r", err: nothing,
		},
		{
			name: "a TimeGate that redirects to a memento without links", answers: map[string]string{
				"r": "302 Found\nLocation: m2010\nLink: <r>; rel=\"original timegate\", <m>; rel=timemap\n\n", "m": timeMap(memento(2010)),
			}, found: "m2010", asked: "r m",
		},
		{
			name: "a redirect that names the TimeMap to which it leads", answers: map[string]string{
				"r": "302 Found\nLocation: m\nLink: <m>; rel=timemap\n\n", "m": timeMap(memento(2010)),
			}, found: "m2010", asked: "r m",
		},
		{
			name: "a redirect of a TimeMap that names itself", answers: map[string]string{
				"r": "302 Found\nLocation: m\nLink: <r>; rel=timemap\n\n", "m": timeMap(memento(2010)),
			}, found: "m2010", asked: "r m",
		},
		{
			name: "a TimeMap as plain text, with a page of no type", answers: map[string]string{
				"r": strings.Replace(timeMap(memento(2010), page("p", "")), "application/link-format", "text/plain; charset=utf-8", 1),
				"p": strings.Replace(timeMap(memento(2011)), isMap, "200 OK\n", 1),
			}, found: "m2010 m2011", asked: "r p",
		},
		{
			name: "a page whose text has links in it", answers: map[string]string{
				"r": "200 OK\nContent-Type: text/html\nLink: <m>; rel=timemap\n\n<p><a href=\"x\">rel=\"memento\"; datetime</a><",
				"m": timeMap(memento(2010)),
			}, found: "m2010", asked: "r m",
		},
		{
			name: "JSON with a TimeMap of its own", answers: map[string]string{
				"r": "200 OK\nContent-Type: application/json\nLink: <m>; rel=timemap\n\n[1]", "m": timeMap(memento(2010)),
			}, found: "m2010", asked: "r m",
		},
		{
			name: "archives of which one refuses, one has nothing and one has something else", answers: map[string]string{
				"a/http://r.example/r": "403 Forbidden\nContent-Type: text/html\n\n", "b/http://r.example/r": "404 Not Found\n\n",
				"c/http://r.example/r": timeMap(memento(2010)), "d/http://r.example/r": isJSON + "[[\"urlkey\"]]",
			}, ask: fetch.Question{Archives: []string{
				"http://r.example/a/", "http://r.example/b/", "http://r.example/c/", "http://r.example/d/",
			}}, found: "c/http://r.example/m2010", asked: "r r r r",
			report: `answers 403 Forbidden of "text/html", which is no TimeMap; answers 200 OK of "application/json", which is no TimeMap`,
		},
		{
			name: "an archive that has nothing", answers: map[string]string{"a/http://r.example/r": "404 Not Found\n\n", "r": "503 Busy\n\n"},
			ask: fetch.Question{Archives: []string{"http://r.example/a/"}}, asked: "r r",
			err: `answers 404 Not Found of "", which is no TimeMap: the archive has nothing of it`,
		},
		{name: "what is no address", ask: fetch.Question{Addresses: []string{""}}, err: "is no address"},
		{
			name: "a further page that was moved, and one that is missing but names another", answers: map[string]string{
				"r": timeMap(memento(2010), page("p", ""), page("n", "")), "p": "302 Found\nLocation: q\nLink: <m>; rel=timemap\n\n",
				"q": timeMap(memento(2011)), "n": "404 Not Found\nLink: <m>; rel=timemap\n\n", "m": timeMap(memento(2012)),
			}, found: "m2010 m2011", asked: "r p q n", report: "answers 404 Not Found of \"\", which is no TimeMap",
		},
		{
			name: "pages", answers: map[string]string{
				"r": timeMap(memento(2010), page("p", ""), page("q", ""), page("p", ""), page("none", "")),
				"p": timeMap(memento(2011), page("r", ""), page("q", "")),
				"q": "200 OK\nContent-Type: text/html\n\n",
			}, found: "m2010 m2011", asked: "r p q none", report: `answers 200 OK of "text/html", which is no TimeMap; refused`,
		},
		{
			name: "pages that may list what is wanted", answers: map[string]string{
				"r": timeMap(
					page("a", `; until="Fri, 31 Dec 2010`+day), page("b", `; until="Sat, 01 Jan 2011`+day),
					page("c", `; from="Sun, 01 Jan 2012`+day), page("d", `; from="Mon, 02 Jan 2012`+day), page("e", ""),
				), "b": timeMap(), "c": timeMap(), "e": timeMap(),
			},
			ask: fetch.Question{Selection: fetch.Selection{From: 20110101000000, To: 20120101000000}}, asked: "r b c e",
		},
		{
			name: "pages from a datetime on", answers: map[string]string{
				"r": timeMap(page("a", `; from="Sun, 01 Jan 2012`+day)), "a": timeMap(memento(2012)),
			},
			ask: fetch.Question{Selection: fetch.Selection{From: 20110101000000}}, found: "m2012", asked: "r a",
		},
		{
			name:    "archives, of which one fails",
			answers: map[string]string{"one/http://r.example/r": timeMap(memento(2010)), "r": timeMap(memento(2011))},
			ask:     fetch.Question{Archives: []string{"http://r.example/none/", "http://r.example/one/"}, Otherwise: []string{"http://x.example/"}},
			found:   "one/http://r.example/m2010", asked: "r r", report: "refused",
		},
		{
			name: "archives that know nothing", answers: map[string]string{"r": timeMap(memento(2011))},
			ask: fetch.Question{Archives: []string{"http://r.example/none/"}}, found: "m2011", asked: "r r", report: "refused",
		},
		{
			name: "an address that is gone from the live web", answers: map[string]string{"one/http://r.example/r": timeMap(memento(2010))},
			ask: fetch.Question{Otherwise: []string{"http://r.example/one/"}}, found: "one/http://r.example/m2010", asked: "r r",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			web := &writtenWeb{answers: map[string]string{}}
			for path, text := range tt.answers {
				head, body, _ := strings.Cut(text, "\n\n")
				web.answers["http://r.example/"+path] = strings.ReplaceAll(head, "\n", "\r\n") + "\r\n\r\n" + body
			}
			if tt.ask.Addresses == nil {
				tt.ask.Addresses = []string{"http://r.example/r"}
			}
			var reports []string
			found, err := fetch.List(t.Context(), web, tt.ask, func(err error) { reports = append(reports, err.Error()) })
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			var all []string
			for _, f := range found {
				all = append(all, strings.TrimPrefix(cmp.Or(f.URIM, "none"), "http://r.example/"))
				if f.URIR != "http://r.example/" {
					t.Errorf("%+v", f)
				}
			}
			for i, report := range reports {
				reports[i] = strings.TrimSpace(report[strings.LastIndex(report, ": ")+1:])
			}
			want := []string{tt.found, tt.asked, tt.report}
			if diff := gocmp.Diff(want, []string{strings.Join(all, " "), strings.Join(web.asked, " "), strings.Join(reports, "; ")}); diff != "" {
				t.Errorf("found, asked, reported (-want +got):\n%s", diff)
			}
			if web.open != 0 {
				t.Errorf("%d bodies are not closed", web.open)
			}
		})
	}
}
