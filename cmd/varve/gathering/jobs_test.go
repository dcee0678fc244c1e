package gathering

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/archive/warc/remote"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/gather/fetch"
	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/gather/notify"
)

// A crawl that is complete does nothing with other settings; who ordered it is told so, and how it does something.
func TestJobOfACompleteCrawlSaysSo(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>t</title><a href=/other>other</a>"))
	}))
	t.Cleanup(site.Close)
	space := in(t.TempDir())
	storage, err := remote.New(remote.Config{})
	if err != nil {
		t.Fatal(err)
	}
	space.Storage = storage
	var said bytes.Buffer
	space.Console.Stderr = &said
	order := func(seed, scope string, anew bool) error {
		return (&Jobs{Workspace: space}).one(context.WithoutCancel(t.Context()), jobs.Job{
			Name: "a", Collection: "news", New: anew,
			File: "name: a\nallow_private: true\ndelay: 0s\nscope: " + scope + "\nseeds: ['" + site.URL + seed + "']\n",
		})
	}
	for _, step := range []struct {
		seed, scope string
		anew        bool
		want        error
	}{
		{"/", "page", false, nil},
		{"/", "host", false, jobs.ErrComplete},
		{"/more", "page", false, nil}, // a seed that it doesn't know
		{"/", "host", true, nil},
	} {
		said.Reset()
		err := order(step.seed, step.scope, step.anew)
		if !errors.Is(err, step.want) || strings.Contains(said.String(), "is complete") != (step.want != nil) {
			t.Errorf("%+v: %v, %s", step, err, said.String())
		}
	}
	if other := captured(t, space); len(other) > 0 || space.Collection != "web" {
		t.Errorf("%s has %q", space.Collection, other)
	}
	if space.Collection = "news"; len(captured(t, space)) < 3 {
		t.Errorf("what was captured is not in the collection of the job")
	}
}

// Jobs are run as they come, and failures said, until they are stopped.
func TestJobsAreRunUntilStopped(t *testing.T) {
	t.Parallel()
	w, out, said := whole(t, t.TempDir(), nil)
	site := serve(t, map[string]string{"/": "<title>t</title>"})
	for _, job := range []jobs.Job{
		{Name: "a", Collection: "web", File: "name: a\nallow_private: true\ndelay: 0s\nseeds: ['" + site + "/']\n"},
		{Name: "b", Collection: "web", File: "name: b\nseeds: ['" + site + "/']\n"},
	} {
		if _, err := w.Jobs().Leave(job); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- (&Jobs{Workspace: w}).Run(ctx) }()
	for _, words := range []string{"crawl a begins, as was ordered", "crawl b: " + site} {
		eventually(t, words, func() bool { return strings.Contains(said.String(), words) })
	}
	stop()
	if err := <-ended; err != nil || strings.Contains(said.String(), "crawl a: ") || out.String() != "" {
		t.Errorf("%v: %s, %s", err, out, said)
	}
}

// Who orders a crawl from the public may make the server reach no more than the public web, and read nothing of its environment.
func TestJobsThatAreRefused(t *testing.T) {
	t.Setenv("VARVE_SECRET_A", "a secret")
	const plain = "name: a\nseeds: [http://a.example/]\n"
	fill := plain + "browser: true\nactions: [{fill: '#p', with: $VARVE_SECRET_A}]\n"
	for _, tt := range []struct {
		name, file string
		anybody    bool
		want       string // in the error; "" for none
	}{
		{"of the web", plain, true, ""},
		{"of private addresses, by anybody", plain + "allow_private: true\n", true, errPrivate.Error()},
		{"of private addresses", plain + "allow_private: true\n", false, ""},
		{"no crawl", "seeds: 1", true, "line 1: 1: want a list"},
		{"with a secret", fill, false, errSecret.Error()},
	} {
		_, err := CheckJob(tt.file, tt.anybody)
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// A crawl that may ask for none of its seeds says so before it begins.
func TestCrawlsOfPrivateAddresses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		seeds   []string
		private bool
		want    bool
	}{
		{[]string{"http://127.0.0.1/"}, false, false},
		{[]string{"http://127.0.0.1/", "http://10.0.0.1/"}, false, false},
		{[]string{"http://127.0.0.1/"}, true, true},
		{[]string{"http://127.0.0.1/", "http://a.example/"}, false, true},
	} {
		err := (&Crawl{Settings: crawl.Settings{Seeds: tt.seeds, AllowPrivate: tt.private}}).mayAsk()
		if (err == nil) != tt.want || err != nil && (!errors.Is(err, client.ErrPrivate) || !strings.Contains(err.Error(), tt.seeds[0])) {
			t.Errorf("%v: %v", tt.seeds, err)
		}
	}
}

func TestReportsOfWhatWasFetchedAndDelivered(t *testing.T) {
	t.Parallel()
	var p fetch.Progress
	for n, count := range []*atomic.Int64{&p.All, &p.Had, &p.Missing, &p.Same, &p.Bytes} {
		count.Store(int64(n + 1))
	}
	p.Done.Store(20)
	if got := counts(&p); got != (fetched{Mementos: 1, Had: 2, Missing: 3, Revisits: 4, Bytes: 5, Written: 15}) {
		t.Errorf("%+v", got)
	}
	broken := errors.New("broken")
	for _, tt := range []struct {
		counts    notify.Counts
		err, want error
	}{
		{notify.Counts{}, nil, nil},
		{notify.Counts{Failed: 1}, nil, console.ErrPart},
		{notify.Counts{GivenUp: 1}, nil, console.ErrPart},
		{notify.Counts{Failed: 1}, broken, broken},
	} {
		if got := AllDelivered(tt.counts, tt.err); !errors.Is(got, tt.want) {
			t.Errorf("%+v: %v, want %v", tt.counts, got, tt.want)
		}
	}
}

// Two processes can't tell the same: the second says what is in its way.
func TestOnlyOneTells(t *testing.T) {
	t.Parallel()
	w := in(t.TempDir())
	first, err := Notifier(w, &notify.Settings{Name: "mills"})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Store.Close()
	if _, err := Notifier(w, &notify.Settings{Name: "mills"}); err == nil || !strings.Contains(err.Error(), "has the notifications of mills") {
		t.Errorf("%v", err)
	}
}
