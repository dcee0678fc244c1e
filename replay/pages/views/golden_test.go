package views

import (
	"net/http/httptest"
	"testing"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/internal/testkit/looks"
)

// root is the folder of the module.
const root = "../../.."

func TestPagesLookAsTheyDid(t *testing.T) {
	fixture.Check(t, root, fixtures, banner.Style(animationCSS))
}

// site serves the fixtures.
func site(t *testing.T) *httptest.Server { return looks.Serve(t, looks.Handler(t, root, fixtures)) }
