package data

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/content/decoded"
)

// Markdown is readable as it is, so little has to be removed. Parsers that convert it to HTML (goldmark was measured) need quadratic time
// or worse for hostile files; this code needs constant time per byte.
var (
	linkTarget     = regexp.MustCompile(`!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+"[^"]*")?\)|\[[^\[\]]*\])`) // of a link or an image
	linkDefinition = regexp.MustCompile(`^ {0,3}\[[^\[\]]+\]:\s`)
	divider        = regexp.MustCompile(`^[\s|:*_=-]+$`) // below a heading, between rows or sections
	tag            = regexp.MustCompile(`</?[A-Za-z][^<>]*>|<!--.*?-->`)
	emphasis       = strings.NewReplacer("**", "", "__", "", "`", "", "*", "", "~~", "")
	lineMarks      = regexp.MustCompile(`^(?:[>\s]|[-*+]\s|\d{1,9}[.)]\s)+`)
)

// readMarkdown writes a document's headings and paragraphs without markers, addresses and HTML.
func readMarkdown(w *writer, body []byte, contentType string) {
	var paragraph []string
	fenced, titled := false, false
	end := func() {
		w.block("p", strings.Join(paragraph, " "))
		paragraph = paragraph[:0]
	}
	for raw := range bytes.Lines(decoded.UTF8(body, contentType)) {
		line := string(raw)
		text := strings.TrimSpace(line)
		switch level := len(text) - len(strings.TrimLeft(text, "#")); {
		case w.full():
			return
		case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
			end()
			fenced = !fenced
		case fenced:
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

// plain removes markers inside a paragraph.
func plain(text string) string {
	text = tag.ReplaceAllString(linkTarget.ReplaceAllString(text, "$1"), "")
	return strings.TrimSpace(strings.ReplaceAll(emphasis.Replace(text), "|", " "))
}
