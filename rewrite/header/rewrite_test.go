package header

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

func TestHeader(t *testing.T) {
	const m = "http://archive.test/web/20200101000000"
	for _, tt := range []struct {
		name           string
		use            uses.Use
		changed        bool
		archived, want http.Header
	}{
		{
			"what means the same passes", uses.Link, false,
			http.Header{"Content-Type": {"text/html"}, "Content-Language": {"a", "b"}},
			http.Header{"Content-Type": {"text/html"}, "Content-Language": {"a", "b"}},
		},
		{
			"what isn't known passes, and is shown", uses.Link, false,
			http.Header{"X-Custom": {"a", "b"}, "X-Nextjs-Cache": {"HIT"}},
			http.Header{
				"X-Custom": {"a", "b"}, "X-Nextjs-Cache": {"HIT"},
				"X-Archive-Orig-X-Custom": {"a", "b"}, "X-Archive-Orig-X-Nextjs-Cache": {"HIT"},
			},
		},
		{
			"what servers on the way take as an order is shown", uses.Link, false,
			http.Header{
				"X-Accel-Redirect": {"/x"}, "X-Sendfile": {"/etc/passwd"}, "X-Lighttpd-Send-File": {"y"}, "X-Reproxy-Url": {"z"},
				"X-Sendfile2": {"/x 0-9"}, "Cdn-Cache-Control": {"max-age=9"}, "Surrogate-Key": {"k"},
				"Netlify-Cdn-Cache-Control": {"max-age=9"}, "Netlify-Cache-Tag": {"t"}, "Cache-Tag": {"t"}, "Forwarded": {"for=a"},
			},
			http.Header{
				"X-Archive-Orig-X-Accel-Redirect": {"/x"}, "X-Archive-Orig-X-Sendfile": {"/etc/passwd"},
				"X-Archive-Orig-X-Lighttpd-Send-File": {"y"}, "X-Archive-Orig-X-Reproxy-Url": {"z"}, "X-Archive-Orig-X-Sendfile2": {"/x 0-9"},
				"X-Archive-Orig-Cdn-Cache-Control": {"max-age=9"}, "X-Archive-Orig-Surrogate-Key": {"k"},
				"X-Archive-Orig-Netlify-Cdn-Cache-Control": {"max-age=9"}, "X-Archive-Orig-Netlify-Cache-Tag": {"t"},
				"X-Archive-Orig-Cache-Tag": {"t"}, "X-Archive-Orig-Forwarded": {"for=a"},
			},
		},
		{
			"validators are shown", uses.Link, false,
			http.Header{"Etag": {"a"}, "Last-Modified": {"b"}},
			http.Header{"X-Archive-Orig-Etag": {"a"}, "X-Archive-Orig-Last-Modified": {"b"}},
		},
		{
			"a session that a browser would begin with the archive", uses.Link, false,
			http.Header{"Secure-Session-Registration": {`(ES256);path="s"`}, "Secure-Session-Challenge": {`"c"`}, "Sec-Session-Registration": {"x"}},
			http.Header{
				"X-Archive-Orig-Secure-Session-Registration": {`(ES256);path="s"`}, "X-Archive-Orig-Secure-Session-Challenge": {`"c"`},
				"X-Archive-Orig-Sec-Session-Registration": {"x"},
			},
		},
		{
			"what acts on the origin is shown", uses.Link, false,
			http.Header{"Strict-Transport-Security": {"max-age=1"}, "Content-Security-Policy": {"a", "b"}, "Clear-Site-Data": {`"*"`}},
			http.Header{
				"X-Archive-Orig-Strict-Transport-Security": {"max-age=1"}, "X-Archive-Orig-Content-Security-Policy": {"a", "b"},
				"X-Archive-Orig-Clear-Site-Data": {`"*"`},
			},
		},
		{
			"on archived bytes too", uses.Raw, false,
			http.Header{"Memento-Datetime": {"x"}, "Vary": {"Cookie"}},
			http.Header{"X-Archive-Orig-Memento-Datetime": {"x"}, "X-Archive-Orig-Vary": {"Cookie"}},
		},
		{
			"what is about the connection is shown", uses.Link, false,
			http.Header{"Connection": {"close, X-Hop"}, "X-Hop": {"1"}, "Transfer-Encoding": {"chunked"}, "Keep-Alive": {"1"}},
			http.Header{
				"X-Archive-Orig-Connection": {"close, X-Hop"}, "X-Archive-Orig-X-Hop": {"1"}, "X-Archive-Orig-Transfer-Encoding": {"chunked"},
				"X-Archive-Orig-Keep-Alive": {"1"},
			},
		},
		{
			"a redirect is rewritten, with its fragment", uses.Link, false,
			http.Header{"Location": {"../x?y#z"}},
			http.Header{"Location": {m + "/http://example.com/x?y#z"}},
		},
		{
			"on archived bytes to archived bytes", uses.Raw, false,
			http.Header{"Location": {"/x"}},
			http.Header{"Location": {m + "id_/http://example.com/x"}},
		},
		{"a body's length stays with its bytes", uses.Raw, false, http.Header{"Content-Length": {"5"}}, http.Header{"Content-Length": {"5"}}},
		{
			"and is shown if they changed", uses.Link, true,
			http.Header{"Content-Length": {"5"}, "Content-Encoding": {"gzip"}},
			http.Header{"X-Archive-Orig-Content-Length": {"5"}, "X-Archive-Orig-Content-Encoding": {"gzip"}},
		},
		{
			"a refresh is rewritten and shown", uses.Link, false,
			http.Header{"Refresh": {"5; url=/x"}},
			http.Header{"Refresh": {"5; url=" + m + "/http://example.com/x"}, "X-Archive-Orig-Refresh": {"5; url=/x"}},
		},
		{
			"on archived bytes only shown", uses.Raw, false,
			http.Header{"Refresh": {"5; url=/x"}},
			http.Header{"X-Archive-Orig-Refresh": {"5; url=/x"}},
		},
		{
			"a source map is rewritten", uses.Script, false,
			http.Header{"Sourcemap": {"a.map"}},
			http.Header{"Sourcemap": {m + "oe_/http://example.com/dir/a.map"}, "X-Archive-Orig-Sourcemap": {"a.map"}},
		},
		{
			"of links those stay that load ahead", uses.Link, false,
			http.Header{"Link": {`<a.css>; rel=preload; as=style; integrity="sha,x", <b>; rel="next", </m.js>;rel=modulepreload`}},
			http.Header{
				"Link": {`<` + m + `cs_/http://example.com/dir/a.css>; rel=preload; as=style, <` + m +
					`esm_/http://example.com/m.js>; rel=modulepreload`},
				"X-Archive-Orig-Link": {`<a.css>; rel=preload; as=style; integrity="sha,x", <b>; rel="next", </m.js>;rel=modulepreload`},
			},
		},
		{
			"what is asked for with CORS is asked for ahead with it", uses.Link, false,
			http.Header{"Link": {`<a.woff>; rel=preload; as="Font"; crossorigin, <a.js>; rel=preload; as=script; crossorigin`}},
			http.Header{
				"Link": {`<` + m + `oe_/http://example.com/dir/a.woff>; rel=preload; as="Font"; crossorigin, <` + m +
					`js_/http://example.com/dir/a.js>; rel=preload; as=script`},
				"X-Archive-Orig-Link": {`<a.woff>; rel=preload; as="Font"; crossorigin, <a.js>; rel=preload; as=script; crossorigin`},
			},
		},
		{
			"other sizes of a picture would be loaded from the live web", uses.Link, false,
			http.Header{"Link": {`<a.png>; rel=preload; as=image; imagesrcset="http://b.example/2.png 2x"; imagesizes=50vw; media=print`}},
			http.Header{
				"Link": {`<` + m + `im_/http://example.com/dir/a.png>; rel=preload; as=image; media=print`},
				"X-Archive-Orig-Link": {
					`<a.png>; rel=preload; as=image; imagesrcset="http://b.example/2.png 2x"; imagesizes=50vw; media=print`,
				},
			},
		},
		{
			"links of a memento are none of ours", uses.Link, false,
			http.Header{"Link": {`<http://x/>; rel="memento"; datetime="Mon, 01 Jan 2001 00:00:00 GMT"`}},
			http.Header{"X-Archive-Orig-Link": {`<http://x/>; rel="memento"; datetime="Mon, 01 Jan 2001 00:00:00 GMT"`}},
		},
		{
			"a cookie is scoped to its origin", uses.Link, false,
			http.Header{"Set-Cookie": {"a=b; Path=/x; Domain=.example.com; Expires=Wed, 01 Jan 2003 00:00:00 GMT; Secure; HttpOnly; SameSite=None"}},
			http.Header{
				"Set-Cookie": {"a=b; HttpOnly; Path=/web/20200101000000/http://example.com/x"},
				"X-Archive-Orig-Set-Cookie": {"a=b; Path=/x; Domain=.example.com; Expires=Wed, 01 Jan 2003 00:00:00 GMT; Secure; HttpOnly; " +
					"SameSite=None"},
			},
		},
		{
			"cookies keep their order and default path", uses.Link, false,
			http.Header{"Set-Cookie": {"b=1", "a=2; SameSite=Lax"}},
			http.Header{"Set-Cookie": {
				"b=1; Path=/web/20200101000000/http://example.com/dir",
				"a=2; SameSite=Lax; Path=/web/20200101000000/http://example.com/dir",
			}, "X-Archive-Orig-Set-Cookie": {"b=1", "a=2; SameSite=Lax"}},
		},
		{
			"a cookie for another host isn't set", uses.Link, false,
			http.Header{"Set-Cookie": {"a=b; Domain=example.org", "=x", "__Host-a=b"}},
			http.Header{"X-Archive-Orig-Set-Cookie": {"a=b; Domain=example.org", "=x", "__Host-a=b"}},
		},
		{
			"an archived archive's header is not ours", uses.Link, false,
			http.Header{"X-Archive-Orig-Date": {"x"}},
			http.Header{"X-Archive-Orig-X-Archive-Orig-Date": {"x"}},
		},
		{
			"names and values that HTTP can't send are mended", uses.Link, false,
			http.Header{"bad name": {"x"}, "X-A": {"a\r\nb"}},
			http.Header{"X-A": {"a  b"}, "X-Archive-Orig-X-A": {"a  b"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Rewrite(tt.archived, Options{
				Base: "http://example.com/dir/page.html", Use: tt.use, Resolve: archive, CookiePrefix: "/web/20200101000000/", Changed: tt.changed,
			})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestScopeCookie(t *testing.T) {
	for _, tt := range []struct{ name, base, cookie, want string }{
		{"a semicolon ends no path", "http://example.com/a/b;Path=/;domain=x/c", "k=v", "k=v; Path=/web/1/http://example.com/a/"},
		{"nor in a path of its own", "http://example.com/;x/y", "k=v", "k=v; Path=/web/1/http://example.com/"},
		{"a host with one gets none", "http://a;path=/;b/c", "k=v", ""},
		{"a user with one gets none", "http://u;path=/@a.example/c", "k=v", ""},
		{"varve's own are not a page's", "http://example.com/", "varve-go=*; path=/", ""},
		{"however they are written", "http://example.com/", " Varve-Go = *", ""},
		{"a name that goes on is", "http://example.com/", "varvel=1", "varvel=1; Path=/web/1/http://example.com/"},
		{"the last age counts", "http://example.com/", "k=v; Max-Age=9; max-age=0", "k=v; Max-Age=0; Path=/web/1/http://example.com/"},
		{"and makes up for one before it", "http://example.com/", "k=v; Max-Age=0; Max-Age=9", "k=v; Path=/web/1/http://example.com/"},
		{
			"an age below all numbers", "http://example.com/", "k=v; Max-Age=-99999999999999999999",
			"k=v; Max-Age=0; Path=/web/1/http://example.com/",
		},
		{
			"an age above all numbers, and a date", "http://example.com/",
			"k=v; Max-Age=99999999999999999999; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "k=v; Path=/web/1/http://example.com/",
		},
		{
			"an age that is none, and a date", "http://example.com/",
			"k=v; Max-Age=soon; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "k=v; Max-Age=0; Path=/web/1/http://example.com/",
		},
		{
			"the last date counts", "http://example.com/", "k=v; Expires=1 Jan 1970 0:0:0; Expires=1 Jan 2037 0:0:0",
			"k=v; Path=/web/1/http://example.com/",
		},
		{"an age in quotes", "http://example.com/", `k=v; Max-Age="0"`, "k=v; Max-Age=0; Path=/web/1/http://example.com/"},
		{"an empty domain", "http://example.com/", "k=v; Domain=", "k=v; Path=/web/1/http://example.com/"},
		{"no domain", "http://example.com/", "k=v; Domain=example.com; domain=.com", "k=v; Path=/web/1/http://example.com/"},
		{"one that ends at once is removed", "http://example.com/", "k=v; Max-Age=0", "k=v; Max-Age=0; Path=/web/1/http://example.com/"},
		{"before it began too", "http://example.com/", "k=v; max-age=-5", "k=v; Max-Age=0; Path=/web/1/http://example.com/"},
		{
			"one that had ended when it was captured", "http://example.com/", "k=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
			"k=; Max-Age=0; Path=/web/1/http://example.com/",
		},
		{
			"by a date of another form", "http://example.com/", "k=; expires=Wed, 04-Mar-20 05:06:06 GMT",
			"k=; Max-Age=0; Path=/web/1/http://example.com/",
		},
		{"in two digits the last of this century", "http://example.com/", "k=v; Expires=1 Jan 69 0:0:0", "k=v; Path=/web/1/http://example.com/"},
		{
			"the first of the last", "http://example.com/", "k=v; Expires=1 Jan 70 0:0:0", "k=v; Max-Age=0; Path=/web/1/http://example.com/",
		},
		{"one that ends later", "http://example.com/", "k=v; Expires=Wed, 04 Mar 2020 05:06:08 GMT", "k=v; Path=/web/1/http://example.com/"},
		{
			"the age goes before the date", "http://example.com/", "k=v; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=9",
			"k=v; Path=/web/1/http://example.com/",
		},
		{"a date that can't be read", "http://example.com/", "k=v; Expires=yesterday", "k=v; Path=/web/1/http://example.com/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := scopeCookie(tt.cookie, reference.New(tt.base, nil), "/web/1/", time.Date(2020, 3, 4, 5, 6, 7, 0, time.UTC)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestJoinedCookiesAreSeveral(t *testing.T) {
	for value, want := range map[string][]string{
		"a=1":                   {"a=1"},
		"a=1, b=2; Path=/, c=3": {"a=1", " b=2; Path=/", " c=3"},
		"a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT, b=2": {"a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", " b=2"},
		"a=x,y":      {"a=x,y"},
		"a=x, y z=1": {"a=x, y z=1"},
		"a=1,":       {"a=1,"},
	} {
		if got := splitCookies(value); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// RFC 6265 §5.1.1
func TestDatesOfCookies(t *testing.T) {
	const none = "none"
	for s, want := range map[string]string{
		"Thu, 31-Dec-98 23:59:59 GMT":                   "1998-12-31 23:59:59",
		"9:0:0 1601 sept. 1":                            "1601-09-01 09:00:00",
		"2{Jan[99/0:0:9@":                               "1999-01-02 00:00:09",
		"1A 1Z 1a 1z 3 Jan 1970 0:0:0":                  "1970-01-03 00:00:00",
		"on 1 Jan ad 1970 0:0:5, 0:0:9, 2, 1980 or Feb": "1970-01-01 00:00:05",
		"Thu, 01 Jan 1970":                              none,
		"0:0:0 Jan 1970":                                none,
		"1 1970 0:0:0":                                  none,
		"1 Jan 0:0:0":                                   none,
		"1 Jan 1600 0:0:0":                              none,
		"1 Jan 01970 0:0:0":                             none,
		"001 Jan 1970 0:0:0":                            none,
		"0 Jan 1970 0:0:0":                              none,
		"32 Jan 1970 0:0:0":                             none,
		"1 Jan 1970 24:0:0":                             none,
		"1 Jan 1970 0:60:0":                             none,
		"1 Jan 1970 0:0:60":                             none,
		"1 Jan 1970 0:0":                                none,
	} {
		got := none
		if at, ok := cookieDate(s); ok {
			got = at.Format(time.DateTime)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
}

func TestCookiesForTheirOwnOriginEndWithTheSession(t *testing.T) {
	got := Unexpired([]string{
		"a=1; Path=/; Max-Age=9, b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure", "c=3; max-age=0",
		"d=4; EXPIRES=Thu, 01 Jan 2037 00:00:00 GMT",
	}, time.Date(2020, 3, 4, 5, 6, 7, 0, time.UTC))
	if diff := cmp.Diff([]string{"a=1; Path=/", "b=2; Secure; Max-Age=0", "c=3; Max-Age=0", "d=4"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhereTheURLOfARefreshIs(t *testing.T) {
	for content, want := range map[string]string{
		"0;url=x": "x", " 1.5 ; URL = x ": "x", "9,x": "x", "5 x": "x", "5\turl": "url",
		";ur": "ur", "0;url": "url", "0;urn:x": "urn:x", "5": "", "": "",
		"5x": "", "5;": "", "/x": "", ":x": "",
		"0;url='a b'c": "a b", `0;url="a`: "a", `0;"a ' "`: "a '", "0;'": "", "0;url=": "", "0; url x": "url x",
	} {
		at, end := RefreshURL([]byte(content))
		if got := content[at:end]; got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

func FuzzLinkHeader(f *testing.F) {
	for _, s := range []string{"", "<a>", `<a>;rel="preload";as=x`, `<a;`, `<a>;rel="\"`, `<a>,<b>;rel=icon,`, `>;<a>;rel=stylesheet`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		Rewrite(http.Header{"Link": {value}, "Refresh": {value}, "Set-Cookie": {value}, "Location": {value}}, Options{
			Base: "http://example.com/", Resolve: archive, CookiePrefix: "/",
		})
	})
}
