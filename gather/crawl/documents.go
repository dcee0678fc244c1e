package crawl

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/spreadsheet"
)

// A document has the values that the template found in a page, or in a row of one.
type document struct {
	URL      string        `json:"url"`
	Datetime string        `json:"datetime"`
	Row      int           `json:"row,omitempty"`
	Values   fields.Values `json:"values"`
}

// documents calls each with the documents, page by page.
func (c *Crawl) documents(ctx context.Context, each func(document) error) error {
	var once *tally // leaves out documents that other processes had first
	if c.set.Template.Unique {
		once = newTally(time.Time{})
	}
	return c.front.Docs(ctx, func(text []byte) error {
		docs := []document{{}}
		into := any(&docs[0])
		if bytes.HasPrefix(text, []byte("[")) { // of a page with rows
			into = &docs
		}
		if err := json.Unmarshal(text, into); err != nil {
			return err
		}
		for _, d := range docs {
			if once != nil && !once.first(d) {
				continue
			}
			if err := each(d); err != nil {
				return err
			}
		}
		return nil
	})
}

// valueSeparator separates the values of a field in a CSV file.
const valueSeparator = " | "

type documents struct{ *Crawl }

// writeDocuments writes all documents of the frontier to NAME.jsonl and NAME.csv beside the WARC files.
func (c documents) writeDocuments(ctx context.Context) error {
	if c.set.template == nil {
		return nil
	}
	disk.RemoveAbandoned(c.cfg.Dir, disk.HalfWritten, time.Now())
	base := filepath.Join(c.cfg.Dir, c.set.Name)
	err := disk.WriteCached(base+".jsonl", func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		return c.documents(ctx, func(d document) error {
			return out.Encode(struct {
				document
				Values map[string]any `json:"values"`
			}{d, c.set.template.Data(d.Values)})
		})
	})
	return errors.Join(err, disk.WriteCached(base+".csv", func(w io.Writer) error { return c.writeCSV(ctx, w) }))
}

func (c documents) writeCSV(ctx context.Context, w io.Writer) error {
	out := csv.NewWriter(w)
	row := c.set.Template.columns()
	for _, f := range c.set.Template.Fields {
		row = append(row, f.Name)
	}
	if err := out.Write(row); err != nil {
		return err
	}
	err := c.documents(ctx, func(d document) error {
		row = append(row[:0], spreadsheet.Cell(d.URL), d.Datetime)
		if d.Row > 0 {
			row = append(row, strconv.Itoa(d.Row))
		}
		for _, f := range c.set.Template.Fields {
			cell := strings.Join(d.Values[f.Name], valueSeparator)
			if f.Type == fields.Text || f.Type == "" {
				cell = spreadsheet.Cell(cell)
			}
			row = append(row, cell)
		}
		return out.Write(row)
	})
	out.Flush()
	return errors.Join(err, out.Error())
}

// endings returns the extensions of the exported files.
func endings() []string {
	return []string{".csv", ".jsonl"}
}

// earlierReadTime is the time in the names of documents of earlier runs. It is written with milliseconds: runs of small sites take less
// than a second, and the documents of one must not take the place of another's. [time.Parse] takes it with and without these.
const earlierReadTime = "20060102150405"

// KeepDocuments renames the documents of a crawl that is restarted, by adding a time, so that the new ones don't take their place.
func KeepDocuments(dir, name string, now time.Time) error {
	for _, ext := range endings() {
		path := filepath.Join(dir, name+ext)
		err := os.Rename(path, filepath.Join(dir, name+"-"+now.UTC().Format(earlierReadTime+".000")+ext))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// EarlierDocuments returns the paths of the documents that [KeepDocuments] renamed, oldest first. A folder that doesn't exist has none.
func EarlierDocuments(dir, name string) (paths []string, err error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range list {
		stem := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
		at, ours := strings.CutPrefix(stem, name+"-")
		if _, err := time.Parse(earlierReadTime, at); ours && err == nil && slices.Contains(endings(), filepath.Ext(e.Name())) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
}
