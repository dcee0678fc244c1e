package fuzzy

import (
	"regexp"
	"strings"
)

// These rules say which parts of an address vary without changing what it means. They read index keys: hosts are in
// SURT order, everything is in lower case, and query arguments are sorted.

// An argRule names query arguments that do not count.
type argRule struct {
	name  string         // a trailing "*" makes it a prefix
	value *regexp.Regexp // what the value must look like; nil allows any
}

var (
	digits    = regexp.MustCompile(`^[0-9.]*$`)
	clock     = regexp.MustCompile(`^1[0-9]{9,15}$`) // seconds to microseconds since 1970, from 2001 on
	token     = regexp.MustCompile(`^[0-9a-z_-]{16,}$`)
	callback  = regexp.MustCompile(`^(?:jquery|jsonp|jsonpcallback|callback|cb|_jqjsp|json_?callback)?_*[0-9]+(?:_[0-9]+)?$`)
	generated = regexp.MustCompile(`^[a-z_$][a-z_$.]*[0-9]{3,}(?:_[0-9]+)?$`)
	jsonpName = regexp.MustCompile(`^jsonp[0-9a-z_$]+$`)
)

// libraryCallback matches names that JavaScript libraries give to the functions that JSONP answers call, with a number each. Whatever
// the argument is called, its value is such a name and nothing else. busted matches names of arguments that hold a clock, cacheValue what
// those hold that name a cache.
var (
	libraryCallback = regexp.MustCompile(`^(?:jquery[0-9]+_[0-9]+|_prototypejsonpcallback_[0-9]+|` +
		`request\.jsonp\.request_map\.request_[0-9]+|` +
		`angular\.callbacks\._[0-9a-z]+|ng_jsonp_callback_[0-9]+|__ng_jsonp__\.__req[0-9]+\.finished|` +
		`dojo(?:\.io\.script\.jsonp_dojoioscript|_request_script_callbacks\.dojo_request_script)[0-9]+(?:\._jsonpcallback)?|` +
		`yui\.env\.jsonp\.[a-z0-9_]+|ext\.data\.jsonp\.callback[0-9]+|__jp[0-9]+|_jqjsp_?[0-9]*|reqwest_[0-9]+|jsonp_[0-9]+_[0-9]+)$`)
	busted     = regexp.MustCompile(`bust|(?:^|[_.-])ts(?:[_.-]|$)`)
	cacheValue = regexp.MustCompile(`^[0-9.-]+$`)
	milliclock = regexp.MustCompile(`^1[0-9]{12,15}$`)
)

// genericArgs apply to every site.
var genericArgs = [...]argRule{
	// Cache busters: jQuery's, Ext's, and those that pages make from clocks and random numbers.
	{"_", digits},
	{"__", digits},
	{"_dc", digits},
	{"_t", digits},
	{"cb", digits},
	{"uncache", digits},
	{"nocache", digits},
	{"no_cache", digits},
	{"rnd", digits},
	{"rand", digits},
	{"random", digits},
	{"r", clock},
	{"t", clock},
	{"ts", clock},
	{"time", clock},
	{"timestamp", digits},
	{"__*", nil}, // Facebook's, and those of frameworks
	{"cachebuster", nil},
	{"cache_buster", nil},
	{"cachebust", nil},
	{"cache_bust", nil},
	{"bust", nil},
	{"buster", nil},
	// Tracking of where a reader came from.
	{"utm_*", nil},
	{"fbclid", nil},
	{"gclid", nil},
	{"gclsrc", nil},
	{"dclid", nil},
	{"msclkid", nil},
	{"yclid", nil},
	{"igshid", nil},
	{"mc_cid", nil},
	{"mc_eid", nil},
	{"_ga", nil},
	{"_gl", nil},
	{"_hsenc", nil},
	{"_hsmi", nil},
	// Session IDs, beyond those that SURT keys already leave out.
	{"sid", token},
	{"jsessionid", nil},
	{"phpsessid", nil},
	{"aspsessionid*", nil},
	{"sessionid", token},
	{"session_id", token},
	{"session", token},
	{"s", token},
	{"zenid", nil},
	{"oscsid", nil},
	{"cfid", nil},
	{"cftoken", nil},
	{"_session_id", nil},
	// The function that a JSONP answer calls. The rewriter puts the requested name into the answer.
	{"callback", callback},
	{"callback", generated},
	{"callback", jsonpName},
	{"jsonp", callback},
	{"jsonp", generated},
	{"jsoncallback", callback},
	{"jsoncallback", generated},
	{"cb", callback},
	{"cb", generated},
}

// plainFiles matches static files. Servers send them whatever the query says, unless it asks for a part: see partOf.
var plainFiles = regexp.MustCompile(`\.(?:css|m?js|map|png|jpe?g|gif|svgz?|ico|bmp|webp|avif|tiff?|woff2?|ttf|otf|eot|` +
	`mp3|mp4|m4[av]|ogg|og[av]|opus|wav|webm|mov|avi|flv|swf|vtt|ts|m4s|m3u8|mpd|pdf|zip|wasm)$`)

// partOf are the arguments that request a part of a file: bytes, or a stretch of a video. Their values are numbers.
var (
	partOf = regexp.MustCompile(`^(?:byte_?(?:start|end|range)|bytes|range|start|end|begin|offset|length|` +
		`sq|seq|seg(?:ment)?|part|chunk|frag(?:ment)?)$`)
	partValue = regexp.MustCompile(`^[0-9][0-9.,:-]*$`)
)

// pageFile matches pages that are files, pageOf the arguments for which a server makes a page.
var (
	pageFile = regexp.MustCompile(`\.x?html?$`)
	pageOf   = regexp.MustCompile(`^(?:p|pg|pages?|page[_-]?(?:no|num|number|id|size)|limit|start|from|to|` +
		`q|query|search|s|sort|order|filter|tag|cat(?:egory)?)$`)
)

func partCounts(name, value string) bool {
	return partOf.MatchString(name) && partValue.MatchString(value)
}

// pathSession matches a servlet's session ID in a path.
var pathSession = regexp.MustCompile(`;(?:jsessionid|phpsessid|sid)=[^/]*`)

func genericCounts(name, value string) bool {
	if strings.Contains(name, "cache") && cacheValue.MatchString(value) {
		return false
	}
	if value == "" && clock.MatchString(name) || milliclock.MatchString(value) && busted.MatchString(name) { // "?1410000000000"
		return false
	}
	for i := range genericArgs {
		r := &genericArgs[i]
		begin, open := strings.CutSuffix(r.name, "*")
		if (name == begin || open && strings.HasPrefix(name, begin)) && (r.value == nil || r.value.MatchString(value)) {
			return false
		}
	}
	return true
}
