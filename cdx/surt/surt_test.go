package surt

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/corpora"
)

func TestKey(t *testing.T) {
	const id32 = "0123456789abcdefghijklemopqrstuv"
	tests := []struct{ name, uri, want string }{
		{"nothing", "", "-"},
		{"a host alone", "http://example.com", "com,example)/"},
		{"no scheme", "example.com/a", "com,example)/a"},
		{"no scheme, but slashes", "//example.com/a", "com,example)/a"},
		{"no scheme, but a port", "example.com:8080/a", "com,example:8080)/a"},
		{"the longest port", "example.com:65535/a", "com,example:65535)/a"},
		{"no scheme and no dot, but a port", "localhost:8080", "localhost:8080)/"},
		{"scheme and letter case fold", "HTTPS://Example.COM/Path?Q=Z", "com,example)/path?q=z"},
		{"white space around", "  http://example.com/ \n", "com,example)/"},
		{"tabs and line breaks inside", "http://exam\tple.com/foo\tbar\rbaz\n2", "com,example)/foobarbaz2"},
		{"spaces inside", "http://example.com/a b?c d", "com,example)/a%20b?c%20d"},
		{"fragment", "http://evil.com/foo#bar#baz", "com,evil)/foo"},
		{"fragment right behind the host", "http://example.com#top", "com,example)/"},
		{"query right behind the host", "http://example.com?example=1", "com,example)/?example=1"},
		{"empty query", "http://example.com/goo/?", "com,example)/goo"},
		{"one slash after the scheme", "http:/example.com/a", "com,example)/a"},
		{"many slashes after the scheme", "http:////////www.vikings.com", "com,vikings)/"},
		{"scheme written twice", "http://https://order.1and1.com", "com,1and1,order)/"},
		{"other schemes with a host", "whois://whois.isoc.org.il/shaveh.co.il", "il,org,isoc,whois)/shaveh.co.il"},
		{"ftp", "ftp://www.example.com/", "com,example)/"},

		{"www", "http://www.example.com/", "com,example)/"},
		{"www with digits", "http://www12.example.com/", "com,example)/"},
		{"www only once", "http://www2.www2foo.com/", "com,www2foo)/"},
		{"www without a dot", "http://www2foo.com/", "com,www2foo)/"},
		{"www and nothing else", "http://www/", "www)/"},
		{"userinfo", "http://user:p@ss@example.com/", "com,example)/"},
		{"user without password", "http://test@example.com/", "com,example)/"},
		{"port 80", "http://www.example.com:80/", "com,example)/"},
		{"port 80 with zeros", "http://www.example.com:0080/", "com,example)/"},
		{"port 80 for https stays", "https://www.example.com:80/", "com,example:80)/"},
		{"port 443 for http stays", "http://www.example.com:443/", "com,example:443)/"},
		{"port 443", "https://www.example.com:443/", "com,example)/"},
		{"other port", "http://www.gotaport.com:1234/", "com,gotaport:1234)/"},
		{"colon without a port", "http://galleries.com:/chabazit.htm", "com,galleries)/chabazit.htm"},
		{"trailing dots", "http://www.google.com.../", "com,google)/"},
		{"empty labels", "http://a..b.com/", "com,b,a)/"},
		{"underscores", "http://my_host.example.com/", "com,example,my_host)/"},
		{"IDN", "http://bücher.ch:8080", "ch,xn--bcher-kva:8080)/"},
		{"IDN in capitals", "http://BÜCHER.ch/", "ch,xn--bcher-kva)/"},
		{"IDN percent-encoded", "http://b%C3%BCcher.ch/", "ch,xn--bcher-kva)/"},
		{"IDN in punycode", "http://xn--bcher-kva.ch/", "ch,xn--bcher-kva)/"},
		{"IDN of a symbol", "http://☃.com/", "com,xn--n3h)/"},
		{"IDN as browsers ask for it", "http://straße.de/", "de,xn--strae-oqa)/"},
		{"IDN as browsers ask for it, in punycode", "http://xn--strae-oqa.de/", "de,xn--strae-oqa)/"},
		{"punycode that is none", "http://xn--abcd.com/", "com,xn--abcd)/"},
		{"host in percent-encoding", "http://%77ww.example%2Ecom/", "com,example)/"},
		{"host with a space", "http:// leadingspace.com/", "com,%20leadingspace)/"},
		{"host with a hash", "http://host%23.com/", "com,host%23)/"},
		{"host with controls", "http://\x01\x80.com/", "com,%01)/"},
		{"IPv4", "http://93.184.216.34/", "34,216,184,93)/"},
		{"IPv4 as one number", "http://3279880203/blah", "11,0,127,195)/blah"},
		{"IPv4 as too large a number", "http://39024579298/", "226,210,11,22)/"},
		{"IPv4 in octal", "http://017.0.0.1/", "1,0,0,15)/"},
		{"IPv4 in three parts", "http://10.0.258/", "2,1,0,10)/"},
		{"IPv4 percent-encoded", "http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/", "26,99,188,168)/"},
		{"no IPv4", "http://1.2.3.256/", "256,3,2,1)/"},
		{"no IPv4 either", "http://09.1.1.1/", "1,1,1,09)/"},
		{"a label of digits", "http://81.foo/", "foo,81)/"},
		{"a host that looks like a date", "20130102.org/1", "org,20130102)/1"},
		{"IPv6", "http://[2001:DB8::1]/", "2001:db8::1)/"},
		{"IPv6 with a port", "http://[::1]:8080/", "::1:8080)/"},
		{"IPv6 in long", "http://[0:0:0:0:0:0:0:1]:80/", "::1)/"},

		{"trailing slash", "http://example.com/goo/", "com,example)/goo"},
		{"double slashes", "http://host.com//two///slashes?more//slashes", "com,host)/two/slashes?more//slashes"},
		{"dots", "http://example.com/a/./b/../c/.", "com,example)/a/c"},
		{"dots to the root", "http://www.google.com/blah/..", "com,google)/"},
		{"dots above the root", "http://example.com/../a", "com,example)/../a"},
		{"semicolon", "http://evil.com/foo;", "com,evil)/foo;"},
		{"percent-encoding undone", "http://host/%7Ea%2Fb%41", "host)/~a/ba"},
		{"percent-encoding undone repeatedly", "http://host/%25%32%35", "host)/%25"},
		{"percent-encoding undone to the end", "http://host/%2525252525252525", "host)/%25"},
		{"percent signs that encode nothing", "http://host/%%%25%32%35asd%%", "host)/%25%25%25asd%25%25"},
		{"encoded hash", "http://host.com/ab%23cd", "com,host)/ab%23cd"},
		{"encoded question mark", "http://host.com/a.woff%3Fv=3", "com,host)/a.woff?v=3"},
		{"non-ASCII path", "http://host.com/É", "com,host)/%c3%89"},
		{"non-ASCII path encoded", "http://host.com/%c3%89", "com,host)/%c3%89"},
		{"NUL", "http://host.com/%00", "com,host)/%00"},

		{"arguments sorted", "http://archive.org/goo/?b&a", "org,archive)/goo?a&b"},
		{"arguments sorted by value", "http://archive.org/goo/?a=2&b&a=1", "org,archive)/goo?a=1&a=2&b"},
		{"arguments sorted by name first", "http://a.org/?a-b=1&a=2", "org,a)/?a=2&a-b=1"},
		{"name alone before empty value", "http://a.org/?a=&a", "org,a)/?a&a="},
		{"empty arguments come first", "http://a.org/?a=1&", "org,a)/?&a=1"},
		{"question marks in the query", "http://www.google.com/q?r?s", "com,google)/q?r?s"},
		{"a query of one sign", "http://a.org/??", "org,a)/??"},

		{"jsessionid", "http://a.org/?one=two&jsessionid=" + id32 + "&x=y", "org,a)/?one=two&x=y"},
		{"jsessionid alone", "http://a.org/?jsessionid=" + id32, "org,a)/"},
		{"jsessionid too long", "http://a.org/?jsessionid=" + id32 + "0", "org,a)/?jsessionid=" + id32 + "0"},
		{
			"PHPSESSID", "http://archive.org/index.php?PHPSESSID=" + id32 + "&action=profile;u=4221",
			"org,archive)/index.php?action=profile;u=4221",
		},
		{"sid and jsessionid", "http://a.org/?sid=9682993c8daa2c5497996114facdc805&jsessionid=" + id32, "org,a)/"},
		{"ASPSESSIONID", "http://a.org/?aspsessionidABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX&x=y", "org,a)/?x=y"},
		{"CFID and CFTOKEN", "http://a.org/?CFID=14475712&CFTOKEN=2D89F5AF-3048&r=46&m=forgotten", "org,a)/?m=forgotten&r=46"},
		{"ASP.NET session in the path", "http://a.org/(4hqa0555fwsecu455xqckv45)/mileg.aspx", "org,a)/mileg.aspx"},
		{
			"ASP.NET sessions in the path", "http://a.org/(a(4hqa0555fwsecu455xqckv45)S(4hqa0555fwsecu455xqckv45))/mileg.aspx?p=s",
			"org,a)/mileg.aspx?p=s",
		},
		{"brackets that are no session", "http://a.org/(x)/mileg.aspx", "org,a)/(x)/mileg.aspx"},

		{"dns", "dns:www.archive.org", "dns:www.archive.org"},
		{"mailto", "mailto:foo@example.com", "mailto:foo@example.com"},
		{"urn", "urn:X-wpull:log", "urn:x-wpull:log"},
		{"screenshot", "screenshot:http://acid.matkelly.com/", "screenshot:http://acid.matkelly.com"},
		{"opaque with a query", "foo:bar?b&a", "foo:bar?a&b"},
		{"opaque with a query only", "foo:?b", "foo:/?b"},
		{"file", "file:///example%20with%20spaces.png", "file:/example%20with%20spaces.png"},
		{"filedesc", "filedesc://Foo Bar.arc.gz", "filedesc://Foo%20Bar.arc.gz"},
		{"warcinfo", "warcinfo:foo.warc.gz", "warcinfo:foo.warc.gz"},
		{"scheme with a dash", "chrome-extension://react-perf/page.bundle.js", "react-perf)/page.bundle.js"},
		{"scheme and nothing else", "http://", "http:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Of(tt.uri); got != tt.want {
				t.Errorf("Key(%q) = %q, want %q", tt.uri, got, tt.want)
			}
		})
	}
}

