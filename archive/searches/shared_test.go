package searches_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/shards"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// A pool is an index that several servers share, and the place of its search.
type pool struct {
	store *kvtest.Memory
	place *blobstore.Store
	rules []access.Rule
	retry time.Duration // see [shards.Config]
}

// A peer is one of the servers.
type peer struct {
	*searches.Searches
	x      *index.Index
	log    *lines
	policy *access.Policy
	cfg    shards.Config
	close  func() error
}

// lines are what a server logs.
type lines struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.String()
}

func newPool(t *testing.T) *pool {
	t.Helper()
	return &pool{store: kvtest.NewMemory(), place: folder(t)}
}

func folder(t *testing.T) *blobstore.Store {
	t.Helper()
	d, err := blobstore.Open(filepath.Join(t.TempDir(), "place"), blobstore.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// join starts a server whose data are in a folder. It follows the index, nothing else.
func (p *pool) join(t *testing.T, dir string) *peer {
	t.Helper()
	x, err := index.New(t.Context(), p.store)
	if err != nil {
		t.Fatal(err)
	}
	s := &peer{x: x, log: &lines{}, cfg: shards.Config{Index: x, Place: p.place, Dir: dir, By: filepath.Base(dir), Retry: p.retry}}
	room, err := shards.Open(t.Context(), s.cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg := archive.Config{Index: x, Log: slog.New(slog.NewTextHandler(s.log, nil))}
	cfg.Records = warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	if p.rules != nil {
		s.policy = &access.Policy{}
		s.rule(t, p.rules)
		cfg.Access = s.policy
	}
	s.Searches = over(t, cfg, searches.Config{Shards: room})
	ctx, cancel := context.WithCancel(context.Background())
	followed := make(chan error, 1)
	go func() { followed <- x.Follow(ctx) }()
	s.close = sync.OnceValue(func() error {
		cancel()
		<-followed
		return errors.Join(s.Close(), room.Close())
	})
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *peer) rule(t *testing.T, rules []access.Rule) {
	t.Helper()
	r, err := access.New(rules)
	if err != nil {
		t.Fatal(err)
	}
	s.policy.Put(r)
}

// add indexes records.
func (s *peer) add(t *testing.T, records ...archivetest.Record) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.warc")
	if err := os.WriteFile(path, archivetest.WARC(t, records...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: s.x, Collection: "web"}, []string{path}); err != nil {
		t.Fatal(err)
	}
}

var built = regexp.MustCompile(`msg="change-text search" collection=web shard=(\d+)`)

// built returns which shards the server has built, in the order in which it did.
func (s *peer) built() (out []string) {
	for _, m := range built.FindAllStringSubmatch(s.log.String(), -1) {
		out = append(out, m[1])
	}
	return out
}

// awaitBuilt waits until the servers have built n shards, and returns which they have.
// A server says so after the others can have the shard.
func awaitBuilt(n int, servers ...*peer) (all []string) {
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		all = nil
		for _, s := range servers {
			all = append(all, s.built()...)
		}
		if len(all) >= n || time.Now().After(end) {
			return all
		}
	}
}

// fetch brings the search of a server to what is published.
func (s *peer) fetch(t *testing.T) {
	t.Helper()
	if err := s.Fetch(t.Context(), "web"); err != nil {
		t.Fatal(err)
	}
}

// manyHosts are pages of many hosts: each had lakes once.
func manyHosts(hosts int) (out []archivetest.Record) {
	for i := range hosts {
		uri := fmt.Sprintf("http://host%d.example/", i)
		out = append(out, on("2018", uri, acid+fmt.Sprintf("<p>Lakes and %d mills.", i)), on("2020", uri, acid+fmt.Sprintf("<p>Ponds %d.", i)))
	}
	return out
}

// Servers that share an index build its search together: each shard is built once, and all answer from all of them.
func TestServersShareASearch(t *testing.T) {
	t.Run("folder", func(t *testing.T) { shareASearch(t, newPool(t)) })
	t.Run("bucket", func(t *testing.T) {
		p := newPool(t)
		p.place = bucket(t)
		shareASearch(t, p)
	})
}

func bucket(t *testing.T) *blobstore.Store {
	t.Helper()
	storage := s3test.Memory(t).Make("searches")
	client, err := s3.New(storage.URL)
	if err != nil {
		t.Fatal(err)
	}
	d, err := blobstore.Open("s3://searches/of/archives", blobstore.Config{S3: client})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func shareASearch(t *testing.T, p *pool) {
	one, two := p.join(t, filepath.Join(t.TempDir(), "one")), p.join(t, filepath.Join(t.TempDir(), "two"))
	one.add(t, manyHosts(60)...)
	for two.x.Generation() < one.x.Generation() { // or one may have built everything before two knows that there is something
		time.Sleep(time.Millisecond)
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	for _, s := range []*peer{one, two} {
		running.Go(func() { s.Follow(ctx) })
		running.Go(func() { s.Keep(ctx) })
	}
	for _, s := range []*peer{one, two} {
		awaitHits(t, s, "lakes", 60)
		if shown, all := mustSearch(t, s).ShardsShown(); shown != 16 || all != 16 {
			t.Errorf("%d of %d shards are shown", shown, all)
		}
	}
	all := awaitBuilt(16, one, two)
	if shared := len(one.built()) > 0 && len(two.built()) > 0; len(all) != 16 || !shared {
		t.Errorf("one built %v, two %v, of 16 shards", one.built(), two.built())
	}
	third := p.join(t, filepath.Join(t.TempDir(), "three"))
	running.Go(func() { third.Follow(ctx) })
	running.Go(func() { third.Keep(ctx) })
	awaitHits(t, third, "lakes", 60)

	two.add(t, on("2022", "http://host7.example/", acid+"<p>Meadows."))
	for _, s := range []*peer{one, two, third} {
		awaitHits(t, s, "ponds", 1)
	}
	if all = awaitBuilt(17, one, two, third); len(all) != 17 {
		t.Errorf("built for one page more: one %v, two %v, three %v", one.built(), two.built(), third.built())
	}
}

func mustSearch(t *testing.T, s *peer) *searches.Collection {
	t.Helper()
	cs, err := s.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	return cs
}

func awaitHits(t *testing.T, s *peer, word string, want int) {
	t.Helper()
	n := 0
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if n = hits(t, s.Searches, "web", word); n == want {
			return
		}
	}
	t.Fatalf("%d hits of %q, want %d\n%s", n, word, want, s.log)
}

// The answer in shards is that of one folder, whatever happens to the archive.
func TestShardsFollowTheArchive(t *testing.T) {
	p := newPool(t)
	one, two := p.join(t, filepath.Join(t.TempDir(), "one")), p.join(t, filepath.Join(t.TempDir(), "two"))
	alone := over(t, archive.Config{Index: one.x, Records: one.Archive.Records}, searches.Config{Dir: t.TempDir()})
	defer alone.Close()
	files := 0
	for _, step := range []struct {
		name   string
		change func()
	}{
		{"pages", func() { one.add(t, manyHosts(20)...) }},
		{"a version more", func() { one.add(t, on("2022", "http://host3.example/", acid+"<p>Meadows.")) }},
		{"a host more", func() {
			one.add(t, on("2022", "http://late.example/", fog+"<p>Lakes."), on("2023", "http://late.example/", fog))
		}},
		{"nothing", func() {}},
		{"a file less", func() {
			if err := one.x.RemoveFile(t.Context(), one.x.Files()[1].ID); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		step.change()
		build(t, alone)
		build(t, two.Searches)
		one.fetch(t)
		for _, word := range []string{"lakes", "ponds", "meadows", "mills"} {
			want := [2]int{hits(t, alone, "web", word), versions(t, alone, "web", word)}
			for name, s := range map[string]*peer{"one": one, "two": two} {
				if got := [2]int{hits(t, s.Searches, "web", word), versions(t, s.Searches, "web", word)}; got != want {
					t.Errorf("%s: %s has %v of %q, want %v", step.name, name, got, word, want)
				}
			}
		}
		state, _ := mustSearch(t, two).State(t.Context())
		if other, _ := mustAlone(t, alone).State(t.Context()); state.Pages != state.Searched || state.Pages != other.Pages {
			t.Errorf("%s: %+v", step.name, state)
		}
		files = len(two.built())
	}
	if len(one.built()) > 0 || files != 16+1+1+16 {
		t.Errorf("one built %v, two %v", one.built(), two.built())
	}
	if p, err := two.Build(t.Context(), "web", true, nil); err != nil || p.Indexed.Load() != p.Pages.Load() || p.Pages.Load() != 21 {
		t.Errorf("from nothing: %d of %d pages, %v", p.Indexed.Load(), p.Pages.Load(), err)
	}
	one.fetch(t)
	if n := hits(t, one.Searches, "web", "lakes"); n != hits(t, alone, "web", "lakes") || one.Size("web") == 0 {
		t.Errorf("what was built from nothing has %d hits", n)
	}
}

func mustAlone(t *testing.T, s *searches.Searches) *searches.Collection {
	t.Helper()
	cs, err := s.Of("web")
	if err != nil {
		t.Fatal(err)
	}
	return cs
}

// A server that starts again has what it fetched before, and builds nothing. One whose folder is used by another process has a
// folder for itself.
func TestAServerStartsAgainWithItsShards(t *testing.T) {
	p := newPool(t)
	dir := filepath.Join(t.TempDir(), "one")
	one := p.join(t, dir)
	one.add(t, manyHosts(10)...)
	build(t, one.Searches)
	beside := p.join(t, dir)
	beside.fetch(t)
	if n := hits(t, beside.Searches, "web", "lakes"); n != 10 {
		t.Errorf("beside another process: %d hits", n)
	}
	if err := errors.Join(beside.close(), one.close()); err != nil {
		t.Fatal(err)
	}
	empty(t, p.place)
	again := p.join(t, dir) // the place still says that it is the right one
	build(t, again.Searches)
	if n := hits(t, again.Searches, "web", "lakes"); n != 10 || len(again.built()) > 0 {
		t.Errorf("again: %d hits, built %v", n, again.built())
	}
}

// empty removes all segments from a place.
func empty(t *testing.T, place *blobstore.Store) {
	t.Helper()
	for o, err := range place.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(o.Name, "/web/") {
			if err := place.Remove(t.Context(), o.Name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What is lost or damaged in the place is not shown: what was there goes on answering, and who builds next builds it anew.
func TestLostShardsAreBuiltAnew(t *testing.T) {
	for name, harm := range map[string]func(*testing.T, string){
		"lost": func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
		"cut short": func(t *testing.T, path string) {
			if err := os.Truncate(path, 20); err != nil {
				t.Fatal(err)
			}
		},
		"changed": func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.WriteAt([]byte("harm"), 30)
			if err := errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t)
			one, two := p.join(t, filepath.Join(t.TempDir(), "one")), p.join(t, filepath.Join(t.TempDir(), "two"))
			one.add(t, manyHosts(30)...)
			build(t, one.Searches)
			two.fetch(t)
			one.add(t, on("2022", "http://host3.example/", acid+"<p>Meadows."))
			before := known(t, p.place)
			build(t, one.Searches)
			harmed := 0
			for name := range known(t, p.place) {
				if !before[name] {
					harm(t, p.place.Address(name))
					harmed++
				}
			}
			if err := two.Fetch(t.Context(), "web"); !errors.Is(err, shards.ErrLost) || harmed == 0 {
				t.Fatalf("%d files are harmed: %v", harmed, err)
			}
			if n := hits(t, two.Searches, "web", "lakes"); n != 30 {
				t.Errorf("what was there has %d hits", n)
			}
			build(t, two.Searches)
			if n := hits(t, two.Searches, "web", "ponds"); n != 1 || len(two.built()) != 1 {
				t.Errorf("afterwards: %d hits, built %v", n, two.built())
			}
			one.fetch(t)
			if n := hits(t, one.Searches, "web", "ponds"); n != 1 {
				t.Errorf("the other: %d hits", n)
			}
		})
	}
}

// known returns the names of what is in a place.
func known(t *testing.T, place *blobstore.Store) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for o, err := range place.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		out[o.Name] = true
	}
	return out
}

// What was built under other access rules is never shown, whoever built it, and each group has a search of its own.
func TestShardsUnderAccessRules(t *testing.T) {
	const secret = "http://secret.example/"
	closed := []access.Rule{{URL: secret, Access: access.Allow, Group: "staff"}, {URL: secret, Access: access.Exclude}}
	p := newPool(t)
	p.rules = []access.Rule{{URL: "http://nothing.example/", Access: access.Exclude}}
	open := p.join(t, filepath.Join(t.TempDir(), "open"))
	open.add(t, append(manyHosts(5), on("2018", secret, fog+"<p>Lakes."), on("2020", secret, fog+"<p>Ponds."))...)
	build(t, open.Searches)
	if n := hits(t, open.Searches, "web", "lakes"); n != 6 {
		t.Errorf("under open rules: %d hits", n)
	}
	p.rules = closed
	strict := p.join(t, filepath.Join(t.TempDir(), "strict"))
	strict.fetch(t)
	if _, err := strict.Of("web"); !errors.Is(err, searches.ErrSearchBehind) {
		t.Errorf("what was built under other rules is shown: %v", err)
	}
	build(t, strict.Searches)
	build(t, strict.For("staff"))
	if n, staff := hits(t, strict.Searches, "web", "lakes"), hits(t, strict.For("staff"), "web", "lakes"); n != 5 || staff != 6 {
		t.Errorf("under strict rules: everybody has %d hits, staff %d", n, staff)
	}
	open.fetch(t)
	if n := hits(t, open.Searches, "web", "lakes"); n != 6 {
		t.Errorf("who still has the old rules keeps what fits them: %d hits", n)
	}
	open.rule(t, closed)
	if _, err := open.Of("web"); !errors.Is(err, searches.ErrSearchBehind) {
		t.Errorf("after the rules changed, what was built before is shown: %v", err)
	}
	open.fetch(t)
	if n := hits(t, open.Searches, "web", "lakes"); n != 5 {
		t.Errorf("after it is fetched: %d hits", n)
	}
}

// A stalling place lets a test do something while a file is put, or opened, once.
type stalling struct {
	shards.Place
	once     sync.Once
	do, open func() // nil for nothing
}

func (s *stalling) Put(ctx context.Context, name string, r io.Reader) error {
	if strings.Contains(name, "/web/") && s.do != nil {
		s.once.Do(s.do)
	}
	return s.Place.Put(ctx, name, r)
}

func (s *stalling) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if strings.Contains(name, "/web/") && s.open != nil {
		s.once.Do(s.open)
	}
	return s.Place.Open(ctx, name)
}

// A build that is stopped in the middle goes on where it was, when the same server starts again.
func TestAStoppedBuildGoesOn(t *testing.T) {
	p := newPool(t)
	dir := filepath.Join(t.TempDir(), "one")
	one := p.join(t, dir)
	one.add(t, manyHosts(120)...) // so many that each shard has some
	ctx, stop := context.WithCancel(t.Context())
	one.Shards.Place = &stalling{Place: p.place, do: stop}
	if _, err := one.Build(ctx, "web", false, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("a stopped build: %v", err)
	}
	if err := one.close(); err != nil {
		t.Fatal(err)
	}
	again := p.join(t, dir)
	run := build(t, again.Searches)
	if n := hits(t, again.Searches, "web", "lakes"); n != 120 {
		t.Errorf("%d hits", n)
	}
	if run.Indexed.Load() >= 120 {
		t.Errorf("%d pages were indexed again", run.Indexed.Load())
	}
}

// A place without what the index says is there may be a folder that is not mounted.
func TestAnotherPlaceIsRefused(t *testing.T) {
	p := newPool(t)
	one := p.join(t, filepath.Join(t.TempDir(), "one"))
	one.add(t, manyHosts(1)...)
	build(t, one.Searches)
	cfg := one.cfg
	cfg.Place = folder(t)
	if _, err := shards.Open(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "mounted") {
		t.Errorf("an empty folder is taken: %v", err)
	}
	cfg.Anew, cfg.Dir = true, t.TempDir()
	room, err := shards.Open(t.Context(), cfg)
	if err != nil {
		t.Fatalf("to build anew: %v", err)
	}
	if err := room.Close(); err != nil {
		t.Fatal(err)
	}
	cfg.Anew = false
	if room, err = shards.Open(t.Context(), cfg); err != nil {
		t.Fatalf("after that: %v", err)
	}
	if err := room.Close(); err != nil {
		t.Error(err)
	}
}

// A later place tells that some time has passed since everything was put.
type later struct {
	shards.Place
	by time.Duration
}

func (l *later) List(ctx context.Context, prefix string) iter.Seq2[blobstore.File, error] {
	return func(yield func(blobstore.File, error) bool) {
		for f, err := range l.Place.List(ctx, prefix) {
			if !strings.HasSuffix(f.Name, "/varve-search") { // which a sweep puts to see what time it is
				f.Time = f.Time.Add(-l.by)
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// sweep sweeps as if it were some hours after everything was put.
func (s *peer) sweep(t *testing.T, hours int) (removed int) {
	t.Helper()
	place := s.Shards.Place
	defer func() { s.Shards.Place = place }()
	s.Shards.Place = &later{place, time.Duration(hours) * time.Hour}
	n, err := s.Shards.Sweep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// noted changes since when it is noted that files are not named, by some hours.
func noted(t *testing.T, place *blobstore.Store, hours int) {
	t.Helper()
	for name := range known(t, place) {
		if !strings.HasSuffix(name, "/varve-unnamed") {
			continue
		}
		content, err := place.Read(t.Context(), name)
		since := map[string]time.Time{}
		if err = errors.Join(err, json.Unmarshal(content, &since)); err != nil {
			t.Fatal(err)
		}
		for file, at := range since {
			since[file] = at.Add(-time.Duration(hours) * time.Hour)
		}
		if content, err = json.Marshal(since); err == nil {
			err = place.Put(t.Context(), name, bytes.NewReader(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Files that no state names go a day after that was found, the others stay, however long ago they were put.
func TestFilesThatNobodyNamesAreSwept(t *testing.T) {
	p := newPool(t)
	one := p.join(t, filepath.Join(t.TempDir(), "one"))
	one.add(t, manyHosts(10)...)
	build(t, one.Searches)
	old := &stalling{Place: p.place}
	slow := p.join(t, filepath.Join(t.TempDir(), "slow"))
	slow.Shards.Place = old
	old.open = func() { // while a slow server fetches the first state, after a long time, another replaces it, and all is swept
		one.add(t, on("2022", "http://host3.example/", acid+"<p>Meadows."))
		build(t, one.Searches)
		if n := one.sweep(t, 48); n != 0 {
			t.Errorf("what was published just before: %d removed", n)
		}
	}
	slow.fetch(t)
	if n := hits(t, slow.Searches, "web", "lakes"); n != 10 {
		t.Errorf("the slow one has %d hits", n)
	}
	noted(t, p.place, 23)
	if n := one.sweep(t, 71); n != 0 {
		t.Errorf("within a day: %d removed", n)
	}
	noted(t, p.place, 2)
	if n := one.sweep(t, 20); n != 0 {
		t.Errorf("put within a day: %d removed", n)
	}
	if n := one.sweep(t, 48); n != 0 { // it was not old meanwhile
		t.Errorf("found again: %d removed", n)
	}
	noted(t, p.place, 25)
	if n := one.sweep(t, 73); n == 0 {
		t.Error("later nothing is removed")
	}
	two := p.join(t, filepath.Join(t.TempDir(), "two"))
	two.fetch(t)
	if n := hits(t, two.Searches, "web", "ponds"); n != 1 {
		t.Errorf("after the sweep: %d hits", n)
	}
	if n := one.sweep(t, 100); n != 0 {
		t.Errorf("again: %d removed", n)
	}
	for _, f := range one.x.Files() {
		if err := one.x.RemoveFile(t.Context(), f.ID); err != nil {
			t.Fatal(err)
		}
	}
	one.sweep(t, 48)
	noted(t, p.place, 25)
	one.sweep(t, 73)
	if left := known(t, p.place); len(left) != 2 {
		t.Errorf("of a collection that is no more, there is %v", left)
	}
}

// A list of what is not named that was damaged removes nothing before its time.
func TestADamagedListOfTheSweep(t *testing.T) {
	p := newPool(t)
	one := p.join(t, filepath.Join(t.TempDir(), "one"))
	one.add(t, manyHosts(10)...)
	build(t, one.Searches)
	one.add(t, on("2022", "http://host3.example/", acid+"<p>Meadows."))
	build(t, one.Searches)
	for _, content := range []string{"", "{", "[]", `{"x":1}`} {
		if err := p.place.Put(t.Context(), one.Shards.Folder()+"/varve-unnamed", strings.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		if n := one.sweep(t, 48); n != 0 {
			t.Errorf("%q: %d removed", content, n)
		}
	}
	noted(t, p.place, 25)
	if n := one.sweep(t, 48); n == 0 {
		t.Error("nothing is removed afterwards")
	}
}

// A copy of an index has a search of its own in the same place: it builds one, and none of both removes what the other needs.
func TestACopyOfAnIndexHasASearchOfItsOwn(t *testing.T) {
	p := newPool(t)
	one := p.join(t, filepath.Join(t.TempDir(), "one"))
	one.add(t, manyHosts(10)...)
	build(t, one.Searches)
	copied := &pool{store: kvtest.NewMemory(), place: p.place}
	err := index.Restore(t.Context(), copied.store, func(put func(key, value []byte) error) error { return one.x.Dump(t.Context(), put) })
	if err != nil {
		t.Fatal(err)
	}
	two := copied.join(t, filepath.Join(t.TempDir(), "two"))
	build(t, two.Searches)
	if n := len(two.built()); n != 16 {
		t.Errorf("%d shards were built of the copy", n)
	}
	two.add(t, on("2022", "http://host3.example/", acid+"<p>Meadows."))
	build(t, two.Searches)
	for _, s := range []*peer{one, two} {
		s.sweep(t, 48)
	}
	noted(t, p.place, 25)
	for _, s := range []*peer{one, two} {
		s.sweep(t, 48)
	}
	for name, want := range map[*pool]int{p: 0, copied: 1} {
		s := name.join(t, filepath.Join(t.TempDir(), "again"))
		s.fetch(t)
		if n, more := hits(t, s.Searches, "web", "lakes"), hits(t, s.Searches, "web", "ponds"); n != 10 || more != want {
			t.Errorf("%d hits, want 10, and %d, want %d", n, more, want)
		}
	}
}
