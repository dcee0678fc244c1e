package search

import (
	"context"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/replay/respond"
)

// Limits: suggestions, and addresses among them.
const (
	maxSuggestions = 10
	maxAddresses   = 5
)

// Suggest answers /{coll}/suggest?q=… in the JSON of OpenSearch suggestions: the query, its completions, their descriptions, and their
// addresses.
func (s *Handler) Suggest(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	uris := s.site.Absolute(r, p.Coll)
	search := func(params string) string { return uris.Endpoint("search", params) }
	return s.suggest(w, r, p, []string{p.Coll}, uris.Calendar, search)
}

// SuggestEverywhere answers /-/suggest?q=…, the same over all collections.
func (s *Handler) SuggestEverywhere(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	home := s.site.Base(r) + "/"
	calendar := func(uriR string) string { return home + "?" + url.Values{"url": {uriR}}.Encode() }
	search := func(params string) string { return home + "-/search?" + params }
	return s.suggest(w, r, p, s.archive.Index.Collections(), calendar, search)
}

// suggest makes suggestions from collections; calendar and search return their addresses.
func (s *Handler) suggest(
	w http.ResponseWriter, r *http.Request, p respond.Path, colls []string, calendar, search func(string) string,
) error {
	typed := p.Params.Get("q")
	if len(typed) > query.MaxLength {
		return respond.BadRequest(query.ErrLong.Error())
	}
	completions, descriptions, links := []string{}, []string{}, []string{}
	var addresses, queries []string
	for _, coll := range colls {
		if err := s.suggestIn(r.Context(), coll, typed, &addresses, &queries); err != nil {
			return err
		}
	}
	for _, uriR := range addresses {
		completions, descriptions, links = append(completions, uriR), append(descriptions, "address"), append(links, calendar(uriR))
	}
	for _, q := range queries[:min(len(queries), maxSuggestions-len(addresses))] {
		completions, descriptions = append(completions, q), append(descriptions, "")
		links = append(links, search(url.Values{"q": {q}}.Encode()))
	}
	w.Header().Set("Content-Type", suggestionsType)
	return respond.WriteJSON(w, r, []any{typed, completions, descriptions, links})
}

// suggestIn adds suggestions from a collection, as long as there is room.
func (s *Handler) suggestIn(ctx context.Context, coll, typed string, addresses, queries *[]string) error {
	of, err := s.searches.Of(coll)
	if err != nil && (s.searches.Exist() || !errors.Is(err, searches.ErrNoSearch)) { // without a search, addresses are suggested
		return err
	}
	if len(*addresses) < maxAddresses {
		more, err := s.addresses(ctx, coll, typed)
		if err != nil {
			return err
		}
		*addresses = appendNew(*addresses, more, maxAddresses)
	}
	if n := maxSuggestions - len(*addresses); of != nil && len(*queries) < n {
		more, err := of.Complete(ctx, typed, n)
		if err != nil {
			return err
		}
		*queries = appendNew(*queries, more, n)
	}
	return nil
}

