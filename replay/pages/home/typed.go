package home

import (
	"cmp"
	"context"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// typed returns the text in the box. On search pages the box sends it as q, and url is a filter.
func typed(p respond.Path) string {
	return pasted(cmp.Or(p.Params.Get("q"), p.Params.Get("url")))
}

// copiedAddress is how an address begins that was copied, and what may stand before it (RFC 3986, Appendix C).
var copiedAddress = regexp.MustCompile(`^(?i:url: ?|view-source:)?((?i:https?|ftp):/.*)$`)

// pasted returns text without what comes along when it is copied: white space, characters that nobody sees, and what stands around an
// address. Around words, quotation marks mean something.
func pasted(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) })
	inner := text
	for _, around := range []string{"<>", "()", `""`, "''", "“”", "„“", "‘’", "«»"} {
		begin, end := around[:len(around)/2], around[len(around)/2:]
		if within, ok := strings.CutPrefix(text, begin); ok && strings.HasSuffix(within, end) {
			inner = strings.TrimSuffix(within, end)
		}
	}
	if m := copiedAddress.FindStringSubmatch(inner); m != nil {
		return m[1]
	}
	return text
}

// original follows the address of a memento or of a calendar, here or in another archive, to the address that was archived, unless it was
// archived itself.
func (h *Handler) original(ctx context.Context, p respond.Path) (respond.Path, error) {
	uriR := memento.ParseURIR(typed(p))
	m := respond.ParsePath(uriR)
	if m.Kind != respond.Memento && m.Kind != respond.Calendar && m.Kind != respond.PrefixList {
		return p, nil
	}
	if having, err := h.Archive.Having(ctx, uriR); err != nil || len(having) > 0 {
		return p, err
	}
	if having, err := h.Archive.Having(ctx, m.URIR); err != nil || len(having) == 0 {
		return p, err
	}
	p.Params = url.Values{"url": {m.URIR}}
	if m.Kind == respond.Memento {
		p.Params.Set("at", m.From)
	}
	return p, nil
}
