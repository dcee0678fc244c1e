package pywb

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/cdx"
)

// An embargo hides captures by their date.
type embargo struct {
	Before, After string
	Older, Newer  *access.PywbAge
	Access        string
}

// rules returns the access rules of a collection, nil if everybody may see everything. Unknown settings are an error. parts are those of a
// sequence.
func (r *reading) rules(s *source, parts []source) (*access.Rules, error) {
	if slices.ContainsFunc(parts, func(p source) bool { return len(p.ACL) > 0 || p.Access != "" || p.Embargo != nil }) {
		return nil, errors.New("parts of a sequence have rules of their own")
	}
	lists, err := r.lists(s.ACL)
	if err != nil {
		return nil, err
	}
	var rules []access.Rule
	if e := cmp.Or(s.Embargo, r.config.Embargo); e != nil {
		if rules, err = e.rules(); err != nil {
			return nil, err
		}
		for _, l := range lists {
			if slices.ContainsFunc(l.All(), func(r access.Rule) bool { return r.Access == access.Allow }) {
				return nil, errors.New("an embargo beside rules that allow can't be taken over: write both in YAML for --access")
			}
		}
	}
	switch a := access.Access(cmp.Or(s.Access, r.config.Access)); a {
	case "", access.Allow:
	case access.Block, access.Exclude:
		rules = append(rules, access.Rule{URL: "*", Access: a})
	default:
		return nil, fmt.Errorf("default_access %q: want allow, block or exclude", a)
	}
	if len(rules) == 0 && len(lists) == 0 {
		return nil, nil
	}
	usual, err := access.New(rules)
	if err != nil {
		return nil, err
	}
	return access.Join(append(lists, usual)...), nil
}

// lists reads the files of rules, or those in a folder.
func (r *reading) lists(paths list) (out []*access.Rules, err error) {
	for _, p := range paths {
		path := r.path(p)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		files := []string{path}
		if err == nil && info.IsDir() {
			files, err = filesIn(path, ".aclj")
		}
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			rules, err := readList(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out = append(out, rules)
		}
	}
	return out, nil
}

func readList(path string) (*access.Rules, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return access.ReadACLJ(f)
}

// rules returns the rules that an embargo stands for.
func (e *embargo) rules() (out []access.Rule, err error) {
	rule := access.Rule{URL: "*", Access: access.Access(cmp.Or(e.Access, string(access.Exclude)))}
	if e.Before != "" {
		limited := rule
		if limited.To, err = cdx.ParseTimestamp(e.Before); err != nil {
			return nil, fmt.Errorf("embargo: before: %w", err)
		}
		out = append(out, limited)
	}
	if e.After != "" {
		limited := rule
		if limited.From, err = cdx.ParseTimestamp(e.After); err != nil {
			return nil, fmt.Errorf("embargo: after: %w", err)
		}
		out = append(out, limited)
	}
	if e.Older != nil || e.Newer != nil {
		limited := rule
		limited.Embargo = access.Embargo{Newer: e.Newer.Age(), Older: e.Older.Age()}
		out = append(out, limited)
	}
	if len(out) == 0 {
		return nil, errors.New("embargo: want before, after, newer or older")
	}
	return out, nil
}

// reasonOf returns the reason why a key of a config is not taken over, "" if varve has nothing like it.
func reasonOf(key string) string {
	switch key {
	case "proxy":
		return "proxy mode is varve serve --proxy"
	case "framed_replay":
		return "varve shows pages without a frame around them; the addresses are the same"
	case "recorder":
		return "recording is varve record"
	case "client_side_replay":
		return "varve rewrites on the server"
	case "redirect_to_exact":
		return "varve always redirects to the datetime of the capture"
	case "enable_memento":
		return "varve always speaks Memento"
	case "locales":
		return "the pages speak six languages by themselves"
	case "default_locale":
		return "the pages speak the language that a browser asks for"
	case "inject_scripts":
		return "varve adds no scripts of others to archived pages"
	case "ui":
		return "the pages have varve's looks"
	case "acl_header":
		return "varve takes the group of a reader from X-Varve-Group of servers in --trust"
	case "certificates":
		return "varve makes its own"
	case "rules_file":
		return "varve has rules of its own for addresses that differ"
	}
	return ""
}

// silent returns keys that don't affect readers of an archive.
func silent() []string {
	return []string{
		"debug", "use_js_obj_proxy", "static_path", "templates_dir", "template_files", "static_routes", "transclusions_version",
	}
}

func why(key string) string { return cmp.Or(reasonOf(key), "varve has nothing like it") }

// noteUnsupported notes the other settings of the config.
func (r *reading) noteUnsupported() {
	for _, key := range slices.Sorted(maps.Keys(r.config.Other)) {
		if !slices.Contains(silent(), key) && !strings.HasSuffix(key, "_html") {
			r.leave("%s in config.yaml: %s", key, why(key))
		}
	}
}