// appendNew appends new elements to a list, until it has most.
func appendNew(list, more []string, most int) []string {
	for _, s := range more {
		if len(list) < most && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// maxHosts bounds the hosts that are compared with the typed text.
const maxHosts = 2000

// addresses returns archived addresses that begin with what is typed, with or without http:// and www. before it.
func (s *Handler) addresses(ctx context.Context, coll, typed string) ([]string, error) {
	typed = strings.ToLower(strings.TrimSpace(typed))
	_, bare, found := strings.Cut(typed, "://")
	if !found {
		bare = typed
	}
	if bare = strings.TrimPrefix(bare, "www."); len(bare) < 2 || strings.ContainsAny(bare, " \"*") {
		return nil, nil
	}
	if strings.Contains(bare, "/") {
		return s.addressesUnder(ctx, coll, "http://"+bare+"*", maxAddresses)
	}
	return s.hosts(ctx, coll, bare)
}

// addressesUnder returns the first archived addresses that match a pattern.
func (s *Handler) addressesUnder(ctx context.Context, coll, pattern string, n int) (out []string, err error) {
	ranges, err := surt.Ranges(pattern, "")
	if err != nil || ranges[0].From == "" {
		return nil, nil // no address begins like this
	}
	for _, k := range ranges {
		for key, err := range s.archive.Index.Keys(ctx, coll, k.From, k.To) {
			if err != nil {
				return nil, err
			}
			if surt.HasMethod(key) {
				continue
			}
			c, err := timeline.FirstOf(s.archive.Index.Captures(ctx, cdx.Span{Coll: coll, From: key, Exact: true}))
			if err != nil {
				return nil, err
			}
			if c != nil {
				out = append(out, c.URL)
			}
			if len(out) == n {
				return out, nil
			}
		}
	}
	return out, nil
}

// hosts returns the first address on each host that begins with what is typed. It goes from host to host by the order
// of keys.
func (s *Handler) hosts(ctx context.Context, coll, typed string) (out []string, err error) {
	from := ""
	for range maxHosts {
		key, err := s.firstKey(ctx, coll, from)
		if err != nil || key == "" {
			return out, err
		}
		host, _, found := strings.Cut(key, ")")
		if !found {
			from = key + "\x01"
			continue
		}
		from = host + "*" // the character before ')'
		if !strings.HasPrefix(surt.HostOf(key), typed) {
			continue
		}
		under, err := s.addressesUnder(ctx, coll, "http://"+surt.HostOf(key)+"/*", 1)
		if err != nil {
			return nil, err
		}
		if out = append(out, under...); len(out) >= maxAddresses {
			return out, nil
		}
	}
	return out, nil
}

// firstKey returns the first key of a collection at or after from, "" if there is none.
func (s *Handler) firstKey(ctx context.Context, coll, from string) (string, error) {
	for key, err := range s.archive.Index.Keys(ctx, coll, from, "") {
		return key, err
	}
	return "", nil
}

// An openSearch describes a search to browsers (OpenSearch 1.1).
type openSearch struct {
	XMLName     xml.Name        `xml:"http://a9.com/-/spec/opensearch/1.1/ OpenSearchDescription"`
	ShortName   string          `xml:"ShortName"`
	Description string          `xml:"Description"`
	InputCoding string          `xml:"InputEncoding"`
	URLs        []openSearchURL `xml:"Url"`
}

type openSearchURL struct {
	Type     string `xml:"type,attr"`
	Rel      string `xml:"rel,attr,omitempty"`
	Template string `xml:"template,attr"`
}

// Media types of OpenSearch.
const (
	openSearchType  = "application/opensearchdescription+xml"
	suggestionsType = "application/x-suggestions+json"
)

// maxShortName is the greatest length of a ShortName (OpenSearch 1.1, "ShortName").
const maxShortName = 16

// OpenSearch answers /{coll}/opensearch.xml.
func (s *Handler) OpenSearch(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	if _, err := s.searches.Of(p.Coll); err != nil {
		return err
	}
	uris := s.site.Absolute(r, p.Coll)
	name := "varve " + p.Coll
	d := openSearch{
		ShortName: name[:min(len(name), maxShortName)], Description: "Archived pages of the collection " + p.Coll, InputCoding: "UTF-8",
		URLs: []openSearchURL{
			{Type: "text/html", Template: uris.Home() + "?url={searchTerms}"},
			{Type: suggestionsType, Rel: "suggestions", Template: uris.Endpoint("suggest", "q={searchTerms}")},
			{Type: openSearchType, Rel: "self", Template: uris.Endpoint("opensearch.xml", "")},
		},
	}
	body, err := xml.MarshalIndent(d, "", " ")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", openSearchType)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err = w.Write(append([]byte(xml.Header), body...))
	return err
}
