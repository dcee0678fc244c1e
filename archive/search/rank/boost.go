package rank

import (
	"fmt"
	"math"
	"regexp"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/varve-archive/varve/archive/search"
)

// Facts are what a formula may use.
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
}

// wholeFacts are those that a score may depend on only if matches are read whole; see [Ranking.Whole].
var wholeFacts = regexp.MustCompile(`\b(title|score)\b`)

// inlinksFact is the one that has to be looked up.
var inlinksFact = regexp.MustCompile(`\binlinks\b`)

// functions are those that the library does not have.
var functions = map[string]func(float64) float64{
	"log": math.Log, "log2": math.Log2, "log10": math.Log10, "sqrt": math.Sqrt, "exp": math.Exp,
}

// compile checks a formula. The error shows the place.
func compile(formula string) (*vm.Program, error) {
	options := []expr.Option{expr.Env(Facts{}), expr.AsFloat64()}
	for name, f := range functions {
		options = append(options, expr.Function(name, func(args ...any) (any, error) {
			switch v := args[0].(type) {
			case float64:
				return f(v), nil
			case int:
				return f(float64(v)), nil
			}
			return nil, fmt.Errorf("%s: want a number", name)
		}, new(func(float64) float64), new(func(int) float64)))
	}
	program, err := expr.Compile(formula, options...)
	if err != nil {
		return nil, fmt.Errorf("boost: %w", err)
	}
	return program, nil
}

// boosted returns the score multiplied by what the formula gives. It is 0 where the formula gives no number or one below
// 0, and if it fails, which a formula that was compiled does only where it indexes a text.
func boosted(formula *vm.Program, score float64, m *search.Match) float64 {
	v := &m.Version
	out, err := expr.Run(formula, Facts{
		Versions: float64(m.Versions), Inlinks: float64(m.Inlinks), Words: float64(m.Words), Newest: m.Newest,
		Year:   float64(v.First.Time().Year()),
		Status: float64(v.Status), Lang: v.Lang, MIME: v.MIME, Title: v.Title, Key: m.Key, Score: score,
	})
	factor, ok := out.(float64)
	if err != nil || !ok || math.IsNaN(factor) || math.IsInf(factor, 0) || factor < 0 {
		return 0
	}
	return score * factor
}
