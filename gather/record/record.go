package record

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/internal/forward"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Host is the name under which browsers that use the recorder find its own pages and the certificate of its CA.
const Host = "varve.proxy"

// Config configures a [Recorder].
type Config struct {
	Client *client.Client
	Out    *write.Writer
	CA     *forward.Authority
	// Secrets keeps credentials, cookie values and passwords of forms in the records.
	Secrets bool
	// Page answers requests for the recorder's own page and what belongs to it.
	Page func(w http.ResponseWriter, r *http.Request, list *List)
	// Wrote is called with each written exchange; it may be nil.
	Wrote func(write.Exchange, write.Written)
	// Patience is how long an answer is still read after its browser disconnected, or the recording was to end. Then the record is truncated.
	// 0 is five seconds.
	Patience time.Duration
	Log      *slog.Logger
}

// A Recorder is an HTTP proxy that records answers of the live web. Create one with [New].
type Recorder struct {
	cfg     Config
	forward *forward.Proxy
	list    List
	failed  chan error
	over    context.Context // what ends it ends the exchanges
	end     context.CancelFunc
	running sync.WaitGroup // for exchanges until they are written
}

// New returns a recorder.
func New(cfg Config) *Recorder {
	if cfg.Patience == 0 {
		cfg.Patience = 5 * time.Second
	}
	r := &Recorder{cfg: cfg, failed: make(chan error, 1)}
	r.over, r.end = context.WithCancel(context.Background())
	r.forward = forward.New(cfg.CA, http.HandlerFunc(r.serve), cfg.Log)
	return r
}

// Serve records requests on l until ctx ends, or until writing fails, which is its error. It closes l. An answer that still arrives then is
// read for [Config.Patience], and written as far as it came before Serve returns.
func (r *Recorder) Serve(ctx context.Context, l net.Listener) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go func() {
		select {
		case err := <-r.failed:
			stop(err)
		case <-ctx.Done():
		}
	}()
	context.AfterFunc(ctx, func() { time.AfterFunc(r.cfg.Patience, r.end) })
	err := r.forward.Serve(ctx, l)
	r.end()
	r.running.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

// List returns what was recorded.
func (r *Recorder) List() *List { return &r.list }

// serve answers a request: with the recorder's own pages, or from the live web.
func (r *Recorder) serve(w http.ResponseWriter, req *http.Request) {
	uri, _, host := forward.URI(req)
	switch {
	case req.Method == http.MethodConnect:
		refuse(w, http.StatusNotImplemented, "this proxy does not open a tunnel inside a tunnel")
	case uri == "" || host == Host:
		r.own(w, req)
	case strings.EqualFold(req.Header.Get("Upgrade"), "websocket"):
		r.socket(w, req, uri)
	default: // other protocols are offers, which are not passed on (RFC 9110 §7.8)
		r.exchange(w, req, uri)
	}
}

// refuse answers a request that isn't forwarded.
func refuse(w http.ResponseWriter, status int, why string) { Refuse(w, status, "varve record: "+why) }

// Refuse answers a browser's request that isn't made. Scripts of the page can't read the answer.
func Refuse(w http.ResponseWriter, status int, why string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, why+"\n")
}

// own answers requests for the recorder's own pages.
func (r *Recorder) own(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "only GET and HEAD are answered here")
		return
	}
	switch path := req.URL.Path; path {
	case forward.PEMPath, forward.DERPath:
		r.cfg.CA.Serve(w, req, path)
	default:
		r.cfg.Page(w, req, &r.list)
	}
}

// exchange forwards a request to the live web, streams the answer to the browser, and writes both.
func (r *Recorder) exchange(w http.ResponseWriter, req *http.Request, uri string) {
	r.running.Add(1)
	defer r.running.Done()
	out, err := Outgoing(req, uri)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	ctx, leave := context.WithCancelCause(context.WithoutCancel(req.Context()))
	defer leave(nil)
	defer context.AfterFunc(req.Context(), func() {
		time.AfterFunc(r.cfg.Patience, func() { leave(client.ErrLeft) })
	})()
	defer context.AfterFunc(r.over, func() { leave(client.ErrLeft) })()
	shown := false
	e, err := r.cfg.Client.Do(ctx, out, func(answer *http.Response) {
		shown = true
		if !Show(w, answer) && !readRest(answer) {
			leave(client.ErrLeft)
		}
	})
	if err != nil {
		if !shown {
			r.explain(w, uri, err)
		}
		r.list.fail(uri, err)
		return
	}
	defer e.Close()
	if err := r.write(req, e, uri); err != nil {
		r.cfg.Log.Error("nothing is recorded any more", "uri", uri, "error", err)
		select {
		case r.failed <- err:
		default:
		}
	}
}

// maxRest is how many bytes of an answer are read for the record after its browser disconnected.
const maxRest = 2 << 20

// readRest reads the rest of an answer after its browser disconnected, so that a page that was left early is recorded completely.
// It reports whether it reached the end. It doesn't read the rest of a canceled download.
func readRest(answer *http.Response) bool {
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Disposition")); kind == "attachment" {
		return false
	}
	_, err := io.CopyN(io.Discard, answer.Body, maxRest)
	return err != nil
}

