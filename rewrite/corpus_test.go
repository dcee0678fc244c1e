package rewrite

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/varve-archive/varve/internal/testkit/corpora"
	"github.com/varve-archive/varve/rewrite/uses"
)

// A body is an archived response body as the browser received it.
type body struct {
	uri, contentType string
	data             []byte
}

// corpusBodies yields each distinct body of the shared corpora once.
func corpusBodies(t testing.TB, yield func(body)) {
	t.Helper()
	seen := map[[sha1.Size]byte]bool{}
	for _, name := range corpora.Files(t, ".warc.gz", ".warc") {
		readWARC(t, name, func(b body) {
			if sum := sha1.Sum(b.data); !seen[sum] {
				seen[sum] = true
				yield(b)
			}
		})
	}
}

// readWARC yields the response bodies of a WARC up to where it is damaged.
func readWARC(t testing.TB, name string, yield func(body)) {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	br := bufio.NewReader(f)
	if strings.HasSuffix(name, ".gz") {
		zr, err := gzip.NewReader(br)
		if err != nil {
			return
		}
		br = bufio.NewReader(zr)
	}
	for {
		header := map[string]string{}
		line, err := br.ReadString('\n')
		for ; err == nil && strings.TrimSpace(line) != ""; line, err = br.ReadString('\n') {
			if key, value, ok := strings.Cut(line, ":"); ok {
				header[strings.ToLower(key)] = strings.TrimSpace(value)
			}
		}
		if err != nil {
			return
		}
		n, err := strconv.Atoi(header["content-length"])
		if err != nil || n < 0 {
			return
		}
		block := make([]byte, n)
		if _, err := io.ReadFull(br, block); err != nil {
			return
		}
		if header["warc-type"] == "response" {
			if b, ok := httpBody(strings.Trim(header["warc-target-uri"], "<>"), block); ok {
				yield(b)
			}
		}
		if _, err := br.Discard(len("\r\n\r\n")); err != nil {
			return
		}
	}
}

func httpBody(uri string, block []byte) (body, bool) {
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(block)), nil)
	if err != nil {
		return body{}, false
	}
	var r io.Reader = resp.Body
	if resp.Header.Get("Content-Encoding") == "gzip" {
		if r, err = gzip.NewReader(r); err != nil {
			return body{}, false
		}
	}
	data, err := io.ReadAll(r)
	return body{uri, resp.Header.Get("Content-Type"), data}, err == nil && len(data) > 0
}

func useOf(contentType string) uses.Use {
	switch {
	case strings.Contains(contentType, "javascript"):
		return uses.Script
	case strings.Contains(contentType, "css"):
		return uses.Style
	}
	return uses.Link
}

func TestCorpusBodiesStayWithNothingToResolve(t *testing.T) {
	corpora.SkipShort(t)
	counts := map[Format]int{}
	corpusBodies(t, func(b body) {
		format := Sniff(b.contentType, useOf(b.contentType), b.data[:min(len(b.data), SniffLen)])
		counts[format]++
		var out bytes.Buffer
		if err := format.Rewrite(&out, bytes.NewReader(b.data), Options{Base: b.uri, Resolve: nothing}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), b.data) {
			t.Errorf("%s (%v) changed", b.uri, format)
		}
	})
	t.Logf("bodies: %v", counts)
	if counts[FormatHTML] == 0 || counts[FormatCSS] == 0 || counts[FormatJS] == 0 {
		t.Errorf("bodies %v: some format was never tried", counts)
	}
}

// Every script of the corpora, including those in pages, must still parse after it was prepared for the client side.
func TestCorpusScriptsAreStillScriptsForTheClientSide(t *testing.T) {
	corpora.SkipShort(t)
	scripts, changed := 0, 0
	seen := map[[sha1.Size]byte]bool{}
	try := func(uri string, script []byte, use uses.Use) {
		sum := sha1.Sum(script)
		if seen[sum] {
			return
		}
		seen[sum] = true
		scripts++
		out := apply(t, FormatJS, script, Options{Resolve: archive, JS: true, Use: use})
		if bytes.Equal(out, script) || syntaxError(string(script), use) != "" {
			return
		}
		changed++
		if problem := syntaxError(string(out), use); problem != "" {
			t.Errorf("%s no longer parses: %s", uri, problem)
		}
	}
	corpusBodies(t, func(b body) {
		switch Sniff(b.contentType, useOf(b.contentType), b.data[:min(len(b.data), SniffLen)]) {
		case FormatJS:
			try(b.uri, b.data, uses.Script)
		case FormatHTML:
			inlineScripts(b.data, func(script []byte, use uses.Use) { try(b.uri, script, use) })
		}
	})
	t.Logf("%d scripts, %d changed", scripts, changed)
	if changed == 0 {
		t.Error("no script was changed")
	}
}

// inlineScripts yields the scripts in a page.
func inlineScripts(page []byte, yield func([]byte, uses.Use)) {
	z := html.NewTokenizer(bytes.NewReader(page))
	for tt := z.Next(); tt != html.ErrorToken; tt = z.Next() {
		if tt != html.StartTagToken {
			continue
		}
		tok, kind, language, use := z.Token(), "", "", uses.Script
		if tok.Data != "script" {
			continue
		}
		for _, a := range tok.Attr {
			switch a.Key {
			case "type":
				kind = a.Val
			case "language":
				language = a.Val
			}
		}
		switch scriptType([]byte(kind), []byte(language)) {
		case scriptData, scriptImportMap:
			continue
		case scriptModule:
			use = uses.Module
		}
		if z.Next() == html.TextToken {
			yield(bytes.Clone(z.Text()), use)
		}
	}
}

// The attributes by which a page loads something or navigates, found by another tokenizer.
var loadingAttrs = map[string]bool{"href": true, "src": true, "action": true, "background": true, "poster": true, "cite": true}

func TestCorpusPagesKeepNoURIOfTheLiveWeb(t *testing.T) {
	corpora.SkipShort(t)
	pages, uris := 0, 0
	corpusBodies(t, func(b body) {
		if Sniff(b.contentType, uses.Link, b.data[:min(len(b.data), SniffLen)]) != FormatHTML {
			return
		}
		pages++
		var out bytes.Buffer
		if err := HTML(&out, bytes.NewReader(b.data), Options{Base: b.uri, Resolve: archive}); err != nil {
			t.Fatal(err)
		}
		for _, uri := range pageURIs(out.Bytes()) {
			uris++
			if !strings.HasPrefix(uri, "http://archive.test/") {
				t.Errorf("%s: %q stayed", b.uri, uri)
			}
		}
	})
	t.Logf("%d pages, %d URIs", pages, uris)
	if uris == 0 {
		t.Error("no URI was looked at")
	}
}

// pageURIs returns the references of a page that would use a network.
func pageURIs(page []byte) (uris []string) {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		tt := z.Next()
		if tt == html.ErrorToken {
			return uris
		}
		if tt != html.StartTagToken && tt != html.SelfClosingTagToken {
			continue
		}
		for _, a := range z.Token().Attr {
			v := strings.TrimSpace(a.Val)
			if !loadingAttrs[a.Key] || v == "" || v[0] == '#' {
				continue
			}
			if scheme, _, ok := strings.Cut(v, ":"); ok && !strings.ContainsAny(scheme, "/?#. ") &&
				!strings.HasPrefix(strings.ToLower(scheme), "http") {
				continue
			}
			uris = append(uris, v)
		}
	}
}
