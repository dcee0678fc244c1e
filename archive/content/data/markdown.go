package data

import (
	"bytes"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/content/decoded"
)

// Markdown is readable as it is, so little has to be removed. Parsers that convert it to HTML (goldmark was measured) need quadratic time
// or worse for hostile files; this code needs constant time per byte.
var (
	// linkTarget finds links and images. An address may have parentheses in it.
	linkTarget     = regexp.MustCompile(`!?\[([^\[\]]*)\](?:\((?:[^()\s]|\([^()\s]*\))*(?:\s+(?:"[^"]*"|'[^']*'))?\)|\[[^\[\]]*\])`)
	linkDefinition = regexp.MustCompile(`^ {0,3}\[[^\[\]^][^\[\]]*\]:\s`)
	divider        = regexp.MustCompile(`^[\s|:*_=-]+$`) // below a heading, between rows or sections
	tag            = regexp.MustCompile(`</?[A-Za-z][^<>]*>|<!--.*?-->`)
	lineMarks      = regexp.MustCompile(`^(?:[>\s]|[-*+]\s|\d{1,9}[.)]\s)+`)
)

// readMarkdown writes a document's headings and paragraphs without markers, addresses and HTML.
func readMarkdown(w *writer, body []byte, contentType string) {
	var paragraph []string
	fence, titled, comment := "", false, false
	end := func() {
		w.block("p", strings.Join(paragraph, " "))
		paragraph = paragraph[:0]
	}
	for raw := range bytes.Lines(decoded.UTF8(body, contentType)) {
		line := string(raw)
		if comment {
			_, after, ends := strings.Cut(line, "-->")
			if comment = !ends; comment {
				continue
			}
			line = after
		}
		text := strings.TrimSpace(line)
		comment = fence == "" && strings.HasPrefix(text, "<!--") && !strings.Contains(text, "-->")
		mark := fenceOf(text)
		if comment {
			continue
		}
		switch level := len(text) - len(strings.TrimLeft(text, "#")); {
		case w.full():
			return
		case fence == "" && mark != "":
			end()
			fence = mark
		case fence != "" && text == mark && strings.HasPrefix(mark, fence):
			fence = ""
		case fence != "":
			w.block("p", text)
		case text == "" || divider.MatchString(text) || linkDefinition.MatchString(line):
			end()
		case level >= 1 && level <= 6 && strings.HasPrefix(text[level:], " "):
			end()
			said := plain(strings.TrimRight(text[level:], "# "))
			if !titled && level == 1 {
				w.block("title", said)
			}
			titled = true
			w.block("h"+strconv.Itoa(level), said)
		default:
			if lineMarks.MatchString(line) && !strings.HasPrefix(line, " ") || strings.HasPrefix(text, "|") {
				end() // an item of a list, a quote, or a row of a table
			}
			paragraph = append(paragraph, plain(lineMarks.ReplaceAllString(text, "")))
		}
	}
	end()
}

// fenceOf returns the marks with which a line begins or ends a block of code, "" if it does neither.
func fenceOf(text string) string {
	for _, c := range []string{"`", "~"} {
		info := strings.TrimLeft(text, c)
		if mark := text[:len(text)-len(info)]; len(mark) >= 3 && (c == "~" || !strings.Contains(info, c)) {
			return mark
		}
	}
	return ""
}

// plain removes markers inside a paragraph, but for those in code.
func plain(text string) string {
	text = linkTarget.ReplaceAllString(text, "$1")
	var b strings.Builder
	most := 16 // longer marks have no partner
	for {
		before := strings.IndexByte(text, '`')
		if before < 0 {
			b.WriteString(unmarked(text))
			return strings.TrimSpace(b.String())
		}
		b.WriteString(unmarked(text[:before]))
		rest := strings.TrimLeft(text[before:], "`")
		mark := text[before : len(text)-len(rest)]
		text = rest
		if len(mark) > most {
			continue
		}
		if code, after, ok := strings.Cut(rest, mark); ok {
			b.WriteString(code)
			text = strings.TrimLeft(after, "`")
		} else {
			most = len(mark) - 1
		}
	}
}

// unmarked removes markers in a text without code.
func unmarked(text string) string {
	text = tag.ReplaceAllStringFunc(text, func(tag string) string {
		inside := tag[1 : len(tag)-1]
		switch name := strings.ToLower(strings.Trim(inside, "/ ")); {
		case !strings.ContainsAny(inside, " \t\"'") && (strings.Contains(inside, "://") || strings.Contains(inside, "@")):
			return inside // an address
		case name == "br" || name == "p" || name == "td" || name == "th" || name == "li" || name == "div" || name == "hr":
			return " "
		}
		return ""
	})
	var b strings.Builder
	stars := strings.Count(strings.ReplaceAll(text, "**", "*"), "*")
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			if i+1 < len(text) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", text[i+1]) >= 0 {
				i++
			}
			b.WriteByte(text[i])
		case '*', '_':
			rest := strings.TrimLeft(text[i:], text[i:i+1])
			if inWord := endsWord(b.String()) && beginsWord(rest); inWord && (c == '_' || stars == 1) {
				b.WriteString(text[i : len(text)-len(rest)])
			}
			i = len(text) - len(rest) - 1
		case '|':
			b.WriteByte(' ')
		case '~':
			if strings.HasPrefix(text[i:], "~~") {
				i++
			} else {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
		}
	}
	return html.UnescapeString(b.String())
}

func beginsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func endsWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
