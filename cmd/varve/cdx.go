package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

type cdxCmd struct {
	URLs   []string `arg:"" optional:"" name:"url" help:"URLs, may have * at their end or *. before their host."`
	Format string   `help:"Format of the lines: cdxj, cdx11 or json." enum:"cdxj,cdx11,json" default:"cdxj"`
}

// Run prints the index lines of the collection or of the given URLs.
func (c *cdxCmd) Run(ctx context.Context, w *workspace.Workspace) error {
	spans, err := c.spans(w.Collection)
	if err != nil {
		return err
	}
	x, err := w.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer x.Close()
	out := bufio.NewWriterSize(w.Stdout, 1<<16)
	lines := &lineWriter{w: out, format: c.Format}
	for _, span := range spans {
		for capture, err := range x.Captures(ctx, span) {
			if err == nil {
				err = lines.write(capture)
			}
			if err != nil {
				return err
			}
		}
	}
	if err := lines.end(); err != nil {
		return err
	}
	return out.Flush()
}

func (c *cdxCmd) spans(coll string) (out []cdx.Span, err error) {
	if len(c.URLs) == 0 {
		return []cdx.Span{{Coll: coll}}, nil
	}
	for _, u := range c.URLs {
		ranges, err := surt.Ranges(u, "")
		if err != nil {
			return nil, err
		}
		for _, k := range ranges {
			out = append(out, cdx.Span{Coll: coll, From: k.From, To: k.To})
		}
	}
	return out, nil
}

// A lineWriter writes one capture per line; as json, an array of arrays with a header row.
type lineWriter struct {
	w      io.Writer
	format string
	line   []byte
	rows   int
}

func (l *lineWriter) write(c *cdx.Capture) error {
	l.line = l.line[:0]
	switch l.format {
	case "cdxj":
		l.line = append(cdx.AppendCDXJ(l.line, c, -1, ""), '\n')
	case "cdx11":
		if l.rows == 0 {
			l.line = append(append(l.line, cdx.CDX11Header...), '\n')
		}
		l.line = append(cdx.AppendCDX11(l.line, c), '\n')
	case "json":
		if err := l.jsonRow(c); err != nil {
			return err
		}
	}
	l.rows++
	_, err := l.w.Write(l.line)
	return err
}

func (l *lineWriter) jsonRow(c *cdx.Capture) error {
	if l.rows == 0 {
		l.line = append(l.line, `[["urlkey","timestamp","original","mimetype","statuscode","digest","length"]`...)
	}
	mime := c.MIME
	if c.Kind == cdx.Revisit {
		mime = "warc/revisit"
	}
	row, err := json.Marshal([]string{
		c.Key, c.Time.String(), c.URL, dash(mime), number(c.Status), dash(c.Digest),
		strconv.FormatInt(c.Length, 10),
	})
	l.line = append(append(l.line, ",\n"...), row...)
	return err
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func number(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// end closes the JSON array if one was begun. Without results the output is empty in every format.
func (l *lineWriter) end() error {
	if l.format != "json" || l.rows == 0 {
		return nil
	}
	_, err := fmt.Fprintln(l.w, "]")
	return err
}
