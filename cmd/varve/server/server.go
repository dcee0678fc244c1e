// Package server runs varve's server: it opens the index, serves the archive over it, and meanwhile indexes what is new, takes files from
// readers, keeps the search up to date and the access rules in force.
//
// [Run] is all of it; the replay server itself is package replay.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access/rulesfile"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/control"
	"github.com/varve-archive/varve/cmd/varve/studio"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/internal/loadlimit"
	"github.com/varve-archive/varve/internal/readiness"
	"github.com/varve-archive/varve/internal/sleep"
	"github.com/varve-archive/varve/internal/tracing"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/replay/pages/uploads"
	"github.com/varve-archive/varve/replay/proxy"
	"github.com/varve-archive/varve/static"
)

// A Config says what is served.
type Config struct {
	Flags
	Places   []Place // where files are that are indexed and watched
	Pywb     string  // folder of a pywb installation, whose files and rules are served too; may be ""
	Metadata bool    // index metadata records too
	Unpack   func(ctx context.Context, path string) (string, error)
	Started  func(url string) // is called with the address of the server; may be nil
	// Answer runs a command for another process, over what the server has open, and returns its exit code.
	Answer func(context.Context, *workspace.Workspace, control.Order) int
}

type server struct {
	*workspace.Workspace
	cfg    Config
	index  *index.Index
	at     []Place        // what is indexed and watched
	claims *ingest.Claims // files that readers hand in; nil if none are taken
	pywb   *installation  // nil unless one is served
	ready  atomic.Bool    // the first pass over the files is done
	needed *readiness.Watch
	gate   loadlimit.Gate
	tracer *tracing.Tracer
}

// Run indexes and serves until ctx ends, and then for as long as the flag says.
func Run(ctx context.Context, w *workspace.Workspace, c Config) (err error) {
	s := &server{Workspace: w, cfg: c}
	if c.Pywb != "" {
		if s.pywb, err = s.openPywb(c.Pywb); err != nil {
			return err
		}
		s.cfg.Places = append(s.cfg.Places, s.pywb.places...)
	}
	if s.tracer, err = tracing.FromEnvironment(ctx, w.Version, s.Log()); err != nil {
		return err
	}
	defer s.endTraces(ctx)
	told := ctx // that it is to end
	ctx, ended := drained(ctx, c.Drain)
	defer ended()
	x, why, err := s.OpenToServe(ctx)
	if err != nil {
		return err
	}
	s.index = x
	s.needed = readiness.New(s.Log(), s.needs()...)
	defer func() { err = errors.Join(err, x.Close()) }()
	s.at = s.withOwn(ctx, s.cfg.Places, c.UploadTo)
	var moved map[cdx.FileID]string
	if s.ReadOnly {
		s.Say(why + ": what is indexed is served, nothing is indexed, watched or written")
		moved = s.Locate(ctx, x, allPaths(s.at))
		s.at = nil
	}
	store := s.Records(x, moved)
	defer store.Close()
	rules, err := s.rules()
	if err != nil {
		return err
	}
	if c.Search && !s.ReadOnly {
		s.Staging = searches.NewStaging(s.Data)
		defer s.Staging.Close()
	}
	arch, err := s.Archive(x, store, rules.Policy)
	if err != nil {
		return err
	}
	all := s.searches(arch)
	defer func() { err = errors.Join(err, all.Close()) }()
	if s.ReadOnly {
		s.sayLacks(ctx, arch, all)
	}
	return s.serve(ctx, told, all, rules)
}

// rules puts the access rules into force: those of a file, or of the pywb installation.
func (s *server) rules() (*rulesfile.File, error) {
	takedowns := s.TakedownsFile()
	if s.ReadOnly {
		takedowns = ""
	}
	rules, err := rulesfile.Open(s.cfg.Access, takedowns, s.Log())
	if err == nil && s.pywb != nil {
		s.pywb.put(rules.Policy)
	}
	return rules, err
}

func (s *server) searches(arch *archive.Archive) *searches.Searches {
	cfg := s.SearchesConfig(arch)
	cfg.Pace = s.gate.Pace
	if !s.cfg.Search {
		cfg.Dir, cfg.Engine = "", nil
	}
	return searches.New(cfg)
}

