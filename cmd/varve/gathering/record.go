package gathering

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/control"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/record"
	"github.com/varve-archive/varve/internal/forward"
	"github.com/varve-archive/varve/internal/loadlimit"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/recorder"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/static"
)

// RecordName is the prefix of the names of recorded files.
const RecordName = "record"

// A Record is a recording proxy for browsers.
type Record struct {
	*Output
	Listen       string // address of the proxy
	Secrets      bool   // also write credentials, cookie values and passwords of forms
	AllowPrivate bool   // also record addresses that aren't on the public Internet
	InsecureTLS  bool   // also record servers with invalid certificates or old versions of TLS
	MaxBytes     int64  // size up to which an answer is kept whole
	Replay       string // server for links to recorded pages, "" for the one that has the index open

	ca        *forward.Authority
	writer    *write.Writer
	finishing sync.Mutex
	recent    *lru.Cache[write.Payload, write.Original] // last written payloads of this recording
}

// maxRemembered is the number of payloads that are remembered, so that each is written once.
const maxRemembered = 100_000

// Run records until ctx ends.
func (s *Record) Run(ctx context.Context) (err error) {
	if _, err := write.Mend(ctx, s.dir, RecordName); err != nil {
		return err
	}
	if s.ca, err = forward.LoadAuthority(s.ProxyDir(), false); err != nil {
		return fmt.Errorf("the CA: %w", err)
	}
	if s.recent, err = lru.New[write.Payload, write.Original](maxRemembered); err != nil {
		return err
	}
	s.writer, err = write.New(write.Config{
		Dir: s.dir, Name: RecordName, Mark: s.mark(), Known: func(of write.Payload) (write.Original, bool) { return s.known(ctx, of) },
		Info: warc.Fields{{Name: "software", Value: s.Software()}, {Name: "description", Value: "recorded from a browser"}},
	})
	if err != nil {
		return err
	}
	client := client.New(client.Config{
		AllowPrivate: s.AllowPrivate, InsecureTLS: s.InsecureTLS, MaxBytes: s.MaxBytes, MaxTime: time.Hour, Dir: s.dir,
	})
	defer client.Close()
	r := record.New(record.Config{Client: client, Out: s.writer, CA: s.ca, Secrets: s.Secrets, Page: s.page, Wrote: s.wrote, Log: s.Log()})
	l, err := loadlimit.Local(s.Listen)
	if err != nil {
		return fmt.Errorf("can't listen on %s: %w (choose another with --listen)", s.Listen, err)
	}
	fmt.Fprintf(s.Stdout, "varve: recording what asks through the proxy http://%s/ into %s\n", l.Addr(), s.place())
	moving := s.keepMoving(ctx)
	err = r.Serve(ctx, l)
	moving()
	err = errors.Join(err, s.writer.Close(), s.takeIn(context.WithoutCancel(ctx)))
	totals, _, _ := r.List().All()
	s.Sayf("recorded %s (%.1f MB)", console.Count(int64(totals.Exchanges), "answer"), float64(totals.Bytes)/1e6)
	return err
}

// known returns the capture that already has a payload: of this recording, or of the index, if a server answers for it.
func (s *Record) known(ctx context.Context, of write.Payload) (write.Original, bool) {
	if o, ok := s.recent.Get(of); ok {
		return o, true
	}
	o, ok, err := control.Client{Data: s.Data}.Known(ctx, s.Collection, of)
	if err != nil && !errors.Is(err, control.ErrNoServer) && !errors.Is(err, os.ErrNotExist) {
		s.Log().Warn("whether the archive has an answer already is not known, so it is written", "url", of.URI, "error", err)
	}
	return o, ok
}

func (s *Record) wrote(e write.Exchange, w write.Written) {
	if w.Revisit || e.Truncated != "" {
		return
	}
	s.recent.Add(w.Payload, write.Original{URI: e.URI, Time: e.Time})
}

// page shows what was recorded, once its files are indexed, so that the links work.
func (s *Record) page(w http.ResponseWriter, r *http.Request, list *record.List) {
	if strings.HasPrefix(r.URL.Path, static.Prefix) {
		static.Handler().ServeHTTP(w, r)
		return
	}
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest == "" || dest == "document" { // a page that shows it in a picture wants no new file
		s.finish(r.Context())
	}
	if err := respond.Render(w, r, http.StatusOK, recorder.Page(s.view(r, list))); err != nil {
		s.Log().Warn("page of the recorder", "error", err)
	}
}

// finish finishes the file and has it indexed.
func (s *Record) finish(ctx context.Context) {
	s.finishing.Lock()
	defer s.finishing.Unlock()
	if err := errors.Join(s.writer.Roll(), s.takeIn(ctx)); err != nil && !errors.Is(err, console.ErrPart) {
		s.Log().Warn("what was recorded is not in the index yet", "error", err)
	}
}

func (s *Record) view(r *http.Request, list *record.List) recorder.View {
	totals, pages, failed := list.All()
	v := recorder.View{
		Page: respond.SiteAt("").Shared(r, respond.Path{}), Direct: !r.URL.IsAbs() && forward.TunnelOf(r) == nil, Address: r.Host,
		Secrets: s.Secrets, Exchanges: totals.Exchanges, Same: totals.Revisits, Bytes: totals.Bytes,
		PEM: forward.PEMPath, DER: forward.DERPath, Fingerprint: s.ca.Fingerprint(),
	}
	uris := memento.URIs{Base: strings.TrimSuffix(cmp.Or(s.Replay, s.ServingURL()), "/"), Coll: s.Collection}
	for _, p := range slices.Backward(pages) {
		shown := recorder.PageLink{URI: p.URI, Time: cdx.FromTime(p.Time)}
		if uris.Base != "" {
			shown.Href = uris.Memento(shown.Time, "", p.URI)
		}
		v.Pages = append(v.Pages, shown)
	}
	for _, f := range slices.Backward(failed) {
		v.Failed = append(v.Failed, recorder.Failure(f))
	}
	return v
}
