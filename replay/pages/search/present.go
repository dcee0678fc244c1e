package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/answers"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
)

// The values of the parameter match: pages with any of the words, those with all of them first, or only pages with all.
const (
	matchAny = "any"
	matchAll = "all"
)

// changePresent is the value of the parameter change for the search in pages.
const changePresent = "present"

// A PresentList is the answer of /{coll}/search for pages with the text in any version: one result for each URI-R.
type PresentList struct {
	Q      string `json:"q"`
	Change string `json:"change"`
	Total  int    `json:"total"`
	// WithAll is the number of pages that have all words in one version. Match is "all" if only such pages were requested, else "any":
	// then pages with all words come first.
	WithAll int    `json:"with_all"`
	Match   string `json:"match"`
	// Relaxed says that no page meets the requirements, so the results meet only some.
	Relaxed bool `json:"relaxed,omitempty"`
	// Ranking is the chosen one, Rankings are the available ones.
	Ranking  string   `json:"ranking,omitempty"`
	Rankings []string `json:"rankings,omitempty"`
	// Ordered is the number of pages that were ordered and counted in facets and with_all, if not all were.
	Ordered int `json:"ordered,omitempty"`
	Page    int `json:"page"`
	// Untold is the number of further pages that may match, but were beyond the limit of one search.
	Untold int `json:"untold,omitempty"`
	// Bounded has the words with * or ~ that match more words of the collection than one search looks up, and frequent words of a long
	// query that were ignored.
	Bounded []string `json:"bounded,omitempty"`
	// Suggestion is the query with words that the collection doesn't have replaced by similar ones that it has; null if it has all words
	// or no similar ones.
	Suggestion *string         `json:"suggestion"`
	Note       string          `json:"note,omitempty"`
	Index      answers.State   `json:"index"`
	Facets     PresentFacets   `json:"facets"`
	Chart      []Facet         `json:"chart"`             // versions that match, by year, oldest first
	Columns    []PresentColumn `json:"columns,omitempty"` // what templates read from pages of the collection
	Results    []PresentResult `json:"results"`
}

// A PresentColumn is a field of a template.
type PresentColumn struct {
	Name string      `json:"name"`
	Type fields.Type `json:"type"`
}

// PresentFacets count the found pages: by domain, media type and language, the most frequent first, and by the years of
// the captures that have the text, in order.
type PresentFacets struct {
	Domain []Facet `json:"domain"`
	Year   []Facet `json:"year"`
	MIME   []Facet `json:"mime"`
	Lang   []Facet `json:"lang"`
	// Collection counts the pages of a search over all collections.
	Collection []Facet `json:"collection,omitempty"`
}

// A Facet is written as [name, count].
type Facet search.Count

func (f Facet) MarshalJSON() ([]byte, error) { return json.Marshal([]any{f.Name, f.Count}) }

// A PresentResult is a URI-R with the text in any of its versions.
type PresentResult struct {
	OriginalURI string    `json:"original_uri"`
	Row         int       `json:"row,omitempty"` // of the page, from 1, if templates read rows from it
	Title       string    `json:"title"`
	Score       float64   `json:"score"`
	Versions    int       `json:"versions"` // how many match
	Best        SearchEnd `json:"best"`     // the version with the highest score
	Status      int       `json:"status"`   // its status, media type and language
	MIME        string    `json:"mime"`
	Lang        string    `json:"lang"`
	First       SearchEnd `json:"first"` // its first capture of all
	Last        SearchEnd `json:"last"`
	// Missing are the optional words that the best version lacks.
	Missing []string `json:"missing"`
	// Still says that the newest version matches. If not, Gone is the first capture of the version after the last that
	// does, with the change between the two.
	Still    bool             `json:"still"`
	Gone     *PresentGone     `json:"gone,omitempty"`
	Snippets []PresentSnippet `json:"snippets"`
	// Unreadable says that the record of the best version can't be read now, so that there are no snippets.
	Unreadable bool `json:"unreadable,omitempty"`
	// Fields has the template's values from the best version: texts, numbers, or lists of them.
	Fields map[string]any `json:"fields,omitempty"`
	// Collection is where the page is, in a search over all.
	Collection string `json:"collection,omitempty"`

	values         fields.Values
	collectionHome string
}

// A PresentGone is the first capture without the text, and the page that shows what removed it.
type PresentGone struct {
	SearchEnd
	Diff string `json:"diff"`
}

// presentParams are the parameters of a search in pages.
type presentParams struct {
	asked
	at, mime, status, lang string
	match                  string // matchAll, or ""
	ranking                string // the name of a ranking of the collection, "" for the usual one
	collection             string // the only one to search, of a search everywhere
	everywhere             bool

	query   query.Query
	request search.PresentRequest
}

func uncheckedPresentParams(p respond.Path) *presentParams {
	get := p.Params.Get
	a := &presentParams{
		asked: readAsked(p), at: get("at"), mime: strings.ToLower(get("mime")), status: get("status"), lang: strings.ToLower(get("lang")),
		match: get("match"), ranking: get("ranking"), collection: get("collection"), everywhere: p.Coll == "",
	}
	a.change = changePresent
	return a
}

// A searcher parses queries for a search.
type searcher interface {
	Parse(typed string) (query.Query, error)
	Columns() []fields.Column
}

