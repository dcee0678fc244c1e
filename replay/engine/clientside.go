package engine

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/uses"
	"github.com/varve-archive/varve/static"
)

// wombatInfo is what wombat is told about the page in which it runs; the names are wombat's.
type wombatInfo struct {
	Prefix       string            `json:"prefix"`
	Timestamp    string            `json:"timestamp"`
	RequestTS    string            `json:"request_ts"`
	WombatTS     string            `json:"wombat_ts"` // of the URLs it makes: the page's own, as in those that the server rewrote
	WombatSec    int64             `json:"wombat_sec"`
	WombatScheme string            `json:"wombat_scheme"`
	WombatHost   string            `json:"wombat_host"`
	WombatOpts   map[string]string `json:"wombat_opts"`
	Mod          string            `json:"mod"`
	StaticPrefix string            `json:"static_prefix"`
	IsFramed     bool              `json:"is_framed"`
	IsLive       bool              `json:"is_live"`
	URL          string            `json:"url"`
	TopURL       string            `json:"top_url"`
	TopHost      string            `json:"top_host"`
	Coll         string            `json:"coll"`
	ProxyMagic   string            `json:"proxy_magic"`
	Apart        string            `json:"apart,omitempty"` // varve's own: where other archived origins are replayed, see [answer.apart]
}

// clientSide prepares o for running scripts, with wombat if the build has it. The banner's script comes first, so that it gets the
// browser's original functions.
func (m *answer) clientSide(o *rewrite.Options, format rewrite.Format) {
	base := m.s.site.Base(m.r)
	o.JS, o.Server = static.HasWombat(), strings.TrimSuffix(base, m.s.site.Path())
	switch {
	case format == rewrite.FormatHTML: // whatever the use: a browser may show it as a page
		m.guarded = true
		if m.use == uses.Link { // must get the browser's original functions
			o.Head = script(m.s.site.Path() + static.URL("banner.js"))
		}
		o.Head = append(o.Head, m.inside(base)...)
		if o.JS {
			o.Head = append(o.Head, m.bootstrap(base)...)
			if o.Spelling = runsScripts(m.r); m.r.Header.Get("Sec-Fetch-Dest") == "" {
				respond.Vary(m.w.Header(), "Upgrade-Insecure-Requests")
			}
		}
	case m.use == uses.Worker || m.use == uses.ModuleWorker:
		o.WorkerStart = m.workerStart(base)
	}
}

// runsScripts reports whether a browser shows what it requests and runs its scripts. On plain HTTP beyond loopback, browsers don't tell
// the purpose of a request.
func runsScripts(r *http.Request) bool {
	dest := r.Header.Get("Sec-Fetch-Dest")
	return dest == "document" || respond.InFrame(r) || dest == "" && r.Header.Get("Upgrade-Insecure-Requests") == "1"
}

// workerStart returns the statement that begins each script of a worker. A module evaluates its imports before its own code, so in a
// module the statement is itself an import.
func (m *answer) workerStart(base string) string {
	info, err := json.Marshal(struct {
		Prefix string `json:"prefix"`
		Apart  string `json:"apart,omitempty"`
		Time   string `json:"time"`
		URL    string `json:"url"`
		Script string `json:"script"`
	}{base + "/" + m.p.Coll + "/", m.apart(), m.target().String(), m.a.Capture.URL, base + static.URL("workerstart.js")})
	if err != nil {
		return ""
	}
	start, script := "self._varveWorker||(self._varveWorker="+string(info), strconv.Quote(base+static.URL("workerstart.js"))
	if m.use == uses.ModuleWorker {
		return `import"data:text/javascript,` + url.PathEscape(start+")") + `";import` + script + ";"
	}
	return start + ",importScripts(" + script + "));"
}

// inside returns the script that comes first in the head of a page. It leads navigations out of the archive back into it.
func (m *answer) inside(base string) []byte {
	prefix, c := base+"/"+m.p.Coll+"/", m.a.Capture
	return []byte(`<script src="` + m.s.site.Path() + static.URL("inside.js") + `" data-prefix="` + html.EscapeString(prefix) +
		`" data-apart="` + html.EscapeString(m.apart()) +
		`" data-to="` + prefix + c.Time.String() + m.p.Mod + `/" data-url="` + html.EscapeString(c.URL) + `"></script>`)
}

// apart returns the base under which other archived origins are replayed, or "" if they share this one's.
func (m *answer) apart() string {
	if !m.s.site.HasOriginPerSite() {
		return ""
	}
	return m.s.site.Replayed(m.r) + "/" + m.p.Coll + "/"
}

// bootstrap returns what follows it in the head: the page's data for wombat, and the client-side runtime, which is wombat, additions to
// it, and the objects that replace the window's names.
func (m *answer) bootstrap(base string) []byte {
	c, apart := m.a.Capture, m.apart()
	u, err := url.Parse(c.URL)
	if err != nil {
		u = &url.URL{Scheme: "http"}
	}
	origin := base
	if o, err := url.Parse(base); err == nil {
		origin = o.Scheme + "://" + o.Host
	}
	info, err := json.Marshal(wombatInfo{ // its encoder escapes <, > and &, so that no URI-R ends the script
		Prefix: base + "/" + m.p.Coll + "/", Timestamp: c.Time.String(), RequestTS: c.Time.String(), WombatTS: c.Time.String(),
		WombatSec: c.Time.Unix(), WombatScheme: u.Scheme, WombatHost: u.Host, WombatOpts: map[string]string{}, Mod: m.p.Mod,
		StaticPrefix: base + static.Prefix, URL: c.URL, TopURL: m.s.site.Absolute(m.r, m.p.Coll).Memento(c.Time, "", c.URL),
		TopHost: origin, Coll: m.p.Coll, Apart: apart,
	})
	if err != nil {
		return nil
	}
	head := []byte("<script>window.wbinfo=" + string(info) + "</script>")
	if apart != "" {
		head = append(head, script(m.s.site.Path()+static.URL("labels.js"))...)
	}
	return append(head, respond.Runtime(m.s.site.Path())...)
}

func script(src string) []byte {
	return []byte(`<script src="` + html.EscapeString(src) + `"></script>`)
}
