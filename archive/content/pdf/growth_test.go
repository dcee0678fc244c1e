package pdf

import (
	"bytes"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/pdf/pdftest"
	"github.com/varve-archive/varve/internal/testkit/growth"
)

// A page is read in time that grows no faster than it, whatever it has more of. Files as a whole have a limit instead: the
// process that reads them.
func TestPagesGrowWithWhatTheyShow(t *testing.T) {
	for name, unit := range map[string]string{
		"lines": "(x) Tj T* ", "letters": "x", "moves": "0 -14 Td ", "operands": "1 ", "operators": "q ", "fonts": "/F1 12 Tf ",
		"strings": "(x) ", "kerned text": "[(x) -200 (y)] TJ ",
		"arrays": "[", "dictionaries": "<<", "brackets": "(", "comments": "% x\n", "hexadecimal": "<41> Tj ",
	} {
		growth.Linear(t, name, func(n int) []byte { return pdftest.Page([]byte("BT /F1 12 Tf "+strings.Repeat(unit, n)+" ET"), "") },
			func(b []byte) {
				_, _ = Text(bytes.NewReader(b), int64(len(b)))
			})
	}
}

func TestDivisionsGrowWithTheText(t *testing.T) {
	for name, unit := range map[string]string{"hyphens": "a-", "divisions": "a-\nb", "hyphens and white space": "a- \n", "letters": "a"} {
		growth.Linear(t, name, func(n int) string { return strings.Repeat(unit, n) }, func(s string) { withoutDivisions(s) })
	}
}
