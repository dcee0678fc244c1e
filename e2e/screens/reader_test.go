package screens

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/png"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

const (
	patience = 2 * time.Minute        // for what a step waits for
	quiet    = 200 * time.Millisecond // without any request, then a page counts as settled
)

// A reading is what a reader saw of a site.
type reading struct {
	texts   []string // after each step
	shots   []image.Image
	asked   map[string]int64 // method and URI-R of each request, and the status of its answer; 0 is none
	console []string         // errors
}

// A window is a window of the browser with storage, cookies and caches of its own.
type window struct {
	ctx context.Context

	mu      sync.Mutex
	pending map[network.RequestID]string
	last    time.Time // when a request began or ended
	asked   map[string]int64
	console []string
}

// open opens a window that no other has anything in common with.
func open(t *testing.T, browser context.Context) *window {
	t.Helper()
	ctx, stop := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(stop)
	w := &window{ctx: ctx, pending: map[network.RequestID]string{}, asked: map[string]int64{}}
	if err := chromedp.Listen(ctx, w.hear); err != nil {
		t.Fatal(err)
	}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException {
				w.mu.Lock()
				w.console = append(w.console, original(strings.Replace(m.Text, " (Not Found)", " ()", 1)+" "+m.URL))
				w.mu.Unlock()
			}
		}
	}()
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1000, 800)); err != nil {
		t.Fatal(err)
	}
	return w
}

// hear takes notice of requests and their answers.
func (w *window) hear(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if e.Type == network.ResourceTypePing || strings.HasSuffix(e.Request.URL, "/favicon.ico") {
			return
		}
		key := e.Request.Method + " " + original(e.Request.URL)
		if before := w.pending[e.RequestID]; e.RedirectResponse != nil && before != key {
			w.answered(before, e.RedirectResponse.Status)
		}
		w.pending[e.RequestID] = key
		w.answered(key, 0)
	case *network.EventResponseReceived:
		w.answered(w.pending[e.RequestID], e.Response.Status)
	case *network.EventLoadingFinished:
		delete(w.pending, e.RequestID)
	case *network.EventLoadingFailed:
		delete(w.pending, e.RequestID)
	default:
		return
	}
	w.last = time.Now()
}

// answered notes the status of an answer, if the request is one of the page, not of the browser or of the server.
func (w *window) answered(key string, status int64) {
	method, uri, _ := strings.Cut(key, " ")
	if method != "OPTIONS" && strings.HasPrefix(uri, "https://") && !strings.HasPrefix(uri, "https://varve.proxy/") {
		w.asked[key] = cmp.Or(status, w.asked[key])
	}
}

var (
	replayed = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+/web/[0-9]{14}(?:[a-z]+_)?/`)
	varying  = regexp.MustCompile(`([?&](?:[a-z_]+=)?[a-z_]*)[0-9]{4,}`)
)

// original returns a text with the addresses of replay as those of the original, and without clocks and random numbers.
func original(text string) string {
	return varying.ReplaceAllString(replayed.ReplaceAllString(text, ""), "${1}N")
}

// read does what the readers of a site do.
func (w *window) read(t *testing.T, s site, address string) reading {
	t.Helper()
	w.mu.Lock()
	w.asked, w.console = map[string]int64{}, nil
	w.mu.Unlock()
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		t.Errorf("%s: %s: %v", s.name, address, err)
	}
	var r reading
	for n, step := range s.steps {
		if err := w.do(step); err != nil {
			t.Errorf("%s: step %d at %s: %v", s.name, n, address, err)
		}
		text, shot, err := w.look()
		if err != nil {
			t.Fatalf("%s: step %d at %s: %v", s.name, n, address, err)
		}
		r.texts, r.shots = append(r.texts, text), append(r.shots, shot)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r.asked, r.console = maps.Clone(w.asked), slices.Clone(w.console)
	return r
}

// do takes a step and waits until it has its effect and the page has settled.
func (w *window) do(s step) error {
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	if s.does != "" {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[string](`{`+s.does+`}; ""`)); err != nil {
			return err
		}
	}
	condition := `(() => { try { return !!(` + s.until + `) } catch { return false } })()`
	var err error
	for seen := false; !seen && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		seen, err = chromedp.Run(ctx, chromedp.Evaluate[bool](condition)) // fails while the page changes
	}
	for ctx.Err() == nil && !w.settled() {
		time.Sleep(20 * time.Millisecond)
	}
	if ctx.Err() != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		return fmt.Errorf("never saw %s (%v); waiting for %v", s.until, err, slices.Collect(maps.Values(w.pending)))
	}
	return nil
}

func (w *window) settled() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending) == 0 && time.Since(w.last) > quiet
}

// contents lists what a document says, shadow roots and frames included: its text, and what images, fields, links and
// videos have.
const contents = `(() => {
	const out = [], silent = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"]);
	const facts = {
		A: (e) => "→ " + e.href,
		IMG: (e) => "image " + e.naturalWidth + "×" + e.naturalHeight,
		INPUT: (e) => "field " + (e.type === "hidden" ? "" : e.value),
		VIDEO: (e) => "video " + [e.readyState > 2, e.videoWidth, e.videoHeight, e.paused, e.error && e.error.message].join(" "),
	};
	const walk = (n) => {
		if (n.nodeType === Node.TEXT_NODE && n.data.trim()) out.push(n.data.replace(/\s+/g, " ").trim());
		if (n.nodeType === Node.ELEMENT_NODE) {
			if (silent.has(n.tagName)) return;
			if (facts[n.tagName]) out.push(facts[n.tagName](n));
			if (n.localName === "varve-banner") return;
			if (n.shadowRoot) { out.push("shadow"); n.shadowRoot.childNodes.forEach(walk); out.push("light"); }
			if (n.tagName === "IFRAME" && n.contentDocument) { out.push("frame"); walk(n.contentDocument.documentElement); }
		}
		n.childNodes.forEach(walk);
	};
	walk(document.documentElement);
	return out.join("\n");
})()`

// withoutBanner empties varve's banner: what is compared is the page's own. A banner that is removed comes back.
const withoutBanner = `document.querySelectorAll("varve-banner").forEach((b) => b.shadowRoot.replaceChildren()); ""`

// look returns what the page says and shows.
func (w *window) look() (text string, shot image.Image, err error) {
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[string](withoutBanner)); err != nil {
		return "", nil, err
	}
	if text, err = chromedp.Run(ctx, chromedp.Evaluate[string](contents)); err != nil {
		return "", nil, err
	}
	taken, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return "", nil, err
	}
	shot, err = png.Decode(bytes.NewReader(taken))
	return text, shot, err
}
