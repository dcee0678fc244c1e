package views

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/internal/testkit/fixture"
)

func TestHostileTextStaysText(t *testing.T) {
	collection := collectionView("en")
	collection.Facts.Name, collection.Entries[0].URIR, collection.Entries[0].Href = hostile, hostile, hostile
	collection.Hosts[0].Host, collection.Hosts[0].Href = hostile, hostile

	fixture.Escapes(t, map[string]templ.Component{
		"collection": Collection(collection),
	})
}
