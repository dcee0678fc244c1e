package banner

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	look   = flag.String("look", "", "write every component in English and Persian to this folder, to be looked at")
)

func render(t testing.TB, c templ.Component) string {
	t.Helper()
	var buf bytes.Buffer
	if err := c.Render(context.Background(), &buf); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// lines breaks mark-up before each tag, so that a difference is a line. It removes the style, which would only clutter
// it.
func lines(html string) string {
	html = strings.NewReplacer(styleElement(bannerCSS), "<style></style>", styleElement(animationCSS), "<style></style>").Replace(html)
	return strings.ReplaceAll(html, "<", "\n<")[1:] + "\n"
}

func TestComponentsLookAsTheyDid(t *testing.T) {
	for _, lang := range []string{"en", "fa"} {
		for name, c := range fixtures(lang) {
			if slices.Contains(onlyLookedAt, name) {
				continue
			}
			t.Run(name+"/"+lang, func(t *testing.T) {
				compareGolden(t, filepath.Join("testdata", name+"."+lang+".golden.html"), lines(render(t, c)))
			})
		}
	}
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("differs from %s (-update rewrites it):\n%s", file, d)
	}
}

func TestWriteForLooking(t *testing.T) {
	if *look == "" {
		t.Skip("-look FOLDER writes what there is to look at")
	}
	for _, lang := range []string{"en", "fa"} {
		for name, c := range fixtures(lang) {
			html := render(t, c)
			if strings.HasPrefix(name, "banner") {
				html = archived(html)
			}
			if err := os.WriteFile(filepath.Join(*look, name+"."+lang+".html"), []byte(html), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
