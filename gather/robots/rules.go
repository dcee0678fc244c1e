package robots

import (
	"bytes"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A reader reads the lines of a file for one crawler (RFC 9309 §2.2).
type reader struct {
	agent    string
	mine     group // of the crawler, from all places of the file
	all      group // of those that have none of their own
	agents   []string
	ruled    bool // the group has a rule, so that a user-agent begins the next
	sitemaps []string
}

// A group is what a file asks of a crawler.
type group struct {
	named bool
	list  []rule
	delay time.Duration
}

// read returns the rules of a file for a crawler. Lines that mean nothing are passed over.
func read(body []byte, agent string) Rules {
	r := reader{agent: strings.ToLower(agent)}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	for line := range bytes.Lines(bytes.ReplaceAll(body, []byte("\r"), []byte("\n"))) {
		text, _, _ := strings.Cut(string(line), "#")
		name, value, _ := strings.Cut(text, ":")
		r.line(strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value))
	}
	of := r.mine
	if !of.named {
		of = r.all
	}
	return Rules{list: of.list, Delay: of.delay, Sitemaps: r.sitemaps}
}

func (r *reader) line(name, value string) {
	switch name {
	case "user-agent":
		if r.ruled {
			r.agents, r.ruled = nil, false
		}
		r.agents = append(r.agents, productToken(value))
		r.each(func(g *group) { g.named = true })
	case "sitemap":
		if value != "" {
			r.sitemaps = append(r.sitemaps, value)
		}
	case "allow", "disallow":
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

// each changes the groups that the line is for, as far as they are for the crawler.
func (r *reader) each(change func(*group)) {
	if slices.Contains(r.agents, r.agent) {
		change(&r.mine)
	}
	if slices.Contains(r.agents, "*") {
		change(&r.all)
	}
}

// productToken returns the name in a user-agent line, without the version that some write behind it (RFC 9309 §2.2.1).
func productToken(value string) string {
	if strings.HasPrefix(value, "*") {
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

// A rule allows or forbids what begins like it.
type rule struct {
	allow  bool
	exact  []string // what has to come one after the other, with anything between: the parts around each *
	loose  []string // the same, where an argument may hold / and ? as they are or percent-encoded
	ends   bool     // the path ends there, too: $
	length int      // in octets
}

// newRule reads a pattern. A * stands for anything, a $ at its end for the end of the path; elsewhere $ is a character like others.
func newRule(pattern string, allow bool) rule {
	if !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "*") {
		pattern = "/" + pattern
	}
	text, ends := strings.CutSuffix(pattern, "$")
	r := rule{allow: allow, ends: ends}
	argument := false // a * may have passed the ?
	for i, part := range strings.Split(text, "*") {
		argument = argument || i > 0
		r.exact = append(r.exact, encoded(part))
		r.loose = append(r.loose, looser(encoded(part), &argument))
	}
	r.length = len(strings.Join(r.exact, "*"))
	if ends {
		r.length++
	}
	return r
}

// matches reports whether the parts of a pattern are in a path one after the other, the first at its beginning.
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

// encoded returns a path, or a part of a pattern, in the one form in which both are compared (RFC 9309 §2.2.2): what needs no
// percent-encoding has none, all else has it, but for what separates parts of a path and arguments.
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

// looser returns a path with / and ? as they are in arguments, where they separate nothing. argument says whether it begins in one,
// and then whether it ends in one.
func looser(encoded string, argument *bool) string {
	before, after, found := encoded, "", false
	if *argument {
		before, after, found = "", encoded, true
	} else if i := strings.IndexByte(encoded, '?'); i >= 0 {
		before, after, found = encoded[:i+1], encoded[i+1:], true
	}
	*argument = found
	return before + strings.NewReplacer("%2F", "/", "%3F", "?").Replace(after)
}

// Allow reports whether a URL may be asked for. robots.txt itself always may (RFC 9309 §2.2.2). Of the rules that match, that with the most
// octets counts; of two that have as many, that which allows.
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
	exact, argument := encoded(path), false
	loose := looser(exact, &argument)
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
