package data_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/data"
)

func TestPage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ mime, contentType, body, want string }{
		"JSON": {
			"application/json", "", "\ufeff" + `{"title": "Mills & more", "n": 3, "none": null, "list": ["a", {"b": true}, ["c"]], ` +
				`"o": {"x": "y"}, "z": ""}`,
			"<p>title: Mills &amp; more</p>|<p>n: 3</p>|<p>list: a</p>|<p>b: true</p>|<p>list: c</p>|<p>x: y</p>|",
		},
		"a long number": {"text/json", "", `{"n": 12345678901234567890, "x": 0.10}`, "<p>n: 12345678901234567890</p>|<p>x: 0.10</p>|"},
		"JSON with a fault": {
			"application/json", "", `{"a": "b",, "c": "<d>"}`, "<p>a: b</p>|<p>, &#34;c&#34;: &#34;&lt;d&gt;&#34;}</p>|",
		},
		"JSON that ends too early": {"application/ld+json", "", `["a", {"b": "c", "d`, "<p>a</p>|<p>b: c</p>|"},
		"JSON in lines":            {"application/x-ndjson", "", "{\"a\": \"b\"}\n{\"a\": 2}\n", "<p>a: b</p>|<p>a: 2</p>|"},
		"a kind of JSON":           {"application/feed+json", "", `{"a": "b"}`, "<p>a: b</p>|"},
		"a kind of XML":            {"application/vnd.google-earth.kml+xml", "", "<kml><name>Mill</name></kml>", "<p>Mill</p>|"},
		"a calendar": {
			"text/calendar", "", "BEGIN:VEVENT\r\nDTSTAMP:20160314T000000Z\r\nSUMMARY:The mi\r\n ll\r\n",
			"<p>BEGIN: VEVENT</p>|<p>SUMMARY: The mill</p>|",
		},
		"a calendar whose lines are cut in letters": {
			"text/calendar", "", "DTSTAMP;X=y:20160314T000000Z\r\nDESCRIPTION:The m\xc3\r\n \xbchle\\nis here\\, there\\; and \\\\n\\Nso\r\n" +
				"ATTACH;ENCODING=BASE64;VALUE=BINARY:QUJD\r\n RUY=\r\n",
			"<p>DESCRIPTION: The mühle|is here, there; and \\n|so</p>|",
		},
		"an old card": {
			"text/x-vcard", "", "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=\r\n=6Cler\r\n" +
				"NOTE;QUOTED-PRINTABLE;CHARSET=windows-1251:=CC=EB\r\n" +
				"URL:http://a.example/?a=\r\nPHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\nPHOTO:data:image/png;base64,AAAA\r\n",
			"<p>N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE: Müller</p>|<p>NOTE;QUOTED-PRINTABLE;CHARSET=windows-1251: Мл</p>|" +
				"<p>URL: http://a.example/?a=</p>|",
		},
		"a card":          {"text/vcard", "", "FN:Ada\n\tL\nnothing", "<p>FN: AdaL</p>|"},
		"subtitles":       {"text/vtt", "", "WEBVTT\n\n00:01 --> 00:02\n<i>Hi", "<pre>WEBVTT||00:01 --&gt; 00:02|&lt;i&gt;Hi</pre>|"},
		"source":          {"text/x-python", "text/x-python", "caf\xe9 = 1", "<pre>café = 1</pre>|"},
		"no UTF-8 in CSV": {"text/csv", "text/csv", "caf\xe9", "<table>|<tr><td>café</td>|</tr>|</table>|"},
		"one value":       {"text/json", "", `"a"`, "<p>a</p>|"},
		"CSV": {
			"text/csv", "text/csv; charset=iso-8859-1", "name;note\nCaf\xe9;\"a;\nb\"\n;\nlast",
			"<table>|<tr><td>name</td>|<td>note</td>|</tr>|<tr><td>Café</td>|<td>a;|b</td>|</tr>|<tr><td>last</td>|</tr>|</table>|",
		},
		"CSV that says its separator": {
			"text/comma-separated-values", "", "\ufeffsep=;\r\na, b;c\r\n", "<table>|<tr><td>a, b</td>|<td>c</td>|</tr>|</table>|",
		},
		"tabs": {"text/tab-separated-values", "", "a, b\tc\td\n", "<table>|<tr><td>a, b</td>|<td>c</td>|<td>d</td>|</tr>|</table>|"},
		"XML": {
			"text/xml", "", `<?xml version="1.0" encoding="windows-1251"?>` +
				`<a x="no"><!-- no --><b>` + "\xcc\xeb\xe8\xed" + `</b> and &lt;<![CDATA[c]]><d/>e`,
			"<p>Млин</p>|<p>and &lt;c</p>|<p>e</p>|",
		},
		"XML whose charset is declared twice": {
			"text/xml", "text/xml; charset=windows-1251", `<?xml version="1.0" encoding="windows-1251"?><a>` + "\xcc\xeb\xe8\xed</a>",
			"<p>Млин</p>|",
		},
		"XML of which HTTP says more than it": {
			"text/xml", "text/xml; charset=windows-1251", `<?xml version="1.0" encoding="utf-8"?><a>` + "\xcc\xeb\xe8\xed</a>",
			"<p>Млин</p>|",
		},
		"XML that ends too early": {"text/xml", "", "<a>one<b>two</b>three", "<p>one</p>|<p>two</p>|<p>three</p>|"},
		"XML in UTF-16": {
			"text/xml", "text/xml", "\xfe\xff\x00<\x00a\x00>\x04\x1c\x00<\x00/\x00a\x00>", "<p>М</p>|",
		},
		"entities that grow": {
			"application/xml", "", `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><a>x &b; y</a>`, "<p>x &amp;b; y</p>|",
		},
		"Markdown": {
			"text/markdown", "", "# The *Mills* #\n\nOne **two** [three](http://x.example/y \"z\")<br>\nand ![four][f]\n\n" +
				"| a | b |\n|---|---|\n| c | d |\n" +
				"* one\n* `two`\n1. three\n> said\n\nSub\n---\n```go\n# code * <b>\n```\n[f]: http://x.example/\n",
			"<title>The Mills</title>|<h1>The Mills</h1>|<p>One two three and four</p>|<p>a   b</p>|<p>c   d</p>|" +
				"<p>one</p>|<p>two</p>|<p>three</p>|" +
				"<p>said</p>|<p>Sub</p>|<p># code * &lt;b&gt;</p>|",
		},
		"Markdown with words that its marks don't hide": {
			"text/markdown", "", "See <https://a.example/x> or <me@a.example>, one<br>two, f<b>at</b>, _three_ __four__ snake_case, AT&amp;T,\n" +
				"\\*five\\_six\\*.\n\n[`seven`](http://a.example/Mill_(river)) and `Vec<String>`, `a_b_`, ``x`y``, `lone\n\n" +
				"[^1]: A note.\n\n5*3 is\n\n" +
				"1*2*3 and ~~old~~\n",
			"<p>See https://a.example/x or me@a.example, one two, fat, three four snake_case, AT&amp;T, *five_six*.</p>|" +
				"<p>seven and Vec&lt;String&gt;, a_b_, x`y, lone</p>|<p>[^1]: A note.</p>|<p>5*3 is</p>|<p>123 and old</p>|",
		},
		"Markdown with comments, and marks in code": {
			"text/markdown", "", "one `<!--`\n<!-- no\nno\n--> two <!-- no -->\n\n" +
				"```inline``` code\n# Three\n\n````\n```\n# four\n~~~\n````\n# Five\n<!-- no",
			"<p>one &lt;!-- two</p>|<p>inline code</p>|<title>Three</title>|<h1>Three</h1>|<p>```</p>|<p># four</p>|<p>~~~</p>|<h1>Five</h1>|",
		},
		"Markdown with headings of all levels": {
			"text/markdown", "", "one\n## Two\nthree\n# Four\n###### Six\n####### seven\n#eight\n\n~~~\n# nine\n~~~\nten\n  * eleven\n * twelve\n",
			"<p>one</p>|<h2>Two</h2>|<p>three</p>|<h1>Four</h1>|<h6>Six</h6>|<p>####### seven #eight</p>|" +
				"<p># nine</p>|<p>ten eleven twelve</p>|",
		},
		"Markdown without an end": {
			"text/markdown", "", "# One\n\ntwo\n```\nthree\n```\n# Four\n\n[x]: http://a.example/\nfive\n  [y]: http://b.example/\nsix",
			"<title>One</title>|<h1>One</h1>|<p>two</p>|<p>three</p>|<h1>Four</h1>|<p>five</p>|<p>six</p>|",
		},
	} {
		got, err := data.Page(tt.mime, tt.contentType, []byte(tt.body))
		if said := strings.ReplaceAll(string(got), "\n", "|"); err != nil || said != tt.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, said, tt.want)
		}
	}
	for mime, body := range map[string]string{
		"application/json": "{}", "text/csv": "\n,\n", "text/xml": "<a/>", "text/markdown": " \n", "application/zip": "x", "text/json": "no",
	} {
		if got, err := data.Page(mime, "", []byte(body)); !errors.Is(err, data.ErrNone) {
			t.Errorf("%s: %q, %v", mime, got, err)
		}
	}
}

