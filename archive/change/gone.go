package change

import (
	_ "embed"
	"strings"
	"unicode/utf8"
)

//go:embed gone.txt
var goneText string

// goneSayings are the lines of gone.txt.
var goneSayings = readSayings(goneText)

// A saying is a way to say that something is not there.
type saying struct {
	things []string // one of these, unless there are none,
	said   []string // and one of these
}

func readSayings(data string) (all []saying) {
	for line := range strings.Lines(data) {
		things, said, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		all = append(all, saying{phrases(things), phrases(said)})
	}
	return all
}

func phrases(list string) (out []string) {
	for p := range strings.SplitSeq(list, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// maxGone is how many characters a page has that says little more than that there is no such page. A page of forty words that says
// so of something is a page.
const maxGone = 200

// saysGone reports whether a short text, one block a line, says that what was asked for is not there, or that the domain is for sale.
func saysGone(text string) bool {
	text = strings.ToLower(text)
	short := utf8.RuneCountInString(text) <= maxGone
	for i := range goneSayings {
		s := &goneSayings[i]
		if (short || len(s.things) == 0) && s.in(text) {
			return true
		}
	}
	return false
}

// in reports whether a block of a text says so.
func (s *saying) in(text string) bool {
	for _, p := range s.said {
		for from := 0; ; {
			i := strings.Index(text[from:], p)
			if i < 0 {
				break
			}
			i += from
			begin, end := strings.LastIndexByte(text[:i], '\n')+1, len(text)
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				end = i + n
			}
			if len(s.things) == 0 || containsAny(text[begin:end], s.things) {
				return true
			}
			from = i + len(p)
		}
	}
	return false
}
