package chunks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
)

// Scripts may be hostile, so the work is bounded whatever they repeat.
func TestTimeGrowsWithTheScript(t *testing.T) {
	t.Parallel()
	var loads strings.Builder
	for i := range maxFiles - 1 {
		fmt.Fprintf(&loads, ".e(%d)", i)
	}
	for _, unit := range []string{
		"x=(//", "x=(/*", "x=(a+1", "x={1:", "x=(a===", `x="`, "x=(`${", "x=((", `x=a+"b.js";`, `["a.js"]`, `x=e=>e===1?"a.js":`,
		`x=e=>({1:"a"}[e]||e)+".js";`,
	} {
		growth.Linear(t, unit, func(n int) []byte { return []byte(failing + strings.Repeat(unit, n)) }, func(script []byte) {
			Find(script, "http://a.example/a.js", "")
		})
		growth.Linear(t, "with IDs and "+unit, func(n int) []byte { return []byte(failing + loads.String() + strings.Repeat(unit, n)) },
			func(script []byte) { Find(script, "http://a.example/a.js", "") })
	}
	growth.Linear(t, "behind white space", func(n int) []byte {
		return []byte(strings.Repeat(" ", 200*n) + failing + strings.Repeat(`return"a";`, 20*n))
	}, func(script []byte) { Find(script, "http://a.example/a.js", "") })
	growth.Linear(t, "a long name", func(n int) []byte {
		return []byte(failing + loads.String() + `x=e+"` + strings.Repeat("a", n) + `.js"`)
	}, func(script []byte) { Find(script, "http://a.example/a.js", "") })
}
