package history_test

import (
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/internal/testkit/golden"
)

// A table is on many disks: if this golden file changes, the format of the search needs another name.
func TestTheFormatOfTables(t *testing.T) {
	b := history.NewBuilder(history.Sizes{Least: 3, Often: 2, Most: 6}, history.DefaultLimits)
	versions := []struct {
		history.Version
		history.Text
	}{
		{
			history.Version{First: 20100301120000, Last: 20110301120000, MIME: "text/html", Status: 200},
			history.Text{
				Title: "The mill", Lang: "en", Fields: `{"built":["1850"]}`, Blocks: []string{"The mill", "The old mill stands by the river."},
			},
		},
		{
			history.Version{First: 20110401120000, Last: 20120301120000, MIME: "text/html", Status: 200, Minor: true},
			history.Text{Title: "The mill", Lang: "en", Blocks: []string{"The mill", "The old mill stood by the river.", "Вода"}},
		},
		{
			history.Version{First: 20120401120000, Last: 20120401120000, MIME: "text/html", Status: 404, Missing: true, Soft404: true},
			history.Text{},
		},
	}
	for _, v := range versions {
		b.Add(v.Version, v.Text)
	}
	got := hex.Dump(b.Take().Table)
	golden.Check(t, filepath.Join("testdata", "table.golden"), got)
	if !strings.Contains(got, "mill") {
		t.Error("the table has no text")
	}
}
