// Soak serves an archive for a long time, sends requests of all kinds while files come and go, and checks each answer.
//
//	go run ./internal/soak -for 60m bin/varve
//
// It writes an archive into a temporary folder and starts the server on it, on loopback. While files are added, written slowly, uploaded,
// grown, moved, damaged and removed, clients ask questions of all kinds ([kinds]): valid and invalid, whole and in part. Captures that are
// certainly present have to be in each answer, and captures that are certainly absent in none; while a file is changing both are accepted
// ([ledger]). Meanwhile it measures memory, goroutines, descriptors and disk. It fails if an answer was wrong, or if a measured value rises
// (flat.go).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/varve-archive/varve/internal/sentinel"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		stop()
		os.Exit(1)
	}
}

type soak struct {
	binary, out string
	long        time.Duration
	rate        float64
	clients     int

	server   *server
	ledger   *ledger
	core     [][]*capture
	client   *client
	took     took
	sampler  *sampler
	churn    *churn
	failures *failures
	statics  []string
}

// judgedFrom is the least time of a run for which flatness is checked.
const judgedFrom = 8 * time.Minute

const errNotWell = sentinel.Error("not all is well")

func run(ctx context.Context, args []string, stdout io.Writer) (err error) {
	s := &soak{}
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.DurationVar(&s.long, "for", time.Hour, "how long to ask")
	flags.Float64Var(&s.rate, "rate", 100, "questions a second")
	flags.IntVar(&s.clients, "clients", 8, "how many ask at once")
	flags.StringVar(&s.out, "out", "", "folder for failures, samples and the server's log; a temporary one unless given")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || s.rate <= 0 || s.clients < 1 {
		return errors.New("usage: soak [flags] BINARY")
	}
	s.binary = flags.Arg(0)
	temporary, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	if s.out == "" {
		if s.out, err = os.MkdirTemp("", "soak-out"); err != nil {
			return err
		}
	} else if err := os.MkdirAll(s.out, 0o750); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "what happens is written to %s\n", s.out)
	return s.run(ctx, temporary, stdout)
}

// run prepares the archive, asks, and reports the result.
func (s *soak) run(ctx context.Context, dir string, stdout io.Writer) (err error) {
	wrong, err := os.Create(filepath.Join(s.out, "failures.txt")) // #nosec G304 -- in the folder that the caller named
	if err != nil {
		return err
	}
	defer wrong.Close()
	s.failures = &failures{of: map[string]int{}, out: wrong}
	maker, folder := newMaker(), filepath.Join(dir, "store")
	if err := s.store(maker, dir, folder); err != nil {
		return err
	}
	s.server, err = start(ctx, s.binary, folder, filepath.Join(dir, "data"), filepath.Join(s.out, "server.log"))
	if err != nil {
		return err
	}
	stopped := false
	defer func() {
		if !stopped {
			err = errors.Join(err, s.server.stop())
		}
	}()
	if err := yieldToOthers(); err != nil {
		return err
	}
	if s.client, err = newClient(s.server); err != nil {
		return err
	}
	samples, err := os.Create(filepath.Join(s.out, "samples.tsv")) // #nosec G304 -- in the folder that the caller named
	if err != nil {
		return err
	}
	defer samples.Close()
	s.took = took{of: map[string][]float32{}}
	s.sampler = &sampler{server: s.server, store: folder, out: samples}
	s.churn = &churn{
		folder: folder, scratch: dir, maker: maker, ledger: s.ledger, client: s.client,
		random: rand.New(rand.NewPCG(3, 4)), took: map[string][]time.Duration{}, failed: s.failures.add, // #nosec G404 -- no secret
	}
	if err := s.learn(ctx); err != nil {
		return err
	}
	rests, err := s.ask(ctx)
	if err != nil {
		return err
	}
	s.final(ctx)
	stopped = true
	if err := s.server.stop(); err != nil {
		s.failures.add("server", err.Error())
	}
	s.readLog()
	if !s.report(stdout, rests) {
		return errNotWell
	}
	return nil
}

// store writes the permanent part of the archive.
func (s *soak) store(maker *maker, scratch, folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	s.ledger, s.core = newLedger(), maker.core()
	for i, captures := range s.core {
		if err := write(scratch, filepath.Join(folder, fmt.Sprintf("core-%d.warc.gz", i)), membersOf(captures)); err != nil {
			return err
		}
		s.ledger.put(captures...)
	}
	return nil
}

var asset = regexp.MustCompile(`/-/static/[^"' >]+`)

// learn reads which assets the server's pages have.
func (s *soak) learn(ctx context.Context) error {
	home, err := s.client.do(ctx, &question{method: "GET", target: "/", header: html()})
	if err != nil {
		return err
	}
	s.statics = asset.FindAllString(string(home.body), -1)
	return nil
}

