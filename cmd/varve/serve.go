package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/shards"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/loadlimit"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/pages/crawls"
	"github.com/varve-archive/varve/static"
)

type serveCmd struct {
	Paths []string `arg:"" optional:"" name:"path" help:"Files, folders or globs; folders are watched."`
	serving
	places
	Pywb     string `help:"Folder of a pywb installation, to be served as it is; nothing is written there." placeholder:"DIR" cfg:""`
	Metadata bool   `help:"Index metadata records too." cfg:""`
	Unpack   string `help:"Folder or s3://BUCKET/PREFIX to unpack files into that are compressed as a whole." placeholder:"DIR" cfg:""`
	ReadOnly bool   `help:"Write and index nothing, serve what is indexed; needless if the index can't be written." cfg:""`
}

// serving holds the flags of the commands that serve.
type serving struct {
	Listen    string `help:"Address to listen on; port 0 picks a free one." default:"127.0.0.1:8080" placeholder:"ADDR" cfg:""`
	PublicURL string `help:"How clients reach the server; may have a path." placeholder:"URL" cfg:""`
	ReplayURL string `help:"Separate origin for archived pages." placeholder:"URL" cfg:""`

	Cors []string `help:"Origins whose pages may read answers, * for all; else all but bytes on loopback." placeholder:"ORIGIN" cfg:""`

	Search bool `help:"Keep the change-text search up to date with the index." default:"true" negatable:"" cfg:""`

	Proxy         string `help:"Address for proxy mode: the archived web at its original addresses." placeholder:"ADDR" cfg:""`
	ProxyDatetime string `help:"What proxy clients see who choose no datetime: YYYYMMDDhhmmss or its start." placeholder:"TS" cfg:""`
	ProxyBanner   bool   `help:"Show banner and landing pages in proxy mode." default:"true" cfg:""`

	Uploads     *bool  `help:"Take files dropped on pages; else only on loopback without --public-url." negatable:"" cfg:""`
	UploadTo    string `help:"Folder or s3://BUCKET/PREFIX for taken files, else a watched folder." placeholder:"DIR" cfg:""`
	UploadLimit volume `help:"Largest file that is taken." default:"10GB" placeholder:"SIZE" cfg:""`
	Crawls      *bool  `help:"Show and steer crawls; else only on loopback without --public-url." negatable:"" cfg:""`

	Hub string `help:"WebSub hub that feeds name; varve notify tells it of changes." placeholder:"URL" cfg:""`

	Drain time.Duration `help:"How long to serve on when told to end, no longer ready, for balancers to notice." placeholder:"TIME" cfg:""`

	rules
}

// Timeouts of the server. There is none for a whole answer, because it takes time to send a large record to a slow
// client. But a client that stops reading is cut off (crowd.Usual).
const (
	readHeaderTimeout = 10 * time.Second // so that slow clients don't hold connections
	idleTimeout       = 2 * time.Minute
	shutdownTimeout   = 10 * time.Second // for running requests to end
	betweenFollows    = 5 * time.Second  // after what others index could not be followed
)

// Run indexes and serves until ctx ends.
func (c *serveCmd) Run(ctx context.Context, p *program) error {
	var err error
	if p.unpack, err = p.unpacker(c.Unpack); err != nil {
		return fmt.Errorf("--unpack: %w", err)
	}
	p.readOnly = c.ReadOnly
	if bad, err := p.usable(ctx, c.Paths); err != nil {
		return err
	} else if bad {
		return errPart
	}
	where, err := c.where(p)
	if err != nil {
		return err
	}
	at := []place{{coll: p.Collection, paths: c.Paths, where: where}}
	if c.Pywb == "" {
		return p.serve(ctx, c.serving, at, c.Metadata, nil)
	}
	theirs, err := p.openPywb(c.Pywb)
	if err != nil {
		return err
	}
	p.pywb = theirs
	return p.serve(ctx, c.serving, append(at, theirs.places...), c.Metadata, nil)
}

// Validate checks the flags; kong calls it after parsing.
func (c *serveCmd) Validate() error {
	if c.Pywb != "" && c.Access != "" {
		return errors.New("--pywb has access rules of its own: --access can't be given beside it")
	}
	return errors.Join(c.rules.Validate(), c.serving.Validate())
}

