// Package invented writes archives of any size, for benchmarks. Their text, mark-up and shared parts have realistic proportions: each host
// has a template, an eighth of a page is text, and words are distributed as in natural languages. The same [Shape] gives the same bytes.
package invented

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// A Shape says what an archive has.
type Shape struct {
	Pages    int
	Captures int    // of each page; 0 is 1
	Change   Change // of each capture against the one before
}

// A Change says what of a page is new.
type Change int

const (
	Paragraphs Change = iota // two of its paragraphs
	Whole                    // all but the template
)

const (
	hosts     = 40
	fileSize  = 64 << 20
	paragraph = 60 // words of a paragraph, on average
)

// Write writes an archive to a folder, which it creates.
func Write(dir string, s Shape) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(17, 19))
	w := &writer{dir: dir, random: r, language: newLanguage(r), pages: s.Pages}
	defer func() { err = errors.Join(err, w.close()) }()
	for i := range hosts {
		w.templates = append(w.templates, w.template(i))
	}
	for i := range s.Pages {
		if err := w.page(i, max(s.Captures, 1), s.Change); err != nil {
			return err
		}
	}
	return nil
}

type writer struct {
	*language
	dir       string
	random    *rand.Rand
	pages     int
	templates []template
	records   int

	file  *os.File
	out   *bufio.Writer
	size  int64
	files int
}

// A template is what the pages of a host share.
type template struct{ head, menu, foot string }

func (w *writer) template(host int) template {
	t := w.topic()
	var head, menu, foot strings.Builder
	for i := range 12 {
		fmt.Fprintf(&head, `<link rel="stylesheet" href="/assets/%016x.css"><script src="/assets/%016x.js" defer></script>`, w.random.Uint64(), i)
	}
	fmt.Fprintf(&head, "<style>%s</style>", w.rules(200))
	for i := range 40 {
		fmt.Fprintf(&menu, `<li class="menu-item menu-item-%d"><a href="%s">%s</a></li>`,
			i, w.address(i*hosts+host), w.sentence(t, 1+w.random.IntN(3)))
	}
	for range 4 {
		fmt.Fprintf(&foot, `<section class="widget"><h4>%s</h4><p>%s</p></section>`, w.sentence(t, 2), w.paragraph(t, 25))
	}
	return template{head.String(), menu.String(), foot.String()}
}

// rules returns so many rules of a style sheet.
func (w *writer) rules(n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, ".%s-%s{margin:%dpx;color:#%06x}",
			w.word(w.random.Uint64N(500)), w.word(w.random.Uint64N(50)), w.random.IntN(40), w.random.IntN(1<<24))
	}
	return b.String()
}

// address returns that of a page. There are as many hosts as templates.
func (w *writer) address(page int) string {
	page %= w.pages
	return fmt.Sprintf("http://www.%s.example/%s/%d.html", w.word(uint64(1000+page%hosts)), w.word(uint64(2000+page%300)), page)
}

// A body is what a page says.
type body struct {
	topic      topic
	title      string
	paragraphs []string
}

// body returns a text of some hundred to some thousand words.
func (w *writer) body() body {
	b := body{topic: w.topic()}
	b.title = w.sentence(b.topic, 3+w.random.IntN(5))
	n := int(12 * math.Exp(w.random.NormFloat64()*0.6))
	for range max(n, 2) {
		b.paragraphs = append(b.paragraphs, w.another(b.topic))
	}
	return b
}

func (w *writer) another(t topic) string { return w.paragraph(t, paragraph/2+w.random.IntN(paragraph)) }

func (w *writer) page(number, captures int, c Change) error {
	b := w.body()
	at := time.Date(2010, 1, 1+number%28, number%24, number%60, 0, 0, time.UTC)
	for i := range captures {
		switch {
		case i == 0:
		case c == Whole:
			b = w.body()
		default:
			for range 2 {
				b.paragraphs[w.random.IntN(len(b.paragraphs))] = w.another(b.topic)
			}
		}
		if err := w.record(w.address(number), at.AddDate(0, 2*i, 0), w.html(number, &b)); err != nil {
			return err
		}
	}
	return nil
}

// html returns a page as a content management system writes it.
func (w *writer) html(number int, b *body) string {
	t := &w.templates[number%hosts]
	var out strings.Builder
	fmt.Fprintf(&out, "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>%s</head><body>", b.title, t.head)
	fmt.Fprintf(&out, `<header><nav><ul>%s</ul></nav></header><main id="post-%d"><h1>%s</h1>`, t.menu, number, b.title)
	for i, p := range b.paragraphs {
		if i%4 == 3 {
			fmt.Fprintf(&out, `<h2 id="s%d">%s</h2>`, i, w.sentence(b.topic, 3))
			w.picture(&out, number, i)
		}
		fmt.Fprintf(&out, `<div class="wp-block-group block-%d"><p class="has-text text-%08x">%s`, i, w.random.Uint32(), p)
		if i%2 == 0 {
			fmt.Fprintf(&out, ` <a class="more" href="%s">%s</a>`, w.address(w.random.IntN(w.pages)), w.sentence(b.topic, 3))
		}
		out.WriteString("</p></div>\n")
	}
	fmt.Fprintf(&out, `</main><footer>%s</footer><script>window.state={"page":%d,"nonce":"%016x"}</script></body></html>`,
		t.foot, number, w.random.Uint64())
	return out.String()
}

func (w *writer) picture(out *strings.Builder, number, i int) {
	name := fmt.Sprintf("/files/%d/%016x-%d", number, w.random.Uint64(), i)
	fmt.Fprintf(out, `<figure class="wp-block-image size-large"><img loading="lazy" src="%s.jpg" srcset="`, name)
	for _, width := range []int{300, 768, 1024, 1536, 2048} {
		fmt.Fprintf(out, "%s-%dx%d.jpg %dw, ", name, width, width*2/3, width)
	}
	out.WriteString(`" sizes="(max-width: 1024px) 100vw, 1024px" class="wp-image"></figure>`)
}

func (w *writer) record(uri string, at time.Time, html string) error {
	if err := w.room(); err != nil {
		return err
	}
	w.records++
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n", len(html))
	z := gzip.NewWriter(w)
	_, err := fmt.Fprintf(z, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"+
		"WARC-Date: %s\r\nWARC-Target-URI: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s%s\r\n\r\n",
		w.records, at.Format(time.RFC3339), uri, len(head)+len(html), head, html)
	return errors.Join(err, z.Close())
}

// room begins another file if this one is full.
func (w *writer) room() (err error) {
	if w.file != nil && w.size < fileSize {
		return nil
	}
	if err := w.close(); err != nil {
		return err
	}
	w.file, err = os.Create(filepath.Join(w.dir, fmt.Sprintf("invented-%03d.warc.gz", w.files)))
	w.out, w.size = bufio.NewWriter(w.file), 0
	w.files++
	return err
}

// Write implements io.Writer for what is compressed.
func (w *writer) Write(p []byte) (int, error) {
	w.size += int64(len(p))
	return w.out.Write(p)
}

func (w *writer) close() error {
	if w.file == nil {
		return nil
	}
	err := errors.Join(w.out.Flush(), w.file.Close())
	w.file = nil
	return err
}
