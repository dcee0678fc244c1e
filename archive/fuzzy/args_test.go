package fuzzy

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx/surt"
)

func TestOf(t *testing.T) {
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"jQuery's cache buster", "http://a.example/api?id=1&_=1410000000000", "http://a.example/api?id=1&_=1500000000000", true},
		{"a cache buster or none", "http://a.example/api?id=1&cb=77", "http://a.example/api?id=1", true},
		{"other arguments count", "http://a.example/api?id=1", "http://a.example/api?id=2", false},
		{"an argument more counts", "http://a.example/api?id=1", "http://a.example/api?id=1&page=2", false},
		{"an underscore that isn't a number counts", "http://a.example/api?_=start", "http://a.example/api?_=end", false},
		{
			"jQuery's callback", "http://a.example/f?callback=jQuery17_1410000000000&x=1",
			"http://a.example/f?callback=jQuery18_15&x=1", true,
		},
		{
			"jQuery's under any name", "http://a.example/f?x=1&foocallbackname=jQuery123_456&_=1",
			"http://a.example/f?x=1&foocallbackname=jQuery789_000", true,
		},
		{
			"of which the name counts", "http://a.example/f?back=jQuery123_456",
			"http://a.example/f?call=jQuery123_456", false,
		},
		{"one that is like it", "http://a.example/f?back=jQuer123_456", "http://a.example/f?back=jQuery123_456", false},
		{
			"Prototype's callback", "http://a.example/f?callback=_prototypeJSONPCallback_0",
			"http://a.example/f?callback=_prototypeJSONPCallback_12", true,
		},
		{
			"MooTools' callback", "http://a.example/f?callback=Request.JSONP.request_map.request_0",
			"http://a.example/f?callback=Request.JSONP.request_map.request_7", true,
		},
		{"Angular's callback", "http://a.example/f?callback=angular.callbacks._0", "http://a.example/f?callback=angular.callbacks._3", true},
		{"a later Angular's", "http://a.example/f?callback=ng_jsonp_callback_0", "http://a.example/f?callback=ng_jsonp_callback_4", true},
		{
			"Dojo's callback", "http://a.example/f?callback=dojo.io.script.jsonp_dojoIoScript1._jsonpCallback",
			"http://a.example/f?callback=dojo.io.script.jsonp_dojoIoScript2._jsonpCallback", true,
		},
		{
			"a clock under a busting name", "http://a.example/f?x=1&mybuster=1410000000000",
			"http://a.example/f?x=1&mybuster=1500000000000", true,
		},
		{
			"a clock under a name with ts", "http://a.example/f?x=1&last_ts=1410000000000",
			"http://a.example/f?x=1&last_ts=1500000000000", true,
		},
		{"a number under a name with ts within", "http://a.example/f?charts=1410000000000", "http://a.example/f?charts=1500000000000", false},
		{
			"a callback with a speaking name counts", "http://a.example/f?callback=showNews",
			"http://a.example/f?callback=showWeather", false,
		},
		{"campaign arguments", "http://a.example/?utm_source=mail&utm_medium=x&fbclid=abc", "http://a.example/", true},
		{"a clock", "http://a.example/feed?ts=1410000000", "http://a.example/feed?ts=1500000000123", true},
		{"a time that is no clock counts", "http://a.example/video?t=90", "http://a.example/video?t=120", false},
		{"a session id", "http://a.example/a.php?sid=0123456789abcdef01&p=1", "http://a.example/a.php?p=1", true},
		{"a short sid counts", "http://a.example/a.php?sid=7", "http://a.example/a.php?sid=8", false},
		{"a servlet's session", "http://a.example/a;jsessionid=AB12.node1?p=1", "http://a.example/a?p=1", true},
		{"the version of a style sheet", "http://a.example/x.css?v=1", "http://a.example/x.css?ver=4.2", true},
		{"a font with and without a query", "http://a.example/f.woff2", "http://a.example/f.woff2?iefix", true},
		{"programs read their queries", "http://a.example/x.php?v=1", "http://a.example/x.php?v=2", false},
		{"parts of a file count", "http://a.example/f.mp4?bytestart=0&v=1", "http://a.example/f.mp4?bytestart=100&v=1", false},
		{"a part of a file is not the file", "http://a.example/f.mp4?range=0-99", "http://a.example/f.mp4", false},
		{"the version of a part does not count", "http://a.example/f.ts?seg=7&v=1", "http://a.example/f.ts?seg=7&v=2", true},
		{"a part that is no number is none", "http://a.example/f.js?part=main", "http://a.example/f.js?part=other", true},
		{"a framework's arguments", "http://a.example/api?id=1&__req=a&__s=b", "http://a.example/api?id=1&__req=c", true},
		{"a time stamp of any length", "http://a.example/api?timestamp=77", "http://a.example/api?timestamp=78", true},
		{"a clock of sixteen digits", "http://a.example/feed?ts=1410000000123456", "http://a.example/feed?ts=1500000000123456", true},
		{"of seventeen it is none", "http://a.example/feed?ts=14100000001234567", "http://a.example/feed?ts=15000000001234567", false},
		{"of ten it is", "http://a.example/feed?t=1410000000", "http://a.example/feed?t=1500000000", true},
		{"of nine it is none", "http://a.example/feed?t=141000000", "http://a.example/feed?t=150000000", false},
		{"a bare clock", "http://a.example/api?1410000000000", "http://a.example/api?1500000000000", true},
		{"a bare number counts", "http://a.example/api?141", "http://a.example/api?150", false},
		{"a number for a cache", "http://a.example/api?id=1&nocacheplease=12.5", "http://a.example/api?id=1&nocacheplease=7-1", true},
		{"a word for a cache counts", "http://a.example/api?cache=off", "http://a.example/api?cache=on", false},
		{"a callback that calls itself JSONP", "http://a.example/f?callback=jsonpAbc", "http://a.example/f?callback=jsonp_x7", true},
		{"another file", "http://a.example/x.css", "http://a.example/y.css", false},
		{
			"a film at a site with a rule", "http://www.youtube.com/get_video_info?video_id=q1&el=embedded",
			"https://www.youtube.com/get_video_info?video_id=q1&hl=de", true,
		},
		{"another film there", "http://www.youtube.com/watch?v=1&feature=x", "http://www.youtube.com/watch?v=2&feature=x", false},
		{
			"a site's rule does not apply without the argument it needs", "http://www.youtube.com/watch?list=1",
			"http://www.youtube.com/watch?list=2", false,
		},
		{
			"a size that counts", "https://pbs.twimg.com/media/A?format=jpg&name=small",
			"https://pbs.twimg.com/media/A?format=jpg&name=large", false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := Of(surt.Of(tt.a)), Of(surt.Of(tt.b))
			if (a == b) != tt.same {
				t.Errorf("%q and %q", a, b)
			}
			if again := Of(a); again != a {
				t.Errorf("%q means %q", a, again)
			}
		})
	}
}

