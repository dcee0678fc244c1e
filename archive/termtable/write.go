package termtable

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/varve-archive/varve/internal/spreadsheet"
)

// WriteCSV writes a line for each term, page and datetime: url, at, datetime and status of the capture, term, count.
func (q *Query) WriteCSV(w io.Writer, rows iter.Seq2[Row, error]) error {
	out := csv.NewWriter(w) // it writes nothing before the first row
	_ = out.Write([]string{"url", "at", "datetime", "status", "term", "count"})
	for row, err := range rows {
		if err != nil {
			return err
		}
		datetime, status := "", ""
		if row.Capture != nil {
			datetime, status = row.Capture.Time.String(), strconv.Itoa(row.Capture.Status)
		}
		for i, term := range q.Terms {
			_ = out.Write([]string{
				spreadsheet.Cell(row.Page), row.Time.String(), datetime, status, spreadsheet.Cell(term.String()), fmt.Sprint(row.value(i)),
			})
		}
		if out.Flush(); out.Error() != nil {
			return out.Error()
		}
	}
	out.Flush()
	return out.Error()
}

// A line is a row as JSON. Datetime and Status are those of the capture, null without one.
type line struct {
	URL      string         `json:"url"`
	At       string         `json:"at"`
	Datetime *string        `json:"datetime"`
	Status   *int           `json:"status"`
	Counts   map[string]any `json:"counts"` // by term: a number, "NA", or the status
}

// WriteJSON writes {"terms": […], "at": […], "rows": […]}, with a row for each page and datetime.
func (q *Query) WriteJSON(w io.Writer, rows iter.Seq2[Row, error]) error {
	terms, times := make([]string, len(q.Terms)), make([]string, len(q.Times))
	for i, t := range q.Terms {
		terms[i] = t.String()
	}
	for i, ts := range q.Times {
		times[i] = ts.String()
	}
	head, err := json.Marshal(map[string]any{"terms": terms, "at": times})
	if err != nil {
		return err
	}
	between := string(head[:len(head)-1]) + ",\"rows\":[\n" // written with the first row
	for row, err := range rows {
		if err != nil {
			return err
		}
		b, err := json.Marshal(q.line(&row, terms))
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, between+string(b)); err != nil {
			return err
		}
		between = ",\n"
	}
	_, err = io.WriteString(w, "\n]}\n")
	return err
}

func (q *Query) line(row *Row, terms []string) line {
	out := line{URL: row.Page, At: row.Time.String(), Counts: map[string]any{}}
	if c := row.Capture; c != nil {
		at := c.Time.String()
		out.Datetime, out.Status = &at, &c.Status
	}
	for i, t := range terms {
		out.Counts[t] = row.value(i)
	}
	return out
}
