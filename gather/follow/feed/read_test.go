package feed_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/gather/follow/feed"
)

const base = "http://blog.example/feed"

func day(d, h int) time.Time { return time.Date(2024, 5, d, h, 0, 0, 0, time.UTC) }

func TestFormats(t *testing.T) {
	t.Parallel()
	entry := feed.Entry{
		ID: "tag:blog.example,2024:1", Link: "http://blog.example/one", Title: "One", Text: "<p>First</p>", Published: day(1, 10),
	}
	for name, tt := range map[string]struct {
		text string
		want feed.Document
	}{
		"RSS 2.0 with all that it can ask": {`<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
			<title>Blog</title><link>http://blog.example/</link><ttl>90</ttl><skipHours><hour>0</hour><hour>23</hour></skipHours>
			<skipDays><day>Sunday</day></skipDays><atom:link rel="hub" href="http://hub.example/"/><atom:link rel="self" href="/feed"/>
			<cloud domain="cloud.example" port="5337" path="/rsscloud/pleaseNotify" registerProcedure="" protocol="http-post"/>
			<item><guid isPermaLink="false">tag:blog.example,2024:1</guid><title>One</title><link>/one</link>
			<pubDate>Wed, 01 May 2024 12:00:00 +0200</pubDate><description>&lt;p&gt;First&lt;/p&gt;</description><comments>/one#c</comments>
			<enclosure url="/one.mp3" length="1" type="audio/mpeg"/></item></channel></rss>`, feed.Document{
			Format: "RSS 2.0", Title: "Blog", Site: "http://blog.example/", Hubs: []string{"http://hub.example/"}, Self: "http://blog.example/feed",
			Hints: feed.Hints{TTL: 90 * time.Minute, SkipHours: [24]bool{0: true, 23: true}, SkipDays: [7]bool{time.Sunday: true}},
			Cloud: &feed.Cloud{URL: "http://cloud.example:5337/rsscloud/pleaseNotify", Protocol: "http-post"},
			Entries: []feed.Entry{func() feed.Entry {
				e := entry
				e.Comments, e.Enclosures = []string{"http://blog.example/one"}, []string{"http://blog.example/one.mp3"}
				return e
			}()},
		}},
		"RSS that is to last for ever": {
			`<rss version="2.0"><channel><ttl>99999999999999999</ttl><item><guid>x</guid></item></channel></rss>`,
			feed.Document{Format: "RSS 2.0", Hints: feed.Hints{TTL: 7 * 24 * time.Hour}, Entries: []feed.Entry{{ID: "x"}}},
		},
		"RSS that says little": {
			`<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title> Blog </title><ttl>-5</ttl>
			<skipHours><hour>x</hour><hour>-1</hour><hour>25</hour><hour>22</hour></skipHours><skipDays><day> saturday</day><day>x</day></skipDays>
			<cloud domain="c.example" path="/"/><item><guid>http://blog.example/two</guid><title> Two </title></item>
			<item><guid isPermaLink="false">x</guid></item><item><guid> x </guid></item>
			<item><title>Three</title><link>mailto:a@b.example</link><dc:creator>A</dc:creator></item>
			<item><guid>http://blog.example/ö</guid><link>/four</link>
			<comments>/` + strings.Repeat("x", 2000) + `</comments></item></channel></rss>`,
			feed.Document{
				Format: "RSS 2.0", Title: "Blog", Hints: feed.Hints{SkipHours: [24]bool{22: true}, SkipDays: [7]bool{time.Saturday: true}},
				Cloud: &feed.Cloud{URL: "http://c.example/"},
				Entries: []feed.Entry{
					{ID: "http://blog.example/two", Link: "http://blog.example/two", Title: "Two"},
					{ID: "x"},
					{ID: "sum:" + (&feed.Entry{Title: "Three"}).Sum(), Title: "Three"},
					{ID: "http://blog.example/ö", Link: "http://blog.example/four"},
				},
			},
		},
		"Atom that says much": {`<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title>
			<link rel="alternate" href="/first"/><link href="/second"/><entry>
			<id>` + strings.Repeat("i", 2001) + `</id><title> ` + strings.Repeat("x", 2001) + `</title><link type="application/pdf" href="/one.pdf"/>
			<link type="text/html" href="/one"/><link type="image/png" href="/one.png"/>` +
			strings.Repeat(`<link rel="enclosure" href="/one.ogg"/><link rel="replies" href="mailto:a@b.example"/>`, 17) +
			`<content type="html"></content><summary>` + strings.Repeat("y", 1<<20+1) + `</summary></entry></feed>`, feed.Document{
			Format: "Atom", Title: "Blog", Site: "http://blog.example/first", Entries: []feed.Entry{{
				ID: strings.Repeat("i", 2000), Link: "http://blog.example/one", Title: strings.Repeat("x", 2000), Text: strings.Repeat("y", 1<<20),
				Enclosures: slices.Repeat([]string{"http://blog.example/one.ogg"}, 16),
			}},
		}},
		"JSON Feed of texts": {`{"version":"https://jsonfeed.org/version/1","title":"Blog","feed_url":"/json","hubs":[{"url":"` +
			strings.Repeat(`http://hub.example/"},{"url":"`, 20) + `"}],"items":[{"id":"1",
			"content_text":"First","date_modified":"2024-05-01T10:00:00Z",
			"attachments":[{"url":"/one.mp3"},{"url":"ftp://x/"}]}]}`, feed.Document{
			Format: "JSON Feed", Title: "Blog", Self: "http://blog.example/json", Hubs: slices.Repeat([]string{"http://hub.example/"}, 16),
			Entries: []feed.Entry{{ID: "1", Text: "First", Updated: day(1, 10), Enclosures: []string{"http://blog.example/one.mp3"}}},
		}},
		"RSS 1.0": {`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
			xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>Blog</title><link>http://blog.example/</link></channel>
			<item rdf:about="http://blog.example/one"><title>One</title><link>http://blog.example/one</link>
			<dc:date>2024-05-01T10:00:00Z</dc:date><description>First</description></item></rdf:RDF>`, feed.Document{
			Format: "RSS 1.0", Title: "Blog", Site: "http://blog.example/", Entries: []feed.Entry{{
				ID: "http://blog.example/one", Link: "http://blog.example/one", Title: "One", Text: "First", Published: day(1, 10),
			}},
		}},
		"RSS 0.91 without dates": {
			`<rss version="0.91"><channel><title>Old</title><item><title>One</title><link>/one</link></item></channel></rss>`,
			feed.Document{Format: "RSS 0.91", Title: "Old", Entries: []feed.Entry{{
				ID: "http://blog.example/one", Link: "http://blog.example/one", Title: "One",
			}}},
		},
		"Atom": {`<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><link href="http://blog.example/"/>
			<link rel="hub" href="http://hub.example/"/>
			<entry><id>tag:blog.example,2024:1</id><title>One</title><link href="/one"/><link rel="replies" href="/one/replies"/>
			<link rel="enclosure" href="/one.ogg"/><published>2024-05-01T10:00:00Z</published><updated>2024-05-02T10:00:00Z</updated>
			<content type="html">&lt;p&gt;First&lt;/p&gt;</content></entry></feed>`, feed.Document{
			Format: "Atom", Title: "Blog", Site: "http://blog.example/", Hubs: []string{"http://hub.example/"},
			Entries: []feed.Entry{func() feed.Entry {
				e := entry
				e.Updated = day(2, 10)
				e.Comments, e.Enclosures = []string{"http://blog.example/one/replies"}, []string{"http://blog.example/one.ogg"}
				return e
			}()},
		}},
		"JSON Feed": {`{"version":"https://jsonfeed.org/version/1.1","title":"Blog","home_page_url":"http://blog.example/",
			"hubs":[{"type":"rssCloud","url":"/cloud"},{"type":"smoke","url":"http://smoke.example/"},
			{"type":"WebSub","url":"http://hub.example/"}],
			"items":[{"id":"tag:blog.example,2024:1","url":"/one","title":"One","content_html":"<p>First</p>",
			"date_published":"2024-05-01T10:00:00Z"}]}`, feed.Document{
			Format: "JSON Feed", Title: "Blog", Site: "http://blog.example/", Hubs: []string{"http://hub.example/"}, Entries: []feed.Entry{entry},
			Cloud: &feed.Cloud{URL: "http://blog.example/cloud", Protocol: "http-post"},
		}},
		"changes.xml": {`<weblogUpdates version="1" updated="Wed, 01 May 2024 11:00:00 GMT" count="9">
			<weblog name="One" url="http://one.example/" when="3600"/>
			<weblog name="Two" url="http://two.example/" when="9999999999"/>
			<weblog name="A & B" url="http://b.example/" when=-1 /></weblogUpdates>`, feed.Document{
			Format: "changes.xml", Entries: []feed.Entry{
				{ID: "http://one.example/", Link: "http://one.example/", Title: "One", Updated: day(1, 10)},
				{ID: "http://two.example/", Link: "http://two.example/", Title: "Two"},
				{ID: "http://b.example/", Link: "http://b.example/", Title: "A & B"},
			},
		}},
		"changes.xml of no time": {`<weblogUpdates><weblog name="One" url="/one" when="3600"/></weblogUpdates>`, feed.Document{
			Format: "changes.xml", Entries: []feed.Entry{{ID: "http://blog.example/one", Link: "http://blog.example/one", Title: "One"}},
		}},
		"index of sitemaps": {`<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2024-05-01</lastmod></sitemap></sitemapindex>`, feed.Document{
			Format: "sitemap index", Index: true, Entries: []feed.Entry{
				{ID: "http://blog.example/a.xml", Link: "http://blog.example/a.xml", Updated: day(1, 0), Sitemap: true},
			},
		}},
		"sitemap": {`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
			<url><loc>http://blog.example/one</loc><lastmod>2024-05-01T10:00Z</lastmod></url>
			</urlset>`, feed.Document{Format: "sitemap", Entries: []feed.Entry{
			{ID: "http://blog.example/one", Link: "http://blog.example/one", Updated: day(1, 10)},
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := feed.Read([]byte(tt.text), "application/xml", base)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Values of types that JSON Feed doesn't have are left out, and the rest is read.
func TestJSONFeedsWithOddValues(t *testing.T) {
	t.Parallel()
	const text = `{"version":"https://jsonfeed.org/version/1.1","title":5,"author":"A","hubs":"none","items":[
		{"id":17,"url":"/one","title":"One","tags":"a, b","authors":{"name":"A"},"date_published":1714557600,
		"attachments":[{"url":"/one.mp3","size_in_bytes":"12"},{"url":null}]},{"id":"2","url":"/two","attachments":{}},{"id":{},"url":"/three"}]}
		<!-- cached -->`
	got, err := feed.Read([]byte(text), "application/feed+json", base)
	want := []feed.Entry{
		{ID: "17", Link: "http://blog.example/one", Title: "One", Enclosures: []string{"http://blog.example/one.mp3"}},
		{ID: "2", Link: "http://blog.example/two"},
		{ID: "http://blog.example/three", Link: "http://blog.example/three"},
	}
	if diff := cmp.Diff(want, got.Entries); err != nil || diff != "" {
		t.Error(diff, err)
	}
}

// A guid is the address of an entry without a link, as in podcasts, unless it is only a name.
func TestGUIDsAsAddresses(t *testing.T) {
	t.Parallel()
	for guid, want := range map[string]string{
		`<guid>http://blog.example/1`:                            "http://blog.example/1",
		`<guid>/1`:                                               "http://blog.example/1",
		`<guid isPermaLink="true">/1`:                            "http://blog.example/1",
		`<guid>episode-1`:                                        "",
		`<guid>0c2a6a5e-7f4d-4a58-9f0e-5b1a4ab7a001`:             "",
		`<guid>tag:blog.example,2024:/1`:                         "",
		`<guid isPermaLink="false">http://blog.example/1`:        "",
		`<guid isPermaLink="False">http://blog.example/1`:        "",
		"<guid isPermaLink=\" false \">http://blog.example/?p=1": "",
	} {
		got, err := feed.Read([]byte("<rss version='2.0'><channel><item>"+guid+"</guid></item></channel></rss>"), "text/xml", base)
		if err != nil || len(got.Entries) != 1 || got.Entries[0].Link != want {
			t.Errorf("%s: %+v, want %q (%v)", guid, got.Entries, want, err)
		}
	}
}

// Of several links, that to a page is followed, and the first of these.
func TestAlternateLinks(t *testing.T) {
	t.Parallel()
	for links, want := range map[string]string{
		`<link href="/a"/><link href="/b"/>`:                                                    "/a",
		`<link type="text/html" href="/a"/><link type="text/html" hreflang="de" href="/b"/>`:    "/a",
		`<link type="application/json" href="/a"/><link href="/b"/>`:                            "/b",
		`<link href="/a"/><link type="application/xhtml+xml" href="/b"/>`:                       "/b",
		`<link href=""/><link href="/b"/>`:                                                      "/b",
		`<link type="application/pdf" href="/a"/><link rel="self" type="text/html" href="/b"/>`: "/a",
	} {
		got, err := feed.Read([]byte(`<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>`+links+`</entry></feed>`), "text/xml", base)
		if err != nil || len(got.Entries) != 1 || got.Entries[0].Link != "http://blog.example"+want {
			t.Errorf("%s: %+v, want %s (%v)", links, got.Entries, want, err)
		}
	}
}

// Namespaces are names, and are the same if somebody changed all addresses to https.
func TestNamespacesWithHTTPS(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`<feed xmlns="https://www.w3.org/2005/Atom"><entry><id>1</id><link href="/1"/><updated>2024-05-01T10:00:00Z</updated></entry></feed>`,
		`<a:feed xmlns:a='https://www.w3.org/2005/Atom'><a:entry><a:id>1</a:id><a:link href="/1"/><a:updated>2024-05-01T10:00:00Z</a:updated>` +
			`</a:entry></a:feed>`,
		`<rdf:RDF xmlns:rdf="https://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="https://purl.org/rss/1.0/" ` +
			`xmlns:dc="https://purl.org/dc/elements/1.1/"><item><link>/1</link><dc:date>2024-05-01T10:00:00Z</dc:date></item></rdf:RDF>`,
	} {
		got, err := feed.Read([]byte(text), "text/xml", base)
		if err != nil || len(got.Entries) != 1 || got.Entries[0].Link != "http://blog.example/1" || !got.Entries[0].When().Equal(day(1, 10)) {
			t.Errorf("%s: %+v, %v", text, got.Entries, err)
		}
	}
}

// A time means the same in every format.
func TestTimesOfEntries(t *testing.T) {
	t.Parallel()
	for _, format := range []string{
		"<rss version='2.0'><channel><item><guid>1</guid><pubDate>%s</pubDate></item></channel></rss>",
		"<rss xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><item><guid>1</guid><dc:date>%s</dc:date></item></channel></rss>",
		"<rss xmlns:a='http://www.w3.org/2005/Atom'><channel><item><guid>1</guid><a:published>%s</a:published></item></channel></rss>",
		"<rss xmlns:atom='http://www.w3.org/2005/Atom'><channel><item><guid>1</guid><atom:updated>%s</atom:updated></item></channel></rss>",
		"<rss xmlns:dcterms='http://purl.org/dc/terms/'><channel><item><guid>1</guid><dcterms:modified>%s</dcterms:modified></item></channel>" +
			"</rss>",
		"<rss xmlns:t='http://purl.org/dc/terms/'><channel><item><guid>1</guid><t:issued>%s</t:issued></item></channel></rss>",
		"<urlset xmlns:n='http://www.google.com/schemas/sitemap-news/0.9'><url><loc>/1</loc><n:news><n:publication_date>%s</n:publication_date>" +
			"</n:news></url></urlset>",
		"<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><published>%s</published></entry></feed>",
		"<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><updated>%s</updated></entry></feed>",
		`{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","date_published":"%s"}]}`,
		"<urlset><url><loc>http://blog.example/</loc><lastmod>%s</lastmod></url></urlset>",
	} {
		for _, at := range []string{
			"Wed, 01 May 2024 10:00:00 GMT", "Wed, 1 May 2024 10:00:00 Z", "Wed, 01 May 2024 06:00:00 EDT", "Wed, 01 May 2024 02:00:00 PST",
			"Wed, 01 May 2024 12:00:00 +0200", " Wed, 01 May 2024  10:00:00 UT ",
			"1 May 2024 10:00 +0000", "2024-05-01T10:00", "2024-05-01T10:00:00 Z",
			"2024-05-01 10:00:00", "2024-05-01T12:00:00+0200", "2024-05-01T10:00:00.000Z", "Wednesday, 01-May-24 10:00:00 GMT",
			"Wed May  1 10:00:00 2024", "Wed, 1 May 24 10:00 UT", "Wed, 01 May 2024 05:00 AM EST",
		} {
			got, err := feed.Read(fmt.Appendf(nil, format, at), "text/xml", base)
			if err != nil || len(got.Entries) != 1 || !got.Entries[0].When().Equal(day(1, 10)) {
				t.Errorf(format+": %+v, %v", at, got.Entries, err)
			}
		}
	}
}

// Whatever a feed says its encoding is, its words come out.
func TestEncodings(t *testing.T) {
	t.Parallel()
	in := func(decl, title string) []byte {
		return []byte(decl + "<rss version='2.0'><channel><title>" + title + "</title></channel></rss>")
	}
	utf16 := []byte{0xfe, 0xff}
	for _, b := range in(`<?xml version="1.0" encoding="UTF-16"?>`, "Caf\xe9") {
		utf16 = append(utf16, 0, b)
	}
	for name, tt := range map[string]struct {
		text []byte
		head string
	}{
		"UTF-8":                                {in("", "Café"), "text/xml"},
		"Latin-1, as declared":                 {in(`<?xml version="1.0" encoding="ISO-8859-1"?>`, "Caf\xe9"), "text/xml"},
		"Latin-1, as the header says":          {in(`<?xml version="1.0"?>`, "Caf\xe9"), "text/xml; charset=iso-8859-1"},
		"another one, as the header says":      {in("", "Caf\x8e"), "text/xml; charset=macintosh"},
		"as declared, whatever the header is":  {in(`<?xml version="1.0" encoding="macintosh"?>`, "Caf\x8e"), "text/xml; charset=utf-16"},
		"UTF-8 by another name":                {in(`<?xml version="1.0" encoding="utf8"?>`, "Caf\xe9"), "text/xml"},
		"windows-1252 that claims to be UTF-8": {in(`<?xml version="1.0" encoding="utf-8"?>`, "Caf\xe9"), "text/xml; charset=utf-8"},
		"UTF-8 with a mark":                    {in("\xef\xbb\xbf<?xml version='1.0'?>", "Café"), "text/xml"},
		"UTF-16 with a mark":                   {utf16, "text/xml"},
		"UTF-8 that claims to be UTF-16":       {in(`<?xml version="1.0" encoding="utf-16"?>`, "Café"), "text/xml"},
		"an encoding that there isn't":         {in(`<?xml version="1.0" encoding="x-klingon"?>`, "Café"), "text/xml"},
	} {
		got, err := feed.Read(tt.text, tt.head, base)
		if err != nil || got.Title != "Café" {
			t.Errorf("%s: %q, %v", name, got.Title, err)
		}
	}
	json := []byte("\xef\xbb\xbf" + `{"version":"https://jsonfeed.org/version/1","title":"Café"}`)
	if got, err := feed.Read(json, "application/json", base); err != nil || got.Title != "Café" {
		t.Errorf("JSON with a mark: %q, %v", got.Title, err)
	}
}

func TestFeedsWithFaults(t *testing.T) {
	t.Parallel()
	item := func(id, title, link string) string {
		return "<item><guid>" + id + "</guid><title>" + title + "</title><link>" + link + "</link></item>"
	}
	in := func(items string) string { return "<rss version='2.0'><channel>" + items + "</channel></rss>" }
	two := item("1", "One", "/1") + item("2", "Two", "/2")
	both := []string{"1 /1", "2 /2"}
	for name, tt := range map[string]struct {
		text string
		want []string // ID and link, without the site
	}{
		"characters that XML forbids":      {in(strings.Replace(two, "One", "O\x0bn\x00e\uffff", 1)), both},
		"references to such":               {in(strings.Replace(two, "One", "O&#x8;n&#x1F;e&#11;&#0;&#xD800;", 1)), both},
		"allowed ones":                     {in(strings.Replace(two, "One", "O&#x9;n&#13;e\t&#xd7ff;", 1)), both},
		"a comment behind with two dashes": {in(two) + "\n<!-- cached -- at dawn -->", both},
		"text behind":                      {in(two) + "\n5 < 6", both},
		"one ID for all": {
			in(item("0", "One", "/1") + item("0", "Two", "/2") + item("0", "Three", "/3")), []string{"/1 /1", "/2 /2", "/3 /3"},
		},
		"an ID twice": {
			in(item("1", "One", "/1") + item("1", "One", "/1") + item("1", "One", "") + item("2", "Two", "/2")), both,
		},
		"a link in its own place":   {in(item("0", "One", "/1") + item("0", "Two", "/2") + item("0", "Two", "/2")), []string{"/1 /1", "/2 /2"}},
		"a link in another's place": {in(item("0", "One", "/1") + item("0", "Two", "/2") + item("0", "One", "/1")), []string{"/1 /1", "/2 /2"}},
		"a stray percent sign":      {in(item("1", "One", "/100%.html")), []string{"1 /100%25.html"}},
	} {
		got, err := feed.Read([]byte(tt.text), "text/xml", base)
		var entries []string
		for _, e := range got.Entries {
			entries = append(entries, strings.ReplaceAll(e.ID+" "+e.Link, "http://blog.example", ""))
		}
		if err != nil || !slices.Equal(entries, tt.want) {
			t.Errorf("%s: %q, %v", name, entries, err)
		}
	}
}

func TestHostileFeedsEndInASentence(t *testing.T) {
	t.Parallel()
	many := func(n int) string {
		return "<rss version='2.0'><channel>" + strings.Repeat("<item><title>x</title></item>", n) + "</channel></rss>"
	}
	entities := `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">`
	for c := 'b'; c <= 'k'; c++ {
		entities += fmt.Sprintf(`<!ENTITY %c "%s">`, c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	entities += "]><rss version='2.0'><channel><title>&k;</title></channel></rss>"
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":             {" \n", "it is empty"},
		"a picture":           {"\x89PNG\r\n", "neither XML nor JSON"},
		"a page":              {"<!DOCTYPE html><html><body>Hello", "this is a page, no feed"},
		"a page without much": {"<!doctype html><title>x</title>", "this is a page, no feed"},
		"other XML":           {"<svg/>", "begins with <svg>, which is no feed"},
		"deep":                {"<rss>" + strings.Repeat("<a>", 1<<20), "more than 100 elements are inside of each other"},
		"deep JSON":           {`{"version":"https://jsonfeed.org/version/1","items":` + strings.Repeat("[", 1<<20), "as JSON"},
		"100,000 entries":     {many(100_000), "more than 50000 entries"},
		"entries in capitals": {strings.ToUpper(many(50_001)), "more than 50000 entries"},
		"entries in JSON": {
			`{"version":"https://jsonfeed.org/version/1","items":[` + strings.Repeat("{},", 50_000) + "{}]}", "more than 50000 entries",
		},
		"cut off":             {many(3)[:50], "unexpected EOF"},
		"too long":            {"<rss>" + strings.Repeat(" ", feed.MaxBytes), "longer than 16 MB"},
		"JSON of other kinds": {`{"items":[]}`, "no JSON Feed"},
	} {
		_, err := feed.Read([]byte(tt.text), "text/xml", base)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	if got, err := feed.Read([]byte(many(50_000)), "text/xml", base); err != nil || len(got.Entries) != 1 { // all are the same
		t.Errorf("%d entries, %v", len(got.Entries), err)
	}
	got, err := feed.Read([]byte(entities), "text/xml", base)
	if len(got.Title) > 100 {
		t.Errorf("entities became %d bytes, %v", len(got.Title), err)
	}
}

// The error for a page that is taken for a feed says which feed the page names.
func TestFeedsThatPagesName(t *testing.T) {
	t.Parallel()
	const rss = `<link rel=alternate type=application/rss+xml href=`
	for head, want := range map[string]string{
		rss + `"/rss?a=1&amp;b=2">`: "http://blog.example/rss?a=1&b=2",
		`<base href="http://b.example/x/"><link rel="Alternate home" type="application/atom+xml" href=atom>`: "http://b.example/x/atom",
		`<link rel=alternate type=application/feed+json href=/f.json>` + rss + `/rss>`:                       "http://blog.example/f.json",
		`<link rel=alternate hreflang=de href=/de><link rel=stylesheet type=application/rss+xml href=/x>`:    "",
		rss + `"javascript:x">`: "",
	} {
		_, err := feed.Read([]byte("<!doctype html><html><head>"+head+"</head><body>Hello"), "text/html", base)
		if err == nil || !errors.Is(err, feed.ErrPage) || strings.HasSuffix(err.Error(), " "+want) != (want != "") {
			t.Errorf("%s: %v, want %q", head, err, want)
		}
	}
}

// A program that fails while it writes a feed leaves the beginning of it, and one that writes texts unchecked makes faulty entries. The
// other entries are read.
func TestFeedsAreReadWithoutFaults(t *testing.T) {
	t.Parallel()
	const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel/>`
	const item, two = "<item><title>a</title><link>/a</link></item>", "<item><title>b</title><link>/two</link></item>"
	for name, tt := range map[string]struct {
		text    string
		entries int
		fault   string // "" for none
	}{
		"whole":                 {"<rss><channel>" + item + "</channel></rss>", 1, ""},
		"what follows the root": {"<rss><channel>" + item + "</channel></rss><b>warning<", 1, ""},
		"cut off in an entry":   {"<rss><channel>" + item + "<item><title>b</ti", 1, "at byte 76: XML syntax error on line 1: unexpected EOF"},
		"cut off behind one":    {"<rss><channel>" + item, 1, "unexpected EOF"},
		"an error in an entry":  {"<rss><channel>" + item + "<item><a <b></item>" + item + "</channel></rss>", 1, "at byte"},
		"an error in the first": {"<rss><channel><item><title>I <3 b</title><link>/b</link></item>" + item + "</channel></rss>", 1, "at byte"},
		"errors in some": {
			"<rss><channel>" + strings.Repeat("<item><title>I <3 b</title></item>"+item+"<item><link <b></item>", 100) + two + "</channel></rss>",
			2, "at byte",
		},
		"an error before all":       {"<rss><channel><title>a <> b</title>" + item + two + "</channel></rss>", 2, "at byte"},
		"an error behind a picture": {"<rss><channel><image><url>/i</url></image>" + item + "<a <b>" + two + "</channel></rss>", 2, "at byte"},
		"text that isn't closed":    {"<rss><channel><item><title><![CDATA[a</title></item>" + item + two + "</channel></rss>", 2, "at byte"},
		"elements that don't end": {
			"<rss><channel>" + strings.Repeat("<item><title>a<br><br></title><link>/a</link></item>", 60) + two + "</channel></rss>", 2, "",
		},
		"ends of nothing":      {"<rss><channel><item><title>a</b></p></title><link>/a</link></item>" + two + "</channel></rss>", 2, ""},
		"an entry without end": {"<rss><channel><item><title>a</title><link>/a</link>" + two + "</channel></rss>", 2, ""},
		"too deep in one": {
			"<rss><channel><item>" + strings.Repeat("<b>", 200) + "</item>" + item + two + "</channel></rss>", 2, "inside of each other",
		},
		"a sitemap with an error": {
			"<urlset><url><loc>http://a.example/<</loc></url><url><loc>http://a.example/b</loc></url></urlset>", 1, "at byte",
		},
		"Atom": {
			`<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>a</id><link href="/a"/></entry><entry><id>b</id>`, 1, "unexpected EOF",
		},
		"RDF":                  {rdf + `<item><title>a</title><link>/a</link></item><item rdf:ab`, 1, "unexpected EOF"},
		"a sitemap":            {"<urlset><url><loc>http://a.example/a</loc></url><url><loc>http://a.exa", 1, "unexpected EOF"},
		"an index of sitemaps": {"<sitemapindex><sitemap><loc>http://a.example/a</loc></sitemap><sitemap>", 1, "unexpected EOF"},
		"changes.xml":          {`<weblogUpdates><weblog name="a" url="http://a.example/"/><weblog name="b`, 1, "unexpected EOF"},
	} {
		got, err := feed.Read([]byte(tt.text), "text/xml", base)
		fault := ""
		if got.Fault != nil {
			fault = got.Fault.Error()
		}
		if err != nil || len(got.Entries) != tt.entries || (fault == "") != (tt.fault == "") || !strings.Contains(fault, tt.fault) {
			t.Errorf("%s: %d entries, fault %q, %v", name, len(got.Entries), fault, err)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	page := []byte(`<ul><li class=blog><a href="/one">One</a> <time datetime="2024-05-01T10:00:00Z">today</time>
		<li class=blog><b><a href="http://two.example/#new">Two</a></b> <time>2024-05-02 10:00</time>
		<li class=blog>no link<li><a href="/x">x</a></ul>`)
	got, err := feed.ReadList(context.Background(), page, "text/html", base, feed.Pattern{Each: "li.blog", Link: "a", Time: "time"})
	if err != nil {
		t.Fatal(err)
	}
	want := []feed.Entry{
		{ID: "http://blog.example/one", Link: "http://blog.example/one", Updated: day(1, 10)},
		{ID: "http://two.example/", Link: "http://two.example/", Updated: day(2, 10)},
	}
	if diff := cmp.Diff(want, got.Entries); diff != "" {
		t.Error(diff)
	}
	usual, err := feed.ReadList(context.Background(), page, "text/html", base, feed.Pattern{Each: "li.blog"})
	if err != nil || len(usual.Entries) != 2 || !usual.Entries[1].Updated.IsZero() {
		t.Errorf("the first links: %+v, %v", usual.Entries, err)
	}
	for _, p := range []feed.Pattern{{Each: "li.site"}, {Each: "li.blog", Link: "a.permalink"}} {
		if _, err := feed.ReadList(context.Background(), page, "text/html", base, p); !errors.Is(err, feed.ErrPattern) {
			t.Errorf("%v: %v", p, err)
		}
	}
	if err := (feed.Pattern{Each: "li[", Link: "a"}).Check(); err == nil || !strings.Contains(err.Error(), "each") {
		t.Error(err)
	}
}

// Addresses have a largest length, after which they are none.
func TestLongAddresses(t *testing.T) {
	t.Parallel()
	const site = "http://a.example/"
	for n, want := range map[int]bool{1999: true, 2000: true, 2001: false} {
		ref := site + strings.Repeat("x", n-len(site))
		if got, err := feed.Resolve(base, " "+ref+"\n"); (err == nil) != want || want && got != ref {
			t.Errorf("%d bytes: %.30q, %v", n, got, err)
		}
	}
}

// What changes in an entry changes its sum; that it was updated when it was published is no change.
func TestSumsAndTimesOfEntries(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for i, e := range []feed.Entry{
		{Link: "a", Title: "b", Text: "c"},
		{Link: "ab", Text: "c"},
		{Link: "a", Title: "bc"},
		{Link: "a", Title: "b", Text: "d"},
		{Link: "a", Title: "b", Text: "c", Updated: day(2, 0)},
		{Link: "a", Title: "b", Text: "c", Updated: day(2, 1), Published: day(1, 0)},
	} {
		if j, ok := seen[e.Sum()]; ok {
			t.Errorf("%d and %d have the same sum", i, j)
		}
		seen[e.Sum()] = i
	}
	same := feed.Entry{Link: "a", Title: "b", Text: "c", Updated: day(2, 0), Published: day(2, 0)}
	if i, ok := seen[same.Sum()]; !ok || i != 0 {
		t.Error("what was never updated has another sum")
	}
	if same.Updated = (time.Time{}); seen[same.Sum()] != 0 {
		t.Error("what was published only has another sum")
	}
	for _, tt := range [][3]time.Time{
		{day(1, 0), day(2, 0), day(2, 0)}, {day(2, 0), day(1, 0), day(2, 0)}, {day(2, 0), {}, day(2, 0)}, {{}, {}, {}},
	} {
		if e := (feed.Entry{Published: tt[0], Updated: tt[1]}); !e.When().Equal(tt[2]) {
			t.Errorf("%v: %s", tt, e.When())
		}
	}
}

func TestHoursThatAreSkipped(t *testing.T) {
	t.Parallel()
	h := feed.Hints{SkipHours: [24]bool{10: true, 11: true}, SkipDays: [7]bool{time.Thursday: true}}
	all := feed.Hints{SkipDays: [7]bool{true, true, true, true, true, true, true}}
	at := day(1, 10).Add(20 * time.Minute) // a Wednesday
	if got := h.After(at); !got.Equal(day(1, 12)) {
		t.Error(got)
	}
	if got := h.After(day(2, 9)); !got.Equal(day(3, 0)) {
		t.Error(got)
	}
	if got := all.After(at); !got.Equal(at) {
		t.Error(got)
	}
	if all.SkipDays[time.Wednesday] = false; !all.After(day(2, 0)).Equal(day(8, 0)) {
		t.Error(all.After(day(2, 0)))
	}
}

// No document makes Read panic, and what it takes is bounded.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"<rss version='2.0'><channel><item><guid>1</guid></item></channel></rss>", "<feed xmlns='http://www.w3.org/2005/Atom'><entry/></feed>",
		`{"version":"https://jsonfeed.org/version/1","items":[{"id":"1"},null]}`, "<weblogUpdates><weblog url='/x' when='1'/></weblogUpdates>",
		"<urlset><url><loc>x</loc></url></urlset>",
	} {
		f.Add([]byte(s), "text/xml")
	}
	f.Fuzz(func(t *testing.T, text []byte, contentType string) {
		doc, err := feed.Read(text, contentType, base)
		if err != nil {
			return
		}
		for _, e := range doc.Entries {
			if e.ID == "" || bytes.ContainsAny([]byte(e.Link), " \n") {
				t.Errorf("%+v", e)
			}
		}
	})
}

// Sitemaps are gzip files often, whatever the server says; one that is damaged or far too long ends in a sentence.
func TestGzipFiles(t *testing.T) {
	t.Parallel()
	packed := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, text)
		_ = z.Close()
		return b.Bytes()
	}
	site := packed("<urlset><url><loc>http://blog.example/one</loc></url></urlset>")
	doc, err := feed.Read(site, "application/octet-stream", "http://blog.example/sitemap.xml.gz")
	if err != nil || len(doc.Entries) != 1 {
		t.Error(doc, err)
	}
	// What a program left of a file, or a cache wrote behind it, is read as far as it goes.
	var noise strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&noise, "<url><loc>http://blog.example/%x</loc></url>", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	many := packed("<urlset>" + noise.String() + "</urlset>")
	for fault, body := range map[string][]byte{
		"<nil>": append(slices.Clone(site), "<!-- cached -->"...), "its gzip file can't be read: unexpected EOF": many[:len(many)/2],
	} {
		doc, err := feed.Read(body, "", base)
		if err != nil || len(doc.Entries) == 0 || fmt.Sprint(doc.Fault) != fault {
			t.Errorf("%d entries, %v, %v; want %q", len(doc.Entries), doc.Fault, err, fault)
		}
	}
	for want, body := range map[string][]byte{
		"can't be read": site[:20], "longer than 16 MB": packed(strings.Repeat(" ", feed.MaxBytes+1)),
	} {
		if _, err := feed.Read(body, "", ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestCloudsOfFeeds(t *testing.T) {
	t.Parallel()
	for cloud, want := range map[string]string{
		`domain="c.example" port="80" path="/notify" protocol="HTTP-POST"`: "http://c.example/notify http-post",
		`domain="c.example" path="notify" protocol="http-post"`:            "http://c.example/notify http-post",
		`domain="c.example" port="8080" path="/notify" protocol="soap"`:    "http://c.example:8080/notify soap",
		`domain="c.example" port="80" protocol="http-post"`:                "",
		`port="80" path="/notify" protocol="http-post"`:                    "",
		`domain="c.example" port="no" path="/notify" protocol="http-post"`: "",
	} {
		doc, err := feed.Read([]byte(`<rss version="2.0"><channel><title>Blog</title><cloud `+cloud+`/></channel></rss>`), "text/xml", base)
		got := ""
		if c := doc.Cloud; c != nil {
			got = c.URL + " " + c.Protocol
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", cloud, got, err, want)
		}
	}
}

// A reference is resolved against the base URL in force, whose last name is no folder (RFC 3986 §5.2.3). A page may be named elsewhere
// than in a link.
func TestLinksOfEntries(t *testing.T) {
	t.Parallel()
	const atom, in, rss = `<feed xmlns="http://www.w3.org/2005/Atom"`, `<entry><link href="c"/></entry>`, `<rss version="2.0"`
	const of, ns = `{"version":"https://jsonfeed.org/version/1.1","items":[`, ` xmlns:a="http://www.w3.org/2005/Atom"`
	for text, want := range map[string]string{
		atom + ` xml:base="http://x.example/wp-atom.php">` + in + "</feed>":                                 "http://x.example/c",
		atom + ` xml:base = 'http://x.example/a/b?c=/d'>` + in + in + "</feed>":                             "http://x.example/a/c",
		atom + ` xml:base="http://x.example">` + in + "</feed>":                                             "http://x.example/c",
		atom + ` xml:base="">` + in + "</feed>":                                                             "http://blog.example/c",
		atom + ` xml:base=>` + in + "</feed>":                                                               "http://blog.example/c",
		atom + `><entry xml:base="/a/b"><link href="c"/></entry></feed>`:                                    "http://blog.example/a/c",
		atom + ` xml:base="http://x.example/a/"><entry xml:base="b"><link href="c"/></entry></feed>`:        "http://x.example/a/c",
		atom + ` xml:base="//x.example/a/b#/"><entry xml:base="d/"><link href="c"/></entry></feed>`:         "http://x.example/a/d/c",
		rss + ` xml:base="http://x.example/a/b"><channel><item><link>c</link></item></channel></rss>`:       "http://x.example/a/c",
		atom + `><entry><content src="c"/></entry></feed>`:                                                  "http://blog.example/c",
		atom + `><entry><content src="c"/><link href="d"/><link href="e"/></entry></feed>`:                  "http://blog.example/d",
		rss + ns + `><channel><item><a:link rel="self" href="d"/><a:link href="c"/></item></channel></rss>`: "http://blog.example/c",
		rss + ns + `><channel><item><a:link href="d"/><link>c</link></item></channel></rss>`:                "http://blog.example/c",
		atom + `><entry><link rel="http://www.iana.org/assignments/relation/self" href="d"/>` +
			`<link rel="http://www.iana.org/assignments/relation/alternate" href="c"/></entry></feed>`: "http://blog.example/c",
		of + `{"id":"http://x.example/c"}]}`:                                     "http://x.example/c",
		of + `{"id":"http://x.example/d","external_url":"http://x.example/c"}]}`: "http://x.example/c",
		of + `{"id":"1","external_url":"http://x.example/d","url":"/c"}]}`:       "http://blog.example/c",
		of + `{"id":"1"}]}`: "",
	} {
		d, err := feed.Read([]byte(text), "", base)
		if err != nil || len(d.Entries) == 0 || d.Entries[0].Link != want {
			t.Errorf("%s: %+v, %v", text, d.Entries, err)
		}
	}
}

// Comments of RSS are a page, and in a feed of their own (http://wellformedweb.org/CommentAPI/).
func TestFeedsOfComments(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"commentRss", "commentRSS"} {
		text := `<rss version="2.0" xmlns:wfw="http://wellformedweb.org/CommentAPI/"><channel><item><link>a</link><comments>b</comments>` +
			"<wfw:" + name + ">c</wfw:" + name + "></item></channel></rss>"
		d, err := feed.Read([]byte(text), "", base)
		if err != nil || !slices.Equal(d.Entries[0].Comments, []string{"http://blog.example/b", "http://blog.example/c"}) {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}
