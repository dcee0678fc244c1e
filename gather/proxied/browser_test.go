package proxied

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/crawl/browser"
	"github.com/varve-archive/varve/internal/chromium"
	"github.com/varve-archive/varve/internal/forward"
)

// A browser reaches every host through the handler, with certificates that it trusts, and leaves nothing.
func TestABrowserReachesTheHandlerAlone(t *testing.T) {
	if _, err := chromium.Find("", false); err != nil {
		t.Skip(err)
	}
	var mu sync.Mutex
	asked := map[string]int{}
	folder := filepath.Join(t.TempDir(), "browser")
	b, err := Start(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		uri, _, _ := forward.URI(r)
		mu.Lock()
		asked[uri]++
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>t</title><p>answered<iframe src=http://other.example/in></iframe>")
	}), folder, browser.Config{Patience: 20 * time.Second, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	shown, err := b.Visit(t.Context(), browser.Visit{
		URL: "https://no.such.example/page", Guard: func(context.Context, browser.Request) bool { return true },
	}, 1<<20)
	if err != nil || len(shown.Frames) == 0 || !strings.Contains(shown.Frames[0].HTML, "answered") {
		t.Errorf("%+v, %v", shown, err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if asked["https://no.such.example/page"] == 0 {
		t.Errorf("it asked for %v", asked)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its folder is left: %v", err)
	}
}

// A browser that can't be started leaves nothing either.
func TestABrowserThatIsNotThere(t *testing.T) {
	for name, at := range map[string]string{"no browser": t.TempDir(), "no folder": "/dev/null"} {
		folder := filepath.Join(at, "browser")
		_, err := Start(t.Context(), http.NotFoundHandler(), folder,
			browser.Config{Path: filepath.Join(t.TempDir(), "none"), Log: slog.New(slog.DiscardHandler)})
		if _, left := os.Stat(folder); err == nil || left == nil {
			t.Errorf("%s: %v, and of the folder %v", name, err, left)
		}
	}
}
