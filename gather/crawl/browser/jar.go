package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"github.com/varve-archive/varve/internal/disk"
)

// A jar keeps the cookies of a browser, so that the next process or run is still logged in.
type jar struct {
	path string // of a file that only its owner may read; "" to keep them in memory alone

	mu   sync.Mutex
	kept []byte // JSON
}

// fill passes the stored cookies to the browser.
func (j *jar) fill(root context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.kept == nil && j.path != "" {
		text, err := os.ReadFile(j.path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		j.kept = text
	}
	if len(j.kept) == 0 {
		return nil
	}
	var cookies []*network.Cookie
	if err := json.Unmarshal(j.kept, &cookies); err != nil {
		return err
	}
	var set storage.SetCookiesParams
	for _, c := range cookies {
		p := &network.CookieParam{
			Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite,
			Priority: c.Priority, SourceScheme: c.SourceScheme, SourcePort: c.SourcePort, PartitionKey: c.PartitionKey,
		}
		if !c.Session {
			p.Expires = cdp.TimeSinceEpoch(c.Expires)
		}
		set.Cookies = append(set.Cookies, p)
	}
	_, err := chromedp.CallBrowser(root, storage.SetCookies, set)
	return err
}

// keep reads the cookies of the browser.
func (j *jar) keep(ctx context.Context) error {
	got, err := chromedp.CallBrowser(ctx, storage.GetCookies, storage.GetCookiesParams{})
	if err != nil {
		return err
	}
	text, err := json.Marshal(got.Cookies)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if bytes.Equal(text, j.kept) || len(got.Cookies) == 0 && j.kept == nil {
		return nil
	}
	j.kept = text
	if j.path == "" {
		return nil
	}
	return disk.WriteCached(j.path, func(w io.Writer) error { _, err := w.Write(text); return err })
}
