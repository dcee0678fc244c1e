package demo

import (
	"crypto/sha1"
	"fmt"
	"net/http"
	"strings"
	"text/template"
	"time"

	"golang.org/x/text/encoding/charmap"
)

const stamp = "20060102150405"

const httpsSince = "201903"

// A site renders pages as they were at any time.
type site struct {
	pages     []*page
	templates *template.Template
}

func loadSite() (*site, error) {
	s := &site{templates: template.New("").Funcs(edits(""))}
	for _, pattern := range []string{"site/layout/*.html", "site/parts/*.html"} {
		if _, err := s.templates.ParseFS(siteFiles, pattern); err != nil {
			return nil, err
		}
	}
	var err error
	s.pages, err = loadPages(func(name, text string) error {
		_, err := s.templates.New(name).Parse(text)
		return err
	})
	return s, err
}

// edits returns the functions by which a template says when its parts appeared and disappeared.
func edits(at string) template.FuncMap {
	return template.FuncMap{
		"since":  func(when string) bool { return at >= when },
		"before": func(when string) bool { return at < when },
	}
}

// origin returns the scheme and host of the site at a time.
func origin(at string) string {
	if reached(at, httpsSince) {
		return "https://www.riverbend.example"
	}
	return "http://www.riverbend.example"
}

func (s *site) at(t time.Time) (*moment, error) {
	at := t.Format(stamp)
	templates, err := s.templates.Clone()
	if err != nil {
		return nil, err
	}
	return &moment{t: t, at: at, templates: templates.Funcs(edits(at))}, nil
}

// A moment is the site at one time.
type moment struct {
	t         time.Time
	at        string
	templates *template.Template
}

type view struct {
	Title, Lang, Dir, Charset, Main string
	Noise                           bool
	Clock, Counter, Quote, Token    string
}

func (m *moment) get(p *page) (*response, error) {
	switch {
	case p.isDown(m.at):
		return m.failure(), nil
	case reached(m.at, p.moved.when):
		return m.redirect(p.moved.what), nil
	case reached(m.at, p.gone):
		return m.message(http.StatusNotFound, "There is no such page. It may have been washed away.")
	case reached(m.at, p.soft404):
		return m.message(http.StatusOK, "Sorry, we could not find that page. Try the menu, or ask at the ferry house.")
	}
	v, err := m.view(p)
	if err != nil {
		return nil, err
	}
	return m.page(p, v)
}

func (m *moment) view(p *page) (*view, error) {
	var main strings.Builder
	if err := m.templates.ExecuteTemplate(&main, p.name, nil); err != nil {
		return nil, err
	}
	v := &view{Title: p.title, Lang: p.lang, Dir: p.dir, Charset: "utf-8", Main: strings.TrimSpace(main.String())}
	if p.charset.what != "" && m.at < p.charset.when {
		v.Charset = p.charset.what
	}
	if p.noise {
		m.addNoise(v, p.path)
	}
	return v, nil
}

// addNoise adds details that differ in each capture although the page has not changed.
func (m *moment) addNoise(v *view, path string) {
	v.Noise = true
	v.Clock = m.t.Format("15:04:05")
	hours := int(m.t.Sub(time.Date(2008, 1, 1, 0, 0, 0, 0, time.UTC)).Hours())
	v.Counter = fmt.Sprint(1200 + 3*hours/2)
	sum := sha1.Sum([]byte(m.at + path))
	v.Token = fmt.Sprintf("%x", sum[:10])
	v.Quote = quotations()[int(sum[19])%len(quotations())]
}

// quotations are shown in turn on some pages.
func quotations() []string {
	return []string{
		"The river does not care what you meant to do.",
		"Nobody owns a flood until it comes in at the door.",
		"Write it down. You will remember it differently.",
		"Ice is only water that has made up its mind.",
		"A gauge has one virtue: it is always in the same place.",
		"High water makes good neighbours, low water makes good walks.",
		"The heron is not waiting. It is working.",
	}
}

func (m *moment) page(p *page, v *view) (*response, error) {
	body, err := m.layout(v)
	if err != nil {
		return nil, err
	}
	r := &response{
		status: http.StatusOK, mime: "text/html; charset=" + v.Charset, body: body,
		gzip: reached(m.at, p.gzip), chunked: reached(m.at, p.chunked),
	}
	if v.Charset == "windows-1251" {
		r.body, err = charmap.Windows1251.NewEncoder().Bytes(body)
	}
	return r, err
}

func (m *moment) layout(v *view) ([]byte, error) {
	var b strings.Builder
	if err := m.templates.ExecuteTemplate(&b, m.era()+".html", v); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

// era returns the year in which the site's current design began.
func (m *moment) era() string {
	switch {
	case m.at >= "2019":
		return "2019"
	case m.at >= "2013":
		return "2013"
	}
	return "2008"
}

// message answers with a page of one sentence.
func (m *moment) message(status int, text string) (*response, error) {
	body, err := m.layout(&view{Title: "Page not found", Lang: "en", Charset: "utf-8", Main: "<h1>Page not found</h1>\n<p>" + text + "</p>"})
	return &response{status: status, mime: "text/html; charset=utf-8", body: body}, err
}

func (m *moment) redirect(path string) *response {
	return &response{
		status: http.StatusMovedPermanently, mime: "text/html; charset=utf-8", location: origin(m.at) + path,
		body: []byte("<p>Moved.</p>\n"),
	}
}

func (m *moment) failure() *response {
	return &response{
		status: http.StatusServiceUnavailable, mime: "text/plain",
		body: []byte("The server is out of breath. Try again later.\n"),
	}
}
