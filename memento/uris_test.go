package memento

import (
	"testing"

	"github.com/varve-archive/varve/cdx"
)

func TestURIs(t *testing.T) {
	u := URIs{Base: "https://archive.example/varve/", Coll: "web"}
	const r, web = "http://a.example/x%2Fy?q=a,b&c=%20", "https://archive.example/varve/web/"
	if got := u.OrNull(nil); got != nil {
		t.Errorf("without a capture: %s", *got)
	}
	tests := []struct{ name, got, want string }{
		{"home", u.Home(), "https://archive.example/varve/web/"},
		{"TimeGate", u.TimeGate(r), "https://archive.example/varve/web/" + r},
		{"memento", u.Memento(20140127171238, "", r), "https://archive.example/varve/web/20140127171238/" + r},
		{"memento with modifier", u.Memento(20140127171238, "id_", r), "https://archive.example/varve/web/20140127171238id_/" + r},
		{"TimeMap", u.TimeMap("link", 1, r), "https://archive.example/varve/web/timemap/link/" + r},
		{"a further page of a TimeMap", u.TimeMap("json", 3, r), "https://archive.example/varve/web/timemap/json/3/" + r},
		{"calendar", u.Calendar(r), "https://archive.example/varve/web/*/" + r},
		{"calendar of a year", u.CalendarAt("2017", r), "https://archive.example/varve/web/2017*/" + r},
		{"changes", u.Changes(r), "https://archive.example/varve/web/changes/" + r},
		{"diff", u.Diff(20140127171238, 20150127171238, r), "https://archive.example/varve/web/diff/20140127171238/20150127171238/" + r},
		{"sliding diff", u.SlidingDiff(r), "https://archive.example/varve/web/diff/" + r},
		{
			"animation", u.Animate(20140127171238, 20150127171238, r),
			"https://archive.example/varve/web/animate/20140127171238/20150127171238/" + r,
		},
		{"landing", u.Landing(20140127171238, r), "https://archive.example/varve/web/landing/20140127171238/" + r},
		{"similar", u.Similar(20140127171238, r), "https://archive.example/varve/web/similar/20140127171238/" + r},
		{"info", u.Info(20140127171238, "http://a.example/?b&c"), web + "20140127171238/info?url=http%3A%2F%2Fa.example%2F%3Fb%26c"},
		{
			"download", u.Download("warc", 20140127171238, "http://a.example/"),
			web + "20140127171238/info?url=http%3A%2F%2Fa.example%2F&download=warc",
		},
		{"inspect", u.Inspect(20140127171238, r), web + "inspect/20140127171238/" + r},
		{"still", u.Still(20140127171238, r), web + "still/20140127171238/" + r},
		{"thumb", u.Thumbnail(20140127171238, r), web + "thumb/20140127171238/" + r},
		{"picture", u.Picture(20140127171238, "a&b"), web + "thumb?at=20140127171238&size=full&url=a%26b"},
		{"visual", u.Visual(20140127171238, 20150127171238, "a&b"), web + "visual?from=20140127171238&to=20150127171238&url=a%26b"},
		{"of a capture", *u.OrNull(&cdx.Capture{Time: 20140127171238, URL: r}), web + "20140127171238/" + r},
		{"endpoint with a query", u.Endpoint("cdx", "url=a"), "https://archive.example/varve/web/cdx?url=a"},
		{"endpoint", u.Endpoint("terms", ""), "https://archive.example/varve/web/terms"},
		{"paths without a base", URIs{Coll: "web"}.TimeGate(r), "/web/" + r},
		{
			"a fragment is no part of what is asked for", u.TimeGate("http://a.example/#a#b"),
			"https://archive.example/varve/web/http://a.example/",
		},
		{
			"a percent sign that HTTP servers refuse in a path", u.TimeGate("http://a.example/%41%u65e5/50%/%?%zz"),
			"https://archive.example/varve/web/http://a.example/%41%25u65e5/50%25/%25?%zz",
		},
		{"bytes stay as they are", u.TimeGate("http://a.example/\xff €"), "https://archive.example/varve/web/http://a.example/\xff €"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got  %q\nwant %q", tt.got, tt.want)
			}
		})
	}
}
