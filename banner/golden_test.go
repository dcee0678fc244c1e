package banner

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/looks"
)

// The banner of a long life is too large to review as a golden file.
func TestComponentsLookAsTheyDid(t *testing.T) {
	looks.Golden(t, fixtures, []string{Style(bannerCSS)}, "banner-full")
}

func TestWriteForLooking(t *testing.T) { looks.Write(t, fixtures) }

func TestTakePictures(t *testing.T) {
	const opened = `(nav.querySelectorAll(".all").forEach((a) => a.click()), $(".now details").open = true)`
	looks.Pictures(t, site(t), fixtures, map[string]string{"banner-full": looks.InBanner(opened)})
}

func TestBannersHaveNoBarriers(t *testing.T) {
	t.Parallel()
	looks.Barriers(t, "..", site(t), fixtures, "banner")
}

// site serves the fixtures, and versions of another level.
func site(t *testing.T) *httptest.Server { return looks.Serve(t, siteHandler(t)) }

func siteHandler(t *testing.T) http.Handler {
	mux := looks.Handler(t, "..", fixtures)
	mux.HandleFunc("/web/changes", changesAtText)
	return mux
}
