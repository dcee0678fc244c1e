package views

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/internal/testkit/fixture"
)

func TestHostileTextStaysText(t *testing.T) {
	page := fixture.Page("en")
	page.URIR = hostile
	calendar := calendarView("en")
	calendar.Page, calendar.Days[0].Href, calendar.Versions[1].Diff = page, hostile, hostile
	timeMap := timeMapView("en")
	timeMap.Page = page
	collection := collectionView("en")
	collection.Facts.Name, collection.Entries[0].URIR, collection.Entries[0].Href = hostile, hostile, hostile
	collection.Hosts[0].Host, collection.Hosts[0].Href = hostile, hostile

	fixture.Escapes(t, map[string]templ.Component{
		"calendar":   Calendar(calendar),
		"timemap":    TimeMap(timeMap),
		"collection": Collection(collection),
	})
}
