package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	slashpath "path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A tree is the content of a module's test files.
type tree struct {
	tests  map[string]test // by folder and function, as in memento.TestTimeMaps
	quotes []quote
}

type test struct {
	file  string          // from the root, with slashes
	texts map[string]bool // the strings in it, including the names of its cases
}

// A quote is a clause that a test names. A quote outside of functions has no test.
type quote struct{ source, clause, test, file string }

// readTree parses the tests below root. It skips tools, a separate module whose tests say nothing about varve.
func readTree(root string) (*tree, error) {
	t := &tree{tests: map[string]test{}}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (slices.Contains([]string{"testdata", "node_modules", "tools"}, d.Name()) || d.Name()[0] == '.') {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return t.read(path, filepath.ToSlash(name))
	})
	return t, err
}

// read adds one file; name is its name on the page.
func (t *tree) read(path, name string) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	words := wordsOf(file)
	var spans []span
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !isTest(f.Name.Name) {
			continue
		}
		s := span{f.Pos(), f.End(), slashpath.Dir(name) + "." + f.Name.Name}
		if f.Doc != nil {
			s.from = f.Doc.Pos()
		}
		spans = append(spans, s)
		t.tests[s.test] = test{name, textsIn(words, s)}
	}
	t.quote(words, name, spans)
	return nil
}

// A span is the extent of a test in its file, including its comment.
type span struct {
	from, to token.Pos
	test     string
}

func (s span) has(at token.Pos) bool { return s.from <= at && at < s.to }

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz")
}

// A word is a comment or a string.
type word struct {
	at      token.Pos
	text    string
	comment bool
}

func wordsOf(file *ast.File) []word {
	var words []word
	for _, group := range file.Comments {
		words = append(words, word{group.Pos(), group.Text(), true})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				words = append(words, word{lit.Pos(), text, false})
			}
		}
		return true
	})
	slices.SortFunc(words, func(a, b word) int { return cmp.Compare(a.at, b.at) })
	return words
}

func textsIn(words []word, s span) map[string]bool {
	texts := map[string]bool{}
	for _, w := range words {
		if !w.comment && s.has(w.at) {
			texts[w.text] = true
		}
	}
	return texts
}

// clauses matches RFCs and clauses. A clause without an RFC belongs to the last RFC named before it in the file.
var clauses = regexp.MustCompile(`RFC\s(\d+)|§\s?(\d+(?:\.\d+)*)`)

func (t *tree) quote(words []word, file string, spans []span) {
	rfc := ""
	for _, w := range words {
		test := ""
		if i := slices.IndexFunc(spans, func(s span) bool { return s.has(w.at) }); i >= 0 {
			test = spans[i].test
		}
		for _, found := range clauses.FindAllStringSubmatch(w.text, -1) {
			if found[1] != "" {
				rfc = "RFC " + found[1]
			} else if rfc != "" {
				t.quotes = append(t.quotes, quote{rfc, found[2], test, file})
			}
		}
	}
}
