package fetch

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/uses"
)

// A rewrittenError says that a memento came with the archive's own changes, and how that was seen.
type rewrittenError struct{ urim, sign string }

func (e *rewrittenError) Error() string {
	return fmt.Sprintf("%s: comes rewritten (%s) and is left out: the archive gives no memento as it was captured", e.urim, e.sign)
}

// lookedAt is how much of a memento is looked at for signs of rewriting, in bytes.
const lookedAt = 1 << 20

// original returns the body of an answer if nothing in it looks as if the archive had changed it. promised is whether the archive said so.
func original(got *http.Response, m *Found, promised bool) (io.Reader, error) {
	start, err := io.ReadAll(io.LimitReader(got.Body, lookedAt))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", got.Request.URL, err)
	}
	if sign := signOfRewriting(got, m, start, promised); sign != "" {
		return nil, &rewrittenError{m.URIM, sign}
	}
	return io.MultiReader(bytes.NewReader(start), got.Body), nil
}

// marks are what archives write into pages: the client-side rewriting of pywb and Wayback, and Wayback's toolbar and its note at the end.
func marks() []string {
	return []string{
		"<!-- BEGIN WAYBACK TOOLBAR INSERT -->", "_WBWombatInit(", "__wm.wombat(", "WB_wombat_Init(", "<!-- WB Insert -->",
		"     FILE ARCHIVED ON ",
	}
}

// signOfRewriting says by what a memento can be seen to be rewritten; "" if it can't.
func signOfRewriting(got *http.Response, m *Found, start []byte, promised bool) string {
	text, format := decoded(got, start)
	if format == rewrite.FormatNone || got.StatusCode/100 == 3 {
		return ""
	}
	for _, mark := range marks() {
		if bytes.Contains(text, []byte(mark)) {
			return fmt.Sprintf("it has %q in it", strings.TrimSpace(mark))
		}
	}
	if format == rewrite.FormatHTML {
		if into := leadsIntoArchive(text, got.Request.URL); into != "" {
			return "its links lead into the archive, to " + into
		}
	}
	if !promised && strings.Contains(pathOf(m.URIM), "/http") { // an archive of others' pages, not one that keeps its own
		return "the archive doesn't say that it isn't: no id_ in its address, no Preference-Applied"
	}
	return ""
}

func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return uri
	}
	return u.RequestURI()
}

// decoded returns the text at the start of a body, and what it is.
func decoded(got *http.Response, start []byte) ([]byte, rewrite.Format) {
	text := start
	if r, err := warc.Decode(got.Header.Get("Content-Encoding"), bytes.NewReader(start)); err == nil {
		text, _ = io.ReadAll(io.LimitReader(r, lookedAt)) // it may end in the middle
	}
	return text, rewrite.Sniff(got.Header.Get("Content-Type"), uses.Page, text[:min(len(text), rewrite.SniffLen)])
}

// leadsIntoArchive looks whether most of what a page embeds, or most of what it links to, lies in the archive that it came from; it returns
// one such address, or "". A page that is not rewritten may link to an archive too, or show a picture from one.
func leadsIntoArchive(page []byte, archive *url.URL) string {
	var parts, links tally
	collect := func(refs []uses.Ref) []string {
		for _, ref := range refs {
			if ref.Use == uses.Link {
				links.add(ref.URI, archive)
			} else {
				parts.add(ref.URI, archive)
			}
		}
		return make([]string, len(refs))
	}
	// Archives write absolute addresses, or paths from their root. What is relative in a page as it was captured stays outside.
	base := archive.Scheme + "://" + archive.Host + "/"
	if rewrite.HTML(io.Discard, bytes.NewReader(page), rewrite.Options{Base: base, Use: uses.Page, Resolve: collect}) != nil {
		return ""
	}
	if parts.mostInside() {
		return parts.example
	}
	if links.mostInside() {
		return links.example
	}
	return ""
}

// A tally counts addresses in a page, and those of them in an archive.
type tally struct {
	all, inside int
	example     string
}

func (t *tally) add(uri string, archive *url.URL) {
	t.all++
	u, err := url.Parse(uri)
	if err != nil || u.Host != archive.Host || !replayed.MatchString(uri) {
		return
	}
	t.inside++
	t.example = uri
}

func (t *tally) mostInside() bool { return 2*t.inside > t.all }
