package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is where varve's own module is.
const root = "../.."

func TestThePageIsWhatTheTableAndTheTestsMake(t *testing.T) {
	sources, err := read()
	if err != nil {
		t.Fatal(err)
	}
	want, err := pageOf(root, sources)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/conformance.md is out of date: run make conformance")
	}
}

const sample = `package a

// RFC 9001 §1 and §2.3: words.
func TestOne(t *testing.T) {
	cases := []string{"the first", ` + "`the \"second\"`" + `} // §4
}

// RFC 9002 §5.
var outside = 1

type suite struct{}

func (suite) TestMethod() {}

func helper() { _ = "RFC 9001 § 6" }

func FuzzTwo(f *testing.F) {}
`

// module writes a tree with the sample and with files that must be ignored.
func module(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/b/a_test.go": sample, "a/b/a.go": "package a // RFC 9001 §9", "tools/x/x_test.go": "package x // RFC 9001 §9",
		"a/testdata/y_test.go": "no Go", "a/node_modules/y_test.go": "no Go", ".hidden/y_test.go": "no Go",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func rows() []row {
	one := []string{"a/b.TestOne"}
	return []row{
		{"§1", "one", yes, "", []string{`a/b.TestOne//the "second"`}},
		{"§2.3", "two", yes, "", nil},
		{"§4", "four | or", partly, "because", nil},
		{"§6", "six", no, "because", one},
	}
}

func TestQuotesAreAmongTheTestsOfARow(t *testing.T) {
	got, err := pageOf(module(t), []source{{Name: "RFC 9001", What: "clause", Rows: rows()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"2 yes, 1 partly, 1 no.",
		`| §1 | one | yes |  | [TestOne](../a/b/a_test.go) (the "second") |` + "\n",
		"| §2.3 | two | yes |  | [TestOne](../a/b/a_test.go) |\n",
		`| §4 | four \| or | partly | because | [TestOne](../a/b/a_test.go) |` + "\n",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

func TestWhatIsWrongWithTheTableIsSaid(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func([]row) []row
		want   string
	}{
		{"a test that isn't there", func(r []row) []row { r[3].Tests = []string{"a/b.TestNone"}; return r }, "no test a/b.TestNone"},
		{"a method", func(r []row) []row { r[3].Tests = []string{"a/b.TestMethod"}; return r }, "no test a/b.TestMethod"},
		{"a case that isn't there", func(r []row) []row { r[0].Tests[0] = "a/b.TestOne//third"; return r }, `TestOne has no case "third"`},
		{"a comment is no case", func(r []row) []row { r[0].Tests[0] = "a/b.TestOne//§4"; return r }, `TestOne has no case "§4"`},
		{"a quote that has no row", func(r []row) []row { return r[1:] }, "§1 is quoted in a/b/a_test.go a/b.TestOne and not in the table"},
		{"a quote outside of tests", func(r []row) []row { return r[:3] }, "§6 is quoted in a/b/a_test.go"},
		{"yes, but no test", func(r []row) []row { return append(r, row{"§7", "seven", yes, "", nil}) }, "§7: no test shows it"},
		{"partly, but no test", func(r []row) []row { return append(r, row{"§7", "seven", partly, "x", nil}) }, "§7: no test shows it"},
		{"no, and no reason", func(r []row) []row { r[3].Why = ""; return r }, "§6: does not say why"},
		{"no answer", func(r []row) []row { r[3].Answer = "perhaps"; return r }, `the answer is "perhaps"`},
		{"a row twice", func(r []row) []row { return append(r, r[0]) }, "§1: is there twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			page, err := pageOf(module(t), []source{{Name: "RFC 9001", Rows: tt.change(rows())}})
			if err == nil || !strings.Contains(err.Error(), tt.want) || page != nil {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
