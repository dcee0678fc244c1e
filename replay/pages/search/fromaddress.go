package search

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FromAddress returns words of an address as a query that has results: something to search for if the address was never captured. It is
// "" if there are none, or no search.
func (s *Handler) FromAddress(ctx context.Context, coll, uriR string) string {
	of, err := s.searches.Of(coll)
	if err != nil {
		return ""
	}
	for _, words := range askable(uriR) {
		q, err := of.Parse(words)
		if err != nil {
			continue
		}
		ask := presentParams{query: q}
		ask.query.All = true
		ask.request.Limit, ask.request.Work = 1, maxSearchWork
		if found, err := of.Pages(ctx, "", ask.query, ask.request); err == nil && found.Total > 0 {
			return words
		}
	}
	return ""
}

// How many words of an address are tried.
const (
	maxAddressWords = 6 // together
	maxSingleWords  = 3 // one by one, the longest first
)

// askable returns the queries to try, in this order: all words of the path, those of its last part, single words, and the name of the
// host.
func askable(uriR string) (out []string) {
	u, err := url.Parse(strings.TrimSuffix(uriR, "*"))
	if err != nil {
		return nil
	}
	path := strings.Trim(u.Path, "/")
	if ending := path[strings.LastIndexByte(path, '.')+1:]; len(ending) < len(path) && len(ending) <= 5 {
		path = path[:len(path)-len(ending)]
	}
	all := likelyWords(path)
	last := likelyWords(path[strings.LastIndexByte(path, '/')+1:])
	single := slices.Clone(all)
	slices.SortStableFunc(single, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
	single = append(single[:min(len(single), maxSingleWords)], hostWord(u.Hostname())...)
	for _, words := range slices.AppendSeq([][]string{all, last}, slices.Chunk(single, 1)) {
		if typed := strings.Join(words[:min(len(words), maxAddressWords)], " "); typed != "" && !slices.Contains(out, typed) {
			out = append(out, typed)
		}
	}
	return out
}

// likelyWords returns the words of a part of an address that may also occur in a text: no numbers, and nothing short.
func likelyWords(part string) (out []string) {
	seen := map[string]bool{"index": true}
	words := strings.FieldsFunc(strings.ToLower(part), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) })
	for _, w := range words {
		if !seen[w] && utf8.RuneCountInString(w) > 2 && !strings.ContainsAny(w, "0123456789") {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// hostWord returns the name that a host is known by: that before its public suffix.
func hostWord(host string) []string {
	labels := strings.Split(host, ".")
	for len(labels) > 1 && isPublic(strings.Join(labels[1:], ".")) {
		labels = labels[1:]
	}
	return likelyWords(labels[0])
}
