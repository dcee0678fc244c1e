package layout_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/looks"
)

// root is the folder of the module.
const root = "../../.."

// pages are the pages of all packages, as their golden files have them, so that one browser is enough for all.
func pages(t *testing.T) looks.Fixtures {
	t.Helper()
	folders, err := filepath.Glob("../*")
	if err != nil {
		t.Fatal(err)
	}
	all := looks.Kept(t, folders...)
	if n := len(all("en")); n < 60 {
		t.Fatalf("only %d pages have golden files", n)
	}
	return all
}

func TestPagesHaveNoBarriers(t *testing.T) {
	t.Parallel()
	all := pages(t)
	looks.Barriers(t, root, looks.Serve(t, looks.Handler(t, root, all)), all, "addresses", "calendar-day", "collection", "landing-never")
}

func TestPagesFitNarrowScreens(t *testing.T) {
	t.Parallel()
	all := pages(t)
	looks.Narrow(t, looks.Serve(t, looks.Handler(t, root, all)), all, "en", "fa")
}

// What the browser is shown is what the server sends.
func TestGoldenFilesAreWholePages(t *testing.T) {
	for name, page := range pages(t)("en") {
		if html := looks.Render(t, page); !strings.HasPrefix(html, "<!doctype html>") && !strings.HasPrefix(name, "banner") {
			t.Errorf("%s begins with %.40q", name, html)
		}
	}
}
