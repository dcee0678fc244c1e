package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/record"
	"github.com/varve-archive/varve/internal/forward"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
	"github.com/varve-archive/varve/static"
)

type recordCmd struct {
	Listen       string `help:"Address of the proxy." default:"127.0.0.1:8082" placeholder:"ADDR"`
	Warcs        string `help:"Folder or s3://BUCKET/PREFIX for WARCs, else warcs/COLLECTION in --data." placeholder:"DIR" cfg:""`
	Secrets      bool   `help:"Write credentials, the values of cookies, and passwords of forms too."`
	AllowPrivate bool   `help:"Record addresses too that aren't on the public Internet."`
	MaxBytes     volume `help:"Longest answer that is kept whole; of longer ones the record has the start." default:"1GB" placeholder:"SIZE"`
	Replay       string `help:"Where links to recorded pages lead; the server that runs on --data without." placeholder:"URL"`
}

// recordName begins the names of files that were recorded.
const recordName = "record"

// Validate checks the flags; kong calls it after parsing.
func (c *recordCmd) Validate() error { return checkWarcs(c.Warcs) }

// Run records what browsers ask for through the proxy, until it is stopped.
func (c *recordCmd) Run(ctx context.Context, p *program) error {
	g, err := p.gather(ctx, c.Warcs, recordName)
	if err != nil {
		return err
	}
	if _, err := write.Mend(ctx, g.dir, recordName); err != nil {
		return err
	}
	ca, err := forward.LoadAuthority(filepath.Join(p.Data, "proxy"), false)
	if err != nil {
		return fmt.Errorf("the CA: %w", err)
	}
	s := &recording{gathering: g, cmd: c, ca: ca}
	if s.here, err = lru.New[write.Payload, write.Original](remembered); err != nil {
		return err
	}
	out, err := write.New(write.Config{
		Dir: g.dir, Name: recordName, Mark: g.mark(), Known: func(of write.Payload) (write.Original, bool) { return s.known(ctx, of) },
		Info: warc.Fields{{Name: "software", Value: "varve/" + version()}, {Name: "description", Value: "recorded from a browser"}},
	})
	if err != nil {
		return err
	}
	s.out = out
	client := client.New(client.Config{AllowPrivate: c.AllowPrivate, MaxBytes: int64(c.MaxBytes), MaxTime: time.Hour, Dir: g.dir})
	defer client.Close()
	r := record.New(record.Config{Client: client, Out: out, CA: ca, Secrets: c.Secrets, Page: s.page, Wrote: s.wrote, Log: p.log()})
	l, err := net.Listen("tcp", onLoopback(c.Listen))
	if err != nil {
		return fmt.Errorf("can't listen on %s: %w (choose another with --listen)", c.Listen, err)
	}
	fmt.Fprintf(p.stdout, "varve: recording what asks through the proxy http://%s/ into %s\n", l.Addr(), g.place())
	moving := g.keepMoving(ctx)
	err = r.Serve(ctx, l)
	moving()
	err = errors.Join(err, out.Close(), g.takeIn(context.WithoutCancel(ctx)))
	totals, _, _ := r.List().All()
	p.say(fmt.Sprintf("recorded %s (%.1f MB)", counted(int64(totals.Exchanges), "answer"), float64(totals.Bytes)/1e6))
	return err
}

// A recording is a recorder at work.
type recording struct {
	*gathering
	cmd *recordCmd
	ca  *forward.Authority
	out *write.Writer

	finishing sync.Mutex
	here      *lru.Cache[write.Payload, write.Original] // what this recording wrote last
}

// remembered is how many payloads of a recording are remembered, to be written once.
const remembered = 100_000

// known returns the capture that has a payload already: of this recording, or of the index, if a server answers for it.
func (s *recording) known(ctx context.Context, of write.Payload) (write.Original, bool) {
	if o, ok := s.here.Get(of); ok {
		return o, true
	}
	o, ok, err := s.askKnown(ctx, of)
	if err != nil && !errors.Is(err, errNoServer) && !errors.Is(err, os.ErrNotExist) {
		s.log().Warn("whether the archive has an answer already is not known, so it is written", "url", of.URI, "error", err)
	}
	return o, ok
}

// wrote remembers what was written.
func (s *recording) wrote(e write.Exchange, w write.Written) {
	if w.Revisit || e.Truncated != "" {
		return
	}
	s.here.Add(w.Payload, write.Original{URI: e.URI, Time: e.Time})
}

// page shows what was recorded, once it is where the links lead.
func (s *recording) page(w http.ResponseWriter, r *http.Request, list *record.List) {
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
	if err := respond.Render(w, r, http.StatusOK, banner.Recorder(s.view(r, list))); err != nil {
		s.log().Warn("page of the recorder", "error", err)
	}
}

// finish finishes the file and has it taken in.
func (s *recording) finish(ctx context.Context) {
	s.finishing.Lock()
	defer s.finishing.Unlock()
	if err := errors.Join(s.out.Roll(), s.takeIn(ctx)); err != nil && !errors.Is(err, errPart) {
		s.log().Warn("what was recorded is not in the index yet", "error", err)
	}
}

func (s *recording) view(r *http.Request, list *record.List) banner.RecorderView {
	totals, pages, failed := list.All()
	v := banner.RecorderView{
		Page: respond.SiteAt("").Shared(r, respond.Path{}), Direct: !r.URL.IsAbs() && forward.TunnelOf(r) == nil, Address: r.Host,
		Secrets:   s.cmd.Secrets,
		Exchanges: totals.Exchanges, Same: totals.Revisits, Bytes: totals.Bytes,
		PEM: forward.PEMPath, DER: forward.DERPath, Fingerprint: s.ca.Fingerprint(),
	}
	uris := memento.URIs{Base: strings.TrimSuffix(s.replay(), "/"), Coll: s.Collection}
	for _, p := range slices.Backward(pages) {
		shown := banner.RecordedPage{URIR: p.URI, Time: cdx.FromTime(p.Time)}
		if uris.Base != "" {
			shown.Href = uris.Memento(shown.Time, "", p.URI)
		}
		v.Pages = append(v.Pages, shown)
	}
	for _, f := range slices.Backward(failed) {
		v.Failed = append(v.Failed, banner.RecordedFailure{URIR: f.URI, Why: f.Why})
	}
	return v
}

// replay returns the address of the server that shows what was recorded, "" if none is known.
func (s *recording) replay() string {
	if s.cmd.Replay != "" {
		return s.cmd.Replay
	}
	return s.servingURL()
}
