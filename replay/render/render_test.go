package render_test

import (
	"bytes"
	"fmt"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/chromium"
	"github.com/varve-archive/varve/replay/render"
	"github.com/varve-archive/varve/replay/replaytest"
)

const at cdx.Timestamp = 20150314092653

// start starts a renderer of what a handler replays. It skips the test if there is no browser.
func start(t *testing.T, replay http.Handler, patience time.Duration) *render.Renderer {
	t.Helper()
	return startWith(t, render.Config{Replay: replay, Patience: patience})
}

func startWith(t *testing.T, cfg render.Config) *render.Renderer {
	t.Helper()
	if _, err := chromium.Find("", false); err != nil {
		t.Skip("no chromium in the path: the browser tests need one")
	}
	cfg.Dir, cfg.Log = filepath.Join(t.TempDir(), "profile"), slog.New(slog.DiscardHandler)
	r, err := render.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// pages replays documents without any of the walls that varve builds around them: what keeps them inside is the renderer alone.
type pages map[string]string

func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, name, _ := strings.Cut(r.URL.Path, "//a.example/")
	body, ok := p[name]
	if !ok {
		if strings.HasPrefix(name, "slow") {
			time.Sleep(20 * time.Millisecond)
		}
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Memento-Datetime", "Sat, 14 Mar 2015 09:26:53 GMT")
	switch filepath.Ext(name) {
	case ".css":
		w.Header().Set("Content-Type", "text/css")
	case ".svg":
		w.Header().Set("Content-Type", "image/svg+xml")
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	fmt.Fprint(w, body)
}

func shoot(t *testing.T, r *render.Renderer, name string, width int) (*visual.Picture, *visual.Shot) {
	t.Helper()
	p, shot, err := r.Render(t.Context(), render.Target{Coll: "web", URL: "http://a.example/" + name, Time: at}, width)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p, shot
}

func TestPicturesStandStill(t *testing.T) {
	t.Parallel()
	r := start(t, pages{
		"clock": `<!doctype html><title>Clock</title><h1 id=a></h1><p id=b></p><style>@keyframes x { to { margin-left: 500px } }
			h1 { animation: x 3s infinite alternate } p { animation: x 1s forwards }</style>
			<script>a.textContent = new Date().toISOString() + " " + Date(); b.textContent = Math.random() + " " +
			crypto.getRandomValues(new Uint8Array(4)); alert("wait"); setInterval(() => b.append("."), 100000)</script>`,
	}, 0)
	p, one := shoot(t, r, "clock", 800)
	_, two := shoot(t, r, "clock", 800)
	if !bytes.Equal(one.Kept, two.Kept) || !bytes.Equal(one.Exact, two.Exact) || !slices.Equal(one.Boxes, two.Boxes) {
		t.Error("the same page looks different each time")
	}
	if len(p.Blocks) != 2 || !strings.Contains(p.Blocks[0].Text, "2015-03-14T09:26:53") || p.Title != "Clock" || p.Note != "" {
		t.Errorf("got %+v", p)
	}
	img, err := png.Decode(bytes.NewReader(one.Exact))
	if err != nil || img.Bounds().Dx() != 800 || !bytes.HasPrefix(one.Kept, []byte("RIFF")) {
		t.Errorf("%v, and what is kept begins with %q", err, one.Kept[:4])
	}
}

// What a script draws frame by frame is pictured at the same frame each time, and where it ends if that is soon.
func TestFramesThatScriptsDraw(t *testing.T) {
	t.Parallel()
	const canvas = `<!doctype html><canvas id=c width=400 height=200></canvas><p id=p>none</p><script>const d = c.getContext("2d"), ` +
		`bar = (x) => { d.clearRect(0, 0, 400, 200); d.fillRect(x % 400, 0, 40, 200) };`
	r := start(t, pages{
		"by frames": canvas + `let n = 0; (function draw() { bar(n++); requestAnimationFrame(draw) })()</script>`,
		"by time":   canvas + `requestAnimationFrame(function draw(at) { bar(at); requestAnimationFrame(draw) })</script>`,
		"by the clock": canvas + `const from = performance.now(); (function draw() { bar(performance.now() - from); ` +
			`requestAnimationFrame(draw) })()</script>`,
		"in a frame":    `<!doctype html><iframe src="by frames" width=500 height=300></iframe>`,
		"after a while": canvas + `setTimeout(() => { let n = 0; (function draw() { bar(n++); requestAnimationFrame(draw) })() }, 50)</script>`,
		"to its end": canvas + `const from = Date.now(); (function draw() { const k = Math.min((Date.now() - from) / 500, 1); bar(k * 350); ` +
			`if (k < 1) requestAnimationFrame(draw); else p.textContent = "done" })()</script>`,
		"never": canvas + `cancelAnimationFrame(requestAnimationFrame(() => { p.textContent = "cancelled" }))</script>`,
	}, 0)
	for name, said := range map[string]string{
		"by frames": "none", "by time": "none", "by the clock": "none", "in a frame": "none", "after a while": "none",
		"to its end": "done", "never": "none",
	} {
		p, one := shoot(t, r, name, 800)
		_, two := shoot(t, r, name, 800)
		if !bytes.Equal(one.Exact, two.Exact) {
			t.Errorf("%s: the same page looks different each time", name)
		}
		if text := fmt.Sprint(p.Blocks); !strings.Contains(text, said) && name != "in a frame" {
			t.Errorf("%s: it says %s, want %s", name, text, said)
		}
	}
}

// What lies over a page is in the picture that readers see, and not in the one that is compared. A page that is all fixed stays.
func TestWhatLiesOverAPageIsNotCompared(t *testing.T) {
	t.Parallel()
	const bar = `<div style="position:fixed;bottom:0;left:0;right:0;background:gold">We use cookies.</div>` +
		`<dialog open style="top:0">Subscribe!</dialog>`
	const text = `<h1>Harbour</h1><p style="height:2000px">` +
		`The ferry leaves at nine, and comes back when everybody is asleep. Nobody minds.</p>`
	r := start(t, pages{"plain": text, "bar": text + bar, "fixed": `<div style="position:fixed">` + text + `</div>`}, 0)
	_, plain := shoot(t, r, "plain", 1280)
	_, covered := shoot(t, r, "bar", 1280)
	_, fixed := shoot(t, r, "fixed", 1280)
	switch {
	case plain.Bare != nil || fixed.Bare != nil:
		t.Error("something lay over a page over which nothing lies")
	case bytes.Equal(plain.Exact, covered.Exact):
		t.Error("the bar is not in the picture for readers")
	case !bytes.Equal(plain.Exact, covered.Bare):
		t.Error("the page without its bar is not the page that never had one")
	}
}

func TestBlocksAreWhereTheyAre(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("The river rises in the hills and runs to the sea. ", 6)
	r := start(t, pages{
		"page": `<!doctype html><title>River</title><body style="margin:0"><header><a href=/>River Observatory</a></header>
			<nav><a href=/a>Gauge</a> <a href=/b>Birds</a></nav><main><h1>The river</h1><p>` + text + `</p>
			<img src="heron.svg" alt="a heron" width=200 height=100><table><tr><td>Heron<td>5</table></main>
			<aside><p>Elsewhere</p></aside><div class="ad-slot ads"><p>Buy boots</p></div><footer>Open on Sundays</footer>
			<p style="display:none">unseen</p><p style="visibility:hidden">unseen</p><script>document.title += "!"</script>`,
		"heron.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="100" height="100" fill="red"/></svg>`,
		"old": `<table width=800><tr><td width=150 valign=top><a href=/1>One</a><br><a href=/2>Two</a><td>` + text +
			`<p>` + text + `</table>`,
	}, 0)
	p, _ := shoot(t, r, "page", 1000)
	var got []string
	for _, b := range p.Blocks {
		got = append(got, fmt.Sprintf("%s %s %.12s", b.Place, b.Kind, b.Text))
	}
	want := []string{
		"header links River Observ", "navigation links Gauge Birds", "content title The river", "content text The river ri",
		"content image a heron",
		"content table Heron", "content table 5", "sidebar text Elsewhere", "ad text Buy boots", "footer text Open on Sund",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if p.Blocks[4].W != 200 || p.Blocks[4].H != 100 || p.Title != "River!" {
		t.Errorf("%q, the picture is %+v", p.Title, p.Blocks[4])
	}
	old, _ := shoot(t, r, "old", 1000)
	if len(old.Blocks) != 3 || old.Blocks[0].Place == visual.Content || old.Blocks[1].Place != visual.Content {
		t.Errorf("a page of tables: %+v", old.Blocks)
	}
}

func TestWhatIsMissingIsToldOf(t *testing.T) {
	t.Parallel()
	r := start(t, pages{
		"whole": `<link rel=stylesheet href=a.css><p>whole`, "a.css": `p { color: red }`,
		"broken": `<link rel=stylesheet href=a.css><link rel=stylesheet href=gone.css><p>broken<img src=gone.png width=300 height=300>
			<script>console.error("one"); throw new Error("two")</script>`,
	}, 0)
	if p, _ := shoot(t, r, "whole", 1280); p.Damage != 0 || p.Asked != 1 || p.Lacked != 0 || p.Errors != 0 || len(p.Parts) != 1 {
		t.Errorf("whole: %+v", p)
	}
	p, _ := shoot(t, r, "broken", 1280)
	if p.Damage < 0.4 || p.Damage > 0.9 || p.Asked != 3 || p.Lacked != 2 || p.Errors != 2 || len(p.Parts) != 1 {
		t.Errorf("broken: damage %v of %d asked, %d lacked, %d errors, %v", p.Damage, p.Asked, p.Lacked, p.Errors, p.Parts)
	}
	if p, shot := shoot(t, r, "never", 1280); p.Note != visual.Silent || shot != nil {
		t.Errorf("never archived: %q, %v", p.Note, shot)
	}
}

// Archived pages do what they can to get out, to stay forever, or to be too large. Each of them comes to an end, and the next is pictured.
func TestHostilePagesComeToAnEnd(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	live := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(live.Close)
	ws := "ws" + strings.TrimPrefix(live.URL, "http")
	r := start(t, pages{
		"out": `<p>out<img src="` + live.URL + `/img"><link rel=stylesheet href="` + live.URL + `/css"><link rel=preconnect href="` + live.URL +
			`"><iframe src="` + live.URL + `/frame"></iframe><script src="` + live.URL + `/js"></script><script>fetch("` + live.URL + `/fetch");
			navigator.sendBeacon("` + live.URL + `/beacon"); new WebSocket("` + ws + `/ws"); new EventSource("` + live.URL + `/events");
			open("` + live.URL + `/window"); new Image().src = "https://live.example/"; new RTCPeerConnection({iceServers: [{urls: "stun:` +
			strings.TrimPrefix(live.URL, "http://") + `"}]}).createDataChannel("x");</script>`,
		"away": `<p>away<script>setTimeout(() => location = "/web/20150314092653mp_/http://a.example/plain");
			location = "` + live.URL + `"</script>`,
		"tall": `<body style="margin:0"><p>top<div style="height:100000px;background:linear-gradient(red, blue)"></div><p>bottom`,
		"waits": `<p>waits<script>confirm("?"); prompt("?"); print(); onbeforeunload = () => "no";
			for (let n = Date.now(); Date.now() < n + 900;);</script>`,
		"grows": `<p>grows<script>addEventListener("scroll", () => {
			for (let n = 0; n < 50; n++) document.body.append(document.createElement("p"), "more") })</script>`,
		"plain": `<p>plain`,
	}, 20*time.Second)
	for _, tt := range []struct {
		name string
		note visual.Note
	}{
		{"out", ""}, {"away", ""}, {"tall", visual.Cut}, {"waits", ""}, {"grows", ""}, {"plain", ""},
	} {
		p, shot := shoot(t, r, tt.name, 1280)
		if p.Note != tt.note || shot == nil {
			t.Errorf("%s: note %q, want %q; pictured: %t", tt.name, p.Note, tt.note, shot != nil)
			continue
		}
		if len(p.Blocks) == 0 {
			t.Errorf("%s: %+v", tt.name, p.Blocks)
		}
		switch tt.name {
		case "tall":
			c, err := png.DecodeConfig(bytes.NewReader(shot.Exact))
			if err != nil || c.Height != 10_000 || p.PageHeight < 100_000 {
				t.Errorf("a page of %d pixels: %d, %v", p.PageHeight, c.Height, err)
			}
		case "away", "plain", "out":
			if p.Blocks[0].Text != tt.name {
				t.Errorf("%s shows %q", tt.name, p.Blocks[0].Text)
			}
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("a page reached the live web %d times", n)
	}
}

// Pages see a screen of the picture's width: many of former times sent small ones to their pages for phones.
func TestTheScreenIsAsWideAsThePicture(t *testing.T) {
	t.Parallel()
	r := start(t, pages{"screen": `<script>
		document.write("<p>" + screen.width + " " + matchMedia("(max-device-width: 800px)").matches)</script>`}, 0)
	for width, want := range map[int]string{1280: "1280 false", 360: "360 true"} {
		if p, _ := shoot(t, r, "screen", width); len(p.Blocks) != 1 || p.Blocks[0].Text != want {
			t.Errorf("%d pixels: %+v, want %s", width, p.Blocks, want)
		}
	}
}

// A page whose script never ends leaves a note, and the next page is pictured.
func TestPagesWithoutAnEnd_long(t *testing.T) {
	t.Parallel()
	r := start(t, pages{"hangs": `<p>hangs<script>for (;;);</script>`, "plain": `<p>plain`}, 20*time.Second)
	if p, shot := shoot(t, r, "hangs", 1280); p.Note != visual.Hung || shot != nil {
		t.Errorf("note %q, want %q; pictured: %t", p.Note, visual.Hung, shot != nil)
	}
	if p, shot := shoot(t, r, "plain", 1280); p.Note != "" || shot == nil || len(p.Blocks) == 0 {
		t.Errorf("the page after it: note %q, pictured: %t", p.Note, shot != nil)
	}
}

// A page that loads images one after the other is pictured all the same: a third of the time is left to load it, a tenth for it to settle.
func TestPagesThatLoadWithoutAnEnd_long(t *testing.T) {
	t.Parallel()
	r := start(t, pages{"loads": `<p>loads<script>const more = () => {
		const i = new Image(); i.src = "slow" + Math.random(); i.onerror = more }; more()</script>`}, 40*time.Second)
	if p, shot := shoot(t, r, "loads", 1280); p.Note != "" || shot == nil || len(p.Blocks) == 0 {
		t.Errorf("note %q, pictured: %t", p.Note, shot != nil)
	}
}

// A page that takes all memory of its scripts crashes its tab; one that takes memory past them is ended by the renderer. Of each stays a
// note, and the next page is pictured.
func TestPagesThatTakeTooMuchMemory(t *testing.T) {
	t.Parallel()
	replay := pages{
		"crashes": `<p>crashes<script>const all = []; for (;;) all.push(new Array(1 << 24).fill(0.5));</script>`,
		"takes": `<p>takes<script>const all = []; for (let n = 0; n < 12; n++) all.push(new Uint8Array(64 << 20).fill(1)); for (;;);
			</script>`,
		"plain": `<p>plain`,
	}
	small := startWith(t, render.Config{Replay: replay, Memory: 500 << 20})
	for _, tt := range []struct {
		name string
		r    *render.Renderer
		note visual.Note
	}{{"crashes", start(t, replay, 0), visual.Crashed}, {"takes", small, visual.Large}} {
		p, shot := shoot(t, tt.r, tt.name, 1280)
		if p.Note != tt.note || shot != nil || len(p.Blocks) > 0 || p.Sentence() == "" {
			t.Errorf("%s: note %q, want %q; %v", tt.name, p.Note, tt.note, p.Blocks)
		}
		if p, shot := shoot(t, tt.r, "plain", 1280); p.Note != "" || shot == nil {
			t.Errorf("after it: note %q", p.Note)
		}
	}
}

// The sample archive, through the whole replay.
func TestVersionsOfTheSampleArchive(t *testing.T) {
	t.Parallel()
	s, _ := replaytest.Serve(t, replaytest.Sample(t))
	r := start(t, s.Handler(), 0)
	store := visual.NewStore(t.TempDir())
	take := func(ts cdx.Timestamp) *visual.Picture {
		p, shot, err := r.Render(t.Context(), render.Target{Coll: "web", URL: "http://www.riverbend.example/birds/", Time: ts}, 1280)
		if err != nil || p.Note != "" {
			t.Fatalf("%s: %v, %+v", ts, err, p)
		}
		if err := store.Develop(p, shot); err != nil {
			t.Fatal(err)
		}
		return p
	}
	before, after := take(20140901090721), take(20160301174112)
	if len(before.Parts) == 0 || before.Damage != 0 || strings.Contains(fmt.Sprint(before.Blocks), "version") {
		t.Errorf("parts %v, damage %v, blocks %v", before.Parts, before.Damage, before.Blocks)
	}
	c := store.Compare(before, after)
	if !c.Important || c.Distance > 0.1 || !slices.ContainsFunc(c.Regions, func(r visual.Region) bool {
		return r.Op == visual.Added && r.Place == visual.Content && r.Kind == visual.Table
	}) {
		t.Errorf("important %t, distance %v, %+v", c.Important, c.Distance, c.Regions)
	}
	if again := store.Compare(before, take(20140901090721)); again.Distance != 0 || len(again.Regions) != 0 {
		t.Errorf("the same version twice: %+v", again)
	}
}
