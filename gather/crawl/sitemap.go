package crawl

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/net/html/charset"
)

const (
	maxSitemap  = 50 << 20 // bytes of a sitemap (sitemaps.org)
	maxLocs     = 50_000   // addresses in it
	gzipMagic   = "\x1f\x8b"
	defaultMap  = "/sitemap.xml"
	maxMapLevel = 3 // of indexes in indexes; the protocol has one
)

// readSitemap returns the addresses in a sitemap: of pages, or of sitemaps if it is an index. It may be compressed, or plain text with
// one address a line. What can't be read has none; what ends too early has those before.
func readSitemap(address string, body []byte) (locs []string, index bool) {
	if bytes.HasPrefix(body, []byte(gzipMagic)) {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, false
		}
		body, _ = io.ReadAll(io.LimitReader(z, maxSitemap)) // what could be unpacked
	}
	add := func(text string) {
		if loc, err := resolve(address, text); err == nil && len(locs) < maxLocs {
			locs = append(locs, loc)
		}
	}
	if trimmed := bytes.TrimSpace(body); !bytes.HasPrefix(bytes.TrimPrefix(trimmed, []byte("\xef\xbb\xbf")), []byte("<")) {
		for line := range strings.Lines(string(body)) {
			if strings.HasPrefix(line, "http") {
				add(line)
			}
		}
		return locs, false
	}
	index = readXML(body, add)
	return locs, index
}

// readXML calls add with what stands in each loc element of a sitemap or an index, and reports whether it is an index.
func readXML(body []byte, add func(string)) (index bool) {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict = false
	d.CharsetReader = charset.NewReaderLabel
	var stack []string
	for {
		t, err := d.Token()
		if err != nil {
			return index
		}
		switch t := t.(type) {
		case xml.StartElement:
			stack = append(stack, t.Name.Local)
			index = index || len(stack) == 1 && t.Name.Local == "sitemapindex"
		case xml.EndElement:
			stack = stack[:max(0, len(stack)-1)]
		case xml.CharData:
			if n := len(stack); n == 3 && stack[2] == "loc" && (stack[1] == "url" || stack[1] == "sitemap") {
				add(string(t))
			}
		}
	}
}
