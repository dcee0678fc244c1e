package e2e

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shop is a site on loopback with items that have a name and a price.
func shop(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		n := 0
		if _, err := fmt.Sscanf(r.URL.Path, "/items/%d", &n); err == nil {
			fmt.Fprintf(w, "<!doctype html><title>Item</title><h1>Ladder of %d rungs</h1><p>A wooden ladder for the shed, price "+
				"<b class=price>EUR %d,000.50</b><p>by <a rel=author href=/>Ada Lovelace</a>", n, n)
			return
		}
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "<!doctype html><title>Shop</title><h2>Everything wooden</h2>")
		for n := range 9 {
			fmt.Fprintf(w, "<a href=/items/%d>%d</a> ", n, n)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// shopFile is a crawl file for the shop.
func shopFile(t *testing.T, s *httptest.Server, fields string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.yaml")
	text := fmt.Sprintf("name: shop\nseeds: ['%s/']\nallow_private: true\ndelay: 0s\nper_host: 4\nsitemaps: false\n", s.URL) +
		"template:\n  fields:\n" + fields
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const shopFields = "    - {name: title, css: h1}\n" +
	"    - {name: price, css: .price, type: number, clean: ['[^0-9.]']}\n" +
	"    - {name: author, xpath: '//a[@rel=\"author\"]', all: true}\n"

// What the template of a crawl takes is found by field, without another word in any configuration.
func TestDocumentsAreFoundByField(t *testing.T) {
	site := shop(t)
	data := filepath.Join(t.TempDir(), "data")
	stdout, stderr, code := invoke(t, "crawl", "--data", data, shopFile(t, site, shopFields))
	if r := reportOf(t, stdout); code != 0 || r.Pages != 10 || r.Docs != 9 {
		t.Fatalf("exit %d, %+v: %s", code, r, stderr)
	}
	if _, stderr, code := invoke(t, "index", "--data", data, "--search"); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	stdout, stderr, code = invoke(t, "search", "--data", data, "price:3000..5000.5")
	if code != 0 || strings.Count(stdout, "/items/") != 3 {
		t.Errorf("exit %d: %s %s", code, stdout, stderr)
	}
	server, err := launch(data, "serve")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.stop(); err != nil {
			t.Error(err)
		}
	}()
	for q, want := range map[string]int{
		"price:3000..5000.5": 3, `author:"ada lovelace"`: 9, "author:babbage": 0, "ladder price:..1000.5": 2, "wooden": 10,
		"title:item price:7000..": 2,
	} {
		if got := server.present(t, "q", q).Total; got != want {
			t.Errorf("%s: %d pages, want %d", q, got, want)
		}
	}
	a := server.get(t, "/web/search?q=ladder&sort=-price&output=csv").expect(t, 200)
	rows, err := csv.NewReader(strings.NewReader(a.body)).ReadAll()
	if err != nil || len(rows) != 10 {
		t.Fatalf("%v: %s", err, a.body)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	price, who := column["price"], column["author"]
	if price == 0 || who == 0 || rows[1][price] != "8000.5" || rows[9][price] != "0.5" || rows[1][who] != "Ada Lovelace" {
		t.Errorf("%v … %v", rows[:2], rows[9])
	}
}

// A server that is running finds by the fields of a crawl beside it, and by those of one that has others.
func TestFieldsOfACrawlBesideAServer(t *testing.T) {
	t.Parallel()
	site := shop(t)
	server := start(t, "serve")
	for fields, q := range map[string]string{
		"    - {name: rungs, css: h1, type: number, clean: ['[^0-9]']}\n": "rungs:6..", shopFields: "price:6000..",
	} {
		if stdout, stderr, code := invoke(t, "crawl", "--data", server.data, "--new", shopFile(t, site, fields)); code != 0 {
			t.Fatalf("exit %d: %s %s", code, stdout, stderr)
		}
		eventually(t, q+" finds", func() bool {
			a := server.get(t, "/web/search?q="+q)
			return a.status == 200 && strings.Contains(a.body, `"total":3`)
		})
	}
	d := described(t, server)
	for target, path := range map[string]string{"/-/crawls": "/-/crawls", "/-/crawls/shop": "/-/crawls/{name}"} {
		d.assertDescribed(t, d.Paths[path]["get"], target, server.get(t, target).expect(t, 200))
	}
}
