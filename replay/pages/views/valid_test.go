package views

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
)

func TestHostileTextStaysText(t *testing.T) {
	page := fixture.Page("en")
	page.URIR = hostile
	diff := diffView("en")
	diff.Page, diff.Older.Title, diff.Rows[2].Cells[0].Before[1].Text = page, hostile, hostile
	diff.Rows[2].Cells[0].Before[2].Text, diff.Terms[0].Text, diff.Slider = hostile, hostile, hostile
	slider, gone := sliderView("en"), redirectSlider("en")
	slider.Page, slider.Term.Text, slider.Self, slider.Position, slider.Term.Earlier = page, hostile, hostile, hostile, hostile
	slider.Pair.Older.Title, slider.Pair.Rows[2].Cells[0].Before[1].Text, slider.Steps.First, slider.Years[0] = hostile, hostile, hostile,
		banner.Link{Href: hostile, Text: hostile}
	gone.Page, gone.Pair.Newer.Target = page, hostile
	gone.Pair.Older.Kind, gone.Pair.Older.MIME = banner.KindResource, hostile
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

	played := animationOfTerm("en")
	played.URIR, played.Term, played.Diff, played.All, played.Home, played.Before.Href = hostile, hostile, hostile, hostile, hostile, hostile
	played.Steps[0] = AnimationStep{Deleted: hostile, Inserted: hostile, Before: hostile, After: hostile}

	fixture.Escapes(t, map[string]templ.Component{
		"animation": Animation(played),
		"diff":      Diff(diff),
		"addresses": Addresses(addresses), "calendar": Calendar(calendar),
		"timemap":    TimeMap(timeMap),
		"collection": Collection(collection),
		"slider":     Slider(slider), "slider-redirect": Slider(gone),
	})
}
