package uploads

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/internal/testkit/fixture"
)

const (
	uriR    = fixture.URIR
	hostile = fixture.Hostile
)

var at = fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"uploads": uploadsPage(uploadsView(lang)),
	}
}

func TestHostileTextStaysText(t *testing.T) {
	page := fixture.Page("en")
	page.URIR = hostile
	fixture.Escapes(t, map[string]templ.Component{"uploads": uploadsPage(hostileUploads(page))})
}
