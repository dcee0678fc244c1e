package opensearch_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/search/searchtest"
	"github.com/varve-archive/varve/internal/testkit/opensearchtest"
)

// A watched archive does something when so many texts were read.
type watched struct {
	*searchtest.Archive
	read atomic.Int64
	at   int64
	do   func()
}

func (w *watched) Text(ctx context.Context, key string, v search.Version) (search.Text, error) {
	if w.read.Add(1) == w.at {
		w.do()
	}
	return w.Archive.Text(ctx, key, v)
}

func many(n int) *searchtest.Archive {
	a := searchtest.NewArchive()
	for i := range n {
		a.Put(fmt.Sprintf("org,host%d)/%d", i%10, i), searchtest.Version{Day: 1, Text: fmt.Sprint("a mill and w", i)})
	}
	return a
}

// pagesWith returns how many pages have a word, each counted.
func pagesWith(t *testing.T, x *opensearch.Index, word string) (n int) {
	t.Helper()
	for found, err := range x.Vocabulary(t.Context(), search.FieldText, word) {
		if err != nil {
			t.Fatal(err)
		}
		if found.Word == word {
			n = found.Documents
		}
	}
	return n
}

func mills(t *testing.T, x *opensearch.Index) int {
	t.Helper()
	found, err := x.Present(t.Context(), search.PresentRequest{All: []search.Clause{{Any: []search.Phrase{{"mill"}}}}, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	return found.Total
}

// Of two nodes one is killed while it takes documents: the other takes the rest, and nothing is missing.
func TestANodeDiesWhileItIndexes(t *testing.T) {
	t.Parallel()
	one := opensearchtest.Start(t, opensearchtest.OpenSearch)
	other := opensearchtest.Start(t, opensearchtest.OpenSearch, one)
	c := cluster(t, other.URL+","+one.URL)
	e := &engine{c.Index("archive", "web", "", "test")}
	if _, err := e.Bring(t.Context(), many(1), false); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) { // until both have all shards
		answer, err := http.Get(one.URL + "/_cluster/health?wait_for_status=green&timeout=5s")
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Now().After(end) {
			t.Fatal("the second node takes no shards")
		}
	}
	const pages = 5000
	a := &watched{Archive: many(pages), at: pages / 2, do: other.Kill}
	if failed, err := e.Bring(t.Context(), a, false); err != nil || failed > 0 {
		t.Fatalf("%d pages failed, %v", failed, err)
	}
	if n := pagesWith(t, e.Index, "mill"); n != pages {
		t.Errorf("%d pages, want %d", n, pages)
	}
	if n := mills(t, e.Index); n < pages*99/100 || n > pages*101/100 { // the engine estimates totals
		t.Errorf("%d pages are found, want %d or nearly so", n, pages)
	}
	req, every := search.PresentRequest{All: []search.Clause{{Any: []search.Phrase{{"mill"}}}}}, map[string]bool{}
	for f, err := range e.Each(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		every[f.Key] = true
	}
	if len(every) != pages {
		t.Errorf("%d pages one by one, want %d", len(every), pages)
	}
	// Then nobody is there: a search says so, and one that comes back answers.
	one.Kill()
	if _, err := e.Present(t.Context(), req); !errors.Is(err, opensearch.ErrAway) {
		t.Errorf("without a node: %v", err)
	}
}

// Several processes feed an index at the same time: one does, the others find that it is done, and readers never see less than there was.
func TestSeveralFeedAnIndex(t *testing.T) {
	t.Parallel()
	node := opensearchtest.Start(t, opensearchtest.OpenSearch)
	const pages = 600
	a := many(pages)
	var feeding sync.WaitGroup
	var indexed atomic.Int64
	for i := range 3 {
		x := cluster(t, node.URL).Index("archive", "web", "", fmt.Sprint("feeder ", i))
		feeding.Go(func() {
			var p search.Progress
			b := opensearch.Build{Rules: "rules", Same: func(mark string) bool { return mark == "rules" }}
			var err error = opensearch.ErrLeased
			for errors.Is(err, opensearch.ErrLeased) {
				if err = x.Update(t.Context(), a, b, &p, slog.New(slog.DiscardHandler)); err == nil {
					indexed.Add(p.Indexed.Load())
				}
				time.Sleep(50 * time.Millisecond)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	feeding.Wait()
	x := cluster(t, node.URL).Index("archive", "web", "", "reader")
	if n := mills(t, x); n != pages || indexed.Load() != pages {
		t.Errorf("%d pages, %d of them indexed, want %d", n, indexed.Load(), pages)
	}
	// While it is built anew beside it, what was there answers.
	least := atomic.Int64{}
	least.Store(pages)
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if found, err := x.Present(t.Context(), search.PresentRequest{All: []search.Clause{{Any: []search.Phrase{{"mill"}}}}}); err != nil {
				t.Error(err)
				return
			} else if n := int64(found.Total); n < least.Load() {
				least.Store(n)
			}
		}
	}()
	if _, err := (&engine{cluster(t, node.URL).Index("archive", "web", "", "test")}).Bring(t.Context(), a, true); err != nil {
		t.Fatal(err)
	}
	close(stop)
	<-ended
	if least.Load() != pages {
		t.Errorf("while it was built anew only %d pages were found", least.Load())
	}
}
