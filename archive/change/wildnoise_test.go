package change

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/testkit/corpora"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// Noise around the main text of pages on the live web, with meaningless names. Each is put into the pages of the wild
// corpora in some captures and not in others, in varying form, and must not make a version.
var wildNoises = []struct {
	name string
	put  func(r *rand.Rand, body string) string
}{
	{"a consent dialog at the end", func(r *rand.Rand, body string) string { return atEnd(body, sometimes(r, dialog(r))) }},
	{"a consent dialog at the start", func(r *rand.Rand, body string) string { return atStart(body, sometimes(r, dialog(r))) }},
	{"a promotion at the start", func(r *rand.Rand, body string) string { return atStart(body, sometimes(r, promotion(r))) }},
	{"a promotion at the end", func(r *rand.Rand, body string) string { return atEnd(body, sometimes(r, promotion(r))) }},
	{"a menu that opens", func(r *rand.Rand, body string) string { return atStart(body, menu(r, 6+r.IntN(3)*6)) }},
	{"a site map at the end", func(r *rand.Rand, body string) string { return atEnd(body, siteMap(r)) }},
	{"related pages at the end", func(r *rand.Rand, body string) string { return atEnd(body, related(r)) }},
	{"a sign-up form at the end", func(r *rand.Rand, body string) string { return atEnd(body, sometimes(r, signUp(r))) }},
	{"a chat window at the end", func(r *rand.Rand, body string) string { return atEnd(body, sometimes(r, chat(r))) }},
	{"a list of languages at the start", func(r *rand.Rand, body string) string { return atStart(body, languages(r)) }},
	{"a year and a version at the end", func(r *rand.Rand, body string) string {
		return atEnd(body, fmt.Sprintf("<div class=%s><p>© %d Northwind Labs. All rights reserved.</p><p>v2.%d.%d</p></div>", name(r),
			2018+r.IntN(6), r.IntN(20), r.IntN(90)))
	}},
	{"options", func(r *rand.Rand, body string) string { return atStart(body, options(r)) }},
	{"a frame in a noscript", func(r *rand.Rand, body string) string {
		return atStart(body, sometimes(r, "<noscript><iframe src=x height=0 /></noscript>"))
	}},
	{"anchors at headings", func(r *rand.Rand, body string) string {
		if r.IntN(2) == 0 {
			return body
		}
		return headingEnd.ReplaceAllString(body, "<a href=#x>#</a>$0")
	}},
	{"characters without width", func(r *rand.Rand, body string) string {
		if r.IntN(2) == 0 {
			return body
		}
		return headingEnd.ReplaceAllString(body, "\u200b$0")
	}},
	{"a title that moves", func(r *rand.Rand, body string) string {
		if r.IntN(2) == 0 {
			return body
		}
		t := pageTitle.FindString(body)
		return atEnd(strings.Replace(body, t, "", 1), t)
	}},
}

var (
	headingEnd = regexp.MustCompile(`(?i)</h[2-4]>`)
	pageTitle  = regexp.MustCompile(`(?is)<title[^>]*>[^<]*</title>`)
	bodyStart  = regexp.MustCompile(`(?i)<body[^>]*>`)
)

func atStart(page, put string) string {
	if at := bodyStart.FindStringIndex(page); at != nil {
		return page[:at[1]] + put + page[at[1]:]
	}
	return put + page
}

func atEnd(page, put string) string {
	if i := strings.LastIndex(strings.ToLower(page), "</body"); i >= 0 && i < len(page) {
		return page[:i] + put + page[i:]
	}
	return page + put
}

func sometimes(r *rand.Rand, s string) string {
	if r.IntN(2) == 0 {
		return ""
	}
	return s
}

// name returns a class name as bundlers make it.
func name(r *rand.Rand) string { return fmt.Sprintf("css-%x", r.Uint32()) }

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

