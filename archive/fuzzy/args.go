package fuzzy

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// These rules say which parts of an address vary without changing its meaning. They work on index keys: hosts are in SURT order, everything
// is in lower case, and query arguments are sorted.

// An argRule names query arguments that are ignored.
type argRule struct {
	name  string            // a trailing "*" makes it a prefix
	value func(string) bool // whether the value is of a kind that varies; nil allows any
}

var (
	callback  = regexp.MustCompile(`^(?:jquery|jsonp|jsonpcallback|callback|cb|_jqjsp|json_?callback)?_*[0-9]+(?:_[0-9]+)?$`)
	generated = regexp.MustCompile(`^[a-z_$][a-z_$.]*[0-9]{3,}(?:_[0-9]+)?$`)
)

const digit, letter = "0123456789", "abcdefghijklmnopqrstuvwxyz"

// consistsOf reports whether a value has only some characters.
func consistsOf(s, characters string) bool { return strings.Trim(s, characters) == "" }

func isNumeric(s string) bool { return consistsOf(s, digit+".") }

// isClock reports whether a value can be a Unix time since 2001, in units from seconds to microseconds.
func isClock(s string) bool {
	return strings.HasPrefix(s, "1") && 10 <= len(s) && len(s) <= 16 && consistsOf(s, digit)
}

// isMilliclock is [isClock] for milliseconds or finer units.
func isMilliclock(s string) bool { return len(s) >= 13 && isClock(s) }

// isToken reports whether a value can be a session ID.
func isToken(s string) bool { return len(s) >= 16 && consistsOf(s, digit+letter+"_-") }

func isCallback(s string) bool { return callback.MatchString(s) }

func isGenerated(s string) bool { return generated.MatchString(s) }

func isJSONP(s string) bool {
	of, found := strings.CutPrefix(s, "jsonp")
	return found && of != "" && consistsOf(of, digit+letter+"_$")
}

// libraryCallback matches names that JavaScript libraries generate for JSONP callbacks, with a number. Whatever the argument is called,
// such a value is ignored. busted matches names of arguments with a clock.
var (
	libraryCallback = regexp.MustCompile(`^(?:jquery[0-9]+_[0-9]+|_prototypejsonpcallback_[0-9]+|` +
		`request\.jsonp\.request_map\.request_[0-9]+|` +
		`angular\.callbacks\._[0-9a-z]+|ng_jsonp_callback_[0-9]+|__ng_jsonp__\.__req[0-9]+\.finished|` +
		`dojo(?:\.io\.script\.jsonp_dojoioscript|_request_script_callbacks\.dojo_request_script)[0-9]+(?:\._jsonpcallback)?|` +
		`yui\.env\.jsonp\.[a-z0-9_]+|ext\.data\.jsonp\.callback[0-9]+|__jp[0-9]+|_jqjsp_?[0-9]*|reqwest_[0-9]+|jsonp_[0-9]+_[0-9]+)$`)
	busted = regexp.MustCompile(`bust|(?:^|[_.-])ts(?:[_.-]|$)`)
)

// genericArgs apply to every site.
var genericArgs = [...]argRule{
	// Cache busters: jQuery's, Ext's, and those that pages make from clocks and random numbers.
	{"_", isNumeric},
	{"__", isNumeric},
	{"_dc", isNumeric},
	{"_t", isNumeric},
	{"cb", isNumeric},
	{"uncache", isNumeric},
	{"nocache", isNumeric},
	{"no_cache", isNumeric},
	{"rnd", isNumeric},
	{"rand", isNumeric},
	{"random", isNumeric},
	{"r", isClock},
	{"t", isClock},
	{"ts", isClock},
	{"time", isClock},
	{"timestamp", isNumeric},
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
	// Session IDs, in addition to those that SURT keys leave out.
	{"sid", isToken},
	{"jsessionid", nil},
	{"phpsessid", nil},
	{"aspsessionid*", nil},
	{"sessionid", isToken},
	{"session_id", isToken},
	{"session", isToken},
	{"s", isToken},
	{"zenid", nil},
	{"oscsid", nil},
	{"cfid", nil},
	{"cftoken", nil},
	{"_session_id", nil},
	// JSONP callbacks. The rewriter inserts the requested name into the response.
	{"callback", isCallback},
	{"callback", isGenerated},
	{"callback", isJSONP},
	{"jsonp", isCallback},
	{"jsonp", isGenerated},
	{"jsoncallback", isCallback},
	{"jsoncallback", isGenerated},
	{"cb", isCallback},
	{"cb", isGenerated},
}

// plainFiles matches static files. Servers ignore the query for these, unless it asks for a part: see partOf.
var plainFiles = regexp.MustCompile(`\.(?:css|m?js|map|png|jpe?g|gif|svgz?|ico|bmp|webp|avif|tiff?|woff2?|ttf|otf|eot|` +
	`mp3|mp4|m4[av]|ogg|og[av]|opus|wav|webm|mov|avi|flv|swf|vtt|ts|m4s|m3u8|mpd|pdf|zip|wasm)$`)

// partOf are arguments that request a part of a file: bytes, or a stretch of a video. Their values are numbers.
var (
	partOf = regexp.MustCompile(`^(?:byte_?(?:start|end|range)|bytes|range|start|end|begin|offset|length|` +
		`sq|seq|seg(?:ment)?|part|chunk|frag(?:ment)?)$`)
)

// pageOf are arguments for which a server generates a page.
var (
	pageOf = regexp.MustCompile(`^(?:p|pg|pages?|page[_-]?(?:no|num|number|id|size)|limit|start|from|to|` +
		`q|query|search|s|sort|order|filter|tag|cat(?:egory)?)$`)
)

// isPart reports whether a value can be a number or a range of numbers.
func isPart(s string) bool { return s != "" && consistsOf(s[:1], digit) && consistsOf(s, digit+".,:-") }

// isPageFile reports whether a path is that of a page in a file.
func isPageFile(file string) bool {
	return slices.Contains([]string{".htm", ".html", ".xhtm", ".xhtml"}, path.Ext(file))
}

func partCounts(name, value string) bool {
	return partOf.MatchString(name) && isPart(value)
}

// pathSession matches a servlet's session ID in a path.
var pathSession = regexp.MustCompile(`;(?:jsessionid|phpsessid|sid)=[^/]*`)

func genericCounts(name, value string) bool {
	if strings.Contains(name, "cache") && value != "" && consistsOf(value, digit+".-") {
		return false
	}
	if value == "" && isClock(name) || isMilliclock(value) && busted.MatchString(name) { // "?1410000000000"
		return false
	}
	for i := range genericArgs {
		r := &genericArgs[i]
		begin, open := strings.CutSuffix(r.name, "*")
		if (name == begin || open && strings.HasPrefix(name, begin)) && (r.value == nil || r.value(value)) {
			return false
		}
	}
	return true
}
