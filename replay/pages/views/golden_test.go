package views

import (
	"net/http/httptest"
	"testing"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/looks"
)

// root is the folder of the module.
const root = "../../.."

func TestComponentsLookAsTheyDid(t *testing.T) {
	looks.Golden(t, fixtures, []string{banner.Style(animationCSS)})
}

func TestWriteForLooking(t *testing.T) { looks.Write(t, fixtures) }

func TestTakePictures(t *testing.T) { looks.Pictures(t, site(t), fixtures, nil) }

func TestPagesHaveNoBarriers(t *testing.T) {
	t.Parallel()
	looks.Barriers(t, root, site(t), fixtures, "addresses", "calendar-day", "collection", "landing-never")
}

// site serves the fixtures.
func site(t *testing.T) *httptest.Server { return looks.Serve(t, looks.Handler(t, root, fixtures)) }
