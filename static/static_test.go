package static

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

func get(t *testing.T, method, target string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func TestHandler(t *testing.T) {
	tag := get(t, "GET", Prefix+"banner.js").Header.Get("ETag")
	for _, c := range []struct {
		name, method, target string
		header               []string
		wantStatus           int
		wantHeader           map[string]string
	}{
		{
			"a script has its type and is not sniffed", "GET", Prefix + "banner.js", nil, 200,
			map[string]string{
				"Content-Type": "text/javascript; charset=utf-8", "X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*",
				"Cache-Control": "public, no-cache", "Cross-Origin-Resource-Policy": "cross-origin",
			},
		},
		{
			"with its version it is kept", "GET", URL("banner.js"), nil, 200,
			map[string]string{"Cache-Control": "public, max-age=31536000, immutable"},
		},
		{
			"with an old version it is asked for again", "GET", Prefix + "banner.js?v=0", nil, 200,
			map[string]string{"Cache-Control": "public, no-cache"},
		},
		{
			"gzip where it is taken", "GET", Prefix + "page.css",
			[]string{"Accept-Encoding", "br, gzip;q=0.5"},
			200,
			map[string]string{"Content-Encoding": "gzip", "Content-Type": "text/css; charset=utf-8", "Vary": "Accept-Encoding"},
		},
		{
			"no gzip where it isn't named", "GET", Prefix + "page.css",
			[]string{"Accept-Encoding", "br"},
			200,
			map[string]string{"Content-Encoding": "", "Vary": "Accept-Encoding"},
		},
		{
			"no gzip where it is refused", "GET", Prefix + "page.css",
			[]string{"Accept-Encoding", "gzip;q=0.0"},
			200,
			map[string]string{"Content-Encoding": "", "Vary": "Accept-Encoding"},
		},
		{"what the client has is not sent again", "GET", Prefix + "banner.js", []string{"If-None-Match", tag}, 304, nil},
		{"the other form's tag does not match", "GET", Prefix + "banner.js", []string{"If-None-Match", tag, "Accept-Encoding", "gzip"}, 200, nil},
		{"HEAD", "HEAD", Prefix + "page.js", nil, 200, map[string]string{"Content-Type": "text/javascript; charset=utf-8"}},
		{"no such file", "GET", Prefix + "nothing.js", nil, 404, nil},
		{"a file kept for the build is not served", "GET", Prefix + ".keep", nil, 404, nil},
		{"no way out of the folder", "GET", Prefix + "../static.go", nil, 404, nil},
		{"POST", "POST", Prefix + "banner.js", nil, 405, map[string]string{"Allow": "GET, HEAD"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := get(t, c.method, c.target, c.header...)
			if got.StatusCode != c.wantStatus {
				t.Errorf("status %d, want %d", got.StatusCode, c.wantStatus)
			}
			for k, want := range c.wantHeader {
				if g := got.Header.Get(k); g != want {
					t.Errorf("%s: %q, want %q", k, g, want)
				}
			}
		})
	}
}

func TestABuildWithoutWombatHasTheRest(t *testing.T) {
	found := load(fstest.MapFS{"dist/.keep": {}, "assets/page.css": {Data: []byte("a{}")}})
	if len(found) != 1 || found["page.css"].hash == "" {
		t.Errorf("found %v, want page.css alone", found)
	}
	const script, style = "// a\n\tf()\n", "// b\n\ta{}\n"
	found = load(fstest.MapFS{
		"dist/wombat.js": {Data: []byte(script)}, "assets/a.js": {Data: []byte(script)}, "assets/a.css": {Data: []byte(style)},
	})
	for name, want := range map[string]string{"wombat.js": script, "a.js": "f()\n", "a.css": style} {
		if got := string(found[name].body); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}

func TestBundles(t *testing.T) {
	fsys := fstest.MapFS{}
	for _, part := range bundles["replay.js"] {
		fsys["assets/"+part] = &fstest.MapFile{Data: []byte("f('" + part + "')")}
	}
	if got := string(load(fsys)["replay.js"].body); got != "f('"+strings.Join(bundles["replay.js"], "')\n;\nf('")+"')\n;\n" {
		t.Errorf("replay.js is %q", got)
	}
	delete(fsys, "assets/wombat.js")
	if _, ok := load(fsys)["replay.js"]; ok {
		t.Error("a bundle lacks a part")
	}
	for name, parts := range bundles {
		for _, part := range parts {
			if _, ok := assets()[part]; !ok && part != "wombat.js" {
				t.Errorf("%s has no %s", name, part)
			}
		}
	}
}

// What is sent of a script means what its file does.
func TestScriptsAreSentWithoutComments(t *testing.T) {
	names, err := fs.Glob(files, "assets/*.js")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		script, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		sent := withoutComments(script)
		if want, got := tree(t, name, script), tree(t, name, sent); want != got {
			t.Errorf("%s is another program without its comments", name)
		}
		if len(sent) > len(script)*95/100 {
			t.Errorf("%s: %d of %d bytes are sent", name, len(sent), len(script))
		}
	}
}

// tree returns what a script is, without its looks.
func tree(t *testing.T, name string, script []byte) string {
	t.Helper()
	ast, err := js.Parse(parse.NewInputBytes(bytes.Clone(script)), js.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return ast.JSString()
}

func TestURL(t *testing.T) {
	if got := URL("banner.js"); !strings.HasPrefix(got, Prefix+"banner.js?v=") || len(got) != len(Prefix)+len("banner.js?v=")+16 {
		t.Errorf("banner.js is at %s", got)
	}
	if got := URL("nothing.js"); got != Prefix+"nothing.js" {
		t.Errorf("what is not there is at %s", got)
	}
}

func TestHasWombatSaysWhatIsServed(t *testing.T) {
	want := http.StatusNotFound
	if HasWombat() {
		want = http.StatusOK
	}
	if got := get(t, "GET", Prefix+"wombat.js").StatusCode; got != want {
		t.Errorf("wombat.js answers %d, HasWombat says %v", got, HasWombat())
	}
}

func BenchmarkHandler(b *testing.B) {
	r := httptest.NewRequest("GET", URL("page.css"), nil)
	r.Header.Set("Accept-Encoding", "gzip")
	for b.Loop() {
		Handler().ServeHTTP(httptest.NewRecorder(), r)
	}
}
