package gathering

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/warc/remote"
	"github.com/varve-archive/varve/gather/jobs"
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
			Name: "a", Collection: "web", New: anew,
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
}
