package spreadsheet_test

import (
	"testing"

	"github.com/varve-archive/varve/internal/spreadsheet"
)

func TestCell(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "mill": "mill", "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@a": "'@a",
		"\t=": "'\t=", "\r=": "'\r=", "\n=": "'\n=", "＝1": "'＝1", "a=": "a=", "1=1": "1=1", "é": "é",
	} {
		if got := spreadsheet.Cell(text); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}
