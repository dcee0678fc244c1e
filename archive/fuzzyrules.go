package archive

import (
	"regexp"
	"strings"
)

// What of an address does not say what is meant. All rules read index keys, so hosts are written as SURT has
// them, everything is in lower case, and the arguments of a query stand in order.

// An argRule names arguments of a query that do not count.
type argRule struct {
	name  string         // ends in "*" where it is a beginning
	value *regexp.Regexp // what the value must look like; nil: anything
}

var (
	digits    = regexp.MustCompile(`^[0-9.]*$`)
	clock     = regexp.MustCompile(`^1[0-9]{9,15}$`) // seconds to microseconds since 1970, from 2001 on
	token     = regexp.MustCompile(`^[0-9a-z_-]{16,}$`)
	callback  = regexp.MustCompile(`^(?:jquery|jsonp|jsonpcallback|callback|cb|_jqjsp|json_?callback)?_*[0-9]+(?:_[0-9]+)?$`)
	generated = regexp.MustCompile(`^[a-z_$][a-z_$.]*[0-9]{3,}(?:_[0-9]+)?$`)
)

// genericArgs hold on every site.
var genericArgs = [...]argRule{
	// Cache busters: jQuery's, Ext's, and those that pages make of clocks and chance.
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
	// Where a reader came from.
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
	// Sessions, beyond those that keys leave out by themselves.
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
	// The name under which JSONP calls back; the answer gets the one that was asked for.
	{"callback", callback},
	{"callback", generated},
	{"jsonp", callback},
	{"jsonp", generated},
	{"jsoncallback", callback},
	{"jsoncallback", generated},
	{"cb", generated},
}

// A siteRule says which arguments alone count where a key begins so.
type siteRule struct {
	prefix string   // of the key
	need   []string // without them the rule does not hold
	also   []string // count where they are there
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

// plainFiles are sent by servers whatever query stands behind their names.
var plainFiles = regexp.MustCompile(`\.(?:css|m?js|map|png|jpe?g|gif|svgz?|ico|bmp|webp|avif|tiff?|woff2?|ttf|otf|eot|mp3|mp4|m4[av]|ogg|og[av]|opus|wav|webm|mov|avi|flv|swf|vtt|ts|m4s|m3u8|mpd|pdf|zip|wasm)$`)

// pathSession is a servlet's session id.
var pathSession = regexp.MustCompile(`;(?:jsessionid|phpsessid|sid)=[^/]*`)

// meant returns what of an index key says what is meant, a key itself: two addresses with the same are taken
// for one resource when nothing better is there.
func meant(key string) string {
	path, query, _ := strings.Cut(key, "?")
	if strings.Contains(path, ";") {
		path = pathSession.ReplaceAllString(path, "")
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

// withQuery puts behind path the arguments of query that count.
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
