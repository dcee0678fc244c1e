package inspect

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/internal/testkit/fixture"
)

const uriR = fixture.URIR

var at = fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"inspect":       inspectPage(inspectView(lang)),
		"inspect-rows":  inspectPage(listInspect(lang)),
		"inspect-wrong": inspectPage(wrongInspect(lang)),
	}
}
