//go:build !race

package engines

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/de"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/fr"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/mapping"
	blevequery "github.com/blevesearch/bleve/v2/search/query"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
)

// A candidate is a way to keep the search of a collection.
type candidate interface {
	build(dir string, of *Generated) error
	words(typed string) (found int, err error)    // pages for a question
	deleted(phrase string) (found int, err error) // changes that deleted a phrase
	close() error
}

// BenchmarkEngines builds what is there and bleve as it comes, from the same pages in four languages, and asks both: PAGES in the
// environment says of how many pages, 2,000 unless it does. Metrics are bytes a byte of text, seconds, megabytes of memory, and
// milliseconds for questions of ten words and for phrases of three that were deleted.
func BenchmarkEngines(b *testing.B) {
	pages := 2000
	if n, err := strconv.Atoi(os.Getenv("PAGES")); err == nil {
		pages = n
	}
	for name, open := range map[string]func() candidate{
		"varve": func() candidate { return &ours{} }, "bleve": func() candidate { return &theirs{} },
	} {
		b.Run(name, func(b *testing.B) {
			archive, err := Generate(pages)
			if err != nil {
				b.Fatal(err)
			}
			for range b.N {
				measureEngine(b, open(), archive)
			}
		})
	}
}

func measureEngine(b *testing.B, c candidate, archive *Generated) {
	dir := filepath.Join(b.TempDir(), "index")
	began := time.Now()
	if err := c.build(dir, archive); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(time.Since(began).Seconds(), "s-build")
	text := 0
	for i := range archive.Number {
		for v := range archive.Has(i) {
			_, sentences := archive.Sentences(i, v)
			text += len(strings.Join(sentences, " "))
		}
	}
	b.ReportMetric(float64(search.Size(dir))/float64(text), "x-text")
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.HeapAlloc)/1e6, "MB-heap")
	var words, deleted []time.Duration
	none, missed := 0, 0
	for i := range 400 {
		page := i * 7919 % archive.Number
		began := time.Now()
		found, err := c.words(archive.Question(page, 10))
		if words = append(words, time.Since(began)); err != nil {
			b.Fatal(err)
		}
		if found == 0 {
			none++
		}
		page |= 1
		_, sentences := archive.Sentences(page%archive.Number, 0)
		gone := strings.Fields(strings.TrimSuffix(sentences[len(sentences)-1], "."))
		began = time.Now()
		found, err = c.deleted(strings.Join(gone[3:6], " "))
		if deleted = append(deleted, time.Since(began)); err != nil {
			b.Fatal(err)
		}
		if found == 0 {
			missed++
		}
	}
	for name, took := range map[string][]time.Duration{"words": words, "deleted": deleted} {
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-"+name+"-p95")
		b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-"+name+"-max")
	}
	b.ReportMetric(float64(none), "unanswered")
	b.ReportMetric(float64(missed), "missed-deletions")
	if err := c.close(); err != nil {
		b.Fatal(err)
	}
}

// ours is the search as it is.
type ours struct {
	index *search.Index
	*answers.Collection
}

func (o *ours) build(dir string, of *Generated) (err error) {
	if o.index, err = search.Open(dir); err != nil {
		return err
	}
	var p search.Progress
	if err := o.index.Update(context.Background(), of, &p, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	o.Collection = answers.New(o.index, nil)
	return o.ReadWords(context.Background())
}

func (o *ours) words(typed string) (int, error) {
	q, err := o.Parse(typed)
	if err != nil {
		return 0, err
	}
	found, err := o.Pages(context.Background(), "", q, search.PresentRequest{Limit: 20})
	if err != nil {
		return 0, err
	}
	return found.Total, nil
}

func (o *ours) deleted(phrase string) (int, error) {
	q, err := search.Parse(`"` + phrase + `"`)
	if err != nil {
		return 0, err
	}
	found, err := o.Search(context.Background(), search.Request{Query: q, Kind: search.Deleted, Limit: 20})
	if err != nil {
		return 0, err
	}
	return found.Total, nil
}

func (o *ours) close() error { return o.index.Close() }

// theirs is bleve with its analyzers, its BM25 and its queries: a document for each version, and one for what each change deleted and
// added.
type theirs struct{ index bleve.Index }

func (t *theirs) build(dir string, of *Generated) (err error) {
	m := bleve.NewIndexMapping()
	m.ScoringModel = "bm25"
	for _, code := range []string{"en", "de", "fr", "ru"} {
		doc := bleve.NewDocumentStaticMapping()
		for _, name := range []string{"text", "title"} {
			doc.AddFieldMappingsAt(name, textField(code))
		}
		doc.AddFieldMappingsAt("page", keywordField())
		m.AddDocumentMapping(code, doc)
	}
	change := bleve.NewDocumentStaticMapping()
	change.AddFieldMappingsAt("deleted", textField("standard"))
	change.AddFieldMappingsAt("added", textField("standard"))
	change.AddFieldMappingsAt("page", keywordField())
	m.AddDocumentMapping("change", change)
	m.TypeField = "kind"
	if t.index, err = bleve.New(dir, m); err != nil {
		return err
	}
	batch := t.index.NewBatch()
	add := func(id string, doc map[string]any) error {
		if err := batch.Index(id, doc); err != nil {
			return err
		}
		if batch.Size() < 1000 {
			return nil
		}
		err := t.index.Batch(batch)
		batch.Reset()
		return err
	}
	for i := range of.Number {
		var before []string
		for v := range of.Has(i) {
			title, sentences := of.Sentences(i, v)
			doc := map[string]any{"kind": of.Language(i), "text": strings.Join(sentences, " "), "title": title, "page": of.Key(i)}
			if err := add(fmt.Sprintf("%d/%d", i, v), doc); err != nil {
				return err
			}
			if v > 0 {
				doc := map[string]any{"kind": "change", "deleted": without(before, sentences), "added": without(sentences, before), "page": of.Key(i)}
				if err := add(fmt.Sprintf("%d/%d-%d", i, v-1, v), doc); err != nil {
					return err
				}
			}
			before = sentences
		}
	}
	return t.index.Batch(batch)
}

func without(list, other []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) }), " ")
}

func textField(analyzer string) *mapping.FieldMapping {
	f := bleve.NewTextFieldMapping()
	f.Analyzer, f.Store, f.IncludeInAll, f.DocValues = analyzer, true, false, false
	return f
}

func keywordField() *mapping.FieldMapping {
	f := bleve.NewKeywordFieldMapping()
	f.IncludeInAll = false
	return f
}

func (t *theirs) ask(q blevequery.Query) (int, error) {
	found, err := t.index.Search(bleve.NewSearchRequestOptions(q, 20, 0, false))
	if err != nil {
		return 0, err
	}
	return int(found.Total), nil
}

func (t *theirs) words(typed string) (int, error) {
	any := bleve.NewDisjunctionQuery()
	for _, code := range []string{"en", "de", "fr", "ru"} { // nobody says in which language a question is
		for _, field := range []string{"text", "title"} {
			q := bleve.NewMatchQuery(typed)
			q.SetField(field)
			q.Analyzer = code
			any.AddQuery(q)
		}
	}
	return t.ask(any)
}

func (t *theirs) deleted(phrase string) (int, error) {
	q := bleve.NewMatchPhraseQuery(phrase)
	q.SetField("deleted")
	return t.ask(q)
}

func (t *theirs) close() error { return t.index.Close() }
