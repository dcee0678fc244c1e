package office

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A format is how cells show a number. The zero format shows it as it is.
type format struct {
	date, clock, seconds bool // it is days since a date
	elapsed              bool // hours are not of a day
	fixed                bool // it is rounded to some decimals
	decimals             int
	percent              bool
}

// styles reads the formats of cells.
func (r *reader) styles(part string) {
	codes, inCells := map[string]string{}, false
	r.walk(part, func(t token) bool {
		switch {
		case t.name == "cellXfs":
			inCells = t.kind == start
		case t.kind != start:
		case t.name == "numFmt":
			codes[t.attr("numFmtId")] = t.attr("formatCode")
		case t.name == "xf" && inCells:
			id := t.attr("numFmtId")
			code, own := codes[id]
			if !own {
				code = builtIn(id)
			}
			r.formats = append(r.formats, formatOf(code))
		}
		return len(r.formats) < maxFormats
	})
}

// maxFormats is the greatest number of styles that Excel allows in a workbook.
const maxFormats = 65_490

// builtIn returns the code of a format that files don't list (ISO/IEC 29500-1 §18.8.30), "" for those that show numbers as they are.
func builtIn(id string) string {
	n, err := strconv.Atoi(id)
	switch {
	case err != nil:
	case n == 1 || n == 3 || n == 37 || n == 38:
		return "0"
	case n == 2 || n == 4 || n == 39 || n == 40:
		return "0.00"
	case n == 9:
		return "0%"
	case n == 10:
		return "0.00%"
	case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 58:
		return "yyyy-mm-dd"
	case n == 18, n == 20, n == 32:
		return "h:mm"
	case n == 19, n == 21, n == 33:
		return "h:mm:ss"
	case n == 22:
		return "yyyy-mm-dd h:mm"
	case n == 45, n == 46, n == 47:
		return "[h]:mm:ss"
	}
	return ""
}

// formatOf returns what a code says, by the section for positive numbers.
func formatOf(code string) format {
	code, _, _ = strings.Cut(withoutLiterals(strings.ToLower(code)), ";")
	if strings.Contains(code, "general") {
		return format{}
	}
	if strings.ContainsAny(code, "ymdhs") {
		f := format{clock: strings.ContainsAny(code, "hs"), seconds: strings.Contains(code, "s"), elapsed: strings.Contains(code, "[")}
		f.date = strings.ContainsAny(code, "yd") || !f.clock
		return f
	}
	f := format{fixed: true, percent: strings.Contains(code, "%")}
	digits := code[max(strings.IndexAny(code, "0#?"), 0):]
	rest := strings.TrimLeft(digits, "0#,")
	if len(rest) == len(digits) || strings.HasSuffix(strings.TrimSuffix(digits, rest), ",") { // no number, or one of thousands
		return format{}
	}
	if decimals, ok := strings.CutPrefix(rest, "."); ok {
		rest = strings.TrimLeft(decimals, "0#")
		f.decimals = min(len(decimals)-len(rest), 15)
	}
	if strings.ContainsAny(rest, "0#?,/e") { // a fraction, or one with an exponent
		return format{}
	}
	return f
}

// withoutLiterals returns a code without texts, fill, gaps and what is in brackets, but for hours, minutes or seconds that go on.
func withoutLiterals(code string) string {
	var b strings.Builder
	for code != "" {
		c, rest := code[0], code[1:]
		switch c {
		case '"':
			_, code, _ = strings.Cut(rest, `"`)
		case '\\', '_', '*':
			_, n := utf8.DecodeRuneInString(rest)
			code = rest[n:]
		case '[':
			inside, behind, _ := strings.Cut(rest, "]")
			if code = behind; strings.Trim(inside, "hms") == "" {
				b.WriteString("[" + inside)
			}
		default:
			b.WriteByte(c)
			code = rest
		}
	}
	return b.String()
}

// number returns a number as a cell of the format shows it. Dates are written as in ISO 8601.
func (f format) number(value string, from1904 bool) string {
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil || math.IsNaN(n) || math.Abs(n) > 1e15:
		return value
	case f.date || f.clock:
		return f.moment(value, n, from1904)
	case f.percent:
		return strconv.FormatFloat(n*100, 'f', f.decimals, 64) + "%"
	case f.fixed:
		return strconv.FormatFloat(n, 'f', f.decimals, 64)
	case len(value) > 16: // it has more digits than a cell shows
		return strconv.FormatFloat(n, 'g', 15, 64)
	}
	return value
}

// moment returns days since an epoch as date, time or both.
func (f format) moment(value string, days float64, from1904 bool) string {
	const maxDays = 2_958_466 // the year 10000
	if days < 0 || days >= maxDays {
		return value
	}
	seconds := int(math.Round(days * secondsADay))
	day := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case from1904:
		day = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 61: // the year 1900 is taken for a leap year
		day = day.AddDate(0, 0, 1)
	}
	said := ""
	if f.date {
		said = day.AddDate(0, 0, seconds/secondsADay).Format(time.DateOnly) + " "
	}
	if !f.elapsed {
		seconds %= secondsADay
	}
	if f.clock {
		said += fmt.Sprintf("%02d:%02d", seconds/3600, seconds/60%60)
	}
	if f.seconds {
		said += fmt.Sprintf(":%02d", seconds%60)
	}
	return strings.TrimSpace(said)
}

const secondsADay = 24 * 60 * 60