// errSocket is the reason why a socket isn't recorded.
const errSocket = sentinel.Error("this is a socket (WebSocket): what it says passes, and is not recorded")

// socket connects a browser with a WebSocket of the live web. The messages are not recorded.
func (r *Recorder) socket(w http.ResponseWriter, req *http.Request, uri string) {
	u, err := url.Parse(uri)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	var failed error
	through := &httputil.ReverseProxy{
		Transport: r.cfg.Client,
		Rewrite:   func(p *httputil.ProxyRequest) { p.Out.URL, p.Out.Host = u, u.Host },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			failed = err
			r.explain(w, uri, err)
		},
		ErrorLog: slog.NewLogLogger(r.cfg.Log.Handler(), slog.LevelDebug),
	}
	r.list.fail(uri, errSocket)
	through.ServeHTTP(w, req)
	if failed != nil {
		r.list.fail(uri, failed)
	}
}

// explain tells the browser why there is no answer.
func (r *Recorder) explain(w http.ResponseWriter, uri string, err error) {
	if errors.Is(err, client.ErrPrivate) {
		refuse(w, http.StatusForbidden, uri+" is on this machine or its network: that is recorded only with --allow-private")
		return
	}
	refuse(w, http.StatusBadGateway, uri+": "+err.Error())
}

// betweenTwo returns the hop-by-hop fields (RFC 9110 §7.6.1).
func betweenTwo() []string {
	return []string{
		"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding",
		"Upgrade",
	}
}

// partly returns the fields by which a browser asks for what it lacks beside what it has: conditions, differences (RFC 3229) and
// dictionaries (RFC 9842). They are dropped because the archive needs the whole answer.
func partly() []string {
	return []string{
		"If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "A-Im", "Available-Dictionary", "Dictionary-Id",
	}
}

// decodableCoding matches an element of Accept-Encoding whose coding the archive can undo, as [warc.Decode] does.
var decodableCoding = regexp.MustCompile(`(?i)^\s*((x-)?gzip|deflate|br|zstd|identity|\*)?\s*(;|$)`)

// acceptUndone leaves the codings in Accept-Encoding that the archive can undo.
func acceptUndone(h http.Header) {
	if accepted, ok := h["Accept-Encoding"]; ok {
		codings := strings.Split(strings.Join(accepted, ","), ",")
		codings = slices.DeleteFunc(codings, func(c string) bool { return !decodableCoding.MatchString(c) })
		h["Accept-Encoding"] = []string{strings.TrimSpace(strings.Join(codings, ","))}
	}
}

// Outgoing returns the request to the live web for a proxy request. It always asks for the whole resource.
func Outgoing(req *http.Request, uri string) (*http.Request, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return nil, err
	}
	out := &http.Request{
		Method: req.Method, URL: u, Host: u.Host, Header: maps.Clone(req.Header), Body: req.Body, ContentLength: req.ContentLength,
	}
	if req.ContentLength == 0 {
		out.Body = http.NoBody
	}
	withoutConnection(out.Header)
	for _, name := range partly() {
		out.Header.Del(name)
	}
	acceptUndone(out.Header)
	if strings.ReplaceAll(out.Header.Get("Range"), " ", "") == "bytes=0-" { // players ask so for the whole
		out.Header.Del("Range")
	}
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header["User-Agent"] = []string{""} // else net/http names itself
	}
	return out, nil
}

// withoutConnection removes the hop-by-hop fields, including those that Connection names.
func withoutConnection(h http.Header) {
	for _, value := range h.Values("Connection") {
		for name := range strings.SplitSeq(value, ",") {
			h.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range betweenTwo() {
		h.Del(name)
	}
}

// Show streams an answer to the browser. It returns false if the browser disconnected.
func Show(w http.ResponseWriter, answer *http.Response) bool {
	if answer.StatusCode < 200 { // not a final HTTP status
		refuse(w, http.StatusBadGateway, "the server answers with the status "+answer.Status)
		return true
	}
	h := w.Header()
	maps.Copy(h, answer.Header)
	withoutConnection(h)
	if _, ok := h["Content-Type"]; !ok {
		h["Content-Type"] = nil // else net/http guesses one
	}
	if answer.StatusCode == http.StatusNoContent {
		h.Del("Content-Length") // clients of HTTP/2 would wait for these bytes
	}
	w.WriteHeader(answer.StatusCode)
	flush := http.NewResponseController(w)
	buf := make([]byte, 32<<10)
	for {
		n, err := answer.Body.Read(buf)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return false
			}
			_ = flush.Flush() // so that streams are shown while they arrive
		}
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil { // the browser must see that it is truncated
			_ = flush.SetWriteDeadline(time.Unix(1, 0))
			return true
		}
	}
}

// write writes an exchange, without its secrets unless they are wanted.
func (r *Recorder) write(req *http.Request, e *client.Exchange, uri string) error {
	x := e.Record("")
	x.URI, x.Metadata = uri, nil
	if !r.cfg.Secrets {
		free, err := WithoutSecrets(&x)
		if err != nil {
			return err
		}
		defer free()
	}
	written, err := r.cfg.Out.Write(x)
	if err != nil {
		return err
	}
	if r.cfg.Wrote != nil {
		r.cfg.Wrote(x, written)
	}
	r.list.add(req, e, uri, written)
	return nil
}
