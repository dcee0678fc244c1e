package crawl

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/gather/crawl/browser"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/politeness"
	"github.com/varve-archive/varve/gather/robots"
	"github.com/varve-archive/varve/internal/plainname"
	"github.com/varve-archive/varve/internal/strict"
	"github.com/varve-archive/varve/rewrite/reference"
)

// Settings are a crawl file. A limit of 0 is no limit.
type Settings struct {
	Name       string         `yaml:"name"` // of the crawl and its files; that of the first seed's host unless said
	Seeds      []string       `yaml:"seeds"`
	Scope      Scope          `yaml:"scope"`
	Include    []string       `yaml:"include"`    // regular expressions; a page matches one of them, if there are any
	Exclude    []string       `yaml:"exclude"`    // regular expressions; what matches one is left out
	Pagination []string       `yaml:"pagination"` // CSS selectors or XPath: links that don't count as depth
	Links      string         `yaml:"links"`      // which links lead on: all, or those of pagination alone
	Order      frontier.Order `yaml:"order"`
	MaxPages   int64          `yaml:"max_pages"`
	MaxDocs    int64          `yaml:"max_docs"`
	MaxDepth   int            `yaml:"max_depth"` // jumps from a seed
	MaxBytes   strict.Size    `yaml:"max_bytes"`
	Walltime   time.Duration  `yaml:"walltime"` // of one run
	Threads    int            `yaml:"threads"`
	PerHost    int            `yaml:"per_host"` // requests at a time
	Delay      time.Duration  `yaml:"delay"`    // between two requests to a host
	Robots     string         `yaml:"robots"`   // obey, ignore, or the URL of a robots.txt
	Sitemaps   bool           `yaml:"sitemaps"`
	Browser    bool           `yaml:"browser"`
	// AllowPrivate lets the crawl ask addresses that aren't on the public Internet.
	AllowPrivate bool      `yaml:"allow_private"`
	InsecureTLS  bool      `yaml:"insecure_tls"` // also ask servers with invalid certificates or old versions of TLS
	UserAgent    string    `yaml:"user_agent"`
	Template     *Template `yaml:"template"`
	// Actions are performed in the browser, in order, on every page.
	Actions []browser.Step `yaml:"actions"`

	include, exclude []*regexp.Regexp
	pagination       *fields.Template
	template         *fields.Template
	secrets          secrets // values that actions fill in
}

// A Template says which values of pages become documents.
type Template struct {
	// Each selects the rows of a page, each of which becomes a document; "" for one document per page.
	Each   string         `yaml:"each" json:",omitempty"`
	Unique bool           `yaml:"unique" json:",omitempty"` // a document that equals an earlier one is left out
	Fields []fields.Field `yaml:"fields"`
}

// A Scope says which pages belong to a crawl, given its seeds. Parts of a page may come from anywhere.
type Scope string

const (
	ScopePage   Scope = "page"   // the seeds alone
	ScopePrefix Scope = "prefix" // what begins as a seed does, up to its last slash
	ScopeHost   Scope = "host"   // the hosts of seeds
	ScopeDomain Scope = "domain" // these and what is under them
	ScopeAny    Scope = "any"
)

// Values of [Settings.Links].
const (
	LinksAll        = "all"
	LinksPagination = "pagination" // sitemaps lead nowhere, either
)

// Defaults returns the settings of an empty crawl file.
func Defaults() Settings {
	return Settings{
		Scope: ScopeHost, Links: LinksAll, Order: frontier.Breadth,
		MaxPages: 1000, MaxDepth: 5, MaxBytes: 1_000_000_000, Walltime: 10 * time.Minute,
		Threads: 4, PerHost: 1, Delay: 200 * time.Millisecond, Robots: robots.Obey, Sitemaps: true,
	}
}

