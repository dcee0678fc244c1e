package config

import (
	"os"
	"reflect"
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

func TestValuesInAFile(t *testing.T) {
	type flags struct {
		Cors    []string
		Include []string `sep:"none"`
		Width   []int
		Day     string
		Rate    float64
		Gzip    bool
	}
	for _, tt := range []struct {
		file  string
		want  flags
		wrong string
	}{
		{"cors: ['*']", flags{Cors: []string{"*"}}, ""},
		{"cors: ['a,b', c]", flags{Cors: []string{"a,b", "c"}}, ""},
		{"cors: a,c", flags{Cors: []string{"a", "c"}}, ""},
		{"cors: []", flags{Cors: []string{}}, ""},
		{"include: ['a{1,2}', b]", flags{Include: []string{"a{1,2}", "b"}}, ""},
		{"include: 'a{1,2}'", flags{Include: []string{"a{1,2}"}}, ""},
		{"width: [320, 1280]", flags{Width: []int{320, 1280}}, ""},
		{"width: [0x10]", flags{Width: []int{16}}, ""},
		{"width: 320", flags{Width: []int{320}}, ""},
		{"day: 2020-01-01", flags{Day: "2020-01-01"}, ""},
		{"day: &d 0010\ncors: *d", flags{Day: "0010", Cors: []string{"0010"}}, ""},
		{"day: 2020\nrate: 1e-7\ngzip: yes", flags{Day: "2020", Rate: 1e-7, Gzip: true}, ""},
		{"rate: 1\nday: [a]", flags{}, "line 2: day: want one value"},
		{"cors: {a: b}", flags{}, "line 1: cors: want one value"},
		{"cors:\n- [a]", flags{}, "line 2: cors: want one value"},
	} {
		f, err := Read(strings.NewReader(tt.file))
		if err != nil {
			t.Fatal(err)
		}
		var got flags
		p, err := kong.New(&got, kong.Resolvers(f))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = p.Parse(nil); tt.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%s: %v, want %s", tt.file, err, tt.wrong)
			}
		} else if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, %v, want %+v", tt.file, got, err, tt.want)
		}
	}
}
