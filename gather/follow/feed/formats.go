package feed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/mmcdole/gofeed/atom"
	ext "github.com/mmcdole/gofeed/extensions"
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
		e := Entry{Title: i.Title, Link: i.Link, Text: cmp.Or(i.Content, i.Description), Comments: []string{i.Comments}}
		e.Published = timeOf(i.PubDateParsed, i.PubDate)
		for _, link := range i.Extensions["atom"]["link"] {
			if relation(link.Attrs["rel"]) == "alternate" && e.Link == "" {
				e.Link = link.Attrs["href"]
			}
		}
		for name, feeds := range i.Extensions["wfw"] { // http://wellformedweb.org/CommentAPI/
			if strings.EqualFold(name, "commentRss") && len(feeds) > 0 {
				e.Comments = append(e.Comments, feeds[0].Value)
			}
		}
		if i.GUID != nil {
			e.ID = i.GUID.Value
			if e.Link == "" && isPermalink(i.GUID) {
				e.Link = i.GUID.Value
			}
		}
		if i.DublinCoreExt != nil && e.Published.IsZero() && len(i.DublinCoreExt.Date) > 0 {
			e.Published, _ = parseTime(i.DublinCoreExt.Date[0])
		}
		if e.Published.IsZero() {
			e.Published = extended(i.Extensions, "atom published", "dcterms issued", "dcterms created")
		}
		e.Updated = extended(i.Extensions, "atom updated", "dcterms modified")
		for _, c := range i.Enclosures {
			e.Enclosures = append(e.Enclosures, c.URL)
		}
		b.add(e)
	}
	return b.doc, nil
}

// extended returns the time in the first of the elements, each of them a prefix and a name, that has one.
func extended(x ext.Extensions, elements ...string) (t time.Time) {
	for _, element := range elements {
		prefix, name, _ := strings.Cut(element, " ")
		if found := x[prefix][name]; len(found) > 0 && t.IsZero() {
			t, _ = parseTime(found[0].Value)
		}
	}
	return t
}

func tooMany() error { return fmt.Errorf("it has more than %d entries", MaxEntries) }

// timeOf returns a time in a feed that gofeed may have parsed, or the zero time.
func timeOf(parsed *time.Time, s string) (t time.Time) {
	if parsed != nil {
		return parsed.UTC()
	}
	t, _ = parseTime(s)
	return t
}

// isPermalink reports whether a guid is the address of its entry. It is unless it says that it isn't; but many that say nothing are names.
func isPermalink(g *rss.GUID) bool {
	return strings.Contains(g.Value, "/") && !strings.EqualFold(strings.TrimSpace(g.IsPermalink), "false")
}

// link handles a link of the whole feed.
func (b *builder) link(rel, href string) {
	switch relation(rel) {
	case "hub":
		if hub := b.address(href); hub != "" && len(b.doc.Hubs) < maxLinks {
			b.doc.Hubs = append(b.doc.Hubs, hub)
		}
	case "self":
		b.doc.Self = b.address(href)
	case "alternate":
		if b.doc.Site == "" {
			b.doc.Site = b.address(href)
		}
	}
}

// relation returns the name of a link's relation (RFC 4287 §4.2.7.2).
func relation(rel string) string {
	return cmp.Or(strings.TrimPrefix(rel, "http://www.iana.org/assignments/relation/"), "alternate")
}

func rssHints(f *rss.Feed) (h Hints) {
	if minutes, err := strconv.Atoi(strings.TrimSpace(f.TTL)); err == nil && minutes > 0 {
		h.TTL = time.Duration(min(minutes, 7*24*60)) * time.Minute
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
		e := Entry{
			ID: i.ID, Title: i.Title, Text: i.Summary, Published: timeOf(i.PublishedParsed, i.Published),
			Updated: timeOf(i.UpdatedParsed, i.Updated),
		}
		if i.Content != nil {
			e.Text, e.Link = cmp.Or(i.Content.Value, e.Text), i.Content.Src // unless a link follows
		}
		best := -1
		for _, l := range i.Links {
			switch relation(l.Rel) {
			case "alternate":
				if fit := fitness(l.Type); fit > best && l.Href != "" {
					e.Link, best = l.Href, fit
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

// fitness says how likely what has a media type is the page of an entry, which may have other forms.
func fitness(mediaType string) int {
	switch {
	case strings.HasPrefix(mediaType, "text/html"), strings.HasPrefix(mediaType, "application/xhtml"):
		return 2
	case mediaType == "":
		return 1
	}
	return 0
}

// A jsonFeed is what is read of a JSON Feed.
type jsonFeed struct {
	Version string `json:"version"`
	Title   string `json:"title"`
	Site    string `json:"home_page_url"`
	Self    string `json:"feed_url"`
	Hubs    []struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	} `json:"hubs"`
	Items []struct {
		ID          any    `json:"id"` // a string, but many are numbers
		URL         string `json:"url"`
		ExternalURL string `json:"external_url"`
		Title       string `json:"title"`
		HTML        string `json:"content_html"`
		Text        string `json:"content_text"`
		Published   string `json:"date_published"`
		Modified    string `json:"date_modified"`
		Attachments []struct {
			URL string `json:"url"`
		} `json:"attachments"`
	} `json:"items"`
}

func readJSON(text []byte, base string) (Document, error) {
	var f jsonFeed
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err := d.Decode(&f)
	if _, odd := errors.AsType[*json.UnmarshalTypeError](err); odd { // the value of another type is left out
		err = nil
	}
	if at, ok := errors.AsType[*json.SyntaxError](err); ok {
		err = fmt.Errorf("at byte %d: %w", at.Offset, err)
	}
	switch {
	case err != nil:
		return Document{}, fmt.Errorf("as JSON: %w", err)
	case !strings.Contains(f.Version, "jsonfeed.org"):
		return Document{}, errors.New("it is JSON, but no JSON Feed: its version doesn't name jsonfeed.org")
	case len(f.Items) > MaxEntries:
		return Document{}, tooMany()
	}
	b := newBuilder(base, "JSON Feed")
	b.doc.Title, b.doc.Site, b.doc.Self = f.Title, b.address(f.Site), b.address(f.Self)
	for _, h := range f.Hubs {
		switch strings.ToLower(h.Type) {
		case "websub", "pubsubhubbub", "":
			b.link("hub", h.URL)
		case "rsscloud":
			if a := b.address(h.URL); a != "" {
				b.doc.Cloud = &Cloud{URL: a, Protocol: "http-post"}
			}
		}
	}
	for _, i := range f.Items {
		e := Entry{Link: cmp.Or(i.URL, i.ExternalURL), Title: i.Title, Text: cmp.Or(i.HTML, i.Text)}
		switch id := i.ID.(type) {
		case string:
			e.ID = id
			if e.Link == "" && strings.HasPrefix(id, "http") { // it may be the address of the page
				e.Link = id
			}
		case json.Number:
			e.ID = id.String()
		}
		e.Published, _ = parseTime(i.Published)
		e.Updated, _ = parseTime(i.Modified)
		for _, a := range i.Attachments {
			e.Enclosures = append(e.Enclosures, a.URL)
		}
		b.add(e)
	}
	return b.doc, nil
}
