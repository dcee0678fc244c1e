package office

import (
	"cmp"
	"html"
	"strconv"
	"strings"
)

// workbook reads the sheets of a workbook. Their names are headings.
func (r *reader) workbook(workbook string) {
	sheets, names := r.listed(workbook, "sheet", "xl/worksheets/sheet")
	r.walk(workbook, func(t token) bool {
		if date := t.attr("date1904"); t.kind == start && t.name == "workbookPr" && (date == "1" || date == "true") {
			r.from1904 = true
		}
		return t.name != "sheets"
	})
	texts, styles := "xl/sharedStrings.xml", "xl/styles.xml"
	for _, to := range r.relations(workbook) {
		switch to.kind {
		case "sharedStrings":
			texts = to.part
		case "styles":
			styles = to.part
		}
	}
	r.sharedStrings(texts)
	r.styles(styles)
	for i, sheet := range sheets {
		if i < len(names) {
			r.block("h2", names[i])
		}
		r.sheet(sheet)
		r.related(sheet, "drawing", "chart")
	}
}

// sharedStrings reads the texts that cells refer to by number.
func (r *reader) sharedStrings(part string) {
	var b strings.Builder
	inText := false
	r.walk(part, func(t token) bool {
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
	kind, style, inValue := "", "", false
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
			kind, style = t.attr("t"), t.attr("s")
			b.Reset()
		case t.name == "c":
			if s := r.cell(kind, style, b.String()); s != "" {
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

// cell returns the text of a cell: a number in the format of its style, and what else there is as it is stored.
func (r *reader) cell(kind, style, value string) string {
	value = strings.TrimSpace(value)
	switch kind {
	case "s":
		if i, err := strconv.Atoi(value); err == nil && i >= 0 && i < len(r.shared) {
			return withoutEscapes(strings.TrimSpace(r.shared[i]))
		}
		return ""
	case "", "n":
		if i, err := strconv.Atoi(cmp.Or(style, "0")); err == nil && i >= 0 && i < len(r.formats) {
			return r.formats[i].number(value, r.from1904)
		}
		return format{}.number(value, r.from1904)
	case "b":
		if value == "0" {
			return "FALSE"
		}
		return "TRUE"
	}
	return withoutEscapes(value)
}

// withoutEscapes returns a text with the characters that are written as _xHHHH_ (ISO/IEC 29500-1 §22.9.2.19).
func withoutEscapes(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "_x")
		if b.WriteString(before); !found {
			return b.String()
		}
		code, err := strconv.ParseUint(after[:min(4, len(after))], 16, 16)
		if len(after) > 4 && after[4] == '_' && err == nil {
			b.WriteRune(rune(code))
			s = after[5:]
		} else {
			b.WriteString("_x")
			s = after
		}
	}
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
