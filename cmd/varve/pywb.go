package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/varve-archive/varve/access"
	"github.com/varve-archive/varve/ingest"
	"github.com/varve-archive/varve/pywb"
	"github.com/varve-archive/varve/replay/web"
)

// A pywbInstallation is one that is served.
type pywbInstallation struct {
	places []place
	rules  *access.Rules // nil if all may see all
}

// openPywb reads an installation and says what of it is not taken over.
func (p *program) openPywb(dir string) (*pywbInstallation, error) {
	found, err := pywb.Read(dir)
	if err != nil {
		return nil, err
	}
	for _, sentence := range found.Left {
		p.say("not taken over from pywb: " + sentence)
	}
	if inside, err := liesIn(found.Root, p.Data); err != nil || inside {
		return nil, errors.Join(err, fmt.Errorf("%s lies among pywb's collections: name another folder with --data", p.Data))
	}
	theirs := &pywbInstallation{}
	rules := map[string]*access.Rules{}
	for i := range found.Collections {
		c := &found.Collections[i]
		where, err := p.whereIn(c)
		if err != nil {
			return nil, err
		}
		theirs.places = append(theirs.places, place{coll: c.Name, lines: c.Indexes, paths: c.Archives, where: where})
		if _, said := p.abouts[c.Name]; !said {
			p.abouts[c.Name] = web.About{Title: c.Title, Description: c.Description}
		}
		if c.Rules != nil {
			rules[c.Name] = c.Rules
			p.say(fmt.Sprintf("collection %s: %s in force", c.Name, plural(int64(c.Rules.Len()), "access rule is", "access rules are")))
		}
	}
	if len(rules) > 0 {
		theirs.rules = access.PerCollection(rules)
	}
	return theirs, nil
}

// whereIn returns a function that finds the files of a collection.
func (p *program) whereIn(c *pywb.Collection) (func(name string) string, error) {
	var indexes []ingest.PathIndex
	for _, path := range c.PathIndexes {
		found, err := p.readPathIndex(path)
		if err != nil {
			return nil, err
		}
		indexes = append(indexes, found)
	}
	return func(name string) string {
		for _, at := range indexes {
			if path := at[name]; path != "" {
				return path
			}
		}
		for _, dir := range c.Archives {
			if found, _ := filepath.Glob(filepath.Join(dir, name)); len(found) > 0 {
				return found[0]
			}
		}
		return ""
	}, nil
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
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)), nil
}
