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

// A rewrittenError says that a memento contains the archive's changes, and by which sign.
type rewrittenError struct{ urim, sign string }

func (e *rewrittenError) Error() string {
	return fmt.Sprintf("%s: comes rewritten (%s) and is left out: the archive gives no memento as it was captured", e.urim, e.sign)
}

// maxLookedAt is how much of a memento is searched for signs of rewriting, in bytes.
const maxLookedAt = 1 << 20

// original returns the body of an answer, or an error if it shows signs of the archive's changes. promised says that the archive
// declared it unchanged.
func original(got *http.Response, m *Found, promised bool) (io.Reader, error) {
	start, err := io.ReadAll(io.LimitReader(got.Body, maxLookedAt))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", got.Request.URL, err)
	}
	if sign := signOfRewriting(got, m, start, promised); sign != "" {
		return nil, &rewrittenError{m.URIM, sign}
	}
	return io.MultiReader(bytes.NewReader(start), got.Body), nil
}

// marks returns strings that archives insert into pages: the client-side rewriting of pywb and Wayback, and Wayback's toolbar and
// final comment.
func marks() []string {
	return []string{
		"<!-- BEGIN WAYBACK TOOLBAR INSERT -->", "_WBWombatInit(", "__wm.wombat(", "WB_wombat_Init(", "<!-- WB Insert -->",
		"     FILE ARCHIVED ON ",
	}
}

// signOfRewriting returns a sign that a memento was rewritten, or "".
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
	if into := leadsIntoArchive(text, format, got.Request.URL); into != "" {
		return "its links lead into the archive, to " + into
	}
	if !promised && strings.Contains(pathOf(m.URIM), "/http") { // an archive of other sites, not a site with its own versions
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

// decoded returns the decoded start of a body, and its format.
func decoded(got *http.Response, start []byte) ([]byte, rewrite.Format) {
	text := start
	if r, err := warc.Decode(got.Header.Get("Content-Encoding"), bytes.NewReader(start)); err == nil {
		text, _ = io.ReadAll(io.LimitReader(r, maxLookedAt)) // it may be truncated
	}
	return text, rewrite.Sniff(got.Header.Get("Content-Type"), uses.Page, text[:min(len(text), rewrite.SniffLen)])
}

// leadsIntoArchive reports whether most of the resources that a page or a style sheet embeds, or most of its links, are in the archive that
// it came from, by returning one such address; else "". An unchanged page may also link to an archive, or embed a picture from one.
func leadsIntoArchive(text []byte, format rewrite.Format, archive *url.URL) string {
	read := map[rewrite.Format]func(io.Writer, io.Reader, rewrite.Options) error{
		rewrite.FormatHTML: rewrite.HTML, rewrite.FormatCSS: rewrite.CSS,
	}[format]
	if read == nil {
		return ""
	}
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
	// Archives write absolute URLs, or paths from their root. Relative references of an unchanged page resolve outside.
	base := archive.Scheme + "://" + archive.Host + "/"
	if read(io.Discard, bytes.NewReader(text), rewrite.Options{Base: base, Use: uses.Page, Resolve: collect}) != nil {
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

// A tally counts the addresses in a page, and those of them inside an archive.
type tally struct {
	all, inside int
	example     string
}

func (t *tally) add(uri string, archive *url.URL) {
	t.all++
	u, err := url.Parse(uri)
	if err != nil || u.Host != archive.Host || !uriMPattern.MatchString(uri) {
		return
	}
	t.inside++
	t.example = uri
}

func (t *tally) mostInside() bool { return 2*t.inside > t.all }
