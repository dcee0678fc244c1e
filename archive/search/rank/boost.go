package rank

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
)

// facts are the names that formulas may use besides the fields of templates. Such a field is a number, a date as days since 1970, or a
// text; the first of several values is taken.
func facts() map[string]func(score float64, m *search.Match) any {
	return map[string]func(score float64, m *search.Match) any{
		"versions": func(_ float64, m *search.Match) any { return float64(m.Versions) }, // of the page
		"inlinks":  func(_ float64, m *search.Match) any { return float64(m.Inlinks) },  // other pages that link to it
		"words":    func(_ float64, m *search.Match) any { return float64(m.Words) },    // of the version's text
		"newest":   func(_ float64, m *search.Match) any { return m.Newest },            // the version is the page's newest
		"year":     func(_ float64, m *search.Match) any { return float64(m.Version.First.Time().Year()) },
		"status":   func(_ float64, m *search.Match) any { return float64(m.Version.Status) },
		"lang":     func(_ float64, m *search.Match) any { return m.Version.Lang },
		"mime":     func(_ float64, m *search.Match) any { return m.Version.MIME },
		"title":    func(_ float64, m *search.Match) any { return m.Version.Title },
		"surt":     func(_ float64, m *search.Match) any { return m.Key },
		"score":    func(score float64, _ *search.Match) any { return score }, // the relevance
	}
}

// functions are those that formulas have beyond the library's own.
func functions() map[string]func(float64) float64 {
	return map[string]func(float64) float64{
		"log": math.Log, "log2": math.Log2, "log10": math.Log10, "sqrt": math.Sqrt, "exp": math.Exp,
	}
}

type formula struct {
	program *vm.Program
	uses    map[string]func(score float64, m *search.Match) any // the facts that it uses
	columns []fields.Column                                     // the fields of templates that it uses
	missing map[string]float64
}

type names map[string]bool

func (n names) Visit(node *ast.Node) {
	if name, ok := (*node).(*ast.IdentifierNode); ok {
		n[name.Value] = true
	}
}

// compile compiles a formula; "" is none. The error shows the place. A field that isn't a column but is in missing is a number.
func compile(text string, missing map[string]float64, columns []fields.Column) (*formula, error) {
	if text == "" {
		return nil, nil
	}
	columns = slices.Clone(columns)
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if !slices.ContainsFunc(columns, func(c fields.Column) bool { return c.Name == name }) {
			columns = append(columns, fields.Column{Name: name, Type: fields.Number})
		}
	}
	tree, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	used := names{}
	ast.Walk(&tree.Node, used)
	f := &formula{uses: map[string]func(float64, *search.Match) any{}, missing: missing}
	known := map[string]any{}
	for name, fact := range facts() {
		if known[name] = fact(0, &search.Match{}); used[name] {
			f.uses[name] = fact
		}
	}
	for _, c := range columns {
		if _, fact := known[c.Name]; fact {
			continue
		}
		if known[c.Name] = any(""); c.Type.Ordered() {
			known[c.Name] = 0.0
		}
		if used[c.Name] {
			f.columns = append(f.columns, c)
		}
	}
	options := []expr.Option{expr.Env(known), expr.AsFloat64()}
	for name, of := range functions() {
		options = append(options, expr.Function(name, func(args ...any) (any, error) {
			switch v := args[0].(type) {
			case float64:
				return of(v), nil
			case int:
				return of(float64(v)), nil
			}
			return nil, fmt.Errorf("%s: want a number", name)
		}, new(func(float64) float64), new(func(int) float64)))
	}
	if f.program, err = expr.Compile(text, options...); err != nil && len(columns) > 0 && strings.Contains(err.Error(), "unknown name") {
		err = fmt.Errorf("%w; the fields of templates are %s", err, columnNames(columns))
	}
	return f, err
}

func columnNames(columns []fields.Column) string {
	var out []string
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return strings.Join(out, ", ")
}

func (f *formula) has(name string) bool { return f != nil && f.uses[name] != nil }

// whole reports whether the formula needs the history of each match; see [Ranking.Whole].
func (f *formula) whole() bool {
	return f.has("title") || f.has("score") || f != nil && len(f.columns) > 0
}

// result evaluates the formula. It returns 0 if the result is no finite number, or if evaluation fails, as when it indexes beyond the end
// of a text.
func (f *formula) result(score float64, m *search.Match) float64 {
	known := make(map[string]any, len(f.uses)+len(f.columns))
	for name, fact := range f.uses {
		known[name] = fact(score, m)
	}
	f.values(known, m.Version.Fields)
	out, err := expr.Run(f.program, known)
	n, ok := out.(float64)
	if err != nil || !ok || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	return n
}

const secondsOfADay = 24 * 60 * 60

// values adds the values of the fields that the formula uses.
func (f *formula) values(to map[string]any, packed string) {
	if len(f.columns) == 0 {
		return
	}
	values := fields.Unpack(packed)
	for _, c := range f.columns {
		first := ""
		if list := values[c.Name]; len(list) > 0 {
			first = list[0]
		}
		if !c.Type.Ordered() {
			to[c.Name] = first
			continue
		}
		n, known := c.Type.Order(first)
		switch {
		case !known:
			n = f.missing[c.Name]
		case c.Type == fields.Date:
			n /= secondsOfADay
		}
		to[c.Name] = n
	}
}
