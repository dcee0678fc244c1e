package follow

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/gather/follow/feed"
	"github.com/varve-archive/varve/gather/follow/policy"
	"github.com/varve-archive/varve/gather/notify"
	"github.com/varve-archive/varve/gather/robots"
	"github.com/varve-archive/varve/internal/plainname"
	"github.com/varve-archive/varve/internal/strict"
)

// Settings are a file of sources to follow.
type Settings struct {
	Name        string        `yaml:"name"`       // of its captures and its state; that of the file unless said
	Collection  string        `yaml:"collection"` // "" for the one of the command
	Policy      policy.Rule   `yaml:"policy"`
	Every       time.Duration `yaml:"every"`        // the step, of fixed; the first one otherwise
	Budget      int64         `yaml:"budget"`       // requests a day over all sources; 0 is no limit
	BudgetBytes strict.Size   `yaml:"budget_bytes"` // bytes a day, likewise
	Sources     []Source      `yaml:"sources"`
	Push        Push          `yaml:"push"`
	// Notify says who is notified of which changes. Archive is the collection to read, if it isn't that of the server which has the
	// index open. Mail is the mail server.
	Notify  []notify.Rule `yaml:"notify"`
	Archive string        `yaml:"archive"`
	Mail    notify.Mail   `yaml:"mail"`

	// The politeness of a crawl.
	AllowPrivate bool          `yaml:"allow_private"`
	InsecureTLS  bool          `yaml:"insecure_tls"`
	Threads      int           `yaml:"threads"`
	PerHost      int           `yaml:"per_host"`
	Delay        time.Duration `yaml:"delay"`
	Robots       string        `yaml:"robots"` // obey, ignore, or the URL of a robots.txt
	UserAgent    string        `yaml:"user_agent"`
	Browser      bool          `yaml:"browser"` // pages of all sources are seen in a browser
}

// A Source is one of feed, list, page and opml.
type Source struct {
	Feed string `yaml:"feed"`
	List string `yaml:"list"` // a page of last-updated sites, a changes.xml or a sitemap
	Page string `yaml:"page"`
	OPML string `yaml:"opml"` // a file of feeds

	Entries    *bool         `yaml:"entries"` // visit the pages of entries; true unless said
	Comments   bool          `yaml:"comments"`
	Enclosures bool          `yaml:"enclosures"`
	Each       string        `yaml:"each"`    // of a list: the element of one site
	Link       string        `yaml:"link"`    // in it
	Time       string        `yaml:"time"`    // in it
	Every      time.Duration `yaml:"every"`   // an interval of its own
	Browser    bool          `yaml:"browser"` // its pages are seen in a browser
}

// Push says where hubs and pings reach the process.
type Push struct {
	Listen    string `yaml:"listen"`
	PublicURL string `yaml:"public_url"`
}

// Kinds of sources.
const (
	kindFeed = "feed"
	kindList = "list"
	kindPage = "page"
	kindOPML = "opml"
)

// Kind returns the kind and the address of a source; "" if the settings name none or several.
func (s *Source) Kind() (kind, address string) {
	n := 0
	for _, k := range []struct{ kind, address string }{{kindFeed, s.Feed}, {kindList, s.List}, {kindPage, s.Page}, {kindOPML, s.OPML}} {
		if k.address != "" {
			kind, address = k.kind, k.address
			n++
		}
	}
	if n != 1 {
		return "", ""
	}
	return kind, address
}