// For every URI in the corpus, the keys must be those of an existing indexer.
func TestKeyAgreesWithReference(t *testing.T) {
	compared := map[string]bool{}
	for _, path := range corpora.Files(t, ".cdxj") {
		if !strings.Contains(path, "refcdxj") && !strings.HasSuffix(path, ".ref.cdxj") {
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 1<<20)
		for sc.Scan() {
			key, rest, _ := strings.Cut(sc.Text(), " ")
			_, block, _ := strings.Cut(rest, " ")
			var line struct{ URL, Method string }
			if json.Unmarshal([]byte(block), &line) != nil || line.URL == "" || line.Method != "" || strings.Contains(key, "__wb_method=") {
				continue
			}
			compared[line.URL] = true
			if got := Of(line.URL); got != key {
				t.Errorf("%s: Key(%q) = %q, want %q", path, line.URL, got, key)
			}
		}
		if err := sc.Err(); err != nil {
			t.Error(err)
		}
		f.Close()
	}
	t.Logf("%d distinct URIs compared", len(compared))
	if len(compared) < 2000 {
		t.Errorf("only %d distinct URIs compared, want 2000", len(compared))
	}
}

func TestKeyIsLinearInPercentSigns(t *testing.T) {
	uri := "http://a.org/" + strings.Repeat("%25", 1) + strings.Repeat("25", 1<<20)
	if got := Of(uri); got != "org,a)/%25" {
		t.Errorf("got %d bytes, want the key of one percent sign", len(got))
	}
}

