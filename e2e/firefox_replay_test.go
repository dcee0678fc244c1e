package e2e

import (
	"fmt"
	"math"
	"mime"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// foxDirect is [direct] with Firefox.
func foxDirect(t *testing.T, s *server, ts string) *fox {
	t.Helper()
	if testing.Short() {
		t.Skip("Firefox takes its time: the long form of the tests tries it")
	}
	return browseFoxBehind(t, s.files(t, ts), "127.0.0.1", func(string) *server { return s })
}

// The banner stands above a page of frames in Firefox, too. Its frames are where they were live, but for the fraction of a pixel.
func TestFramesetsAreAsTheyWereLiveInFirefox(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	s := frameSite().serve(t)
	plain, f := foxDirect(t, s, day), browseFox(t, s)
	const complete = `frames.main?.document.readyState === "complete" ? "" : "frames"`
	places := func(f *fox) (all [][4]float64) {
		for line := range strings.Lines(fmt.Sprint(f.evaluate(t, frameSizes))) {
			var name string
			var at [4]float64
			if n, err := fmt.Sscan(line, &name, &at[0], &at[1], &at[2], &at[3]); n != 5 {
				t.Fatalf("%q: %v", line, err)
			}
			all = append(all, at)
		}
		return all
	}
	for name := range framesets {
		f.resize(t, 1000, 700)
		f.open(t, shown("/"+slug(name)))
		f.awaits(t, framed+` ? "" : "the banner"`)
		high, _ := f.evaluate(t, `document.querySelector("varve-banner").offsetHeight`).(float64)
		plain.resize(t, 1000, 700-int(high))
		plain.navigate(t, host+"/"+slug(name))
		plain.awaits(t, complete)
		near := func(a, b [4]float64) bool {
			for i := range a {
				if math.Abs(a[i]-b[i]) > 1 {
					return false
				}
			}
			return true
		}
		if got, want := places(f), places(plain); !slices.EqualFunc(got, want, near) {
			t.Errorf("%s: replayed %v, live %v", name, got, want)
		}
		if got, want := f.evaluate(t, "all()"), plain.evaluate(t, "all()"); got != want {
			t.Errorf("%s: replayed\n%s\nlive\n%s", name, got, want)
		}
	}
	f.contained(t)
}

// unlikeInFirefox are programs that say in Firefox what is Firefox's own.
var unlikeInFirefox = []string{
	"where errors are from",     // a stack has what led to a timer, if Firefox is being led
	"what was loaded, and when", // its icon is among what a page has loaded
}

// What scripts read of their page is in Firefox what they read live.
func TestScriptsReadWhatTheyReadLiveInFirefox(t *testing.T) {
	t.Parallel()
	hasWombat(t)
	a := &archive{}
	for _, files := range []map[string]string{programScripts, sitePages, shownPages} {
		for path, content := range files {
			a.response(host+path, day, "200 OK", content, "Content-Type: "+mime.TypeByExtension(filepath.Ext(path)))
		}
	}
	programs := append(slices.Clone(shownPrograms), program{
		"what a style of a made document imports", `<iframe id=f></iframe><script>f.onload = () => say(` +
			`f.contentDocument.styleSheets[0].cssRules[0].styleSheet.cssRules.length); f.srcdoc = '<style>@import "/s.css"</style>'</script>`,
	}, program{
		"native functions", `<script>for (const f of Object.entries({ fetch, setTimeout, open, getComputedStyle })) say(String(f[1]) === ` +
			`String(Object.keys).replace("keys", f[0]))</script>`,
	})
	for i, p := range programs {
		a.page(fmt.Sprintf("%s/program/%d", host, i), day, saying+p.markup)
	}
	s := a.serve(t)
	plain, f := foxDirect(t, s, day), browseFox(t, s)
	said := func(f *fox) string {
		v, _ := f.value(`said.join("\n").trim()`)
		text, _ := v.(string)
		return text
	}
	for i, p := range programs {
		if slices.Contains(unlikeInFirefox, p.name) {
			continue
		}
		path := fmt.Sprintf("/program/%d", i)
		plain.navigate(t, host+path)
		f.open(t, at14(path))
		want, got := said(plain), said(f)
		for end := time.Now().Add(20 * time.Second); (want == "" || got != want) && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			want, got = said(plain), said(f)
		}
		if want == "" || got != want {
			t.Errorf("%s: replayed:\n%s\nlive:\n%s", p.name, got, want)
		}
	}
	t.Logf("%d programs", len(programs))
}