// An Error says which key of a crawl file is wrong.
type Error struct {
	Line int // 0 if the settings aren't from a file
	Key  string
	Err  error
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s: %v", e.Line, e.Key, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.Key, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Parse parses a crawl file. It refuses unknown keys and invalid values; the error names the line.
func Parse(text []byte) (Settings, error) {
	s := Defaults()
	if err := strict.Decode(text, &s); err != nil {
		return s, err
	}
	err := s.Check()
	if wrong, ok := errors.AsType[*Error](err); ok && wrong.Line == 0 {
		var path []any // "a.b" is the key b in the mapping a
		for name := range strings.SplitSeq(wrong.Key, ".") {
			path = append(path, name)
		}
		wrong.Line = strict.Line(text, path...)
	}
	return s, err
}

// Check completes the settings and refuses invalid ones. The error is an [*Error].
func (s *Settings) Check() error {
	for _, check := range []func() *Error{s.checkSeeds, s.checkWords, s.checkNumbers, s.checkActions, s.checkPatterns, s.checkTemplate} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func wrong(key, format string, args ...any) *Error {
	return &Error{Key: key, Err: fmt.Errorf(format, args...)}
}

func (s *Settings) checkSeeds() *Error {
	if len(s.Seeds) == 0 {
		return wrong("seeds", "a crawl needs an address to begin at")
	}
	for i, seed := range s.Seeds {
		u, err := reference.Web("", seed)
		if err != nil {
			return wrong("seeds", "%q: want an address such as https://www.example.org/", seed)
		}
		s.Seeds[i] = u
	}
	if s.Name == "" {
		s.Name = nameOf(reference.Host(s.Seeds[0]))
	}
	if !plainname.IsShort(s.Name) {
		return wrong("name", "%q: a name begins with a letter or digit and has only a–z, 0–9, _, . and -, at most 64", s.Name)
	}
	return nil
}

// nameOf turns a host into the name of a crawl. An IPv6 host may begin with colons, which become zeros.
func nameOf(host string) string {
	name := strings.NewReplacer(":", "-", "[", "", "]", "").Replace(host)
	if strings.HasPrefix(name, "-") {
		name = "0" + name
	}
	return name
}

func (s *Settings) checkWords() *Error {
	switch s.Scope {
	case ScopePage, ScopePrefix, ScopeHost, ScopeDomain, ScopeAny:
	default:
		return wrong("scope", "%q: want page, prefix, host, domain or any", string(s.Scope))
	}
	if s.Order != frontier.Breadth && s.Order != frontier.Depth {
		return wrong("order", "%q: want breadth or depth", string(s.Order))
	}
	switch {
	case s.Links != LinksAll && s.Links != LinksPagination:
		return wrong("links", "%q: want all or pagination", s.Links)
	case s.Links == LinksPagination && len(s.Pagination) == 0:
		return wrong("links", "without pagination nothing would be followed")
	}
	if !robots.IsSetting(s.Robots) {
		return wrong("robots", "%q: want obey, ignore, or the URL of a robots.txt", s.Robots)
	}
	return nil
}

const maxThreads = 64

func (s *Settings) checkNumbers() *Error {
	for _, n := range []struct {
		key             string
		value, from, to int64
	}{
		{"max_pages", s.MaxPages, 0, 1 << 40},
		{"max_docs", s.MaxDocs, 0, 1 << 40},
		{"max_depth", int64(s.MaxDepth), 0, 1 << 30},
		{"threads", int64(s.Threads), 1, maxThreads},
		{"per_host", int64(s.PerHost), 1, maxThreads},
	} {
		if n.value < n.from || n.value > n.to {
			return wrong(n.key, "%d: want a number from %d to %d", n.value, n.from, n.to)
		}
	}
	if s.Walltime < 0 {
		return wrong("walltime", "%s: want a time such as 10m, 0 for no limit", s.Walltime)
	}
	if s.Delay < 0 || s.Delay > time.Hour {
		return wrong("delay", "%s: want a time such as 200ms, at most 1h", s.Delay)
	}
	if strings.ContainsFunc(s.UserAgent, func(r rune) bool { return r < ' ' || r > '~' }) {
		return wrong("user_agent", "%q: want printable ASCII", s.UserAgent)
	}
	return nil
}

func (s *Settings) checkActions() *Error {
	switch {
	case len(s.Actions) > 0 && !s.Browser:
		return wrong("actions", "only a browser can perform them: write browser: true as well")
	case len(s.Actions) > browser.MaxSteps:
		return wrong("actions", "%d: at most %d are performed on each page", len(s.Actions), browser.MaxSteps)
	}
	s.secrets = nil
	for _, step := range s.Actions {
		if step.Verb == "" { // null, which YAML takes for anything
			return wrong("actions", "want a step such as {click: 'a.more'}")
		}
		text, secret, err := step.Text(os.LookupEnv)
		if err != nil {
			return &Error{Line: step.Line, Key: "actions", Err: err}
		}
		if secret {
			s.secrets = append(s.secrets, text)
		}
	}
	return nil
}

func (s *Settings) checkPatterns() *Error {
	for _, list := range []struct {
		key      string
		patterns []string
		into     *[]*regexp.Regexp
	}{{"include", s.Include, &s.include}, {"exclude", s.Exclude, &s.exclude}} {
		*list.into = nil
		for _, p := range list.patterns {
			re, err := regexp.Compile(p)
			if err != nil {
				return wrong(list.key, "%q: %w", p, err)
			}
			*list.into = append(*list.into, re)
		}
	}
	var selectors []fields.Field
	for i, p := range s.Pagination {
		f := fields.Field{Name: fmt.Sprintf("p%d", i), Type: fields.Link, All: true}
		f.CSS, f.XPath = fields.Selector(p)
		selectors = append(selectors, f)
	}
	t, err := fields.New(selectors)
	if of, ok := errors.AsType[*fields.Error](err); ok {
		return wrong("pagination", "%q: %w", s.Pagination[of.Field], of.Err)
	}
	s.pagination = t
	return nil
}

// columns returns the columns of documents besides the fields of a template.
func (t *Template) columns() []string {
	if t.Each == "" {
		return []string{"url", "datetime"}
	}
	return []string{"url", "datetime", "row"}
}

func (s *Settings) checkTemplate() *Error {
	if s.Template == nil {
		return nil
	}
	if len(s.Template.Fields) == 0 {
		return wrong("template.fields", "a template has fields")
	}
	for _, f := range s.Template.Fields {
		if slices.Contains(s.Template.columns(), f.Name) {
			return wrong("template.fields", "%s: each document has that already", f.Name)
		}
	}
	t, err := fields.NewRows(s.Template.Each, s.Template.Fields)
	if of, ok := errors.AsType[*fields.Error](err); ok && of.Field < 0 {
		return wrong("template."+of.Key, "%w", of.Err)
	} else if err != nil {
		return wrong("template.fields", "%w", err)
	}
	s.template = t
	return nil
}

// Frontier returns the settings of the frontier.
func (s *Settings) Frontier() frontier.Config {
	return frontier.Config{Order: s.Order, Politeness: politeness.Config{Delay: s.Delay, PerHost: s.PerHost}}
}

// Data returns the values of a template for JSON.
func (s *Settings) Data(values fields.Values) map[string]any { return s.template.Data(values) }

// UsesSecrets reports whether actions use secrets from the environment.
func (s *Settings) UsesSecrets() bool { return len(s.secrets) > 0 }

// actionsSum returns a hash of the actions, which may contain secrets.
func (s *Settings) actionsSum() string {
	text, err := json.Marshal(s.Actions)
	if err != nil { // can't fail
		return err.Error()
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// shared returns the settings that all processes of a crawl must share. Threads, limits and the walltime may differ.
func (s *Settings) shared() (all []frontier.Setting) {
	for _, of := range []struct {
		key   string
		value any
	}{
		{"seeds", s.Seeds},
		{"scope", s.Scope},
		{"include", s.Include},
		{"exclude", s.Exclude},
		{"pagination", s.Pagination},
		{"links", s.Links},
		{"order", s.Order},
		{"max_depth", s.MaxDepth},
		{"per_host", s.PerHost},
		{"delay", s.Delay.String()},
		{"robots", s.Robots},
		{"sitemaps", s.Sitemaps},
		{"browser", s.Browser},
		{"actions", s.actionsSum()},
		{"allow_private", s.AllowPrivate},
		{"insecure_tls", s.InsecureTLS},
		{"user_agent", s.UserAgent},
		{"template", s.Template},
	} {
		text, err := json.Marshal(of.value)
		if err != nil { // can't fail
			text = []byte(err.Error())
		}
		all = append(all, frontier.Setting{Key: of.key, Value: string(text)})
	}
	return all
}