// serve listens, serves what is indexed, and meanwhile indexes what is new at some places. It calls started with the
// address of the server, unless nil.
func (p *program) serve(ctx context.Context, c serving, at []place, metadata bool, started func(url string)) (err error) {
	told := ctx // that it is to end
	ctx, ended := drained(ctx, c.Drain)
	defer ended()
	x, why, err := p.openToServe(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	given := at
	at = p.withKept(ctx, at, c.UploadTo)
	var moved map[cdx.FileID]string
	if p.readOnly {
		p.say(why + ": what is indexed is served, nothing is indexed, watched or written")
		moved = p.locate(ctx, x, allPaths(at))
		at = nil
	}
	store := p.records(x, moved)
	defer store.Close()
	trusted, err := c.trusted()
	if err != nil {
		return err
	}
	rules, err := p.openRules(c.Access)
	if err != nil {
		return err
	}
	if p.pywb != nil {
		p.pywb.put(rules.policy)
	}
	if c.Search && !p.readOnly {
		p.kept = searches.NewStaging(p.Data)
		defer p.kept.Close()
	}
	var room *shards.Room
	if c.Search {
		if room, err = p.shared(ctx, x, false); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, room.Close()) }()
		if room != nil {
			p.log().Info("the search is shared with other servers of the index", "place", p.SearchStore, "folder", room.Folder())
		}
	}
	var ready atomic.Bool
	var gate loadlimit.Gate
	arch, err := archive.New(archive.Config{
		Index: x, Records: store, Log: p.log(), PDF: readPDF, Access: rules.policy, Software: versionLine(),
	})
	if err != nil {
		return err
	}
	all := searches.New(searches.Config{
		Archive: arch, Dir: c.searchDir(p), Shards: room, Engine: c.engine(p), By: feeder(), Pace: gate.Pace, Ranking: p.ranking,
		Fields: p.fieldsOf, ReadOnly: p.readOnly, Staging: p.kept,
	})
	defer func() { err = errors.Join(err, all.Close()) }()
	if p.readOnly {
		p.sayLacks(ctx, arch, all)
	}
	addresses := holdings.New(holdings.Config{
		Archive: arch, Dir: filepath.Join(p.Data, "counts"), ReadOnly: p.readOnly, Pace: gate.Pace, Searches: all,
	})
	taking, desk := p.takeUploads(c, x, given, metadata)
	server, err := replay.New(replay.Config{
		Archive: arch, Searches: all, Counts: addresses, PublicURL: c.PublicURL, ReplayURL: c.ReplayURL, Origins: c.Cors,
		Private: c.private(), Gate: &gate,
		Ready: func() bool { return ready.Load() && told.Err() == nil }, Log: p.log(), Trust: trusted, About: p.about,
		Uploads: taking, Crawls: p.showCrawls(c), Follows: p.follows(), Hub: c.Hub,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("can't listen on %s: %w (choose another with --listen)", c.Listen, err)
	}
	url := "http://" + listener.Addr().String() + "/"
	proxy, proxyListener, err := p.newProxy(c, server, url)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if !p.readOnly {
		defer p.noteServing(url)()
		defer p.listenForCommands(x, at)()
	}
	fmt.Fprintf(p.stdout, "varve: listening on %s\n", url)
	if proxy != nil {
		fmt.Fprintf(p.stdout, "varve: proxy on http://%s/\n", proxyListener.Addr())
	}
	if !static.HasWombat() {
		fmt.Fprintln(p.stderr, "varve: built without the client-side runtime: pages whose scripts fetch or write URLs replay only in part "+
			"(make build includes it)")
	}
	if started != nil {
		started(url)
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	indexing := make(chan struct{})
	go func() {
		defer close(indexing)
		p.watchAll(ctx, x, at, metadata, func() { ready.Store(true) })
	}()
	following := make(chan struct{})
	go func() {
		defer close(following)
		for ctx.Err() == nil {
			err := x.Follow(ctx)
			if err == nil {
				return // nobody shares the index
			}
			if ctx.Err() == nil {
				p.log().Error("what other processes index does not show up for the moment", "error", err)
			}
			select {
			case <-time.After(betweenFollows):
			case <-ctx.Done():
			}
		}
	}()
	uploading := make(chan struct{})
	go func() {
		defer close(uploading)
		if desk != nil {
			desk.Run(ctx)
		}
	}()
	go rules.watch(ctx)
	if p.pywb != nil {
		go p.pywb.watch(ctx)
	}
	searching := make(chan struct{})
	go func() {
		defer close(searching)
		all.ReadWords(ctx)
		all.Keep(ctx)
	}()
	sharing := make(chan struct{})
	go func() {
		defer close(sharing)
		all.Follow(ctx)
	}()
	counting := make(chan struct{})
	go func() {
		defer close(counting)
		addresses.Keep(ctx)
	}()
	proxying := make(chan error, 1)
	go func() {
		if proxy == nil {
			proxying <- nil
			return
		}
		proxying <- proxy.Serve(ctx, proxyListener)
	}()
	err = listenUntil(ctx, listener, server.Handler())
	cancel()
	<-indexing
	<-following
	<-uploading
	<-searching
	<-sharing
	<-counting
	return errors.Join(err, <-proxying)
}

// private reports whether the server is only for this machine. Then any site that somebody visits on it could query the
// server.
func (c serving) private() bool {
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil || c.PublicURL != "" {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// may reports whether the server does what it does for its own machine only unless a flag says more, and whether the flag does.
func (c serving) may(flag *bool) (may, asked bool) {
	if flag != nil {
		return *flag, *flag
	}
	return c.private(), false
}

// showCrawls returns which crawls the server shows, nil for none.
func (p *program) showCrawls(c serving) *crawls.Config {
	may, asked := c.may(c.Crawls)
	if !may {
		return nil
	}
	return &crawls.Config{Folder: p.crawls(), Asked: asked, ReadOnly: p.readOnly, Log: p.log()}
}

// noteServing records the address of the server for commands that find the index in use, until what it returns is called.
func (p *program) noteServing(url string) (forget func()) {
	if err := os.WriteFile(p.servingFile(), []byte(url+"\n"), 0o644); err != nil {
		p.log().Warn("other commands won't be told where this server is"+whatToDo(err), "error", err)
	}
	return func() { os.Remove(p.servingFile()) }
}

// records returns a store for the records that x points to, in the places where their files were last seen, or where they
// are moved to.
func (p *program) records(x *index.Index, moved map[cdx.FileID]string) *warc.Store {
	return warc.NewStoreOn(p.storage, func(id cdx.FileID) (string, bool) {
		if path, ok := moved[id]; ok {
			return path, true
		}
		f, ok := x.File(id)
		return f.Path, ok && f.Path != ""
	})
}

// searchDir returns the folder of the change-text searches of all collections.
func (p *program) searchDir() string { return filepath.Join(p.Data, "search") }

// searchDir returns the folder of the server's change-text search, "" if it has none.
func (c serving) searchDir(p *program) string {
	if !c.Search {
		return ""
	}
	return p.searchDir()
}

// engine returns the engine that has the server's search, nil if it has none there.
func (c serving) engine(p *program) *opensearch.Cluster {
	if !c.Search {
		return nil
	}
	return p.engine
}

// archive returns an archive over an index. Without a policy it shows everything, as to whoever may read the files.
func (p *program) archive(x *index.Index, policy *access.Policy) (*archive.Archive, error) {
	return archive.New(archive.Config{
		Index: x, Records: p.records(x, nil), Log: p.log(), PDF: readPDF, Access: policy, Software: versionLine(),
	})
}

// searches returns the searches of an archive, which are beside its index, or in room unless that is nil.
func (p *program) searches(arch *archive.Archive, room *shards.Room) *searches.Searches {
	return searches.New(searches.Config{
		Archive: arch, Dir: p.searchDir(), Ranking: p.ranking, Shards: room, Engine: p.engine, By: feeder(), Fields: p.fieldsOf,
		ReadOnly: p.readOnly, Staging: p.kept,
	})
}

// openArchive opens the index for a command that asks what an endpoint of the same name answers. What it returns beside
// the archive ends both.
func (p *program) openArchive(ctx context.Context) (arch *archive.Archive, closeAll func() error, err error) {
	x, err := p.openExisting(ctx)
	if err != nil {
		return nil, nil, err
	}
	if arch, err = p.archive(x, nil); err != nil {
		return nil, nil, errors.Join(err, x.Close())
	}
	return arch, x.Close, nil
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

// listenUntil serves until ctx ends, then waits for running requests.
func listenUntil(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: loadlimit.Guard(h), ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		fresh, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
		defer cancel()
		err := server.Shutdown(fresh)
		if errors.Is(err, context.DeadlineExceeded) {
			err = server.Close()
		}
		stopped <- err
	}()
	if err := server.Serve(loadlimit.Listen(l, loadlimit.Usual())); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}