// parsePresentParams reads and checks the parameters, for a search that may have fields of its own. It reports an error of
// the query only if all else is right.
func parsePresentParams(p respond.Path, of searcher) (*presentParams, error) {
	a := uncheckedPresentParams(p)
	if err := a.setPage(p); err != nil {
		return nil, err
	}
	req := &a.request
	req.Skip, req.Limit, req.MIME, req.Lang = a.skip(), a.limit, a.mime, a.lang
	var err error
	if req.Order, err = search.PageOrder(a.sort, of.Columns()); err != nil {
		return nil, respond.BadRequest(err.Error())
	}
	if a.match == matchAny {
		a.match = ""
	}
	if a.match != "" && a.match != matchAll {
		return nil, respond.BadRequest(fmt.Sprintf("match %.20q: want any or all", a.match))
	}
	if a.status != "" {
		if req.Status, err = strconv.Atoi(a.status); err != nil || req.Status < 100 || req.Status > 999 {
			return nil, respond.BadRequest(fmt.Sprintf("status %.20q: want three digits, such as 200", a.status))
		}
	}
	if a.at != "" {
		if req.At, err = cdx.ParseAsked(a.at); err != nil {
			return nil, respond.BadRequest(fmt.Sprintf("at %.20q: want 1 to 14 digits of a datetime", a.at))
		}
	}
	if req.Page, req.Bounds, err = a.bounds(); err != nil {
		return nil, err
	}
	a.query, err = of.Parse(a.q)
	a.query.All = a.match == matchAll
	return a, err
}

// ofSomeVersions reports whether a filter leaves out versions of pages. Then the last match may not be the last version with the text,
// and it is unknown when the text went.
func (a *presentParams) ofSomeVersions() bool { return a.from+a.to+a.at+a.mime+a.status+a.lang != "" }

// The values of the parameter output. Without it browsers get a page, and others JSON.
const (
	outputCSV  = "csv"
	outputJSON = "json"
)

// outputOf returns the requested format, "" if none is named.
func outputOf(p respond.Path) (string, error) {
	switch output := p.Params.Get("output"); output {
	case "", outputCSV, outputJSON:
		return output, nil
	default:
		return "", respond.BadRequest(fmt.Sprintf("output %.20q: want csv or json", output))
	}
}

// present answers /{coll}/search for pages.
func (s *Handler) present(w http.ResponseWriter, r *http.Request, p respond.Path, of *searches.Collection) error {
	one, list := &oneCollection{of, s, p.Coll, s.site.Absolute(r, p.Coll)}, []named{{coll: p.Coll, of: of}}
	switch output, err := outputOf(p); {
	case err != nil:
		return err
	case output == outputCSV:
		return s.presentTable(w, r, p, one, list)
	case output == outputJSON:
		return s.presentAll(w, r, p, one, list)
	case output == "" && respond.IsBrowser(r):
		return s.presentPage(w, r, p, &oneCollection{of, s, p.Coll, s.site.Local(p.Coll)})
	}
	return s.presentJSON(w, r, p, one)
}

func (s *Handler) presentJSON(w http.ResponseWriter, r *http.Request, p respond.Path, from source) error {
	ask, err := parsePresentParams(p, from)
	if err != nil {
		return queryRefused(err)
	}
	out, err := from.find(r.Context(), ask)
	if err != nil {
		return err
	}
	if p.Params.Get("output") == outputCSV { // of all collections, a page
		row := func(page *PresentResult) []string { return page.row(false, nil) }
		return everywhereTable(w, r, "search", out.Untold, append(pageHead(true), pageTail()...), out.Results, row)
	}
	if ask.query.Wordless {
		out.Note = joinNotes(out.Note, query.ErrNoWord.Error())
	}
	return respond.WriteJSON(w, r, out)
}

func joinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(n string) bool { return n == "" }), "; ")
}

// note says what the answer leaves out.
func (l *PresentList) note() {
	slices.Sort(l.Bounded)
	l.Bounded = slices.Compact(l.Bounded)
	l.Note = joinNotes(l.Index.Note(), answers.BoundsNote(l.Untold, l.Bounded))
	if l.Ordered == l.Total {
		l.Ordered = 0
	}
}

// newPresentList returns an answer without what was found.
func newPresentList(ask *presentParams) *PresentList {
	return &PresentList{Q: ask.q, Change: changePresent, Match: cmp.Or(ask.match, matchAny), Page: ask.page, Results: []PresentResult{}}
}

// suggest looks for words of the collections that are similar to those that they don't have, in one after the other.
func (l *PresentList) suggest(ctx context.Context, ask *presentParams, in ...*searches.Collection) error {
	for _, of := range in {
		better, ok, err := of.Correct(ctx, ask.query)
		if err != nil {
			return err
		}
		if text := better.String(); ok {
			l.Suggestion = &text
			return nil
		}
	}
	return nil
}

// count adds how many pages were found.
func (l *PresentList) count(found *answers.PagesAnswer) {
	l.Total += found.Total
	l.WithAll += found.Whole
	l.Ordered += found.Ordered
	l.Relaxed = l.Relaxed || found.Relaxed
	l.Untold += found.Untold
	l.Bounded = append(l.Bounded, found.Bounded...)
}

func columns(list []fields.Column) (out []PresentColumn) {
	for _, c := range list {
		out = append(out, PresentColumn{c.Name, c.Type})
	}
	return out
}

// maxPresentFacets bounds how many values of a facet are listed.
const maxPresentFacets = 100

func facets(counts []search.Count) []Facet {
	out := make([]Facet, 0, min(len(counts), maxPresentFacets))
	for _, c := range counts[:min(len(counts), maxPresentFacets)] {
		out = append(out, Facet(c))
	}
	return out
}