func dialog(r *rand.Rand) string {
	text := pick(r,
		"We and our %d partners keep information on your device, such as cookies, and use it to show you content that fits and to measure "+
			"how it does.",
		"Wir und unsere %d Partner legen Cookies auf Ihrem Gerät ab, um Inhalte auszuwählen, die zu Ihnen passen, und um zu messen, was "+
			"sie bewirken.",
		"Nos %d partenaires et nous déposons des cookies sur votre appareil pour choisir des contenus qui vous conviennent et mesurer "+
			"leur effet.",
		"我们和 %d 家合作伙伴会在您的设备上存储 cookie，以便为您选择合适的内容并衡量其效果，您可以随时更改自己的选择。")
	buttons := pick(r, "<button>Accept all</button> <button>Reject all</button>",
		"<button>Alle akzeptieren</button><button>Nur notwendige</button>",
		"<a href=#>Tout accepter</a> <a href=#>Tout refuser</a>", "<button>全部接受</button><button>拒绝</button>")
	more := ""
	for range r.IntN(6) {
		more += fmt.Sprintf("<div class=%s><h3>%s</h3><p>%s</p></div>", name(r), pick(r, "Measurement", "Werbung", "Préférences"),
			pick(r, "These cookies count visits and tell us where they come from, so that we can see which pages are read most and least.",
				"Diese Cookies werden von Partnern gesetzt, die daraus ein Bild Ihrer Vorlieben gewinnen und es auch anderswo nutzen können.",
				"Ces cookies retiennent ce que vous avez choisi, la langue et la région par exemple, et rendent vos visites plus simples."))
	}
	return fmt.Sprintf("<div class=%s><div class=%s><h2>%s</h2><p>%s</p>%s<div>%s</div></div></div>", name(r), name(r),
		pick(r, "Your privacy", "Ihre Privatsphäre", "Votre vie privée"), fmt.Sprintf(text, 10+r.IntN(900)), more, buttons)
}

func promotion(r *rand.Rand) string {
	return fmt.Sprintf("<div class=%s><div><strong>%s</strong> <a href=/x>%s</a></div></div>", name(r),
		pick(r, "Spring sale: two months for the price of one, until Sunday.", "Nur heute: 40 % auf alle Jahresabos.",
			"Nouveau : l’application est arrivée sur tablette !"),
		pick(r, "Get the deal", "Mehr erfahren", "En savoir plus"))
}

func links(r *rand.Rand, n int) string {
	var out strings.Builder
	for range n {
		fmt.Fprintf(&out, "<li><a href=/%d>%s %d</a></li>", r.IntN(9),
			pick(r, "Plans", "Stories", "Careers", "Hilfe", "Presse", "Contact", "Partenaires", "Ratgeber"), r.IntN(40))
	}
	return "<ul>" + out.String() + "</ul>"
}

func menu(r *rand.Rand, n int) string {
	return fmt.Sprintf("<div class=%s><div class=%s>%s</div></div>", name(r), name(r), links(r, n))
}

func siteMap(r *rand.Rand) string {
	return fmt.Sprintf("<div class=%s><div><h4>Company</h4>%s</div><div><h4>Help</h4>%s</div></div>", name(r), links(r, 3+r.IntN(5)),
		links(r, 3+r.IntN(5)))
}

func related(r *rand.Rand) string {
	var out strings.Builder
	for range 3 + r.IntN(3) {
		fmt.Fprintf(&out, "<div class=%s><a href=/a><h4>How to %s</h4></a><p>%d min read</p></div>", name(r),
			pick(r, "begin well", "stay safe", "take better pictures", "write first"), 2+r.IntN(9))
	}
	return fmt.Sprintf("<div class=%s><h3>You may like</h3>%s</div>", name(r), out.String())
}

func signUp(r *rand.Rand) string {
	return fmt.Sprintf("<div class=%s><form><h3>%s</h3><label>E-mail</label><input name=e><label>Password</label><input "+
		"name=p><p>%s</p><button>%s</button></form></div>",
		name(r), pick(r, "Create your account", "Jetzt registrieren"),
		pick(r, "Please enter an address that is yours.", "Bitte wählen Sie ein Passwort."), pick(r, "Go on", "Weiter"))
}

