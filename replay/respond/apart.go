package respond

import (
	"crypto/sha256"
	"encoding/base32"
	"net/http"
	"net/url"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// If the host of ReplayURL begins with "*.", each archived origin has a host of its own. Then browsers keep archived
// sites apart as they did on the live web: storage, cookies, workers and windows.

// anyHost is the part of ReplayURL that each archived origin replaces.
const anyHost = "*"

// labelLen is the length of the part of a host that identifies an archived origin; 26 letters and digits are 130 bits.
const labelLen = 26

var labelCoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// HasOriginPerSite reports whether each archived origin has a host of its own.
func (s *Site) HasOriginPerSite() bool { return strings.Contains(s.ReplayURL, "://"+anyHost+".") }

// label returns the part of a host that identifies the origin of a URI-R in a collection. static/assets/hosts.js does the same.
func label(coll, uriR string) string {
	sum := sha256.Sum256([]byte(coll + "\n" + archivedOrigin(uriR)))
	return labelCoding.EncodeToString(sum[:])[:labelLen]
}

// archivedOrigin returns the origin of a URI-R; if it has none, the URI-R.
func archivedOrigin(uriR string) string {
	if u, err := whatwg.Parse(uriR); err == nil && u.Host() != "" {
		return u.Scheme() + "://" + u.Host() // without a default port
	}
	return uriR
}

// SameOrigin reports whether two URI-Rs have the same origin, as browsers compare it.
func SameOrigin(a, b string) bool { return archivedOrigin(a) == archivedOrigin(b) }

// replayHome returns the address at which the resource of p is replayed.
func (s *Site) replayHome(p Path) string {
	if !s.HasOriginPerSite() {
		return s.ReplayURL
	}
	return strings.Replace(s.ReplayURL, anyHost, label(p.Coll, p.URIR), 1)
}

// labelOf returns the label of an origin at which archived pages are replayed, or of an address there, or "" for any
// other.
func (s *Site) labelOf(address string) string {
	before, after, _ := strings.Cut(s.ReplayURL, anyHost)
	after, _, _ = strings.Cut(after, "/")
	rest, ok := strings.CutPrefix(strings.ToLower(address), strings.ToLower(before))
	if !s.HasOriginPerSite() || !ok || len(rest) < labelLen || !isLabel(rest[:labelLen]) {
		return ""
	}
	if host, _, _ := strings.Cut(rest[labelLen:], "/"); host != strings.ToLower(after) {
		return ""
	}
	return rest[:labelLen]
}

func isLabel(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}

// replayBase returns the address of the replay origin that r came to, or "" if it came to another.
func (s *Site) replayBase(r *http.Request) string {
	if s.ReplayURL == "" {
		return ""
	}
	u, err := url.Parse(s.ReplayURL)
	if err != nil {
		return ""
	}
	host := withoutSchemesPort(u.Scheme, r.Host) // clients leave it out, what is between may not
	if s.HasOriginPerSite() {
		if l := s.labelOf(u.Scheme + "://" + host); l != "" {
			return strings.Replace(s.ReplayURL, anyHost, l, 1)
		}
		return ""
	}
	if strings.EqualFold(host, u.Host) {
		return s.ReplayURL
	}
	return ""
}

// Replayed returns what a policy must allow so that archived pages can reach each other: where they are replayed,
// without paths.
func (s *Site) Replayed(r *http.Request) string {
	if s.HasOriginPerSite() {
		return s.ReplayURL
	}
	return s.Base(r)
}

// TellReferrer tells replayed pages of other archived origins which page links to them. Browsers would only send the replay host, from
// which the archived origin can't be derived. The client side reduces the address to what a page may know. archived is the policy of the
// archived page, which may forbid any referrer.
func (s *Site) TellReferrer(h http.Header, archived string) {
	if !s.HasOriginPerSite() {
		return
	}
	policy := "unsafe-url"
	for _, asked := range strings.Split(strings.ToLower(archived), ",") { // the last that is known counts
		switch strings.TrimSpace(asked) {
		case "no-referrer", "same-origin":
			policy = "same-origin"
		case "origin", "strict-origin", "origin-when-cross-origin", "strict-origin-when-cross-origin", "unsafe-url", "no-referrer-when-downgrade":
			policy = "unsafe-url"
		}
	}
	h.Set("Referrer-Policy", policy)
}

// FromReplay returns the part of the Referer after the server's address, if a replayed page of any archived origin made the request.
func (s *Site) FromReplay(r *http.Request) (rest string, ok bool) {
	referer := r.Header.Get("Referer")
	base := s.Base(r)
	if l := s.labelOf(referer); l != "" {
		base = strings.Replace(s.ReplayURL, anyHost, l, 1)
	}
	return strings.CutPrefix(referer, base+"/")
}

// IsReplay reports whether an origin, as browsers write it, is that of an archived site.
func (s *Site) IsReplay(origin string) bool { return s.labelOf(origin) != "" }

// SharesWith reports whether the archived origin that is replayed at origin may read an answer archived with this
// Access-Control-Allow-Origin, as on the live web.
func (s *Site) SharesWith(coll, archived, origin string) bool {
	return archived == "*" || archived != "" && label(coll, archived) == s.labelOf(origin)
}
