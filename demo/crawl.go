package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// crawlTimes returns the times of the crawls: twice a year, monthly in 2016, and a second one on a day when the server
// failed in the morning.
func crawlTimes() []time.Time {
	var times []time.Time
	for year := 2008; year <= 2024; year++ {
		for month := time.March; month <= time.December; month++ {
			if month != time.March && month != time.September && year != 2016 {
				continue
			}
			times = append(times, time.Date(year, month, 1, 9, (7*year+int(month))%60, 12, 0, time.UTC))
			if year == 2016 && month == time.March {
				times = append(times, time.Date(year, month, 1, 17, 41, 3, 0, time.UTC))
			}
		}
	}
	return times
}

// A crawler writes what it fetches. It remembers responses, in order to write revisits for repeated ones.
type crawler struct {
	site   *site
	out    *warcWriter
	seen   map[string]original // by URI
	visits int
}

// An original is the last response of a URI that was written in full.
type original struct {
	digest string
	at     time.Time
}

// visit fetches everything that the site links to, a few seconds apart.
func (c *crawler) visit(start time.Time) error {
	c.visits++
	t := start
	next := func() time.Time { t = t.Add(3 * time.Second); return t }
	moving := strings.HasPrefix(start.Format(stamp), httpsSince)
	if moving {
		if err := c.toHTTPS(next()); err != nil {
			return err
		}
	}
	for _, p := range c.site.pages {
		if start.Format(stamp) < p.from {
			continue
		}
		if err := c.fetch(next(), p.path, func(m *moment) (*response, error) { return m.get(p) }); err != nil {
			return err
		}
	}
	for _, a := range assets() {
		if err := c.fetch(next(), a.path, a.get); err != nil {
			return err
		}
	}
	if moving {
		return c.subscribe(next())
	}
	return nil
}

// toHTTPS records once that the http address redirects to https: a redirect within one SURT.
func (c *crawler) toHTTPS(t time.Time) error {
	const uri = "http://www.riverbend.example/"
	m := &moment{t: t, at: t.Format(stamp)}
	return c.record(t, uri, m.redirect("/"))
}

func (c *crawler) fetch(t time.Time, path string, get func(*moment) (*response, error)) error {
	m, err := c.site.at(t)
	if err != nil {
		return err
	}
	r, err := get(m)
	if err != nil || r == nil {
		return err
	}
	return c.record(t, origin(m.at)+path, r)
}

// record writes a response, or a revisit if the same URI gave the same payload before. For unchanged files, every
// other revisit is a server-not-modified one.
func (c *crawler) record(t time.Time, uri string, r *response) error {
	message, head, payload, err := r.message(t)
	if err != nil {
		return err
	}
	before, known := c.seen[uri]
	d := digest(payload)
	switch {
	case r.status != http.StatusOK || !known || before.digest != d:
		if r.status == http.StatusOK {
			c.seen[uri] = original{d, t}
		}
		return c.out.response(t, uri, message, d)
	case r.static && c.visits%2 == 0:
		return c.out.notModified(t, uri, before)
	}
	return c.out.revisit(t, uri, head, before)
}

// subscribe posts the newsletter form, as an archivist with a browser once did.
func (c *crawler) subscribe(t time.Time) error {
	m, err := c.site.at(t)
	if err != nil {
		return err
	}
	body, err := m.layout(&view{
		Title: "Thank you", Lang: "en", Charset: "utf-8",
		Main: "<h1>Thank you</h1>\n<p>The next letter leaves when the ice does.</p>",
	})
	if err != nil {
		return err
	}
	message, _, payload, err := (&response{status: http.StatusOK, mime: "text/html; charset=utf-8", body: body}).message(t)
	if err != nil {
		return err
	}
	const form = "name=A.+Reader&email=reader%40river.example"
	request := fmt.Sprintf("POST /newsletter HTTP/1.1\r\nHost: www.riverbend.example\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(form), form)
	return c.out.exchange(t, origin(m.at)+"/newsletter", []byte(request), message, digest(payload))
}
