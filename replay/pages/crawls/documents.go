package crawls

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/varve-archive/varve/gather/runs"
	"github.com/varve-archive/varve/replay/respond"
)

// DocumentsLink returns the address of a crawl's documents as CSV, "" if there are none.
func (h *Handler) DocumentsLink(r *runs.Run) string {
	if r.Documents == "" {
		return ""
	}
	if _, err := os.Stat(r.Documents + ".csv"); err != nil {
		return ""
	}
	return h.site.Path() + path + "/" + r.Name + "/documents"
}

// documents answers with the documents of a crawl, row by row of its files, without those of pages that access rules exclude or
// block: a document is content.
func (h *Handler) documents(w http.ResponseWriter, r *http.Request, name, output string) error {
	run, err := h.Get(name)
	if err != nil {
		return failure(err)
	}
	if output != "" && output != "csv" && output != "jsonl" {
		return respond.BadRequest("output takes csv or jsonl")
	}
	ending, kind, copy := ".csv", "text/csv; charset=utf-8", h.copyCSV
	if output == "jsonl" {
		ending, kind, copy = ".jsonl", "application/x-ndjson", h.copyJSON
	}
	f, err := os.Open(run.Documents + ending)
	if run.Documents == "" || errors.Is(err, fs.ErrNotExist) {
		return respond.NotFound("this crawl has no documents here")
	} else if err != nil {
		return err
	}
	defer f.Close()
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+ending+`"`)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method == http.MethodHead {
		return nil
	}
	return copy(w, f, &run)
}

// maySee reports whether readers may see a document. A document without a valid datetime isn't shown.
func (h *Handler) maySee(run *runs.Run, address, datetime string) bool {
	at, err := time.Parse(time.RFC3339, datetime)
	return err == nil && h.archive.Shows(run.Collection, address, at)
}

func (h *Handler) copyCSV(w io.Writer, file io.Reader, run *runs.Run) error {
	in, out := csv.NewReader(bufio.NewReader(file)), csv.NewWriter(w)
	head, err := in.Read()
	if err != nil {
		return err
	}
	address, datetime := slices.Index(head, "url"), slices.Index(head, "datetime")
	if address < 0 || datetime < 0 {
		return errors.New("the file of documents has no addresses and datetimes")
	}
	for row := head; ; {
		if err := out.Write(row); err != nil {
			return err
		}
		for {
			if row, err = in.Read(); errors.Is(err, io.EOF) {
				out.Flush()
				return out.Error()
			} else if err != nil {
				return err
			}
			if h.maySee(run, row[address], row[datetime]) {
				break
			}
		}
	}
}

func (h *Handler) copyJSON(w io.Writer, file io.Reader, run *runs.Run) error {
	in := json.NewDecoder(bufio.NewReader(file))
	for {
		var line json.RawMessage
		if err := in.Decode(&line); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var doc struct{ URL, Datetime string }
		if err := json.Unmarshal(line, &doc); err != nil {
			return err
		}
		if !h.maySee(run, doc.URL, doc.Datetime) {
			continue
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
}
