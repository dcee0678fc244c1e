package archive

import (
	"regexp"
	"strings"
)

// What of a body that was sent does not say what is meant. The key of a POST or PUT has its fields as arguments, those of
// JSON, of GraphQL's variables too, under their own names: "page=2" and, where a name comes again, "page.2_=3" (see
// [surt.OfRequest]). A page that is replayed sends the same fields as when it was captured, but for what it takes from its
// clock, from chance and from the session it is in.

// A sentRule names fields that vary, whatever their case and the signs between their words.
type sentRule struct {
	name  *regexp.Regexp
	value *regexp.Regexp // what the value must look like; nil: anything
}

// The values that clocks and chance make, and places in a list as servers write them: opaque, and often with a clock in
// them. A number is a place that counts.
var (
	moment = regexp.MustCompile(`^(?:1[0-9]{9,18}(?:\.[0-9]+)?|(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}[t +].*)$`)
	chance = regexp.MustCompile(`^(?:[0-9]{6,}|[0-9a-z_.~+/=:%-]{8,})$`)
	opaque = regexp.MustCompile(`^[0-9a-z_~+/=:.%-]*[a-z_~+/=:%-][0-9a-z_~+/=:.%-]{7,}$`)
)

// sentRules leave out names that could say what is asked for, as id, user, from and to do: a rule must not give wrong bytes.
var sentRules = [...]sentRule{
	{
		names(`(?:client|local|request|current|server|page|load|send|event|device|browser|user)?(?:time|timestamp|datetime|date|clock|now|ts)`),
		moment,
	},
	{names(`(?:sent|created|client|local)at|t|r|_|__`), moment},
	{names(`.*nonce|salt|random|rand|rnd|cb|cachebuster|cachebust|nocache`), nil},
	{names(`(?:x|client)?(?:request|req|correlation|trace|span|idempotency|mutation)(?:id|key|uuid)|reqno`), nil},
	{names(`(?:session|visitor|visit|pageview|browser|anonymous|anon|tab|window)(?:id|uuid|key|token)|phpsessid|jsessionid|sessid`), nil},
	{names(`sid`), token},
	{names(`.*csrf.*|.*xsrf.*|authenticitytoken|requestverificationtoken|formbuildid|formtoken`), nil},
	{names(`viewstate(?:generator)?|eventvalidation|grecaptcharesponse`), nil},
	{names(`(?:access|auth|id|refresh|session|security|recaptcha|captcha)?token`), chance},
	{names(`.*cursor|after|before|(?:next)?pagetoken|continuation(?:token)?`), opaque},
	{names(`dyn|csr|hs|hsi|hsdp|ccg|rev|spinr|spint|lsd|jazoest|fbdtsg`), chance}, // Facebook's, in each request of a session
}

// names matches whole names.
func names(expr string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + expr + `)$`) }

// again is what follows a name that comes again.
var again = regexp.MustCompile(`\.[0-9]+_$`)

// fieldName is a field's name as the rules have it: without signs, and without the count of one that comes again.
func fieldName(name string) string {
	name = again.ReplaceAllString(name, "")
	if plain := strings.NewReplacer("_", "", "-", "", ".", "", "%5b", "", "%5d", "", "[", "", "]", "", "$", "").Replace(name); plain != "" {
		return plain
	}
	return name
}

// sentCounts reports whether a field says what is meant.
func sentCounts(name, value string) bool {
	if strings.HasPrefix(name, "__wb_") {
		return true
	}
	field := fieldName(name)
	for i := range sentRules {
		if r := &sentRules[i]; r.name.MatchString(field) && (r.value == nil || r.value.MatchString(value)) {
			return false
		}
	}
	return true
}

// sentBegin is the beginning of a key up to the first field that does not count: keys are in order, so those that mean the
// same are near it.
func sentBegin(key string) string {
	path, query, _ := strings.Cut(key, "?")
	begin := path + "?"
	for arg := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(arg, "=")
		if !sentCounts(name, value) {
			return begin
		}
		begin += arg + "&"
	}
	return strings.TrimSuffix(begin, "&")
}
