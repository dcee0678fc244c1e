package search

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// One box takes an address, *.host, a prefix followed by *, and words.

// Box redirects to a search for words that were typed into the box.
func (s *Handler) Box(w http.ResponseWriter, coll string, search url.Values) {
	respond.Redirect(w, s.site.Local(coll).Endpoint("search", search.Encode()))
}

// IsWordsEverywhere is [Handler.IsWords] for several collections: it is an address if it is one to any of them.
func (s *Handler) IsWordsEverywhere(ctx context.Context, colls []string, typed string) bool {
	return !slices.ContainsFunc(colls, func(coll string) bool { return !s.IsWords(ctx, coll, typed) })
}

// IsWords reports whether the text in the box is words to search for, rather than an address or a pattern of addresses. Without a search
// everything is an address.
func (s *Handler) IsWords(ctx context.Context, coll, typed string) bool {
	return s.searches.Exist() && !s.isAddress(ctx, coll, typed)
}

// isAddress reports whether a text is an address, or a pattern of addresses. It has a scheme, or is a host with a path where the host is
// archived, an IP address, or a name that hosts on the web can have.
func (s *Handler) isAddress(ctx context.Context, coll, typed string) bool {
	typed = strings.TrimSpace(typed)
	if hasScheme(typed) || typed == "*" { // that is every address
		return true
	}
	if typed = strings.TrimSuffix(strings.TrimPrefix(typed, "*."), "*"); strings.ContainsAny(typed, " \t\r\n\"") {
		return false
	}
	uriR := memento.ParseURIR(typed)
	u, err := url.Parse(uriR)
	if uriR == "" || err != nil || u.User != nil { // a mail address
		return false
	}
	captured := func(pattern string) bool {
		yes, err := s.archive.Captured(ctx, coll, pattern)
		return yes || err != nil // the request for the address will report the error
	}
	return captured(uriR) || u.Port() != "" || net.ParseIP(u.Hostname()) != nil || isPublic(u.Hostname()) || captured("http://"+u.Host+"/*")
}

func hasScheme(typed string) bool {
	return slices.ContainsFunc([]string{"http:/", "https:/", "ftp:/", "http%3a", "https%3a"}, func(scheme string) bool {
		return len(typed) > len(scheme) && strings.EqualFold(typed[:len(scheme)], scheme)
	})
}

// isPublic reports whether a host is below a top-level domain of the web: "node.js" is not.
func isPublic(host string) bool {
	suffix, icann := publicsuffix.PublicSuffix(strings.ToLower(host))
	return icann && suffix != strings.ToLower(host)
}