func chat(r *rand.Rand) string {
	return fmt.Sprintf("<div class=%s><div>%s</div><button>Close chat</button></div>", name(r),
		pick(r, "Hi! How can we help?", "We usually answer within a day.", "Hallo! Wie können wir helfen?"))
}

func languages(r *rand.Rand) string {
	all := []string{"English", "Deutsch", "Français", "Español", "Italiano", "Polski", "日本語", "فارسی", "Українська"}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var out strings.Builder
	for _, l := range all[:3+r.IntN(6)] {
		fmt.Fprintf(&out, "<a href=/l>%s</a> <br>", l)
	}
	return fmt.Sprintf("<div class=%s>%s</div>", name(r), out.String())
}

func options(r *rand.Rand) string {
	var out strings.Builder
	for i := range 3 + r.IntN(30) {
		fmt.Fprintf(&out, "<option>%s %d", pick(r, "Region", "Land", "Pays"), i+r.IntN(3))
	}
	return "<label>Where</label><select>" + out.String() + "</select>"
}

// Noise may not cost more precision or recall than this. On a page of few words a promotion is a good part of them.
const (
	noiseCost     = 0.01
	promotionCost = 0.06
)

func TestWildPagesWithMoreNoise(t *testing.T) {
	corpora.SkipShort(t)
	for _, file := range corpora.WildFiles(t) {
		c := readWild(t, file).everyNth(3)
		plain := c.measure(t, func(string) bool { return true })
		for _, n := range wildNoises {
			noisy := c.with(t, func(v *wildCapture, body []byte) []byte {
				seed := xxh3.HashString(n.name + v.URI + v.Datetime)
				return []byte(n.put(rand.New(rand.NewPCG(seed, 1)), string(body)))
			})
			s := noisy.measure(t, func(string) bool { return true })
			t.Logf("%-14s %-34s %s", c.name, n.name, s)
			cost := noiseCost
			if strings.Contains(n.name, "promotion") {
				cost = promotionCost
			}
			if s.precision() < plain.precision()-cost || s.recall() < plain.recall()-noiseCost {
				t.Errorf("%s: costs more than %v", n.name, cost)
			}
		}
	}
}

// everyNth returns the corpus with every nth URI-R.
func (c *wildCorpus) everyNth(n int) *wildCorpus {
	out := &wildCorpus{name: c.name, dir: c.dir, captures: c.captures, keys: map[string][]*wildCapture{}, sketches: c.sketches}
	for i := 0; i < len(c.uris); i += n {
		out.uris = append(out.uris, c.uris[i])
		key := surt.Of(c.uris[i])
		out.keys[key] = c.keys[key]
	}
	return out
}

// with returns the corpus with other bodies.
func (c *wildCorpus) with(t testing.TB, change func(v *wildCapture, body []byte) []byte) *wildCorpus {
	t.Helper()
	out := &wildCorpus{
		name: c.name, dir: c.dir, uris: c.uris, captures: map[string][]*wildCapture{}, keys: map[string][]*wildCapture{},
		sketches: map[uint64]*sketch.Sketch{},
	}
	again := map[*wildCapture]*wildCapture{}
	var e visible.Extractor
	for _, uri := range c.uris {
		for _, v := range c.captures[uri] {
			w := *v
			body, contentType := c.body(t, v)
			body = change(v, bytes.Clone(body))
			w.digest = fmt.Sprintf("%x", xxh3.Hash(body))
			text := e.Extract(body, contentType)
			if w.text = text.ID(); out.sketches[w.text] == nil {
				s := sketch.Of(&text)
				out.sketches[w.text] = &s
			}
			e.Recycle(&text)
			out.captures[uri] = append(out.captures[uri], &w)
			again[v] = &w
		}
	}
	for key, all := range c.keys {
		for _, v := range all {
			out.keys[key] = append(out.keys[key], again[v])
		}
	}
	return out
}
