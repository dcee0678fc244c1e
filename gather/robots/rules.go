package robots

import (
	"bytes"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/unicode"
)

// A reader reads the lines of a file for one crawler (RFC 9309 §2.2).
type reader struct {
	agent    string
	mine     group // for the crawler, from the whole file
	all      group // for crawlers without a group of their own
	isMine   bool  // the current group is for the crawler
	isAll    bool  // it is for all crawlers
	ruled    bool  // it has a rule, so a user-agent line begins a new group
	sitemaps []string
}

// A group is the rules for one crawler.
type group struct {
	named bool
	list  []rule
	delay time.Duration
}

// read returns the rules of a file for a crawler. It ignores unknown lines.
func read(body []byte, agent string) Rules {
	r := reader{agent: strings.ToLower(agent)}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	if text, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(body); err == nil {
		body = text
	}
	for line := range bytes.Lines(bytes.ReplaceAll(body, []byte("\r"), []byte("\n"))) {
		text, _, _ := strings.Cut(string(line), "#")
		name, value, found := strings.Cut(text, ":")
		if parts := strings.Fields(text); !found && len(parts) == 2 {
			name, value = parts[0], parts[1]
		}
		r.line(strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value))
	}
	of := r.mine
	if !of.named {
		of = r.all
	}
	return Rules{list: of.list, Delay: of.delay, Sitemaps: r.sitemaps}
}

// line reads a line. Names in the spellings that Google takes for them mean the same (RFC 9309 §2.2.4 allows this), because the site
// means what it forbids.
func (r *reader) line(name, value string) {
	switch name {
	case "user-agent", "useragent", "user agent":
		if r.ruled {
			r.isMine, r.isAll, r.ruled = false, false, false
		}
		token := productToken(value)
		r.isMine = r.isMine || token == r.agent
		r.isAll = r.isAll || token == "*"
		r.each(func(g *group) { g.named = true })
	case "sitemap", "site-map":
		if value != "" {
			r.sitemaps = append(r.sitemaps, value)
		}
	case "allow", "disallow", "disalow", "dissallow", "dissalow", "diasllow", "disallaw":
		r.ruled = true
		if value != "" { // an empty one forbids nothing
			r.each(func(g *group) { g.list = append(g.list, newRule(value, name == "allow")) })
		}
	case "crawl-delay":
		r.ruled = true
		if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 && seconds <= math.MaxInt32 {
			r.each(func(g *group) { g.delay = time.Duration(seconds * float64(time.Second)) })
		}
	}
}

// each applies a change to the groups that the current line belongs to, if they concern the crawler.
func (r *reader) each(change func(*group)) {
	if r.isMine {
		change(&r.mine)
	}
	if r.isAll {
		change(&r.all)
	}
}

// productToken returns the name in a user-agent line, without a version (RFC 9309 §2.2.1).
func productToken(value string) string {
	if words := strings.Fields(value); len(words) > 0 && words[0] == "*" {
		return "*"
	}
	end := strings.IndexFunc(value, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' && r != '-'
	})
	if end >= 0 {
		value = value[:end]
	}
	return strings.ToLower(value)
}

// A rule allows or forbids paths that match a pattern.
type rule struct {
	allow  bool
	exact  []string // the literal parts around each *, which must occur in this order
	loose  []string // the same, where an argument may contain / and ? literally or percent-encoded
	ends   bool     // the pattern ends with $
	length int      // in octets
}

// newRule parses a pattern. A * matches anything, a $ at the end matches the end of the path; elsewhere $ is an ordinary character.
func newRule(pattern string, allow bool) rule {
	if !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "*") {
		pattern = "/" + pattern
	}
	text, ends := strings.CutSuffix(pattern, "$")
	r := rule{allow: allow, ends: ends}
	for i, part := range strings.Split(text, "*") {
		r.exact = append(r.exact, encoded(part))
		r.loose = append(r.loose, decodeDelimiters(encoded(part), i > 0)) // the * before it may match a ?
	}
	r.length = len(strings.Join(r.exact, "*"))
	if ends {
		r.length++
	}
	return r
}

// matches reports whether the parts of a pattern occur in a path in order, the first one at its beginning.
func matches(path string, parts []string, ends bool) bool {
	path, ok := strings.CutPrefix(path, parts[0])
	if !ok || len(parts) == 1 {
		return ok && (!ends || path == "")
	}
	last := len(parts) - 1
	for i, part := range parts[1:] {
		if ends && i+1 == last {
			return strings.HasSuffix(path, part)
		}
		_, after, found := strings.Cut(path, part)
		if !found {
			return false
		}
		path = after
	}
	return true
}

// encoded normalizes a path, or a part of a pattern, for comparison (RFC 9309 §2.2.2): unreserved characters are decoded, all
// others are percent-encoded, except for delimiters of paths and arguments.
func encoded(path string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c, asIs := path[i], strings.IndexByte("/?&=+;", path[i]) >= 0
		if c == '%' && i+2 < len(path) {
			if n, err := strconv.ParseUint(path[i+1:i+3], 16, 8); err == nil {
				c, asIs, i = byte(n), false, i+2
			}
		}
		if asIs || isUnreserved(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// isUnreserved reports whether a character never needs percent-encoding (RFC 3986 §2.3).
func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// decodeDelimiters decodes / and ? inside arguments, where they are not delimiters. argument says that the text begins in an argument.
func decodeDelimiters(encoded string, argument bool) string {
	start := 0
	if !argument {
		if start = strings.IndexByte(encoded, '?') + 1; start == 0 {
			return encoded
		}
	}
	return encoded[:start] + strings.NewReplacer("%2F", "/", "%3F", "?").Replace(encoded[start:])
}

// Allow reports whether a URL may be requested. robots.txt itself always may (RFC 9309 §2.2.2). The longest matching rule counts,
// in octets; if two have the same length, the one that allows.
func (r Rules) Allow(u *url.URL) bool {
	path := u.EscapedPath()
	switch {
	case path == "/robots.txt":
		return true
	case r.nothing:
		return false
	case path == "":
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	exact := encoded(path)
	loose := decodeDelimiters(exact, false)
	most, allowed := -1, true
	for _, rule := range r.list {
		if rule.length < most || rule.length == most && !rule.allow {
			continue
		}
		if matches(exact, rule.exact, rule.ends) || matches(loose, rule.loose, rule.ends) {
			most, allowed = rule.length, rule.allow
		}
	}
	return allowed
}
