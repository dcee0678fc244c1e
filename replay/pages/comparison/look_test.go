package comparison

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
)

// root is the folder of the module.
const root = "../../.."

func TestPagesLookAsTheyDid(t *testing.T) {
	fixture.Check(t, root, fixtures, banner.Style(animationCSS))
}

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
	played := animationOfTerm("en")
	played.URIR, played.Term, played.Diff, played.All, played.Home, played.Before.Href = hostile, hostile, hostile, hostile, hostile, hostile
	played.Steps[0] = playedStep{Deleted: hostile, Inserted: hostile, Before: hostile, After: hostile}
	fixture.Escapes(t, map[string]templ.Component{
		"animation": Animation(played), "diff": Diff(diff), "slider": Slider(slider), "slider-redirect": Slider(gone),
	})
}