// serve listens and serves an archive until ctx ends, and meanwhile does what a server does beside it.
func (s *server) serve(ctx, told context.Context, all *searches.Searches, rules *rulesfile.File) (err error) {
	taking, queue := s.takeUploads()
	addresses := holdings.New(holdings.Config{
		Archive: all.Archive, Dir: filepath.Join(s.Data, "counts"), ReadOnly: s.ReadOnly, Pace: s.gate.Pace, Searches: all,
	})
	server, err := s.replay(told, all, addresses, taking)
	if err != nil {
		return err
	}
	listener, err := loadlimit.At(s.cfg.Listen)
	if err != nil {
		return fmt.Errorf("can't listen on %s: %w (choose another with --listen)", s.cfg.Listen, err)
	}
	url := "http://" + listener.Addr().String() + "/"
	proxy, proxyListener, err := s.newProxy(server, url)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if !s.ReadOnly {
		defer s.NoteServing(url)()
		defer s.listenForCommands(all)()
	}
	s.announce(url, proxyListener)

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var beside sync.WaitGroup
	beside.Go(func() { s.watchAll(ctx, func() { s.ready.Store(true) }) })
	beside.Go(func() { s.followIndex(ctx) })
	beside.Go(func() { s.needed.Keep(ctx, readiness.Every) })
	beside.Go(func() { rules.Watch(ctx) })
	beside.Go(func() { s.Collections.Watch(ctx, s.Log()) })
	beside.Go(func() {
		all.ReadWords(ctx)
		all.Keep(ctx)
	})
	beside.Go(func() { addresses.Keep(ctx) })
	if s.cfg.Render {
		beside.Go(func() { studio.Keep(ctx, s.Workspace, all.Archive, &s.gate) })
	}
	if queue != nil {
		beside.Go(func() { queue.Run(ctx) })
	}
	if s.cfg.Crawls != nil && *s.cfg.Crawls && !s.ReadOnly {
		beside.Go(func() { s.takeJobs(ctx) })
	}
	if s.pywb != nil {
		beside.Go(func() { s.pywb.watch(ctx) })
	}
	var proxied error
	if proxy != nil {
		beside.Go(func() { proxied = proxy.Serve(ctx, proxyListener) })
	}
	err = listenUntil(ctx, listener, server)
	cancel()
	beside.Wait()
	return errors.Join(err, proxied)
}

// replay returns the replay server. It is ready until told ends.
func (s *server) replay(
	told context.Context, all *searches.Searches, addresses *holdings.Counts, taking *uploads.Config,
) (*replay.Server, error) {
	trusted, err := s.cfg.trusted()
	if err != nil {
		return nil, err
	}
	return replay.New(replay.Config{
		Archive: all.Archive, Searches: all, Counts: addresses, PublicURL: s.cfg.PublicURL, ReplayURL: s.cfg.ReplayURL, Origins: s.cfg.Cors,
		Private: s.cfg.private(), Loopback: s.cfg.loopback(), Gate: &s.gate,
		Ready:      func() error { return s.whyNot(told) },
		Foundation: s.foundation(), Tracer: s.tracer, Log: s.Log(), Trust: trusted, About: s.Collections.About,
		Uploads: taking, Crawls: s.showCrawls(), Jobs: s.orders(), Settings: s.saves(), Follows: s.Follows(), Hub: s.cfg.Hub,
	})
}

// showCrawls returns which crawls the server shows, nil for none.
func (s *server) showCrawls() *crawls.Config {
	may, asked := s.cfg.may(s.cfg.Crawls)
	if !may {
		return nil
	}
	return &crawls.Config{Folder: s.Crawls(), Asked: asked, ReadOnly: s.ReadOnly, Log: s.Log()}
}

// newProxy returns the proxy that --proxy asks for, and its listener; nil without --proxy. url is the address of the server, unless it has
// a public one.
func (s *server) newProxy(server *replay.Server, url string) (*proxy.Proxy, net.Listener, error) {
	if s.cfg.Proxy == "" {
		return nil, nil, nil
	}
	cfg := proxy.Config{
		Dir: s.ProxyDir(), ServerURL: url, Collection: s.Collection, Banner: s.cfg.ProxyBanner, Log: s.Log(), ReadOnly: s.ReadOnly,
	}
	if s.cfg.PublicURL != "" {
		cfg.ServerURL = s.cfg.PublicURL
	}
	var err error
	if cfg.Datetime, err = s.cfg.proxyDatetime(); err != nil {
		return nil, nil, err
	}
	proxy, err := server.NewProxy(cfg)
	if err != nil {
		return nil, nil, err
	}
	listener, err := loadlimit.Local(s.cfg.Proxy)
	if err != nil {
		return nil, nil, fmt.Errorf("can't listen on %s: %w (choose another with --proxy)", s.cfg.Proxy, err)
	}
	return proxy, listener, nil
}

