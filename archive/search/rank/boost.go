package rank

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
)

// Facts are what a formula may use, besides the fields of templates under their names: a number, a date in days since 1970, the text of
// others; of several values the first.
type Facts struct {
	Versions float64 `expr:"versions"` // of the page
	Inlinks  float64 `expr:"inlinks"`  // how many other pages link to it, each as its newest version does
	Words    float64 `expr:"words"`    // in the text of the version
	Newest   bool    `expr:"newest"`   // the version is the page's newest
	Year     float64 `expr:"year"`     // of its first capture
	Status   float64 `expr:"status"`
	Lang     string  `expr:"lang"`
	MIME     string  `expr:"mime"`
	Title    string  `expr:"title"`
	Key      string  `expr:"surt"`
	Score    float64 `expr:"score"` // what the words give

	Numbers map[string]float64 `expr:"field_numbers"` // values of fields
	Texts   map[string]string  `expr:"field_texts"`
}

// functions are those that the library does not have.
func functions() map[string]func(float64) float64 {
	return map[string]func(float64) float64{
		"log": math.Log, "log2": math.Log2, "log10": math.Log10, "sqrt": math.Sqrt, "exp": math.Exp,
	}
}

// A formula is one over facts.
type formula struct {
	program *vm.Program
	uses    map[string]bool // names of facts
	columns []fields.Column // that it uses
	missing map[string]float64
}

// A namer finds the names in a formula, and puts values of fields in place of theirs.
type namer struct {
	*formula
	known []fields.Column
}

// Visit implements [ast.Visitor].
func (n *namer) Visit(node *ast.Node) {
	name, ok := (*node).(*ast.IdentifierNode)
	if !ok {
		return
	}
	at := slices.IndexFunc(n.known, func(c fields.Column) bool { return c.Name == name.Value })
	if at < 0 || isFact(name.Value) {
		n.uses[name.Value] = true
		return
	}
	column, in := n.known[at], "field_texts"
	if column.Type.Ordered() {
		in = "field_numbers"
	}
	if !slices.Contains(n.columns, column) {
		n.columns = append(n.columns, column)
	}
	ast.Patch(node, &ast.MemberNode{Node: &ast.IdentifierNode{Value: in}, Property: &ast.StringNode{Value: column.Name}})
}

func isFact(name string) bool {
	t := reflect.TypeFor[Facts]()
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("expr") == name {
			return true
		}
	}
	return false
}

// names returns those of the fields, for people.
func (n *namer) names() string {
	var out []string
	for _, c := range n.known {
		out = append(out, c.Name)
	}
	return strings.Join(out, ", ")
}

// compile checks a formula; "" is none. The error shows the place. Fields that only missing names are numbers.
func compile(text string, missing map[string]float64, columns []fields.Column) (*formula, error) {
	if text == "" {
		return nil, nil
	}
	f := &formula{uses: map[string]bool{}, missing: missing}
	names := &namer{f, slices.Clone(columns)}
	for name := range missing {
		if !slices.ContainsFunc(columns, func(c fields.Column) bool { return c.Name == name }) {
			names.known = append(names.known, fields.Column{Name: name, Type: fields.Number})
		}
	}
	options := []expr.Option{expr.Env(Facts{}), expr.AsFloat64(), expr.Patch(names)}
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
	var err error
	f.program, err = expr.Compile(text, options...)
	if err != nil && len(names.known) > 0 && strings.Contains(err.Error(), "unknown name") {
		err = fmt.Errorf("%w; the fields of templates are %s", err, names.names())
	}
	return f, err
}

// whole reports whether the formula depends on what is known only of matches that are read whole; see [Ranking.Whole].
func (f *formula) whole() bool {
	return f != nil && (f.uses["title"] || f.uses["score"] || len(f.columns) > 0)
}

// result returns what the formula gives; ok is false where that is no number, or where it fails, which a formula that was compiled does
// only where it indexes a text.
func (f *formula) result(score float64, m *search.Match) (n float64, ok bool) {
	v := &m.Version
	facts := Facts{
		Versions: float64(m.Versions), Inlinks: float64(m.Inlinks), Words: float64(m.Words), Newest: m.Newest,
		Year:   float64(v.First.Time().Year()),
		Status: float64(v.Status), Lang: v.Lang, MIME: v.MIME, Title: v.Title, Key: m.Key, Score: score,
	}
	f.fields(&facts, v.Fields)
	out, err := expr.Run(f.program, facts)
	n, ok = out.(float64)
	return n, err == nil && ok && !math.IsNaN(n) && !math.IsInf(n, 0)
}

const secondsOfADay = 24 * 60 * 60

// fields puts the values of fields that the formula uses into facts.
func (f *formula) fields(to *Facts, packed string) {
	if len(f.columns) == 0 {
		return
	}
	to.Numbers, to.Texts = map[string]float64{}, map[string]string{}
	values := fields.Unpack(packed)
	for _, c := range f.columns {
		first := ""
		if list := values[c.Name]; len(list) > 0 {
			first = list[0]
		}
		if !c.Type.Ordered() {
			to.Texts[c.Name] = first
			continue
		}
		n, known := c.Type.Order(first)
		switch {
		case !known:
			n = f.missing[c.Name]
		case c.Type == fields.Date:
			n /= secondsOfADay
		}
		to.Numbers[c.Name] = n
	}
}
