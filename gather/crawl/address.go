package crawl

import (
	neturl "net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx/surt"
)

// sessions matches names of parameters that identify the client or a campaign, except those that SURTs drop.
var sessions = regexp.MustCompile(`(?i)^(` + strings.Join([]string{
	"s_?id", "sess", "sess(ion)?_?id", "session", "oscsid", "zenid", "phpsessid", "jsessionid", "cfid", "cftoken", "aspsessionid[a-z]*",
	"utm_[a-z]+", "fbclid", "gclid", "msclkid",
}, "|") + `)$`)

// sessionInPath matches the same in a path: /a;jsessionid=1, and /(S(24 characters))/a.aspx of ASP.NET.
var sessionInPath = regexp.MustCompile(`(?i);(jsessionid|phpsessid|sid|cfid|cftoken)=[^/;?]*|/\(([a-z]\([0-9a-z]{24}\))+\)`)

// escapes matches percent-encoded bytes, in which the case of letters means nothing.
var escapes = regexp.MustCompile(`(%[0-9A-Fa-f]{2})+`)

// keyOf returns the key of an address, which is the same for equivalent requests: its exact key without parameters of sessions and
// campaigns.
func keyOf(address string) string {
	before, query, found := strings.Cut(address, "?")
	before = sessionInPath.ReplaceAllString(before, "")
	var kept []string
	for arg := range strings.SplitSeq(query, "&") {
		if name, _, _ := strings.Cut(arg, "="); !sessions.MatchString(name) {
			kept = append(kept, arg)
		}
	}
	if found && len(kept) > 0 {
		before += "?" + strings.Join(kept, "&")
	}
	return exactKey(before)
}

// exactKey returns the SURT of an address, under which captures are found, and with it the path and the arguments if these have capital
// letters, since many servers tell /dQw4 from /DQw4.
func exactKey(address string) string {
	key := surt.Of(address)
	address, _, _ = strings.Cut(address, "#")
	_, rest, _ := strings.Cut(address, "://")
	start := strings.IndexAny(rest, "/?")
	if start < 0 {
		return key
	}
	rest = escapes.ReplaceAllStringFunc(rest[start:], strings.ToLower)
	if !strings.ContainsFunc(rest, func(r rune) bool { return r >= 'A' && r <= 'Z' }) {
		return key
	}
	path, query, _ := strings.Cut(rest, "?")
	arguments := strings.Split(query, "&")
	slices.Sort(arguments)
	return key + " " + strings.TrimSuffix(path, "/") + "?" + strings.Join(arguments, "&")
}

// ownKey returns a unique key for an address. It is used if a redirect leads to an address with the same key.
func ownKey(address string) string { return keyOf(address) + " as " + address }

// Traps are endless sets of addresses that servers generate.
const (
	trapLength    = "length"    // of an address
	trapPath      = "path"      // whose segments come again and again
	trapArguments = "arguments" // the same again and again, or escaped once more each time
	trapCalendar  = "calendar"  // from one date to the next
	trapRedirects = "redirects" // one after the other
)

// Limits beyond which an address is a trap.
const (
	maxAddress  = 2_000 // bytes
	maxSegments = 30    // of a path
	maxSame     = 3     // repetitions of the same segments in a row
	maxDated    = 12    // pages with dates, each linked from the one before
	maxHops     = 10    // redirects
	firstYear   = 1900
	laterYears  = 2 // from now
)

// trapOf returns the kind of trap that an address looks like, or "". run is the number of dated pages in a row up to this one.
func trapOf(address string, run int, now time.Time) string {
	if len(address) > maxAddress {
		return trapLength
	}
	u, err := neturl.Parse(address)
	if err != nil {
		return ""
	}
	if repeats(strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")) {
		return trapPath
	}
	if escapedAgain.MatchString(address) || repeatsArgument(u.RawQuery) {
		return trapArguments
	}
	if ok, odd := dated(u, now); ok && (run > maxDated || odd) {
		return trapCalendar
	}
	return ""
}

// escapedAgain matches the end of an address that each page escapes once more: &amp;amp;amp;, %25252525.
var escapedAgain = regexp.MustCompile(`(?i)(?:(?:&|%26)?(?:amp|(?:#|%23)(?:0*38|x0*26))(?:;|%3b)){3}|%(?:25){4}`)

// repeatsArgument reports whether a query repeats the same argument many times.
func repeatsArgument(query string) bool {
	times := map[string]int{}
	for arg := range strings.SplitSeq(query, "&") {
		if times[arg]++; arg != "" && times[arg] > maxSame {
			return true
		}
	}
	return false
}

// repeats reports whether a path has too many segments, or repeats them: /a/b/a/b/a/b/a/b.
func repeats(segments []string) bool {
	return len(segments) > maxSegments || inARow(segments) || takeTurns(segments)
}

// takeTurns reports whether several names recur in no regular order: /a/b/b/a/a/b. Relative links produce such paths if a server
// answers with the same page everywhere.
func takeTurns(segments []string) bool {
	times := map[string]int{}
	names, again := 0, 0
	for _, s := range segments {
		if times[s]++; times[s] > 1 && s != "" {
			again++
		}
		if times[s] == 2 {
			names++
		}
	}
	return names > 1 && again > maxSame && !isRegular(segments)
}

// isRegular reports whether segments are a periodic sequence.
func isRegular(segments []string) bool {
	for length := 1; length <= len(segments)/2; length++ {
		if slices.Equal(segments[length:], segments[:len(segments)-length]) {
			return true
		}
	}
	return false
}

// inARow reports whether the same segments repeat too often in a row.
func inARow(segments []string) bool {
	for length := 1; length <= len(segments)/(maxSame+1); length++ {
		same := 0 // segments in a row that equal those one period before
		for i := length; i < len(segments); i++ {
			if segments[i] != segments[i-length] || segments[i] == "" {
				same = 0
			} else if same++; same >= length*maxSame {
				return true
			}
		}
	}
	return false
}

var (
	dateInPath = regexp.MustCompile(`(?:^|[/_-])((?:19|20)\d{2})[/_-](?:0?[1-9]|1[0-2])(?:[/_-]|$)`)
	yearInArgs = regexp.MustCompile(`(?i)(?:^|&)(?:[a-z_]*(?:year|yr|date|day|month|week|cal[a-z]*))=(\d{4})(?:[-/]?\d\d?)*(?:&|$)`)
)

// dated reports whether an address names a month or a day. odd is true if its year is implausible. Only an argument named like a
// year decides that, since numbers in paths may be anything.
func dated(u *neturl.URL, now time.Time) (ok, odd bool) {
	if found := yearInArgs.FindStringSubmatch(u.RawQuery); found != nil {
		year, err := strconv.Atoi(found[1])
		return true, err == nil && (year < firstYear || year > now.Year()+laterYears)
	}
	return dateInPath.MatchString(u.EscapedPath()), false
}

// runOf returns the number of dated pages in a row up to an address, given that number for the page before it.
func runOf(address string, before int) int {
	u, err := neturl.Parse(address)
	if err != nil {
		return 0
	}
	if ok, _ := dated(u, time.Time{}); !ok {
		return 0
	}
	return before + 1
}
