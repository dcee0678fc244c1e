package follow_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/gather/follow"
	"github.com/varve-archive/varve/gather/notify"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	const feed, list = "sources:\n  - {feed: http://a.example/feed", "sources:\n  - {list: http://a.example/list"
	const mail = "\nnotify:\n  - {url: 'http://a.example/', to: mail, address: a@a.example}"
	for text, want := range map[string]string{
		feed + ", entires: true}": "line 2: unknown key entires",
		feed + "}\n  - {feed: http://b.example/, page: http://c.example/}": "line 3: sources: want one of feed, list, page and opml",
		feed + "}\n  - {page: http://a.example/feed}":                      "line 3: sources: http://a.example/feed is there twice",
		feed + "}\n  - {page: 'HTTP://A.example:80/feed#top'}":             "line 3: sources: http://a.example/feed is there twice",
		feed + ", each: li}":                                              "line 2: sources: each, link and time are keys of a list",
		feed + ", every: 59s}":                                            "line 2: every: 59s: want a time from 1m to 720h",
		feed + ", every: 721h}":                                           "line 2: every: 721h0m0s: want a time from 1m to 720h",
		list + ", each: 'li['}":                                           "line 2: each: ",
		list + ", link: a}":                                               "line 2: sources: link and time are looked for in what each finds",
		"sources:\n  - {feed: 'ftp://a.example/'}":                        "line 2: feed: ",
		"sources:\n  - {page: http://a.example/, entries: false}":         "line 2: sources: entries, comments and enclosures are keys of a feed",
		"sources:\n  - {page: http://a.example/, comments: true}":         "line 2: sources: entries, comments and enclosures are keys of a feed",
		"sources:\n  - {page: http://a.example/, enclosures: true}":       "line 2: sources: entries, comments and enclosures are keys of a feed",
		"sources:\n  - {opml: none.opml}":                                 "line 2: opml: ",
		"name: a":                                                         "line 1: sources: there is nothing to follow",
		feed + "}\nname: A b":                                             "line 3: name: ",
		feed + "}\ncollection: A b":                                       "line 3: collection: ",
		feed + "}\nrobots: maybe":                                         "line 3: robots: ",
		feed + "}\nuser_agent: \"a\\x1f\"":                                "line 3: user_agent: ",
		feed + "}\nuser_agent: \"a\\x7f\"":                                "line 3: user_agent: ",
		feed + "}\nbudget: -1":                                            "line 3: budget: -1: want a number from 0 to 1099511627776",
		feed + "}\nthreads: 0":                                            "line 3: threads: 0: want a number from 1 to 64",
		feed + "}\nthreads: 65":                                           "line 3: threads: 65: want a number from 1 to 64",
		feed + "}\nper_host: 0":                                           "line 3: per_host: 0: want a number from 1 to 64",
		feed + "}\nevery: 59s":                                            "line 3: every: 59s: want a time from 1m to 720h",
		feed + "}\nevery: 721h":                                           "line 3: every: 721h0m0s: want a time from 1m to 720h",
		feed + "}\ndelay: -1s":                                            "line 3: delay: -1s: want a time such as 200ms, at most 1h",
		feed + "}\ndelay: 61m":                                            "line 3: delay: 1h1m0s: want a time such as 200ms, at most 1h",
		feed + "}\npush: {listen: '127.0.0.1:0'}":                         "line 3: push: want both listen and public_url",
		feed + "}\npush: {public_url: 'http://a.example/'}":               "line 3: push: want both listen and public_url",
		feed + "}\npush: {listen: 'x', public_url: 'a.example'}":          "line 3: public_url: ",
		feed + "}\npush: {listen: 'x', public_url: 'http://a.example/?'}": "line 3: public_url: ",
		feed + "}\nnotify:\n  - {url: 'x', to: pigeon, address: x}":       "line 4: notify: to: ",
		feed + "}" + mail + "\n  - {url: 'x', to: pigeon, address: x}":    "line 5: notify: ",
		feed + "}\nmail: {server: 'a.example:25'}" + mail:                 "line 5: mail: from: ",
		feed + "}\nuser_agent: 'a ~'\nthreads: 64\nper_host: 64\nevery: 720h\ndelay: 1h\nbudget: 1099511627776": "",
		feed + ", every: 720h}\nuser_agent: ' '\nthreads: 1\nper_host: 1\nevery: 1m\ndelay: 0s":                 "",
		feed + "}\npolicy: adaptive": "", feed + "}\npolicy: halving": "", feed + "}\npolicy: fixed": "",
		list + ", each: li, link: a, time: time, every: 1m}": "",
	} {
		path := filepath.Join(t.TempDir(), "news.yaml")
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := follow.Load(path)
		if err == nil != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %s", text, err, want)
		}
	}
}

// Without a mail server in the file, that of this machine brings the mail.
func TestMailServers(t *testing.T) {
	t.Parallel()
	s := newWeb(t)
	const rule = "notify:\n  - {url: HOST/, to: mail, address: a@a.example}\n"
	set := s.settings(t, oneFeed+rule)
	if n := set.Notifies("http://b.example/"); n.Mail != (notify.Mail{Server: "127.0.0.1:25", From: "varve@localhost", TLS: "none"}) ||
		n.Archive != "http://b.example/" || n.Name != "news" || !n.AllowPrivate || len(n.Notify) != 1 {
		t.Errorf("%+v", n)
	}
	set = s.settings(t, oneFeed+rule+"archive: http://c.example/\nmail: {server: 'd.example:587', from: a@d.example}\n")
	if n := set.Notifies("http://b.example/"); n.Mail.Server != "d.example:587" || n.Archive != "http://c.example/" {
		t.Errorf("%+v", n)
	}
}
