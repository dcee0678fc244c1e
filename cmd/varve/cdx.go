package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
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
	x, err := w.OpenExisting(ctx)
	if err != nil {
		return err
	}
	defer x.Close()
	out := bufio.NewWriterSize(w.Stdout, 1<<16)
	lines := newLineWriter(out, c.Format)
	for _, span := range c.spans(w.Collection) {
		if span.err != nil {
			return span.err
		}
		if err := lines.writeAll(x.Captures(ctx, span.Span)); err != nil {
			return err
		}
	}
	if err := lines.end(); err != nil {
		return err
	}
	return out.Flush()
}

type spanOrError struct {
	cdx.Span
	err error
}

func (c *cdxCmd) spans(coll string) []spanOrError {
	if len(c.URLs) == 0 {
		return []spanOrError{{Span: cdx.Span{Coll: coll}}}
	}
	var out []spanOrError
	for _, u := range c.URLs {
		ranges, err := surt.Ranges(u, "")
		if err != nil {
			out = append(out, spanOrError{err: err})
		}
		for _, k := range ranges {
			out = append(out, spanOrError{Span: cdx.Span{Coll: coll, From: k.From, To: k.To}})
		}
	}
	return out
}

// A lineWriter writes one capture per line; as json, an array of arrays with a header row.
type lineWriter struct {
	w      io.Writer
	format string
	line   []byte
	rows   int
}

func newLineWriter(w io.Writer, format string) *lineWriter { return &lineWriter{w: w, format: format} }

func (l *lineWriter) writeAll(captures iter.Seq2[*cdx.Capture, error]) error {
	for c, err := range captures {
		if err != nil {
			return err
		}
		if err := l.writeLine(c); err != nil {
			return err
		}
	}
	return nil
}

func (l *lineWriter) writeLine(c *cdx.Capture) error {
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
