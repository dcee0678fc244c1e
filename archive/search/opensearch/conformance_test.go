package opensearch_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/search/searchtest"
	"github.com/varve-archive/varve/internal/testkit/opensearchtest"
)

// An engine is an index in the suite.
type engine struct{ *opensearch.Index }

func (e *engine) Bring(ctx context.Context, a search.Archive, anew bool) (failed int64, err error) {
	var p search.Progress
	b := opensearch.Build{Anew: anew, Rules: "rules", Unfit: "none", Same: func(mark string) bool { return mark == "rules" }}
	err = e.Update(ctx, a, b, &p, slog.New(slog.DiscardHandler))
	return p.Failed.Load(), err
}

func cluster(t *testing.T, address string) *opensearch.Cluster {
	t.Helper()
	c, err := opensearch.New(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestConformance(t *testing.T) {
	t.Parallel()
	opensearchtest.Each(t, conformance)
}

func conformance(t *testing.T, of opensearchtest.Engine) {
	c := cluster(t, opensearchtest.Start(t, of).URL)
	var n atomic.Int64
	searchtest.Run(t, func(_ *testing.T, set *fields.Set) searchtest.Engine {
		x := c.Index("archive", fmt.Sprint("web", n.Add(1)), "", "test")
		x.SetFields(set)
		return &engine{x}
	})
	t.Run("much", func(t *testing.T) { much(t, &engine{c.Index("archive", "much", "", "test")}) })
}

// much asks for more than an engine answers at once: 65,535 buckets, 1,024 phrases, and expressions of 1,000 characters.
func much(t *testing.T, e *engine) {
	const hosts, different = 70, 1100
	var words []string
	for i := range different {
		words = append(words, fmt.Sprintf("w%d%s", i, strings.Repeat("y", 30)))
	}
	a, stays := searchtest.NewArchive(), strings.Repeat("a mill at the river and a town on the hill with some houses ", 300)
	for i := range hosts {
		a.Put(fmt.Sprintf("org,host%d)/", i),
			searchtest.Version{Day: 1, Text: stays + strings.Join(words, " ")}, searchtest.Version{Day: 2, Text: stays})
	}
	if _, err := e.Bring(t.Context(), a, false); err != nil {
		t.Fatal(err)
	}
	counted, err := e.Terms(t.Context(), search.TermsRequest{Kind: search.Deleted, Limit: 1000})
	if err != nil || len(counted.Terms) != 1000 {
		t.Fatalf("%v", err)
	}
	for _, c := range counted.Terms {
		if len(c.Hosts) != hosts || len(c.Years) != 1 || c.Years[0].Count != hosts {
			t.Fatalf("%s was deleted on %d hosts, in the years %v", c.Term, len(c.Hosts), c.Years)
		}
	}
	var question search.PresentRequest
	for i := range 48 {
		forms := []search.Phrase{{"mill"}}
		for j := range 23 {
			forms = append(forms, search.Phrase{words[(23*i+j)%different]})
		}
		question.Optional = append(question.Optional, search.Clause{Any: forms[:1], Forms: forms[1:]})
	}
	question.Limit = 10
	question.None = []search.Clause{{Any: []search.Phrase{{"nothing"}}}}
	if found, err := e.Present(t.Context(), question); err != nil || found.Total != hosts {
		t.Errorf("%+v, %v", found, err)
	}
	for word, err := range e.Vocabulary(t.Context(), search.FieldURL, strings.Repeat("host", 260)) {
		t.Error(word, err)
	}
}
