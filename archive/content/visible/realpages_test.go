package visible

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// People marked what is the text of some 900 pages and what is not, to measure go-trafilatura. What they call the text must
// be the page's own here too, or its changes make no version. Of the rest, much is said once (captions, names of authors), so
// it may be either.
func TestTheTextOfRealPagesIsTheirOwn_long(t *testing.T) {
	t.Parallel()
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	found, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(cache)), "github.com/markusmobius/go-trafilatura@*"))
	if len(found) == 0 {
		t.Skip("the pages come with the module go-trafilatura, which make lint and make compare download")
	}
	root := found[len(found)-1]
	var own, ownSeen, other, otherSeen int
	for file, said := range markedPages(t, filepath.Join(root, "scripts/comparison/data.go")) {
		body, err := os.ReadFile(filepath.Join(root, "test-files/comparison", file))
		if err != nil || !utf8.Valid(body) {
			continue
		}
		text := new(Extractor).Extract(body, "text/html; charset=utf-8")
		n, of := inOwnText(&text, said["With"])
		own, ownSeen = own+n, ownSeen+of
		n, of = inOwnText(&text, said["Without"])
		other, otherSeen = other+n, otherSeen+of
	}
	t.Logf("%d of %d passages of the text are the page's own, %d of %d others", own, ownSeen, other, otherSeen)
	if ownSeen < 2000 || float64(own) < 0.995*float64(ownSeen) || float64(other) > 0.38*float64(otherSeen) {
		t.Error("want 99.5 % of more than 2,000, and at most 38 %")
	}
}

// inOwnText returns how many of some passages are in a text's own blocks, and how many are in any.
func inOwnText(text *Text, passages []string) (own, seen int) {
	for _, passage := range passages {
		passage = strings.Join(strings.Fields(passage), " ")
		found, isOwn := false, false
		for _, b := range text.Blocks {
			if strings.Contains(b.Text, passage) && b.Region != Title {
				found, isOwn = true, isOwn || !b.Region.Furniture()
			}
		}
		if found {
			seen++
		}
		if isOwn {
			own++
		}
	}
	return own, seen
}

// markedPages reads the passages of each page from the Go source that lists them, by the names of their fields.
func markedPages(t *testing.T, source string) map[string]map[string][]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
	if err != nil {
		t.Fatal("go-trafilatura lists its pages elsewhere: ", err)
	}
	pages := map[string]map[string][]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		entry, ok := n.(*ast.CompositeLit)
		if !ok || entry.Type != nil || len(entry.Elts) == 0 {
			return true
		}
		said := map[string][]string{}
		for _, e := range entry.Elts {
			field, ok := e.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			if name, ok := field.Key.(*ast.Ident); ok {
				said[name.Name] = stringsIn(field.Value)
			}
		}
		if file := said["File"]; len(file) == 1 {
			pages[file[0]] = said
		}
		return true
	})
	return pages
}

// stringsIn returns the strings in an expression.
func stringsIn(e ast.Expr) (out []string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}
