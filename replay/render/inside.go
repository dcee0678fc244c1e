package render

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// maxParts is the largest number of mementos in a picture. Each is remembered, since access rules for it apply to the picture.
const maxParts = 2000

// A visit records the requests of the page that is being pictured.
type visit struct {
	mu      sync.Mutex
	page    string // path of the memento
	shown   bool   // its document has been answered
	status  int    // of that answer
	running int
	changed time.Time // when the last answer ended, or the visit began
	asked   map[string]request
	parts   []visual.Part
	known   map[visual.Part]bool
	crowded bool
}

// A request is a request for a resource, and how it ended.
type request struct {
	kind   string // Sec-Fetch-Dest
	lacked bool
}

func newVisit(page string) *visit {
	return &visit{page: page, changed: time.Now(), asked: map[string]request{}, known: map[visual.Part]bool{}}
}

// inside is the browser's proxy: it serves the replay and nothing else.
type inside struct {
	replay http.Handler
	host   string // of the replay, as in the browser's requests

	mu  sync.Mutex
	now *visit
}

func (s *inside) visit(v *visit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = v
}

func (s *inside) current() *visit {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		return newVisit("")
	}
	return s.now
}

func (s *inside) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := s.current()
	if r.Method == http.MethodConnect || r.Host != s.host || r.URL.Scheme != "http" {
		v.leaves(r)
		http.Error(w, "nothing but the archive is here", http.StatusNotFound)
		return
	}
	v.begins()
	defer v.ends()
	_, rest, _ := strings.Cut(r.RequestURI, "://") // a proxy is asked for the whole address
	r.RequestURI = "/"
	if slash := strings.IndexAny(rest, "/?"); slash >= 0 {
		r.RequestURI = "/" + strings.TrimPrefix(rest[slash:], "/")
	}
	seen := &seen{ResponseWriter: w}
	defer func() { v.answered(r, seen) }()
	s.replay.ServeHTTP(seen, r)
}

// A seen writer records the status of an answer.
type seen struct {
	http.ResponseWriter
	status int // 0 for 200 that is not said
}

func (s *seen) WriteHeader(status int) {
	if s.status == 0 && status >= http.StatusOK {
		s.status = status
	}
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (s *seen) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (v *visit) begins() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.running++
}

func (v *visit) ends() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.running--
	v.changed = time.Now()
}

// isIdle reports whether there was no request for some time.
func (v *visit) isIdle(since time.Duration) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.running == 0 && time.Since(v.changed) >= since
}

// leaves records a request outside of the archive.
func (v *visit) leaves(r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	address := r.Host
	if r.Method != http.MethodConnect {
		address = r.URL.String()
	}
	v.note(address, request{kind: r.Header.Get("Sec-Fetch-Dest"), lacked: true})
}

func (v *visit) note(address string, r request) {
	before, known := v.asked[address]
	switch {
	case known && !before.lacked:
	case known || len(v.asked) < maxParts:
		v.asked[address] = r
	default:
		v.crowded = true
	}
}

// answered records how a request ended.
func (v *visit) answered(r *http.Request, w *seen) {
	dest := r.Header.Get("Sec-Fetch-Dest")
	status, at := w.status, w.Header().Get("Memento-Datetime")
	redirects := status/100 == 3
	v.mu.Lock()
	defer v.mu.Unlock()
	if dest == "document" {
		if !redirects {
			v.shown, v.status = true, status
			if at == "" {
				v.status = http.StatusNotFound
			}
		}
		return
	}
	if redirects && status != http.StatusNotModified {
		return
	}
	p := respond.ParsePath(r.RequestURI)
	if p.Kind == respond.Internal { // of the server, not of the page
		return
	}
	v.note(r.RequestURI, request{kind: dest, lacked: at == "" && status >= http.StatusBadRequest})
	if at == "" {
		return
	}
	t, err := memento.ParseAcceptDatetime(at)
	part := visual.Part{URL: p.URIR, Time: t}
	if err != nil || v.known[part] {
		return
	}
	if len(v.parts) == maxParts {
		v.crowded = true
		return
	}
	v.known[part] = true
	v.parts = append(v.parts, part)
}

// result returns the mementos in the page, and whether there are more than that.
func (v *visit) result() (parts []visual.Part, crowded bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.parts, v.crowded
}

// weightOf says how much the absence of a resource damages a page: a missing style sheet damages all of it. Resources that are drawn also
// count by their share of the picture.
func weightOf(kind string, share float64) float64 {
	switch kind {
	case "style":
		return 4
	case "script":
		return 1.5
	case "image", "iframe", "frame", "embed", "object":
		return 0.3 + 6*min(1, share)
	case "video", "audio":
		return 2
	}
	return 0.5
}

// damage returns what a page lacks. shares has the part of the picture that each address takes.
func (v *visit) damage(shares map[string]float64) (asked, lacked int, damage float64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	var all, lost float64
	for address, r := range v.asked {
		weight := weightOf(r.kind, shares[address])
		all += weight
		asked++
		if r.lacked {
			lost += weight
			lacked++
		}
	}
	if all > 0 {
		damage = lost / all
	}
	return asked, lacked, damage
}

// pathOf returns the path of an address on the host of the replay; other addresses stay as they are.
func pathOf(address, host string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host != host {
		return address
	}
	_, rest, _ := strings.Cut(address, host)
	rest, _, _ = strings.Cut(rest, "#")
	return rest
}
