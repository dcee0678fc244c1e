package crawl

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/internal/disk"
)

// A document is what the template took from a page.
type document struct {
	URL      string        `json:"url"`
	Datetime string        `json:"datetime"`
	Values   fields.Values `json:"values"`
}

// between separates several values of a field in a CSV file.
const between = " | "

// The documents of a crawl are for people and other programs.
type documents struct{ *Crawl }

// writeDocuments writes NAME.jsonl and NAME.csv beside the WARC files, whole, from what the frontier has.
func (c documents) writeDocuments(ctx context.Context) error {
	if c.set.template == nil {
		return nil
	}
	base := filepath.Join(c.cfg.Dir, c.set.Name)
	err := disk.WriteCached(base+".jsonl", func(w io.Writer) error {
		return c.front.Docs(ctx, func(doc []byte) error {
			_, err := w.Write(append(doc[:len(doc):len(doc)], '\n'))
			return err
		})
	})
	return errors.Join(err, disk.WriteCached(base+".csv", func(w io.Writer) error { return c.writeCSV(ctx, w) }))
}

func (c documents) writeCSV(ctx context.Context, w io.Writer) error {
	out := csv.NewWriter(w)
	row := append([]string(nil), columns...)
	for _, f := range c.set.Template.Fields {
		row = append(row, f.Name)
	}
	if err := out.Write(row); err != nil {
		return err
	}
	err := c.front.Docs(ctx, func(doc []byte) error {
		var d document
		if err := json.Unmarshal(doc, &d); err != nil {
			return err
		}
		row = append(row[:0], d.URL, d.Datetime)
		for _, f := range c.set.Template.Fields {
			row = append(row, strings.Join(d.Values[f.Name], between))
		}
		return out.Write(row)
	})
	out.Flush()
	return errors.Join(err, out.Error())
}

// endings are those of documents.
var endings = []string{".csv", ".jsonl"}

// PutAside gives the documents of a crawl that is to begin anew other names, with a time.
func PutAside(dir, name string, now time.Time) error {
	for _, ext := range endings {
		path := filepath.Join(dir, name+ext)
		err := os.Rename(path, filepath.Join(dir, name+"-"+now.UTC().Format("20060102150405")+ext))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Aside returns the paths of the documents of a crawl that were put aside, oldest first. A folder that doesn't exist has none.
func Aside(dir, name string) (paths []string, err error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range list {
		stem := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
		at, ours := strings.CutPrefix(stem, name+"-")
		if _, err := time.Parse("20060102150405", at); ours && err == nil && slices.Contains(endings, filepath.Ext(e.Name())) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
}