// Load reads a file of sources, and the OPML files that it names. The error names the line.
func Load(path string) (Settings, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Settings{}, err
	}
	s := Settings{
		Name: strings.ToLower(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))), Policy: policy.Adaptive, Every: time.Hour, Threads: 4,
		PerHost: 1, Delay: 200 * time.Millisecond, Robots: robots.Obey,
	}
	if err := strict.Decode(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	if err := s.check(filepath.Dir(path)); err != nil {
		if at, ok := errors.AsType[*wrongError](err); ok {
			return s, fmt.Errorf("%s: line %d: %w", path, max(strict.Line(text, at.path...), 1), err)
		}
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// A wrongError says which key is wrong. The path has names, and numbers of list items.
type wrongError struct {
	path []any
	text string
}

func (e *wrongError) Error() string { return e.text }

func wrong(path []any, format string, args ...any) error {
	return &wrongError{path, fmt.Sprintf(format, args...)}
}

func at(path ...any) []any { return path }

// check completes the settings and refuses invalid ones. Files are relative to dir.
func (s *Settings) check(dir string) error {
	for _, check := range []func() error{
		s.checkWords, s.checkNumbers, func() error { return s.checkSources(dir) }, s.checkPush, s.checkNotify,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Settings) checkWords() error {
	if !plainname.IsShort(s.Name) {
		return wrong(at("name"), "name: %q: a name begins with a letter or digit and has only a–z, 0–9, _, . and -, at most 64", s.Name)
	}
	if s.Collection != "" && !plainname.IsShort(s.Collection) {
		return wrong(at("collection"), "collection: %q: a name begins with a letter or digit and has only a–z, 0–9, _, . and -", s.Collection)
	}
	switch s.Policy {
	case policy.Adaptive, policy.Halving, policy.Fixed:
	default:
		return wrong(at("policy"), "policy: %q: want adaptive, halving or fixed", string(s.Policy))
	}
	if !robots.IsSetting(s.Robots) {
		return wrong(at("robots"), "robots: %q: want obey, ignore, or the URL of a robots.txt", s.Robots)
	}
	if strings.ContainsFunc(s.UserAgent, func(r rune) bool { return r < ' ' || r > '~' }) {
		return wrong(at("user_agent"), "user_agent: %q: want printable ASCII", s.UserAgent)
	}
	return nil
}

func (s *Settings) checkNumbers() error {
	for _, n := range []struct {
		key             string
		value, from, to int64
	}{
		{"budget", s.Budget, 0, 1 << 40}, {"threads", int64(s.Threads), 1, 64}, {"per_host", int64(s.PerHost), 1, 64},
	} {
		if n.value < n.from || n.value > n.to {
			return wrong(at(n.key), "%s: %d: want a number from %d to %d", n.key, n.value, n.from, n.to)
		}
	}
	if s.Every < policy.Least || s.Every > maxInterval {
		return wrong(at("every"), "every: %s: want a time from 1m to 720h", s.Every)
	}
	if s.Delay < 0 || s.Delay > time.Hour {
		return wrong(at("delay"), "delay: %s: want a time such as 200ms, at most 1h", s.Delay)
	}
	return nil
}

// maxInterval is the longest interval between two requests.
const maxInterval = 30 * 24 * time.Hour

// maxSources is the number of sources allowed, including those of OPML files.
const maxSources = 20_000

func (s *Settings) checkSources(dir string) error {
	if len(s.Sources) == 0 {
		return wrong(at("sources"), "sources: there is nothing to follow")
	}
	var all []Source
	seen := map[string]bool{}
	for i, src := range s.Sources {
		more := []Source{src}
		if src.OPML != "" {
			var err error
			if more, err = src.open(dir); err != nil {
				return wrong(at("sources", i, "opml"), "opml: %v", err)
			}
		}
		for _, src := range more {
			if err := src.check(i); err != nil {
				return err
			}
			_, address := src.Kind()
			if seen[address] && len(more) == 1 {
				return wrong(at("sources", i), "sources: %s is there twice", address)
			}
			if !seen[address] {
				all = append(all, src)
			}
			seen[address] = true
		}
	}
	if len(all) > maxSources {
		return wrong(at("sources"), "sources: %d: at most %d can be followed", len(all), maxSources)
	}
	s.Sources = all
	return nil
}

// check completes a source and refuses an invalid one.
func (s *Source) check(i int) error {
	kind, address := s.Kind()
	if kind == "" {
		return wrong(at("sources", i), "sources: want one of feed, list, page and opml")
	}
	u, err := feed.Resolve("", withoutFeed(address))
	if err != nil {
		return wrong(at("sources", i, kind), "%s: %q: want an address such as https://www.example.org/", kind, address)
	}
	for _, of := range []struct {
		kind string
		into *string
	}{{kindFeed, &s.Feed}, {kindList, &s.List}, {kindPage, &s.Page}} {
		if of.kind == kind {
			*of.into = u
		}
	}
	if kind != kindList && s.Each+s.Link+s.Time != "" {
		return wrong(at("sources", i), "sources: each, link and time are keys of a list")
	}
	if kind == kindPage && (s.Entries != nil || s.Comments || s.Enclosures) {
		return wrong(at("sources", i), "sources: entries, comments and enclosures are keys of a feed")
	}
	if s.Each == "" && s.Link+s.Time != "" {
		return wrong(at("sources", i), "sources: link and time are looked for in what each finds: name it, too")
	}
	if err := s.pattern().Check(); err != nil {
		return wrong(at("sources", i), "%v", err)
	}
	if s.Every != 0 && (s.Every < policy.Least || s.Every > maxInterval) {
		return wrong(at("sources", i, "every"), "every: %s: want a time from 1m to 720h", s.Every)
	}
	return nil
}

// withoutFeed returns the address in one with the scheme feed: feed://www.example.org/ or feed:https://www.example.org/. Readers of feeds
// registered it, and their lists have it.
func withoutFeed(address string) string {
	const scheme = "feed:"
	if len(address) < len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return address
	}
	if address = address[len(scheme):]; strings.HasPrefix(address, "//") {
		return "http:" + address
	}
	return address
}

func (s *Source) pattern() feed.Pattern {
	return feed.Pattern{Each: s.Each, Link: s.Link, Time: s.Time}
}

// visits reports whether the pages of entries are visited.
func (s *Source) visits() bool { return s.Entries == nil || *s.Entries }

func (s *Settings) checkPush() error {
	if (s.Push.Listen == "") != (s.Push.PublicURL == "") {
		return wrong(at("push"), "push: want both listen and public_url, under which others reach it")
	}
	if s.Push.PublicURL == "" {
		return nil
	}
	u, err := feed.Resolve("", s.Push.PublicURL)
	if err != nil || strings.ContainsAny(u, "?#") {
		return wrong(at("push", "public_url"), "public_url: %q: want an address such as https://www.example.org/push", s.Push.PublicURL)
	}
	s.Push.PublicURL = strings.TrimSuffix(u, "/")
	return nil
}

// checkNotify checks who is notified, as [notify.Settings] does. The default mail server is that of this machine.
func (s *Settings) checkNotify() error {
	if s.Mail == (notify.Mail{}) {
		s.Mail = notify.Mail{Server: "127.0.0.1:25", From: "varve@localhost", TLS: "none"}
	}
	for i := range s.Notify {
		one := s.Notifies("http://localhost/")
		one.Notify = s.Notify[i : i+1 : i+1]
		if err := one.Check(os.Getenv); err != nil {
			return wrong(at("notify", i), "%s", strings.Replace(err.Error(), "notify 1: ", "notify: ", 1))
		}
	}
	return nil
}

// Notifies returns who is notified of changes. archive is the address of the collection to read unless the settings name one.
func (s *Settings) Notifies(archive string) notify.Settings {
	return notify.Settings{
		Name: s.Name, Archive: cmp.Or(s.Archive, archive), AllowPrivate: s.AllowPrivate, Mail: s.Mail, Notify: slices.Clone(s.Notify),
	}
}
