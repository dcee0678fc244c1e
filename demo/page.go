package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed site
var siteFiles embed.FS

// A page is a page of the site through all its years. Times are prefixes of fourteen digits, such as "201403", and mean
// "from then on".
type page struct {
	name    string // of its template
	path    string
	title   string
	lang    string
	dir     string // "rtl", or "" for left to right
	noise   bool   // has a clock, a counter, a quotation and a token that differ in each capture
	from    string // does not exist before
	moved   phase  // redirects with 301 to the address in what
	gone    string // answers 404 from then on
	soft404 string // says that it is gone, but with status 200
	gzip    string // Content-Encoding: gzip
	chunked string // Transfer-Encoding: chunked
	charset phase  // the charset in what, until the page became UTF-8
	down    []string
}

// A phase is a time, and what begins or ends then.
type phase struct {
	when, what string
}

// reached reports whether at, a time in fourteen digits, is in or after when. "" is never reached.
func reached(at, when string) bool { return when != "" && at >= when }

// isDown reports whether the server failed at that time.
func (p *page) isDown(at string) bool {
	for _, d := range p.down {
		if strings.HasPrefix(at, d) {
			return true
		}
	}
	return false
}

// loadPages reads the pages in the order of their file names, and passes their templates to add.
func loadPages(add func(name, text string) error) ([]*page, error) {
	files, err := fs.Glob(siteFiles, "site/pages/*.html")
	if err != nil {
		return nil, err
	}
	var pages []*page
	for _, file := range files {
		text, err := siteFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		head, body, ok := strings.Cut(string(text), "\n---\n")
		if !ok {
			return nil, fmt.Errorf("demo: %s: no line of three dashes", file)
		}
		p := &page{name: file, lang: "en"}
		if err := p.parseHead(head); err != nil {
			return nil, fmt.Errorf("demo: %s: %w", file, err)
		}
		if err := add(p.name, body); err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return pages, nil
}

func (p *page) parseHead(head string) error {
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		first, second, _ := strings.Cut(value, " ")
		switch key {
		case "path":
			p.path = value
		case "title":
			p.title = value
		case "lang":
			p.lang = value
		case "dir":
			p.dir = value
		case "noise":
			p.noise = value == "yes"
		case "from":
			p.from = value
		case "moved":
			p.moved = phase{when: first, what: second}
		case "gone":
			p.gone = value
		case "soft404":
			p.soft404 = value
		case "gzip":
			p.gzip = value
		case "chunked":
			p.chunked = value
		case "charset":
			p.charset = phase{what: first, when: second}
		case "down":
			p.down = strings.Fields(value)
		default:
			return fmt.Errorf("unknown key %q", key)
		}
	}
	return nil
}
