package feed

import (
	"bytes"
	"cmp"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/mmcdole/gofeed/atom"
	"github.com/mmcdole/gofeed/json"
	"github.com/mmcdole/gofeed/rss"
)

func readRSS(text []byte, base string) (Document, error) {
	f, err := new(rss.Parser).Parse(bytes.NewReader(text))
	if err != nil {
		return Document{}, fmt.Errorf("as RSS: %w", err)
	}
	b := newBuilder(base, strings.TrimSpace("RSS "+f.Version))
	b.doc.Title, b.doc.Site = strings.TrimSpace(f.Title), b.address(f.Link)
	b.doc.Hints = rssHints(f)
	b.doc.Cloud = cloudOf(f.Cloud)
	for _, link := range f.Extensions["atom"]["link"] {
		b.link(link.Attrs["rel"], link.Attrs["href"])
	}
	for _, i := range f.Items {
		e := Entry{Title: i.Title, Link: i.Link, Text: i.Content, Comments: []string{i.Comments}, Published: timeOf(i.PubDateParsed)}
		if e.Text == "" {
			e.Text = i.Description
		}
		if i.GUID != nil {
			e.ID = i.GUID.Value
			if e.Link == "" && i.GUID.IsPermalink != "false" {
				e.Link = i.GUID.Value
			}
		}
		if i.DublinCoreExt != nil && e.Published.IsZero() && len(i.DublinCoreExt.Date) > 0 {
			e.Published, _ = parseTime(i.DublinCoreExt.Date[0])
		}
		for _, c := range i.Enclosures {
			e.Enclosures = append(e.Enclosures, c.URL)
		}
		b.add(e)
	}
	return b.doc, nil
}

func tooMany() error { return fmt.Errorf("it has more than %d entries", MaxEntries) }

// timeOf returns a time in a feed, or the zero time.
func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

// link handles a link of the whole feed.
func (b *builder) link(rel, href string) {
	switch rel {
	case "hub":
		if hub := b.address(href); hub != "" && len(b.doc.Hubs) < maxLinks {
			b.doc.Hubs = append(b.doc.Hubs, hub)
		}
	case "self":
		b.doc.Self = b.address(href)
	case "alternate", "":
		if b.doc.Site == "" {
			b.doc.Site = b.address(href)
		}
	}
}

func rssHints(f *rss.Feed) (h Hints) {
	if minutes, err := strconv.Atoi(strings.TrimSpace(f.TTL)); err == nil && minutes > 0 {
		h.TTL = min(time.Duration(minutes)*time.Minute, 7*24*time.Hour)
	}
	for _, s := range f.SkipHours {
		if hour, err := strconv.Atoi(strings.TrimSpace(s)); err == nil && hour >= 0 && hour <= 24 {
			h.SkipHours[hour%24] = true
		}
	}
	for _, s := range f.SkipDays {
		for day := time.Sunday; day <= time.Saturday; day++ {
			if strings.EqualFold(strings.TrimSpace(s), day.String()) {
				h.SkipDays[day] = true
			}
		}
	}
	return h
}

// cloudOf returns the cloud of a feed, or nil if its description is incomplete.
func cloudOf(c *rss.Cloud) *Cloud {
	if c == nil || c.Domain == "" || c.Path == "" {
		return nil
	}
	host := c.Domain
	if c.Port != "" {
		host = net.JoinHostPort(c.Domain, c.Port)
	}
	address, err := Resolve("", "http://"+host+"/"+strings.TrimPrefix(c.Path, "/"))
	if err != nil {
		return nil
	}
	return &Cloud{URL: address, Protocol: strings.ToLower(c.Protocol)}
}

func readAtom(text []byte, base string) (Document, error) {
	f, err := new(atom.Parser).Parse(bytes.NewReader(text))
	if err != nil {
		return Document{}, fmt.Errorf("as Atom: %w", err)
	}
	b := newBuilder(base, "Atom")
	b.doc.Title = strings.TrimSpace(f.Title)
	for _, l := range f.Links {
		b.link(l.Rel, l.Href)
	}
	for _, i := range f.Entries {
		e := Entry{ID: i.ID, Title: i.Title, Text: i.Summary, Published: timeOf(i.PublishedParsed), Updated: timeOf(i.UpdatedParsed)}
		if i.Content != nil {
			e.Text, e.Link = cmp.Or(i.Content.Value, e.Text), i.Content.Src // unless a link follows
		}
		linked := false
		for _, l := range i.Links {
			switch l.Rel {
			case "alternate", "":
				if !linked || strings.HasPrefix(l.Type, "text/html") {
					e.Link, linked = l.Href, true
				}
			case "replies":
				e.Comments = append(e.Comments, l.Href)
			case "enclosure":
				e.Enclosures = append(e.Enclosures, l.Href)
			}
		}
		b.add(e)
	}
	return b.doc, nil
}

func readJSON(text []byte, base string) (Document, error) {
	// The standard library refuses documents that are nested too deeply; the other decoder may not.
	var whole struct {
		Hubs []struct {
			URL string `json:"url"`
		} `json:"hubs"`
	}
	if err := stdjson.Unmarshal(text, &whole); err != nil {
		if at, ok := errors.AsType[*stdjson.SyntaxError](err); ok {
			return Document{}, fmt.Errorf("as JSON: at byte %d: %w", at.Offset, err)
		}
		return Document{}, fmt.Errorf("as JSON: %w", err)
	}
	f, err := new(json.Parser).Parse(bytes.NewReader(text))
	switch {
	case err != nil:
		return Document{}, fmt.Errorf("as JSON Feed: %w", err)
	case !strings.Contains(f.Version, "jsonfeed.org"):
		return Document{}, errors.New("it is JSON, but no JSON Feed: its version doesn't name jsonfeed.org")
	case len(f.Items) > MaxEntries:
		return Document{}, tooMany()
	}
	b := newBuilder(base, "JSON Feed")
	b.doc.Title, b.doc.Site, b.doc.Self = f.Title, b.address(f.HomePageURL), b.address(f.FeedURL)
	for _, h := range whole.Hubs {
		b.link("hub", h.URL)
	}
	for _, i := range f.Items {
		if i == nil {
			continue
		}
		e := Entry{ID: i.ID, Link: cmp.Or(i.URL, i.ExternalURL), Title: i.Title, Text: i.ContentHTML}
		if e.Link == "" && strings.HasPrefix(i.ID, "http") { // it may be the address of the page
			e.Link = i.ID
		}
		if e.Text == "" {
			e.Text = i.ContentText
		}
		e.Published, _ = parseTime(i.DatePublished)
		e.Updated, _ = parseTime(i.DateModified)
		if i.Attachments != nil {
			for _, a := range *i.Attachments {
				e.Enclosures = append(e.Enclosures, a.URL)
			}
		}
		b.add(e)
	}
	return b.doc, nil
}
