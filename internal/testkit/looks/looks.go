// Package looks compares components with golden files, and shows them in a browser.
package looks

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/internal/testkit/golden"
)

// Fixtures returns components with something to show, by name, in a language. What is called "banner…" stands in archived pages.
type Fixtures func(lang string) map[string]templ.Component

var look = flag.String("look", "", "write every component in English and Persian to this folder, to be looked at")

// Render returns the mark-up of a component.
func Render(t testing.TB, c templ.Component) string {
	t.Helper()
	var buf bytes.Buffer
	if err := c.Render(context.Background(), &buf); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// Golden compares fixtures with the files in testdata, but for those in without. Styles, which would only clutter the files, are left
// out.
func Golden(t *testing.T, fixtures Fixtures, styles []string, without ...string) {
	var pairs []string
	for _, style := range styles {
		pairs = append(pairs, style, "<style></style>")
	}
	bare := strings.NewReplacer(pairs...)
	for _, lang := range []string{"en", "fa"} {
		for name, c := range fixtures(lang) {
			if slices.Contains(without, name) {
				continue
			}
			t.Run(name+"/"+lang, func(t *testing.T) {
				golden.Check(t, filepath.Join("testdata", name+"."+lang+".golden.html"), lines(bare.Replace(Render(t, c))))
			})
		}
	}
}

// lines breaks mark-up before each tag, so that a difference is a line.
func lines(html string) string { return strings.ReplaceAll(html, "<", "\n<")[1:] + "\n" }

// Kept returns what the golden files in some folders have, as fixtures in the languages of these files.
func Kept(t testing.TB, folders ...string) Fixtures {
	t.Helper()
	return func(lang string) map[string]templ.Component {
		all := map[string]templ.Component{}
		for _, folder := range folders {
			end := "." + lang + ".golden.html"
			files, err := filepath.Glob(filepath.Join(folder, "testdata", "*"+end))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				html, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				all[strings.TrimSuffix(filepath.Base(file), end)] = templ.Raw(strings.ReplaceAll(string(html), "\n<", "<"))
			}
		}
		return all
	}
}

// Looking reports whether somebody wants to look, by -look.
func Looking() bool { return *look != "" }

// Write writes fixtures to the folder of -look, if there is one.
func Write(t *testing.T, fixtures Fixtures) {
	if *look == "" {
		t.Skip("-look FOLDER writes what there is to look at")
	}
	for _, lang := range []string{"en", "fa"} {
		for name, c := range fixtures(lang) {
			if err := os.WriteFile(filepath.Join(*look, name+"."+lang+".html"), []byte(inPage(name, Render(t, c))), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// inPage puts a banner into an archived page whose style would disturb it.
func inPage(name, html string) string {
	if !strings.HasPrefix(name, "banner") {
		return html
	}
	return fmt.Sprintf(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Acid Rain</title><style>
html{font-size:62.5%%}body{display:flex;width:900px;margin:30px auto;background:#eee;color:#333;font:italic 30px/3 serif;position:relative}
*{color:red!important;text-transform:uppercase!important;letter-spacing:3px!important}
varve-banner{display:none!important;position:absolute!important;opacity:.1!important;transform:rotate(4deg)!important}
a{font-size:80px}
</style></head><body>%s<main><h1>Acid Rain</h1><p>Text of the archived page.</p></main></body></html>`, html)
}