func FuzzKey(f *testing.F) {
	for _, s := range []string{
		"", "http://www.example.com:80/a/../b/?z=1&a=2#f", "http://a@[::1]:8080/", "dns:example.org",
		"https://%62ücher.ch/%25%32%35", "http://0177.1/", "//x", "http:///", "filedesc://a b", "a:b?c", "http://x/(a(0))/b.aspx",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		key := Of(uri)
		if key == "" {
			t.Fatalf("Key(%q) is empty", uri)
		}
		for i := range len(key) {
			if key[i] <= ' ' || key[i] > '~' {
				t.Fatalf("Key(%q) = %q has the byte %#x", uri, key, key[i])
			}
		}
		if !strings.HasPrefix(strings.TrimSpace(uri), "filedesc") && strings.TrimSpace(uri) != "" {
			if got := Of(asciiUpper(uri)); got != key && !strings.HasPrefix(got, "FILEDESC") && !strings.Contains(strings.ToLower(uri), "filedesc") {
				t.Errorf("in capitals %q has the key %q, otherwise %q", uri, got, key)
			}
			if got := Of(uri + "#fragment"); got != key && strings.TrimSpace(uri) == uri {
				t.Errorf("with a fragment %q has the key %q, otherwise %q", uri, got, key)
			}
		}
	})
}

func asciiUpper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 0x20
		}
	}
	return string(b)
}

func ExampleOf() {
	fmt.Println(Of("https://www.Example.org:443/News/?b=2&a=1#top"))
	fmt.Println(Of("dns:example.org"))
	// Output:
	// org,example)/news?a=1&b=2
	// dns:example.org
}

func BenchmarkKey(b *testing.B) {
	for name, uri := range map[string]string{
		"plain": "https://www.example.org/news/2019/article-about-something.html",
		"query": "http://bits.wikimedia.org/en.wikipedia.org/load.php?debug=false&lang=en&modules=skins.vector&only=scripts&skin=vector&*",
		"escaped": "http://www.archive.org/audio/xspf_player.swf?playlist_url=http%3A%2F%2Fwww.archive.org%2Faudio%2Fxspf-ma" +
			"ker.php%3Fidentifier%3Dzh27814&autoload=true",
		"idn": "http://bücher.ch/straße",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Of(uri)
			}
		})
	}
}