func TestPagesThatAreFiles(t *testing.T) {
	for _, tt := range []struct{ name, uri, want string }{
		{"a page with arguments", "http://a.example/frame.html?id=7&theme=dark", "example,a)/frame.html"},
		{"a bare one", "http://a.example/b/c.htm?7", "example,a)/b/c.htm"},
		{"without any", "http://a.example/frame.html", ""},
		{"a program", "http://a.example/frame.php?id=7", ""},
		{"data", "http://a.example/list.json?id=7", ""},
		{"one of many pages", "http://a.example/list.html?page=2", ""},
		{"a search", "http://a.example/find.html?lang=en&q=varve", ""},
		{"a search of Sphinx", "http://a.example/d/search.html?q=varve&check_keywords=yes&area=default", "example,a)/d/search.html"},
		{"one in a folder", "http://a.example/d/search/?q=varve&check_keywords=yes&area=default", "example,a)/d/search"},
		{"another page of Sphinx", "http://a.example/d/find/?q=varve&check_keywords=yes&area=default", ""},
		{"a part", "http://a.example/list.html?offset=20", ""},
		{"a site with a rule", "https://www.youtube.com/embed/a.html?v=1", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Page(surt.Of(tt.uri)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzOf(f *testing.F) {
	for _, s := range []string{"example,a)/b?c=1&_=2", "a;jsessionid=1/b?", "com,youtube)/watch?v=", "x?&&=&_", "/a.css?a.css?", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, key string) {
		once := Of(key)
		if len(once) > len(key) || Of(once) != once && strings.Count(key, "?") < 2 {
			t.Errorf("%q means %q, which means %q", key, once, Of(once))
		}
	})
}