func (s *server) announce(url string, proxy net.Listener) {
	fmt.Fprintf(s.Stdout, "varve: listening on %s\n", url)
	if proxy != nil {
		fmt.Fprintf(s.Stdout, "varve: proxy on http://%s/\n", proxy.Addr())
	}
	if !static.HasWombat() {
		fmt.Fprintln(s.Stderr, "varve: built without the client-side runtime: pages whose scripts fetch or write URLs replay only in part "+
			"(make build includes it)")
	}
	if s.cfg.Started != nil {
		s.cfg.Started(url)
	}
}

// listenForCommands answers commands that need the index, until stop is called.
func (s *server) listenForCommands(all *searches.Searches) (stop func()) {
	commands := &control.Server{Index: s.index, Take: s.take, Run: func(ctx context.Context, o control.Order, stdout, stderr io.Writer) int {
		said := &console.Console{Stdout: stdout, Stderr: stderr, JSON: s.Console.JSON, Level: s.Console.Level}
		return s.cfg.Answer(ctx, s.Lend(all, said, o.Collection), o)
	}}
	stop, err := commands.Listen(s.Data)
	if err != nil {
		s.Log().Warn("other commands can't reach this server: varve backup and those that read don't work while it runs, nor does it take files "+
			"from varve crawl, fetch and record", "error", err)
		return func() {}
	}
	return stop
}

// sayLacks says what the searches of a server that can't build them lack.
func (s *server) sayLacks(ctx context.Context, arch *archive.Archive, all *searches.Searches) {
	if !all.Exist() {
		return
	}
	for _, coll := range arch.Index.Collections() {
		lacks, err := all.Lacks(ctx, coll)
		switch {
		case err != nil:
			s.Sayf("collection %s: the search does not answer: %v", coll, err)
		case lacks:
			s.Sayf("collection %s: the search does not have all that is indexed: varve index --search completes it, where it may write", coll)
		}
	}
}

// retryFollow is the pause after an error of [server.followIndex].
const retryFollow = 5 * time.Second

// followIndex shows what other processes index, if they share the index.
func (s *server) followIndex(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.index.Follow(ctx)
		if err == nil {
			return // nobody shares the index
		}
		if ctx.Err() == nil {
			s.Log().Error("what other processes index does not show up for the moment", "error", err)
		}
		_ = sleep.For(ctx, retryFollow)
	}
}

// endTraces sends traces that were not sent yet, for as long as running requests have.
func (s *server) endTraces(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if err := s.tracer.Close(ctx); err != nil {
		s.Log().Warn("traces are lost", "error", err)
	}
}

// drained returns a context that ends some time after ctx does.
func drained(ctx context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	if after <= 0 {
		return context.WithCancel(ctx)
	}
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(after):
			cancel()
		case <-later.Done():
		}
	})
	return later, func() { stop(); cancel() }
}

// endTime is how long running requests have to end.
const endTime = 10 * time.Second

// listenUntil serves until ctx ends, then waits for running requests.
func listenUntil(ctx context.Context, l net.Listener, s *replay.Server) error {
	server := loadlimit.Server(s.Handler(), s.AsksForHealth)
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		fresh, cancel := context.WithTimeout(context.Background(), endTime)
		defer cancel()
		err := server.Shutdown(fresh)
		if errors.Is(err, context.DeadlineExceeded) {
			err = server.Close()
		}
		stopped <- err
	}()
	if err := server.Serve(loadlimit.Listen(l, loadlimit.Default())); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// compact merges the tables of the index after a run that added much to it.
func (s *server) compact(ctx context.Context, done *ingest.Progress) {
	if !workspace.AddedMuch(s.index, done) {
		return
	}
	if err := s.index.Compact(ctx); err != nil {
		s.Log().Warn("compacting the index failed", "error", err)
	}
}
