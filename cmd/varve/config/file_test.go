package config

import (
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// A flag comes before its variable, the variable before the file, and the file before the default.
func TestWhereAFlagIsFrom(t *testing.T) {
	for _, tt := range []struct {
		name, file, variable string
		args                 []string
		want                 string
	}{
		{"the flag", "page-size: 2", "3", []string{"--page-size=4"}, "4"},
		{"the variable", "page-size: 2", "3", nil, "3"},
		{"the file", "page-size: 2", "", nil, "2"},
		{"the file, spelt with a low line", "page_size: 2", "", nil, "2"},
		{"a key without a value", "page-size:", "", nil, "1"},
		{"nothing", "", "", nil, "1"},
	} {
		if t.Setenv("VARVE_PAGE_SIZE", tt.variable); tt.variable == "" {
			os.Unsetenv("VARVE_PAGE_SIZE")
		}
		f, err := Read(strings.NewReader(tt.file))
		if err != nil {
			t.Fatal(err)
		}
		var flags struct {
			PageSize string `default:"1" env:"VARVE_PAGE_SIZE"`
		}
		p, err := kong.New(&flags, kong.Resolvers(f))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Parse(tt.args); err != nil || flags.PageSize != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, flags.PageSize, err, tt.want)
		}
	}
}