func TestWhichTypesAreData(t *testing.T) {
	t.Parallel()
	for mime, want := range map[string]bool{
		"application/json": true, "text/csv": true, "text/markdown": true, "text/x-vcard": true, "text/vtt": true, "application/ld+json": true,
		"application/rdf+xml": true, "text/x-opml": true, "text/x-python": true, "application/xhtml+xml": false, "application/dash+xml": false,
		"application/manifest+json": false, "text/x-javascript": false, "text/html": false, "text/plain": false, "text/css": false,
		"text/javascript": false, "text/javascript1.5": false, "text/xsl": false, "text/dns": false,
		"text/turtle": true, "text/troff": true, "text/directory": true, "image/svg+xml": false, "": false,
	} {
		if got := data.Is(mime); got != want {
			t.Errorf("%s: %v", mime, got)
		}
	}
}

// What would be endless, or is nested without end, ends.
func TestHostileDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	const most = 10 << 20
	for mime, body := range map[string]string{
		"application/json": strings.Repeat("[", 4<<20), "text/json": "[" + strings.Repeat(`{"a":"b"},`, 1<<20),
		"text/csv": strings.Repeat("a,", 4<<20), "text/xml": "<x>a" + strings.Repeat("<a>", 2<<20),
		"text/calendar": strings.Repeat("A:b\n", 2<<20), "text/x-c": strings.Repeat("\n ", 8<<20),
		"text/vcard":      "N;QUOTED-PRINTABLE:a=\n" + strings.Repeat("b=\n", 2<<20),
		"application/xml": strings.Repeat("<a>b", 2<<20), "text/markdown": strings.Repeat("> ", 1<<20) + strings.Repeat("[", 1<<20),
		"text/x-markdown": strings.Repeat("`` a_b* \\", 1<<19) + "`",
	} {
		if got, err := data.Page(mime, "", []byte(body)); len(got) > most {
			t.Errorf("%s: %d bytes, %v", mime, len(got), err)
		}
	}
	for depth, want := range map[int]bool{999: true, 1000: false} {
		for mime, body := range map[string]string{
			"application/json": strings.Repeat("[", depth) + `"word"` + strings.Repeat("]", depth),
			"text/xml":         strings.Repeat("<a>", depth) + "word" + strings.Repeat("</a>", depth),
		} {
			if got, _ := data.Page(mime, "", []byte(body)); strings.Contains(string(got), "word") != want {
				t.Errorf("%s: what is %d deep is read: %t", mime, depth, !want)
			}
		}
	}
}

func FuzzPage(f *testing.F) {
	for _, seed := range []string{
		`{"a": ["b", {"c": null}]}`, "a;b\n\"c\n\";d", "<a>b<![CDATA[c]]>&amp;</a>",
		"# a\n\n* b\n  * `c`\n\n| a |\n|---|\n| b |\n", "\xff\xfea\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, mime := range []string{"application/json", "text/csv", "text/xml", "text/markdown"} {
			if page, err := data.Page(mime, "", body); (err != nil) != (page == nil) {
				t.Errorf("%s: %q, %v", mime, page, err)
			}
		}
	})
}
