package archive

import (
	"regexp"
	"strings"

	"github.com/varve-archive/varve/cdx/surt"
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
	{"timestamp", clock},
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
	{"jsonp", callback},
	{"jsonp", generated},
	{"jsoncallback", callback},
	{"jsoncallback", generated},
	{"cb", generated},
}

// A siteRule lists the only arguments that count under keys that begin with prefix.
type siteRule struct {
	prefix string   // of an index key
	need   []string // the rule applies only if the key has all of these
	also   []string // these count if they are present
}

var siteRules = [...]siteRule{
	{"com,youtube)/get_video_info", []string{"video_id"}, nil},
	{"com,youtube)/watch", []string{"v"}, nil},
	{"com,googlevideo,", []string{"id", "itag"}, []string{"mime", "range"}},
	{"com,ytimg,", nil, nil},
	{"com,vimeo,player)/video/", nil, nil},
	{"com,vimeocdn,", nil, nil},
	{"com,facebook)/photo.php", []string{"fbid"}, nil},
	{"com,facebook)/plugins/", []string{"href"}, []string{"width", "layout"}},
	{"com,twimg,pbs)/media/", nil, []string{"format", "name"}},
	{"com,twimg,", nil, nil},
	{"com,twitter,syndication)/", []string{"id"}, nil},
	{"com,twitter,cdn,syndication)/", []string{"id"}, nil},
	{"com,googleapis,fonts)/css", []string{"family"}, nil},
	{"com,googleapis,maps)/maps/api/js", nil, nil},
	{"com,googleusercontent,", nil, nil},
	{"com,gravatar)/avatar/", nil, nil},
	{"com,gravatar,secure)/avatar/", nil, nil},
	{"com,disqus)/embed/comments", []string{"t_u"}, nil},
}

// plainFiles matches static files, which servers send whatever the query says.
var plainFiles = regexp.MustCompile(`\.(?:css|m?js|map|png|jpe?g|gif|svgz?|ico|bmp|webp|avif|tiff?|woff2?|ttf|otf|eot|` +
	`mp3|mp4|m4[av]|ogg|og[av]|opus|wav|webm|mov|avi|flv|swf|vtt|ts|m4s|m3u8|mpd|pdf|zip|wasm)$`)

// pathSession matches a servlet's session ID in a path.
var pathSession = regexp.MustCompile(`;(?:jsessionid|phpsessid|sid)=[^/]*`)

// meaningOf returns the key without its varying parts. Two addresses with the same meaning are taken for the same
// resource if no exact capture exists.
func meaningOf(key string) string {
	path, query, _ := strings.Cut(key, "?")
	if strings.Contains(path, ";") {
		path = pathSession.ReplaceAllString(path, "")
	}
	if surt.HasMethod(key) { // what was sent decides, whatever the path looks like
		return withQuery(path, query, sentCounts)
	}
	for i := range siteRules {
		if r := &siteRules[i]; strings.HasPrefix(key, r.prefix) && r.holds(query) {
			return withQuery(path, query, r.counts)
		}
	}
	if plainFiles.MatchString(path) {
		return path
	}
	return withQuery(path, query, genericCounts)
}

func (r *siteRule) holds(query string) bool {
	for _, name := range r.need {
		if !strings.HasPrefix(query, name+"=") && !strings.Contains(query, "&"+name+"=") {
			return false
		}
	}
	return true
}

func (r *siteRule) counts(name, _ string) bool {
	for _, list := range [...][]string{r.need, r.also} {
		for _, n := range list {
			if n == name {
				return true
			}
		}
	}
	return false
}

func genericCounts(name, value string) bool {
	for i := range genericArgs {
		r := &genericArgs[i]
		begin, open := strings.CutSuffix(r.name, "*")
		if (name == begin || open && strings.HasPrefix(name, begin)) && (r.value == nil || r.value.MatchString(value)) {
			return false
		}
	}
	return true
}

// withQuery appends to path the arguments of query that count.
func withQuery(path, query string, counts func(name, value string) bool) string {
	if query == "" {
		return path
	}
	var b strings.Builder
	b.WriteString(path)
	sep := byte('?')
	for arg := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(arg, "="); arg != "" && counts(name, value) {
			b.WriteByte(sep)
			b.WriteString(arg)
			sep = '&'
		}
	}
	return b.String()
}