func (s *soak) mix(n int) *mix {
	m := &mix{
		random: rand.New(rand.NewPCG(7, uint64(n))), ledger: s.ledger, etags: map[string]string{}, statics: s.statics, // #nosec G404 G115
	}
	for _, captures := range s.core[:hosts] {
		m.core = append(m.core, captures...)
	}
	for _, c := range m.core {
		if c.status == 200 && c.marker != "" {
			m.pages = append(m.pages, c)
		}
	}
	m.large, m.posts = s.core[hosts+1][0], s.core[hosts+1][1:]
	return m
}

// ask asks for the given time, with a rest after the warm-up and one at the end, and returns the measurements in these.
func (s *soak) ask(ctx context.Context) (rests []rest, err error) {
	const warm = 4                          // the warm-up is a fourth of the time
	pause := min(90*time.Second, s.long/10) // longer than idle files and connections are kept open
	before, err := s.part(ctx, s.long/warm, pause)
	if err != nil {
		return nil, err
	}
	after, err := s.part(ctx, s.long-s.long/warm, pause)
	if err != nil {
		return nil, err
	}
	for i, m := range measured {
		if m.name == "goroutines" || m.name == "descriptors" {
			rests = append(rests, rest{name: m.name, before: before[i], after: after[i], slack: m.slack})
		}
	}
	return rests, nil
}

// part asks for some time, and returns the measurements after a pause.
func (s *soak) part(ctx context.Context, long, pause time.Duration) ([]float64, error) {
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	var all sync.WaitGroup
	all.Go(func() { s.churn.run(ctx, time.Second) })
	all.Go(func() { s.sampler.run(ctx, max(time.Second, min(5*time.Second, s.long/200)), s.failures.add) })
	all.Go(func() { s.askAll(ctx) })
	all.Wait()
	s.client.rest()
	time.Sleep(pause)
	return s.sampler.sample()
}

// final checks the whole index and the search, now that nothing changes any more.
func (s *soak) final(ctx context.Context) {
	m := s.mix(0)
	q := &question{method: "GET", target: "/web/cdx?url=*&fl=timestamp,original", right: m.lines(func(string) bool { return true }, true)}
	a, err := s.client.do(ctx, q)
	if err != nil {
		s.failures.add("all captures in the end", err.Error())
	} else if wrong := q.right(a); wrong != "" {
		a.body = nil
		s.failures.add("all captures in the end", describe(q, a, wrong))
	}
	isPage := func(c *capture) bool {
		return c.marker != "" && c.status == 200 && c.state == there && c.original == nil && c.sent == ""
	}
	pages := s.ledger.some(func(c *capture) bool { return isPage(c) && c.uri != manyURI })
	for _, c := range pages {
		if err := s.found(ctx, c.marker, true); err != nil {
			s.failures.add("search in the end", err.Error())
		}
	}
	for _, c := range s.ledger.lastGone() {
		if c.marker == "" || slices.ContainsFunc(pages, func(p *capture) bool { return p.marker == c.marker }) {
			continue
		}
		if err := s.found(ctx, c.marker, false); err != nil {
			s.failures.add("search in the end", err.Error())
		}
	}
}

// found waits until a word is found, or is no longer found.
func (s *soak) found(ctx context.Context, word string, want bool) error {
	var a *answer
	for began := time.Now(); time.Since(began) < patience; time.Sleep(200 * time.Millisecond) {
		var err error
		if a, err = s.client.do(ctx, &question{method: "GET", target: "/web/search?q=" + url.QueryEscape(word)}); err != nil {
			return err
		}
		var hits struct{ Total int }
		if err := json.Unmarshal(a.body, &hits); err == nil && a.status == 200 && (hits.Total > 0) == want {
			return nil
		}
	}
	return fmt.Errorf("%s is found: %t, wanted %t: %d %.200s", word, !want, want, a.status, a.body)
}

// readLog counts errors in the server's log, except for answers that could not be given while a file was changing, which were checked when
// they came.
func (s *soak) readLog() {
	log, err := os.ReadFile(filepath.Join(s.out, "server.log"))
	if err != nil {
		s.failures.add("log", err.Error())
		return
	}
	for line := range strings.Lines(string(log)) {
		var entry struct {
			Level  string
			Status int
		}
		err := json.Unmarshal([]byte(line), &entry)
		if err == nil && entry.Level == "ERROR" && entry.Status != http.StatusServiceUnavailable || strings.Contains(line, "panic") {
			s.failures.add("log", strings.TrimSpace(line))
		}
	}
}
