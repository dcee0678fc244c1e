package header

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

func TestLinksOfAHeaderAreTakenApart(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        []link
	}{
		{"nothing", "", nil},
		{"one", "<a>", []link{{"a", ""}}},
		{"an empty target", "<>;x", []link{{"", ";x"}}},
		{"with parameters", "<a>; rel=x ; y=z \t", []link{{"a", "; rel=x ; y=z"}}},
		{"two", "<a>;x,<b>;y", []link{{"a", ";x"}, {"b", ";y"}}},
		{"a comma in a target", "<a,b>;x", []link{{"a,b", ";x"}}},
		{"a comma in quotes", `<a>;x="1,<c>",<b>`, []link{{"a", `;x="1,<c>"`}, {"b", ""}}},
		{"a quote in quotes", `<a>;x="\",<c>",<b>`, []link{{"a", `;x="\",<c>"`}, {"b", ""}}},
		{"a backslash outside of quotes", `<a>;x=\",<c>",<b>`, []link{{"a", `;x=\",<c>"`}, {"b", ""}}},
		{"a quote that doesn't close", `<a>;x="1,<b>`, []link{{"a", `;x="1,<b>`}}},
		{"a backslash at the end", `<a>;x="\`, []link{{"a", `;x="\`}}},
		{"a target that doesn't close", "<a>,<b", []link{{"a", ""}}},
		{"what is no link", "a, b", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := splitLinks(tt.value)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParametersOfALinkAreTakenApart(t *testing.T) {
	for _, tt := range []struct {
		value string
		want  []string
	}{
		{"", []string{""}},
		{";a;b", []string{"", "a", "b"}},
		{`;a="1;2";b`, []string{"", `a="1;2"`, "b"}},
		{`;a="\";2";b`, []string{"", `a="\";2"`, "b"}},
		{`;a=\";b";c`, []string{"", `a=\";b"`, "c"}},
		{`;a=";b`, []string{"", `a=";b`}},
	} {
		if got := splitParams(tt.value); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.value, got, tt.want)
		}
	}
}

func TestWhatALinkLoadsAhead(t *testing.T) {
	for params, want := range map[string]string{
		";rel=preload":                         "",
		";rel=preload;as=script":               "js_",
		";rel=preload;as=fetch":                "wkrf_",
		";rel=preload;as=font":                 "oe_",
		";REL=Preload;As=Image":                "im_",
		`;rel="preload"`:                       "",
		`;rel="next preload"; as="style"`:      "cs_",
		";rel=preload;rel=next;as=style":       "cs_",
		";rel=modulepreload":                   "esm_",
		";rel=stylesheet":                      "cs_",
		`; rel = "shortcut icon"`:              "im_",
		";rel=next":                            "none",
		";rel=next;rel=stylesheet":             "none",
		"":                                     "none",
		";as=style":                            "none",
		`;title="a;rel=stylesheet";rel=next`:   "none",
		`;title="a\";rel=next";rel=stylesheet`: "cs_",
	} {
		use, ok := loadedAhead(params)
		got := use.String()
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", params, got, want)
		}
	}
}

