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
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/internal/forward"
	"github.com/varve-archive/varve/internal/sentinel"
)

// Host is the name at which browsers find the recorder's own pages once they use it, and the certificate of its CA.
const Host = "varve.proxy"

// Config says what a [Recorder] records with.
type Config struct {
	Client *client.Client
	Out    *write.Writer
	CA     *forward.Authority
	// Secrets keeps credentials, the values of cookies, and passwords of forms in what is written.
	Secrets bool
	// Page answers requests for the recorder's own page and what belongs to it.
	Page func(w http.ResponseWriter, r *http.Request, list *List)
	// Wrote is told what was written; it may be nil.
	Wrote func(write.Exchange, write.Written)
	// Patience is how long an answer may take to its end after its browser went away. Then the record ends there. 0 is five seconds.
	Patience time.Duration
	Log      *slog.Logger
}

// A Recorder is an HTTP proxy that asks the live web and writes what it answers. Create one with [New].
type Recorder struct {
	cfg     Config
	forward *forward.Proxy
	list    List
	failed  chan error
}

// New returns a recorder.
func New(cfg Config) *Recorder {
	if cfg.Patience == 0 {
		cfg.Patience = 5 * time.Second
	}
	r := &Recorder{cfg: cfg, failed: make(chan error, 1)}
	r.forward = forward.New(cfg.CA, http.HandlerFunc(r.serve), cfg.Log)
	return r
}

// Serve records what is asked for on l until ctx ends, or until nothing can be written any more, which is its error. It closes l.
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
	err := r.forward.Serve(ctx, l)
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
	case req.Header.Get("Upgrade") != "":
		refuse(w, http.StatusNotImplemented, "no protocol but HTTP and WebSocket passes through this proxy")
	default:
		r.exchange(w, req, uri)
	}
}

// refuse answers what the live web isn't asked for.
func refuse(w http.ResponseWriter, status int, why string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "varve record: "+why+"\n")
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

// exchange asks the live web, gives its answer to the browser while it comes in, and writes both.
func (r *Recorder) exchange(w http.ResponseWriter, req *http.Request, uri string) {
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

// maxRest is how much of an answer is read for the record after its browser went away.
const maxRest = 2 << 20

// readRest reads what is left of an answer that its browser doesn't wait for any more, so that a page that was left early is recorded
// whole. It reports whether that was the end. Of a download that was broken off it reads nothing.
func readRest(answer *http.Response) bool {
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Disposition")); kind == "attachment" {
		return false
	}
	_, err := io.CopyN(io.Discard, answer.Body, maxRest)
	return err != nil
}

// errSocket says of a socket why the archive has nothing of it.
const errSocket = sentinel.Error("this is a socket (WebSocket): what it says passes, and is not recorded")

// socket connects a browser with a socket of the live web. What they say to each other is not recorded.
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

// betweenTwo are fields that concern the connection between two hosts, and no one else (RFC 9110 §7.6.1).
func betweenTwo() []string {
	return []string{
		"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding",
		"Upgrade",
	}
}

// partly are fields that make an answer less than the resource: what the browser has already is not in the archive.
func partly() []string {
	return []string{"If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"}
}

// Outgoing returns the request to the live web for one that came to a proxy. It asks for the whole resource where the browser would do
// with less.
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
	if strings.ReplaceAll(out.Header.Get("Range"), " ", "") == "bytes=0-" { // players ask so for the whole
		out.Header.Del("Range")
	}
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header["User-Agent"] = []string{""} // else net/http names itself
	}
	return out, nil
}

// withoutConnection removes the fields that concern one connection, also those that the head itself names.
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

// Show gives an answer to the browser while it comes in. It returns false if the browser went away.
func Show(w http.ResponseWriter, answer *http.Response) bool {
	if answer.StatusCode < 200 { // none that HTTP has
		refuse(w, http.StatusBadGateway, "the server answers with the status "+answer.Status)
		return true
	}
	h := w.Header()
	maps.Copy(h, answer.Header)
	withoutConnection(h)
	w.WriteHeader(answer.StatusCode)
	flush := http.NewResponseController(w)
	buf := make([]byte, 32<<10)
	for {
		n, err := answer.Body.Read(buf)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return false
			}
			_ = flush.Flush() // streams are watched while they come
		}
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil { // the browser must not take it for whole
			_ = flush.SetWriteDeadline(time.Unix(1, 0))
			return true
		}
	}
}

// write writes an exchange, without its secrets unless they are wanted.
func (r *Recorder) write(req *http.Request, e *client.Exchange, uri string) error {
	x := write.Exchange{
		URI: uri, Time: e.Time, Protocols: e.Protocols, Truncated: e.Truncated, Request: e.Request(), Response: e.Response(),
	}
	if e.IP.IsValid() {
		x.IP = e.IP.String()
	}
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
