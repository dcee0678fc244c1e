//go:build !race

package engines

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"
	_ "modernc.org/sqlite"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/search/trec"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A topic is a question with the addresses of the pages that answer it.
type topic struct {
	Q   string
	Rel []string
}

// judged is a folder of pages in WARC files, and a JSON file of topics. CORPORA in the environment names the folder that it is in.
func judged(b *testing.B) (warcs []string, topics []topic) {
	b.Helper()
	dir := os.Getenv("CORPORA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	dir = filepath.Join(dir, "ir-cacm")
	text, err := os.ReadFile(filepath.Join(dir, "cacm.json"))
	if err != nil {
		b.Skip("no judged questions here: CORPORA names the folder of the sample archives")
	}
	if err := json.Unmarshal(text, &topics); err != nil {
		b.Fatal(err)
	}
	return []string{dir}, topics
}

// BenchmarkQuestions asks questions with judged answers: varve as it comes, bleve with its analyzer for English, SQLite's FTS5 with porter.
func BenchmarkQuestions(b *testing.B) {
	warcs, topics := judged(b)
	x := indextest.Open(b, filepath.Join(b.TempDir(), "index"))
	if _, err := ingest.Run(b.Context(), ingest.Config{Index: x, Collection: "web", Report: func(ingest.Problem) {}}, warcs); err != nil {
		b.Fatal(err)
	}
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	defer store.Close()
	a, err := archive.New(archive.Config{Index: x, Records: store})
	if err != nil {
		b.Fatal(err)
	}
	all := searches.New(searches.Config{Archive: a, Dir: filepath.Join(b.TempDir(), "search")})
	defer all.Close()
	if _, err := all.Build(b.Context(), "web", false, nil); err != nil {
		b.Fatal(err)
	}
	of, err := all.Of("web")
	if err != nil {
		b.Fatal(err)
	}
	english, fts := others(b, all.Source("web"))
	for name, ask := range map[string]func(string) ([]string, error){
		"varve": func(typed string) (keys []string, err error) {
			q, err := of.Parse(typed)
			if err != nil {
				return nil, err
			}
			found, err := of.Pages(b.Context(), "", q, search.PresentRequest{Limit: mostMeasured})
			if err != nil {
				return nil, err
			}
			for _, h := range found.Hits {
				keys = append(keys, h.Key)
			}
			return keys, nil
		},
		"bleve-en": func(typed string) ([]string, error) { return askBleve(english, typed) },
		"fts5":     func(typed string) ([]string, error) { return askFTS(b.Context(), fts, typed) },
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				rate(b, topics, ask)
			}
		})
	}
}

// mostMeasured is how many pages of an answer are measured, as in TREC.
const mostMeasured = 1000

func rate(b *testing.B, topics []topic, ask func(string) ([]string, error)) {
	var scores []trec.Scores
	empty := 0
	for _, t := range topics {
		keys, err := ask(t.Q)
		if err != nil {
			b.Fatal(err)
		}
		if len(keys) == 0 {
			empty++
		}
		grades := map[string]int{}
		for _, url := range t.Rel {
			grades[surt.Of(url)] = 1
		}
		if s, ok := trec.Measure(keys, grades); ok {
			scores = append(scores, s)
		}
	}
	mean := trec.Mean(scores)
	b.ReportMetric(mean.NDCG10, "nDCG@10")
	b.ReportMetric(mean.AP, "MAP")
	b.ReportMetric(mean.P10, "P@10")
	b.ReportMetric(float64(empty), "unanswered")
}

// others returns the same pages in other engines.
func others(b *testing.B, from search.Archive) (bleve.Index, *sql.DB) {
	b.Helper()
	m := bleve.NewIndexMapping()
	m.DefaultAnalyzer, m.ScoringModel = "en", "bm25"
	english, err := bleve.NewMemOnly(m)
	if err != nil {
		b.Fatal(err)
	}
	fts, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "fts.sqlite"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = english.Close()
		_ = fts.Close()
	})
	if _, err := fts.Exec(`CREATE VIRTUAL TABLE pages USING fts5(page UNINDEXED, title, text, tokenize = 'porter unicode61')`); err != nil {
		b.Fatal(err)
	}
	tx, err := fts.Begin()
	if err != nil {
		b.Fatal(err)
	}
	for page, err := range from.Pages(b.Context()) {
		if err != nil {
			b.Fatal(err)
		}
		versions, err := from.Versions(b.Context(), page.Key)
		if err != nil || len(versions) == 0 {
			b.Fatal(page.Key, err)
		}
		t, err := from.Text(b.Context(), page.Key, versions[len(versions)-1])
		if err != nil {
			b.Fatal(err)
		}
		text := strings.Join(t.Blocks, "\n")
		if err := english.Index(page.Key, map[string]string{"title": t.Title, "text": text}); err != nil {
			b.Fatal(err)
		}
		if _, err := tx.Exec(`INSERT INTO pages VALUES (?, ?, ?)`, page.Key, t.Title, text); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	return english, fts
}

func askBleve(x bleve.Index, typed string) (keys []string, err error) {
	found, err := x.Search(bleve.NewSearchRequestOptions(bleve.NewMatchQuery(typed), mostMeasured, 0, false))
	if err != nil {
		return nil, err
	}
	for _, h := range found.Hits {
		keys = append(keys, h.ID)
	}
	return keys, nil
}

func askFTS(ctx context.Context, db *sql.DB, typed string) (keys []string, err error) {
	var words []string
	for _, w := range query.Words(typed) {
		words = append(words, `"`+strings.ReplaceAll(w, `"`, `""`)+`"`)
	}
	any := strings.Join(words, " OR ")
	rows, err := db.QueryContext(ctx, `SELECT page FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?`, any, mostMeasured)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, rows.Err()
}
