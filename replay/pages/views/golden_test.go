package views

import (
	"testing"

	"github.com/varve-archive/varve/internal/testkit/fixture"
)

// root is the folder of the module.
const root = "../../.."

func TestPagesLookAsTheyDid(t *testing.T) {
	fixture.Check(t, root, fixtures)
}
