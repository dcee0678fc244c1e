package cdx

import (
	"context"
	"io"
	"slices"
	"strconv"
	"sync"
)

// flushSize is how much of an answer is gathered before it is written out.
const flushSize = 32 << 10

// outputColumns returns the columns of an answer.
func (q *Query) outputColumns() []column {
	if q.columns != nil {
		return q.columns
	}
	switch q.output {
	case OutputNDJSON:
		return slices.Concat(objectColumns, q.origins(), q.counted())
	case OutputCDXJ:
		return slices.Concat(cdxjColumns, q.origins(), q.counted())
	}
	return slices.Concat(waybackColumns, q.counted()) // clients of the Wayback Machine expect exactly seven columns
}

// origins returns the members of pywb's objects that say where the original of a revisit is.
func (q *Query) origins() []column {
	if q.resolveRevisits {
		return originColumns
	}
	return nil
}

// counted returns the columns of the requested counts. They are added even if fl names the columns.
func (q *Query) counted() []column {
	var names []string
	if q.showDupeCount {
		names = append(names, "dupecount")
	}
	if q.showSkipCount {
		names = append(names, "skipcount")
	}
	if q.lastSkipTimestamp {
		names = append(names, "endtimestamp")
	}
	return columns(names...)
}

// A sheet gathers the rows of an answer and writes them in pieces.
type sheet struct {
	w    io.Writer
	buf  []byte
	cols []column
	out  Output
	rows int

	resolves, resolvesDupes bool // revisits, or those among the dupes, are shown with the MIME type of their original
}

var sheets = sync.Pool{New: func() any { return &sheet{buf: make([]byte, 0, flushSize+4096)} }}

// Write writes the answer to q to w. If the index fails after the first bytes, the answer is cut off.
func (a *API) Write(ctx context.Context, w io.Writer, coll string, q *Query) error {
	sh := sheets.Get().(*sheet)
	*sh = sheet{
		w: w, buf: sh.buf[:0], cols: q.outputColumns(), out: q.output, resolves: q.resolveRevisits,
		resolvesDupes: q.showDupeCount,
	}
	defer func() {
		sh.w = nil
		if cap(sh.buf) <= 8*flushSize { // don't keep a buffer that one huge row made grow
			sheets.Put(sh)
		}
	}()
	if err := a.fill(ctx, sh, coll, q); err != nil {
		return err
	}
	return sh.flush()
}

func (a *API) fill(ctx context.Context, sh *sheet, coll string, q *Query) error {
	s := a.newScan(coll, q)
	if q.showNumPages {
		n, err := s.pages(ctx)
		sh.buf = append(strconv.AppendInt(sh.buf, n, 10), '\n')
		return err
	}
	resume, err := "", s.countable(ctx)
	if err != nil {
		return err
	}
	if q.limit < 0 && !q.newestOnly() {
		err = s.last(ctx, -q.limit, sh.format, sh.line)
	} else {
		resume, err = s.write(ctx, sh.row)
	}
	if err == nil {
		sh.end(resume)
	}
	return err
}

func (sh *sheet) row(r *row) error {
	sh.begin()
	sh.buf = sh.format(sh.buf, r)
	return sh.flushIfFull()
}

func (sh *sheet) line(formatted []byte) error {
	sh.begin()
	sh.buf = append(sh.buf, formatted...)
	return sh.flushIfFull()
}

func (sh *sheet) format(dst []byte, r *row) []byte {
	r.asOriginal = sh.resolves || sh.resolvesDupes && r.dupes > 0
	switch sh.out {
	case OutputJSON:
		return r.appendArray(dst, sh.cols)
	case OutputNDJSON:
		dst = r.appendObject(dst, sh.cols)
	case OutputCDXJ:
		dst = r.appendCDXJ(dst, sh.cols)
	default:
		dst = r.appendText(dst, sh.cols)
	}
	return append(dst, '\n')
}

// begin writes what comes before a row: in JSON the header row, or the comma after the row before.
func (sh *sheet) begin() {
	if sh.rows++; sh.out != OutputJSON {
		return
	}
	if sh.rows > 1 {
		sh.buf = append(sh.buf, ",\n"...)
		return
	}
	sh.buf = append(sh.buf, "[["...)
	for i, c := range sh.cols {
		if i > 0 {
			sh.buf = append(sh.buf, ',')
		}
		sh.buf = appendJSONString(sh.buf, c.name)
	}
	sh.buf = append(sh.buf, "],\n"...)
}

// end writes what comes after the last row.
func (sh *sheet) end(resume string) {
	switch {
	case sh.out == OutputJSON && sh.rows == 0:
		sh.buf = append(sh.buf, "[]\n"...)
	case sh.out == OutputJSON && resume != "":
		sh.buf = append(sh.buf, ",\n[],\n["...)
		sh.buf = append(appendJSONString(sh.buf, resume), "]]\n"...)
	case sh.out == OutputJSON:
		sh.buf = append(sh.buf, "]\n"...)
	case resume == "":
	case sh.out == OutputText:
		sh.buf = append(append(append(sh.buf, '\n'), resume...), '\n')
	default:
		if sh.out == OutputCDXJ {
			sh.buf = append(sh.buf, "!meta "...)
		}
		sh.buf = append(sh.buf, `{"resumeKey": `...)
		sh.buf = append(appendJSONString(sh.buf, resume), "}\n"...)
	}
}

func (sh *sheet) flushIfFull() error {
	if len(sh.buf) < flushSize {
		return nil
	}
	return sh.flush()
}

func (sh *sheet) flush() error {
	if len(sh.buf) == 0 {
		return nil
	}
	_, err := sh.w.Write(sh.buf)
	sh.buf = sh.buf[:0]
	return err
}
