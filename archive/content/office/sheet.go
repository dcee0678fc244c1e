package office

import (
	"html"
	"strconv"
	"strings"
)

// workbook reads the sheets of a workbook. Their names are headings.
func (r *reader) workbook() {
	var names []string
	r.walk("xl/workbook.xml", func(t token) bool {
		if t.kind == start && t.name == "sheet" {
			names = append(names, t.attr("name"))
		}
		return true
	})
	r.sharedStrings()
	for i, sheet := range r.numbered("xl/worksheets/sheet") {
		if i < len(names) {
			r.block("h2", names[i])
		}
		r.sheet(sheet)
	}
}

// sharedStrings reads the texts that cells refer to by number.
func (r *reader) sharedStrings() {
	var b strings.Builder
	inText := false
	r.walk("xl/sharedStrings.xml", func(t token) bool {
		switch {
		case t.kind == text:
			if inText {
				b.WriteString(t.text)
			}
		case t.name == "t":
			inText = t.kind == start
		case t.name == "si" && t.kind == end:
			r.shared = append(r.shared, b.String())
			b.Reset()
		}
		return true
	})
}

// sheet reads the cells of a sheet, row by row.
func (r *reader) sheet(member string) {
	var b strings.Builder
	kind, inValue := "", false
	var row []string
	r.walk(member, func(t token) bool {
		switch {
		case t.kind == text:
			if inValue {
				b.WriteString(t.text)
			}
		case t.name == "v" || t.name == "t":
			inValue = t.kind == start
		case t.name == "c" && t.kind == start:
			kind = t.attr("t")
			b.Reset()
		case t.name == "c":
			if s := r.cell(kind, b.String()); s != "" {
				row = append(row, s)
			}
		case t.name == "row" && t.kind == end:
			r.row(row)
			row = row[:0]
		}
		return !r.full()
	})
	r.row(row)
}

// cell returns the text of a cell. Numbers, and dates, which are numbers, are returned as they are stored.
func (r *reader) cell(kind, value string) string {
	value = strings.TrimSpace(value)
	if kind != "s" {
		return value
	}
	if i, err := strconv.Atoi(value); err == nil && i >= 0 && i < len(r.shared) {
		return strings.TrimSpace(r.shared[i])
	}
	return ""
}

func (r *reader) row(cells []string) {
	if len(cells) == 0 {
		return
	}
	r.some = true
	r.out.WriteString("<table><tr>")
	for _, c := range cells {
		if r.full() { // every cell may refer to the same long text
			break
		}
		r.out.WriteString("<td>" + html.EscapeString(c) + "</td>")
	}
	r.out.WriteString("</tr></table>\n")
}
