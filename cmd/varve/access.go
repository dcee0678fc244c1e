package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// rules are the flags that say who may see what.
type rules struct {
	Access string   `help:"YAML file with access rules, or pywb's .aclj; read again when it changes." placeholder:"FILE" cfg:""`
	Trust  []string `help:"Addresses or networks of front servers that name a reader's group in X-Varve-Group." placeholder:"ADDR" cfg:""`
}

// Validate implements kong's interface: what it refuses is wrong usage.
func (r *rules) Validate() error {
	if r.Access != "" {
		if _, err := readRules(r.Access); err != nil {
			return fmt.Errorf("--access: %w", err)
		}
	}
	_, err := r.trusted()
	return err
}

// trusted returns the networks of --trust.
func (r *rules) trusted() ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range r.Trust {
		p, err := netip.ParsePrefix(s)
		if a, bad := netip.ParseAddr(s); bad == nil {
			p, err = a.Prefix(a.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("--trust %q: want an address such as 127.0.0.1, or a network such as 10.0.0.0/8", s)
		}
		out = append(out, p)
	}
	return out, nil
}

// errNoRules says that a file is empty. It may be about to be written, and to take that for "no rules" would open
// everything.
var errNoRules = errors.New("it has no rules; if that is meant, write rules: []")

// readRules reads a file of rules.
func readRules(path string) (*access.Rules, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	read := access.Read
	if strings.HasSuffix(path, ".aclj") {
		read = access.ReadACLJ
	} else if len(bytes.TrimSpace(text)) == 0 {
		return nil, fmt.Errorf("%s: %w", path, errNoRules)
	}
	found, err := read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return found, nil
}

// A rulesFile is a file whose rules are in force.
type rulesFile struct {
	path   string
	policy *access.Policy
	log    *slog.Logger
	taken  *takedowns  // nil if nothing may be written
	force  os.FileInfo // the file whose rules are in force, or that was found faulty
	away   bool        // the file can't be looked at
}

// look is how often a file of rules is looked at. A new one has to be the same twice, so that none is read while it is
// written.
const look = 500 * time.Millisecond

// openRules puts the rules of the file into force.
func (p *program) openRules(path string) (*rulesFile, error) {
	f := &rulesFile{path: path, policy: &access.Policy{}, log: p.log()}
	if !p.readOnly {
		f.taken = &takedowns{path: p.takedownsFile()}
	}
	if path == "" {
		return f, nil
	}
	var err error
	if f.force, err = os.Stat(path); err != nil {
		return nil, err
	}
	found, err := readRules(path)
	if err != nil {
		return nil, err
	}
	return f, f.put(found)
}

// put puts rules into force, and notes what that changes. They are in force after an error too.
func (f *rulesFile) put(found *access.Rules) error {
	f.policy.Put(found)
	f.log.Info("access rules are in force", "file", f.path, "rules", found.Len())
	if f.taken == nil {
		f.log.Info("the log of takedowns is not written: nothing may be")
		return nil
	}
	if err := f.taken.note(time.Now(), found.All()); err != nil {
		return fmt.Errorf("the log of takedowns: %w", err)
	}
	return nil
}

// watch reads the file again when it changes, until ctx ends.
func (f *rulesFile) watch(ctx context.Context) {
	if f.path == "" {
		return
	}
	tick := time.NewTicker(look)
	defer tick.Stop()
	var last os.FileInfo
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, err := os.Stat(f.path)
		if err != nil {
			if !f.away {
				f.log.Error("the file of access rules can't be read: the rules in force stay", "file", f.path, "error", err)
			}
			f.away, f.force = true, nil
			continue
		}
		f.away = false
		if unchanged(last, now) && !unchanged(f.force, now) {
			f.force = now
			f.again()
		}
		last = now
	}
}

func unchanged(a, b os.FileInfo) bool {
	return a != nil && os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

func (f *rulesFile) again() {
	found, err := readRules(f.path)
	if err != nil {
		f.log.Error("the access rules can't be taken: those in force stay", "error", err)
	} else if err := f.put(found); err != nil {
		f.log.Error("the access rules are in force, but that can't be noted", "error", err)
	}
}

type accessCmd struct {
	Test  string `help:"The URI-R to ask about." required:"" placeholder:"URL"`
	At    string `help:"The datetime of the capture (1 to 14 digits); without it, of any." placeholder:"TS"`
	Group string `help:"The reader's group." placeholder:"NAME"`
	Rules string `name:"access" help:"The file of rules." required:"" placeholder:"FILE" cfg:""`
}

// Validate implements kong's interface.
func (c *accessCmd) Validate() error {
	_, err := readRules(c.Rules)
	return err
}

// Run explains what readers get of a URI-R.
func (c *accessCmd) Run(p *program) error {
	found, err := readRules(c.Rules)
	if err != nil {
		return err
	}
	key := surt.Of(memento.ParseURIR(c.Test))
	page := found.For(key, c.Group)
	fmt.Fprintf(p.stdout, "key: %s\n", key)
	if c.At == "" {
		return c.explainAll(p, page)
	}
	at, err := cdx.ParseTimestamp(c.At)
	if err != nil {
		return err
	}
	now := time.Now()
	for _, r := range page.Rules() {
		why := r.Passes(at, now)
		if why == "" {
			fmt.Fprintf(p.stdout, "%s, by line %d: %s\n", r.Access, r.Line, describe(r))
			return nil
		}
		fmt.Fprintf(p.stdout, "not line %d (%s): %s\n", r.Line, describe(r), why)
	}
	fmt.Fprintln(p.stdout, "allow: no rule applies")
	return nil
}

// explainAll prints the rules that may decide, in their order.
func (c *accessCmd) explainAll(p *program, page access.Page) error {
	for _, r := range page.Rules() {
		fmt.Fprintf(p.stdout, "%s, by line %d: %s\n", r.Access, r.Line, describe(r))
		if r.Always() {
			return nil
		}
	}
	_, err := fmt.Fprintln(p.stdout, "allow, if no rule applies")
	return err
}

// describe says what a rule is for.
func describe(r *access.Rule) string {
	parts := []string{string(r.Match) + " " + r.URL}
	if r.From != 0 {
		parts = append(parts, "captured from "+r.From.String())
	}
	if r.To != 0 {
		parts = append(parts, "captured to "+r.To.String())
	}
	if e := r.Embargo.String(); e != "" {
		parts = append(parts, e)
	}
	if r.Group != "" {
		parts = append(parts, "for the group "+r.Group)
	}
	return strings.Join(parts, ", ")
}
