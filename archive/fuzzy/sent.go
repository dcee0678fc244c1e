package fuzzy

import (
	"regexp"
	"strings"
)

// These rules say which fields of a request body vary without changing what is requested. The key of a POST or PUT has the fields as
// arguments. Fields of JSON, and of GraphQL's variables, have their own names: "page=2" and, for a repeated name, "page.2_=3" (see
// [surt.OfRequest]). A replayed page sends the same fields as when it was captured, except for values from its clock, its random numbers
// and its session.

// A sentRule names fields that vary. Case and punctuation in names are ignored.
type sentRule struct {
	name  *regexp.Regexp
	value func(string) bool // whether the value is of a kind that varies; nil allows any
}

// Kinds of values that vary: times, random values, and opaque list positions that servers issue, which often contain a time. A position
// that is a plain number counts.
var (
	timeValue   = regexp.MustCompile(`^(?:1[0-9]{9,18}(?:\.[0-9]+)?|(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}[t +].*)$`)
	opaqueValue = regexp.MustCompile(`^[0-9a-z_~+/=:.%-]*[a-z_~+/=:%-][0-9a-z_~+/=:.%-]{7,}$`)
)

// sentRules don't include names that may identify what is requested, like id, user, from and to: a rule must never lead to a wrong
// response.
var sentRules = [...]sentRule{
	{
		names(`(?:client|local|request|current|server|page|load|send|event|device|browser|user)?(?:time|timestamp|datetime|date|clock|now|ts)`),
		isTime,
	},
	{names(`(?:sent|created|submitted|placed|requested|started|clicked|viewed|loaded|client|local)at|t|r|_|__`), isTime},
	{names(`.*nonce|salt|random|rand|rnd|cb|cachebuster|cachebust|nocache`), nil},
	{names(`(?:x|client)?(?:request|req|correlation|trace|span|idempotency|mutation)(?:id|key|uuid)|reqno`), nil},
	{names(`(?:session|visitor|visit|pageview|browser|anonymous|anon|tab|window)(?:id|uuid|key|token)|phpsessid|jsessionid|sessid`), nil},
	{names(`sid`), isToken},
	{names(`.*csrf.*|.*xsrf.*|authenticitytoken|requestverificationtoken|formbuildid|formtoken`), nil},
	{names(`viewstate(?:generator)?|eventvalidation|grecaptcharesponse`), nil},
	{names(`(?:access|auth|id|refresh|session|security|recaptcha|captcha)?token`), isRandom},
	{names(`.*cursor|after|before|(?:next)?pagetoken|continuation(?:token)?`), isOpaque},
	{names(`dyn|csr|hs|hsi|hsdp|ccg|rev|spinr|spint|lsd|jazoest|fbdtsg`), isRandom}, // Facebook's, in each request of a session
}

func isTime(s string) bool { return timeValue.MatchString(s) }

func isRandom(s string) bool {
	return len(s) >= 6 && consistsOf(s, digit) || len(s) >= 8 && consistsOf(s, digit+letter+"_.~+/=:%-")
}

func isOpaque(s string) bool { return opaqueValue.MatchString(s) }

// names returns a pattern for whole names.
func names(expr string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + expr + `)$`) }

// repeated matches the suffix of a repeated name.
var repeated = regexp.MustCompile(`\.[0-9]+_$`)

// fieldName returns a field's name in the form of the rules: without punctuation and the suffix of a repeated name.
func fieldName(name string) string {
	name = repeated.ReplaceAllString(name, "")
	if plain := strings.NewReplacer("_", "", "-", "", ".", "", "%5b", "", "%5d", "", "[", "", "]", "", "$", "").Replace(name); plain != "" {
		return plain
	}
	return name
}

// sentCounts reports whether a field identifies what is requested.
func sentCounts(name, value string) bool {
	if strings.HasPrefix(name, "__wb_") {
		return true
	}
	field := fieldName(name)
	for i := range sentRules {
		if r := &sentRules[i]; r.name.MatchString(field) && (r.value == nil || r.value(value)) {
			return false
		}
	}
	return true
}

// sentBegin returns a key up to the first field that varies. Keys are sorted, so those with the same meaning are near.
func sentBegin(key string) string {
	end := strings.IndexByte(key, '?') + 1
	for arg := range strings.SplitSeq(key[end:], "&") {
		name, value, _ := strings.Cut(arg, "=")
		if !sentCounts(name, value) {
			return key[:end]
		}
		end += len(arg) + 1
	}
	return key
}
