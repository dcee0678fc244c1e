package notify

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/internal/strict"
)

// Settings say who is notified of which changes.
type Settings struct {
	Name string `yaml:"name"`
	// Archive is the address of a collection, such as http://127.0.0.1:8080/web/.
	Archive string        `yaml:"archive"`
	Every   time.Duration `yaml:"every"`   // between two looks
	GiveUp  time.Duration `yaml:"give_up"` // age at which an undelivered notification is given up
	// AllowPrivate permits webhooks and hubs on this machine and its network.
	AllowPrivate bool   `yaml:"allow_private"`
	Mail         Mail   `yaml:"mail"`
	Notify       []Rule `yaml:"notify"`
}

// Mail is the mail server.
type Mail struct {
	Server   string `yaml:"server"` // with its port
	From     string `yaml:"from"`
	User     string `yaml:"user"`
	Password string `yaml:"password"` // or $NAME of a variable that has it
	TLS      string `yaml:"tls"`      // starttls, implicit or none
}

// A Rule says which changes are reported to whom: those of a page, of a prefix, host or domain, of a query, or of watched words.
type Rule struct {
	URL       string             `yaml:"url"`
	MatchType string             `yaml:"matchType"`
	Query     string             `yaml:"query"`
	Change    string             `yaml:"change"`
	Domain    string             `yaml:"domain"`
	Level     string             `yaml:"level"`
	Watch     map[string]float64 `yaml:"watch"`
	Threshold float64            `yaml:"threshold"`

	To      Way    `yaml:"to"`
	Address string `yaml:"address"`
	Secret  string `yaml:"secret"` // signs webhooks; or $NAME of a variable that has it
}

// A Way is a way to notify.
type Way string

const (
	Webhook Way = "webhook"
	ByMail  Way = "mail"
	Hub     Way = "hub" // a WebSub hub, which is told that the feed has changed
)

const (
	defaultInterval = 5 * time.Minute
	defaultGiveUp   = 3 * 24 * time.Hour
	minInterval     = time.Second
)

// Read parses a file of settings. It refuses unknown keys; the error names the line. archive is the collection to use if the file
// names none, and getenv looks up variables.
func Read(text []byte, name, archive string, getenv func(string) string) (*Settings, error) {
	s := &Settings{Name: name, Archive: archive}
	if err := strict.Decode(text, s); err != nil {
		return nil, err
	}
	if err := s.Check(getenv); err != nil {
		return nil, err
	}
	return s, nil
}

// Check sets defaults, resolves variables, and returns an error for invalid settings. [Read] calls it.
func (s *Settings) Check(getenv func(string) string) error {
	s.Every, s.GiveUp, s.Mail.TLS = cmp.Or(s.Every, defaultInterval), cmp.Or(s.GiveUp, defaultGiveUp), cmp.Or(s.Mail.TLS, "starttls")
	for _, check := range []func(func(string) string) error{s.check, s.checkMail, s.checkRules} {
		if err := check(getenv); err != nil {
			return err
		}
	}
	return nil
}

func (s *Settings) check(func(string) string) error {
	if s.Archive == "" {
		return errors.New("archive: want the address of a collection, such as http://127.0.0.1:8080/web/")
	}
	if err := isWeb(s.Archive); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	s.Archive = strings.TrimSuffix(s.Archive, "/") + "/"
	switch {
	case s.Every < minInterval:
		return fmt.Errorf("every: %s: want a second or more", s.Every)
	case s.GiveUp <= 0:
		return fmt.Errorf("give_up: %s: want a time, such as 72h", s.GiveUp)
	case len(s.Notify) == 0:
		return errors.New("notify: want somebody who is told something")
	}
	return nil
}

func isWeb(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Fragment != "" {
		return fmt.Errorf("%q is no address such as https://example.org/", address)
	}
	return nil
}

// resolved returns a secret, which may be the name of a variable.
func resolved(value string, getenv func(string) string) (string, error) {
	name, ok := strings.CutPrefix(value, "$")
	if !ok {
		return value, nil
	}
	if value = getenv(name); value == "" {
		return "", fmt.Errorf("the variable %s is not set", name)
	}
	return value, nil
}

func (s *Settings) checkMail(getenv func(string) string) (err error) {
	m := &s.Mail
	if !slices.ContainsFunc(s.Notify, func(r Rule) bool { return r.To == ByMail }) {
		return nil
	}
	if _, _, err := m.server(); err != nil {
		return err
	}
	if _, err := mail.ParseAddress(m.From); err != nil {
		return fmt.Errorf("mail: from: %q is no mail address", m.From)
	}
	if !slices.Contains([]string{"starttls", "implicit", "none"}, m.TLS) {
		return fmt.Errorf("mail: tls: %q: want starttls, implicit or none", m.TLS)
	}
	if m.Password, err = resolved(m.Password, getenv); err != nil {
		return fmt.Errorf("mail: password: %w", err)
	}
	if m.User != "" && m.TLS == "none" {
		return errors.New("mail: tls: a password is not sent without TLS")
	}
	return nil
}

func (m *Mail) server() (host string, port int, err error) {
	host, digits, err := net.SplitHostPort(m.Server)
	if err == nil {
		port, err = strconv.Atoi(digits)
	}
	if host == "" || err != nil || port < 1 || port > 65535 {
		return "", 0, fmt.Errorf("mail: server: %q: want a host and its port, such as smtp.example.org:587", m.Server)
	}
	return host, port, nil
}

func (s *Settings) checkRules(getenv func(string) string) error {
	for i := range s.Notify {
		if err := s.Notify[i].check(getenv); err != nil {
			return fmt.Errorf("notify %d: %w", i+1, err)
		}
	}
	return nil
}

func (r *Rule) check(getenv func(string) string) (err error) {
	switch {
	case r.Query != "" && r.Watch != nil:
		return errors.New("query and watch can't be given together")
	case r.Query == "" && (r.Change != "" || r.Domain != ""):
		return errors.New("change and domain need a query")
	case r.Address == "":
		return errors.New("address: want one")
	}
	switch r.To {
	case Webhook, Hub:
		err = isWeb(r.Address)
	case ByMail:
		if _, bad := mail.ParseAddress(r.Address); bad != nil {
			err = fmt.Errorf("%q is no mail address", r.Address)
		}
	default:
		return fmt.Errorf("to: %q: want webhook, mail or hub", r.To)
	}
	if err != nil {
		return fmt.Errorf("address: %w", err)
	}
	if r.Secret, err = resolved(r.Secret, getenv); err != nil {
		return fmt.Errorf("secret: %w", err)
	}
	return nil
}

// feed returns the address of the rule's feed. The archive reports invalid parameters.
func (r *Rule) feed(archive string) string {
	v := url.Values{}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("url", r.URL)
	set("matchType", r.MatchType)
	set("q", r.Query)
	set("change", r.Change)
	set("domain", r.Domain)
	set("level", r.Level)
	var words []string
	for word, weight := range r.Watch {
		words = append(words, word+":"+strconv.FormatFloat(weight, 'f', -1, 64))
	}
	slices.Sort(words)
	set("watch", strings.Join(words, ","))
	if r.Watch != nil && r.Threshold != 0 {
		set("threshold", strconv.FormatFloat(r.Threshold, 'f', -1, 64))
	}
	out := archive + "feed"
	if len(v) > 0 {
		out += "?" + v.Encode()
	}
	return out
}

// subject names what the rule is about.
func (r *Rule) subject(archive string) string {
	return cmp.Or(r.Query, r.URL, archive)
}
