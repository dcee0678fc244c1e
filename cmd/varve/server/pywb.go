package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/access/pywb"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/internal/sleep"
	"github.com/varve-archive/varve/replay/respond"
)

// An installation is one of pywb that is served.
type installation struct {
	dir    string
	places []Place
	rules  map[string]*access.Rules // of the collections that not everybody may see whole
	left   string                   // what is not taken over
	policy *access.Policy           // in which the rules are put into force
	log    *slog.Logger
}

// openPywb reads an installation and says what of it is not taken over.
func (s *server) openPywb(dir string) (*installation, error) {
	found, err := pywb.Read(dir)
	if err != nil {
		return nil, err
	}
	for _, sentence := range found.Left {
		s.Say("not taken over from pywb: " + sentence)
	}
	if inside, err := liesIn(found.Root, s.Data); err != nil || inside {
		return nil, errors.Join(err, fmt.Errorf("%s lies among pywb's collections: name another folder with --data", s.Data))
	}
	theirs := &installation{dir: dir, rules: map[string]*access.Rules{}, left: strings.Join(found.Left, "; "), log: s.Log()}
	for i := range found.Collections {
		c := &found.Collections[i]
		where, err := s.whereIn(c)
		if err != nil {
			return nil, err
		}
		theirs.places = append(theirs.places, Place{Coll: c.Name, lines: c.Indexes, Paths: c.Archives, Where: where, foreign: true})
		s.Collections.Describe(c.Name, respond.About{Title: c.Title, Description: c.Description})
		if c.Rules != nil {
			theirs.rules[c.Name] = c.Rules
			s.Sayf("collection %s: %s in force", c.Name, console.Plural(int64(c.Rules.Len()), "access rule is", "access rules are"))
		}
	}
	return theirs, nil
}

// put puts the rules into force.
func (t *installation) put(policy *access.Policy) {
	t.policy = policy
	policy.Put(access.PerCollection(t.rules))
}

// checkInterval is how often the rules of an installation are read: they are in many files.
const checkInterval = time.Second

// watch puts rules into force when they change, until ctx ends. Those of a collection that can't be read stay as they were. Changed rules
// count once two looks found the same: pywb empties a file of rules before it writes them.
func (t *installation) watch(ctx context.Context) {
	before := ""
	for range sleep.Every(ctx, checkInterval) {
		found, err := pywb.Read(t.dir)
		if err != nil {
			found = &pywb.Installation{Left: []string{err.Error()}}
		}
		if left := strings.Join(found.Left, "; "); left != t.left {
			t.left = left
			t.log.Warn("pywb's installation has changed: what could be read is in force", "not taken over", left)
		}
		now := rulesOf(found.Collections)
		if now == before {
			t.take(found.Collections)
		}
		before = now
	}
}

// rulesOf identifies collections with their rules.
func rulesOf(found []pywb.Collection) string {
	var b strings.Builder
	for i := range found {
		b.WriteString(found[i].Name + " ")
		if rules := found[i].Rules; rules != nil {
			b.WriteString(rules.Sum())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// take takes over the rules of collections.
func (t *installation) take(found []pywb.Collection) {
	sum := access.PerCollection(t.rules).Sum()
	for i := range found {
		if c := &found[i]; c.Rules != nil {
			t.rules[c.Name] = c.Rules
		} else {
			delete(t.rules, c.Name)
		}
	}
	rules := access.PerCollection(t.rules)
	if rules.Sum() == sum {
		return
	}
	t.policy.Put(rules)
	t.log.Info("access rules of pywb are in force", "rules", rules.Len())
}

// whereIn returns a function that finds the files of a collection.
func (s *server) whereIn(c *pywb.Collection) (func(name string) string, error) {
	indexed, err := s.PathIndexes(c.PathIndexes)
	return func(name string) string {
		if path := indexed(name); path != "" {
			return path
		}
		for _, dir := range c.Archives {
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err == nil {
				return path
			}
		}
		return ""
	}, err
}

// liesIn reports whether a path lies in a folder.
func liesIn(dir, path string) (bool, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return false, err
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel), nil
}