func TestHeaderNamesAndValuesThatHTTPCanSend(t *testing.T) {
	for name, want := range map[string]bool{
		"X-A": true, "a!#$%&'*+-.^_`|~9": true, "": false, "a b": false, "a\x00": false, "a\x1f": false, "a\x7f": false, "a~": true, "ä": false,
		"a:": false, "a(": false, "a@": false, "a{": false, `a"`: false,
	} {
		if got := validName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	for value, want := range map[string]string{
		"a": "a", " a ": "a", "a\tb": "a\tb", "a\x00b\x1fc\x7fd": "a b c d", "a~\u0080": "a~\u0080", "\r\n": "", "a\r\n\r\nb": "a    b",
	} {
		if got := cleanValue(value); got != want {
			t.Errorf("%q: %q", value, got)
		}
	}
}

func TestHeadersOfRedirectsAndUnknownOnes(t *testing.T) {
	const m = "http://archive.test/web/20200101000000"
	header := func(archived http.Header, o Options) http.Header {
		o.Base, o.Resolve = "http://example.com/dir/", archive
		return Rewrite(archived, o)
	}
	for _, tt := range []struct {
		name           string
		options        Options
		archived, want http.Header
	}{
		{
			"archived bytes whose redirect is followed",
			Options{Use: uses.RawRedirect},
			http.Header{"Location": {"/x"}, "Refresh": {"0;url=/x"}, "Link": {"<a>;rel=icon"}, "Sourcemap": {"a"}},
			http.Header{
				"Location": {m + "id_/http://example.com/x"}, "X-Archive-Orig-Refresh": {"0;url=/x"},
				"X-Archive-Orig-Link": {"<a>;rel=icon"}, "X-Archive-Orig-Sourcemap": {"a"},
			},
		},
		{
			"a target that no archive has",
			Options{},
			http.Header{"Location": {"mailto:me"}, "Refresh": {"5"}},
			http.Header{"Location": {"mailto:me"}, "Refresh": {"5"}, "X-Archive-Orig-Refresh": {"5"}},
		},
		{
			"each header that Connection names is only shown",
			Options{},
			http.Header{"Connection": {"x-a , X-b", "X-C"}, "X-A": {"a"}, "X-B": {"b"}, "X-C": {"c"}, "X-D": {"d"}},
			http.Header{
				"X-Archive-Orig-Connection": {"x-a , X-b", "X-C"}, "X-Archive-Orig-X-A": {"a"}, "X-Archive-Orig-X-B": {"b"},
				"X-Archive-Orig-X-C": {"c"}, "X-D": {"d"}, "X-Archive-Orig-X-D": {"d"},
			},
		},
		{
			"a script gets validators, and the links of a list",
			Options{ForScript: true},
			http.Header{"Etag": {`"a"`}, "Last-Modified": {"b"}, "Link": {
				`<?page=2>; rel="next", <c>; rel="next memento", <d>; rel=prefetch, <e>; rel=last`,
			}},
			http.Header{
				"Etag": {`"a"`}, "Last-Modified": {"b"}, "Link": {`<?page=2>; rel="next"`, "<e>; rel=last"},
				"X-Archive-Orig-Link": {`<?page=2>; rel="next", <c>; rel="next memento", <d>; rel=prefetch, <e>; rel=last`},
			},
		},
		{
			"no cookie without a place for it",
			Options{},
			http.Header{"Set-Cookie": {"a=b"}},
			http.Header{"X-Archive-Orig-Set-Cookie": {"a=b"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, header(tt.archived, tt.options)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPathsAndDomainsOfCookies(t *testing.T) {
	for _, tt := range []struct{ name, base, cookie, want string }{
		{"the folder of the page", "http://example.com/a/b/c", "k=v", "k=v; Path=/web/1/http://example.com/a/b"},
		{"the root", "http://example.com/a", "k=v", "k=v; Path=/web/1/http://example.com/"},
		{"a path of its own", "http://example.com/a/b/c", "k=v; path = /a ", "k=v; Path=/web/1/http://example.com/a"},
		{"a path that is none", "http://example.com/a/b", "k=v; path=x", "k=v; Path=/web/1/http://example.com/a"},
		{"a path with a control", "http://example.com/", "k=v; path=/a/b\x1fc/d", "k=v; Path=/web/1/http://example.com/a/"},
		{"a path with a space", "http://example.com/", "k=v; path=/a/b c/d", "k=v; Path=/web/1/http://example.com/a/b c/d"},
		{"a path with a tilde", "http://example.com/", "k=v; path=/~a/b", "k=v; Path=/web/1/http://example.com/~a/b"},
		{"a path with a letter beyond ASCII", "http://example.com/", "k=v; path=/a/ä/d", "k=v; Path=/web/1/http://example.com/a/"},
		{"a path with DEL", "http://example.com/", "k=v; path=/a/\x7f/d", "k=v; Path=/web/1/http://example.com/a/"},
		{"the domain of a host", "http://www.example.com/", "k=v; Domain=.Example.com", "k=v; Path=/web/1/http://www.example.com/"},
		{"a domain that only ends like it", "http://myexample.com/", "k=v; domain=example.com", ""},
		{"the domain of a host with a port", "http://example.com:81/", "k=v; domain=example.com", "k=v; Path=/web/1/http://example.com:81/"},
		{
			"SameSite", "http://example.com/", "k=v; samesite=lax; Priority=high",
			"k=v; samesite=lax; Priority=high; Path=/web/1/http://example.com/",
		},
		{"a name as long as varve's", "http://example.com/", "varve_=1", "varve_=1; Path=/web/1/http://example.com/"},
		{"the bare beginning of varve's", "http://example.com/", "varve-=1", ""},
		{"a shorter name", "http://example.com/", "varve=1", "varve=1; Path=/web/1/http://example.com/"},
		{"no value", "http://example.com/", "k", ""},
		{"a secure prefix", "http://example.com/", "__Secure-k=v", "__Secure-k=v; Path=/web/1/http://example.com/"},
		{"no base", "urn:x", "k=v", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := scopeCookie(tt.cookie, reference.New(tt.base, nil), "/web/1/", time.Date(2020, 3, 4, 5, 6, 7, 0, time.UTC)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A page of a thousand fields must not be refused by what stands between varve and the reader.
func TestALongHeaderIsCut(t *testing.T) {
	archived := http.Header{"Content-Type": {"text/plain"}, "Location": {"/x"}, "Server": {"a", "b"}}
	for i := range 600 {
		archived.Add(fmt.Sprintf("X-%03d", i), "v")
	}
	got := Rewrite(archived, Options{Resolve: archive})
	if got.Get("Content-Type") == "" || got.Get("Location") == "" || len(got) != 500 || got.Get("X-Archive-Orig-Server") != "" {
		t.Errorf("%d fields: type %q, %v", len(got), got.Get("Content-Type"), got["X-Archive-Orig-Server"])
	}
	got = Rewrite(http.Header{"Set-Cookie": {"a=b"}, "X-Long": {"short", strings.Repeat("v", 1<<16)}}, Options{Resolve: archive})
	if diff := cmp.Diff(http.Header{"X-Long": {"short"}}, got); diff != "" {
		t.Error(diff)
	}
	for n, want := range map[int]int{1<<16 - len("X-Long: \r\n"): 1, 1<<16 - len("X-Long: \r\n") + 1: 0} {
		if got := Rewrite(http.Header{"X-Long": {strings.Repeat("v", n)}}, Options{Resolve: archive}); len(got) != want {
			t.Errorf("a value of %d bytes: %d fields", n, len(got))
		}
	}
}
