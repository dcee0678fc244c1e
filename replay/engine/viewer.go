package engine

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/varve-archive/varve/internal/contenttype"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite/uses"
)

// viewer answers a reader who opens a picture, a film, a sound, a PDF or a text. Browsers show these by themselves and leave no place for
// the banner, so the answer is a page with the banner above the document. It reports whether it answered; everybody else gets the document.
func (m *answer) viewer() (bool, error) {
	element := m.viewed()
	if element == "" {
		return false, nil
	}
	respond.VaryNavigation(m.w.Header())
	if !respond.IsNavigation(m.r) || m.r.Method != http.MethodGet || m.r.Header.Get("Range") != "" {
		return false, nil
	}
	m.use, m.guarded, m.keep = uses.BannerOnly, true, false // no script of others runs in it
	m.a.Status = http.StatusOK
	banner, _ := m.banner()
	respond.Vary(m.w.Header(), "Accept-Language")
	m.head(true)
	if m.lost != nil {
		return true, m.lost
	}
	h := m.w.Header()
	h.Set("X-Archive-Orig-Content-Type", h.Get("Content-Type"))
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Del("Content-Disposition")
	h.Del("Content-Range")
	m.validRewritten()
	if done, err := respond.Conditions(m.w, m.r, m.a.Status); done || err != nil {
		return true, err
	}
	return true, m.stream(func(w http.ResponseWriter) error {
		if _, err := io.WriteString(w, viewerStart(m.a.Capture.URL)); err != nil {
			return err
		}
		if banner != nil {
			if _, err := w.Write(banner()); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, element)
		return err
	})
}

func viewerStart(uriR string) string {
	return `<!doctype html><meta name="viewport" content="width=device-width"><title>` + html.EscapeString(fileName(uriR)) +
		`</title><style>html{height:100%}html,body{display:flex;flex-direction:column}body{flex:1 0 auto;margin:0}` +
		`img{margin:auto;max-width:100%}iframe{flex:1;border:0}</style><body>`
}

// viewed returns the element that shows the document in a page, "" if browsers don't show it. A text is in a sandbox, where browsers
// guess its charset as they do for one in a window. Phones show only the first page of a PDF in a frame, or none.
func (m *answer) viewed() string {
	h := m.a.Header
	found := m.a.Status == http.StatusOK || m.a.Status == http.StatusPartialContent // crawlers often ask for films with a Range
	if m.use != uses.Link || !found || m.empty || strings.HasPrefix(strings.ToLower(h.Get("Content-Disposition")), "attachment") {
		return ""
	}
	c, uris := m.a.Capture, m.s.site.Local(m.p.Coll)
	at := func(mod string) string { return ` src="` + html.EscapeString(uris.Memento(c.Time, mod, c.URL)) + `"` }
	kind := contenttype.Media(h.Get("Content-Type"))
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/x-icon", "image/vnd.microsoft.icon":
		return `<img alt="` + html.EscapeString(fileName(c.URL)) + `"` + at("im_") + `>`
	case "application/pdf":
		respond.Vary(m.w.Header(), "User-Agent")
		if strings.Contains(m.r.UserAgent(), "Mobi") {
			return ""
		}
	case "text/plain":
		return `<iframe sandbox` + at("if_") + `></iframe>`
	default:
		if top, _, _ := strings.Cut(kind, "/"); top != "audio" && top != "video" {
			return ""
		}
	}
	return `<iframe allowfullscreen` + at("if_") + `></iframe>` +
		`<script>if(location.hash)frames[0].location.replace(document.querySelector("iframe").src+location.hash)</script>`
}

// fileName returns the last part of the path of a URI-R, or its host.
func fileName(uriR string) string {
	u, err := url.Parse(uriR)
	if err != nil {
		return uriR
	}
	if name := path.Base(u.Path); name != "/" && name != "." {
		return name
	}
	return u.Host
}
