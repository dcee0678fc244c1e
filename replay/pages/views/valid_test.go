package views

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/internal/testkit/fixture"
)

func TestHostileTextStaysText(t *testing.T) {
	page := fixture.Page("en")
	page.URIR = hostile
	addresses := addressesView("en")
	addresses.Page, addresses.Rows[0].URIR, addresses.Rows[0].Href, addresses.Rows[0].MIME = page, hostile, hostile, hostile
	addresses.Asked, addresses.Pattern, addresses.CSV = Asked{Has: hostile, Since: hostile, Status: hostile}, hostile, hostile
	calendar := calendarView("en")
	calendar.Page, calendar.Days[0].Href, calendar.Versions[1].Diff = page, hostile, hostile
	timeMap := timeMapView("en")
	timeMap.Page = page
	collection := collectionView("en")
	collection.Facts.Name, collection.Entries[0].URIR, collection.Entries[0].Href = hostile, hostile, hostile
	collection.Hosts[0].Host, collection.Hosts[0].Href = hostile, hostile

	fixture.Escapes(t, map[string]templ.Component{
		"addresses": Addresses(addresses), "calendar": Calendar(calendar),
		"timemap":    TimeMap(timeMap),
		"collection": Collection(collection),
	})
}
