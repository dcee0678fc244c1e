package addresses

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

var at = fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"addresses": addressesPage(viewOf(lang)), "addresses-parts": addressesPage(partsOnly(lang)),
		"addresses-none": addressesPage(noAddresses(lang)),
	}
}

func viewOf(lang string) pageView {
	p := fixture.Page(lang)
	p.URIR = "http://www.epa.gov/a*"
	v := pageView{
		Page: p, Pattern: p.URIR, Next: "/web/x", CSV: "/web/?url=x&output=csv", Everything: "/web/?url=x",
		Sorts: []string{
			"",
			"any",
			"page",
			"image",
		}, Statuses: []string{"2xx", "404"}, Asked: asked{Sort: "any", Status: "404", Captures: 1},
		Counting: &layout.Progress{Done: 1200, Total: 56_789}, Hidden: []layout.Hidden{{Name: "sort", Value: "-versions"}},
		Rows: []rowView{
			{&holdings.ListedAddress{Address: holdings.Address{
				URL: fixture.URIR, Captures: 1200, MIME: "text/html", Status: 200, First: at(1997, 1, 4, 0, 0), Last: at(2025, 6, 1, 0, 0),
				Bytes: 14_500_000,
			}, Versions: 14, Changed: at(2024, 6, 1, 0, 0)}, "/web/*/" + fixture.URIR},
			{&holdings.ListedAddress{Address: holdings.Address{
				URL: "http://www.epa.gov/air?x=1&y=<2>", Captures: 1, MIME: "image/png", Status: 404, First: at(2001, 1, 4, 0, 0),
				Last: at(2001, 1, 4, 0, 0), Bytes: 999,
			}, Versions: 1}, "/web/*/http://www.epa.gov/air?x=1&y=%3C2%3E"},
		},
	}
	for _, name := range []string{"address", "versions", "captures", "changed", "type", "status", "first", "last", "size"} {
		c := columnView{Name: name, Href: "/web/?url=x&sort=" + name}
		if name == "versions" {
			c.Sort = "descending"
		}
		v.Columns = append(v.Columns, c)
	}
	return v
}

// partsOnly is a list of what people don't open.
func partsOnly(lang string) pageView {
	v := viewOf(lang)
	v.Asked, v.PartsOnly, v.Counting, v.Pattern, v.Everything = asked{}, true, nil, "*", ""
	return v
}

func noAddresses(lang string) pageView {
	v := viewOf(lang)
	v.Rows, v.Counting, v.Next = nil, nil, ""
	return v
}

func TestHostileTextStaysText(t *testing.T) {
	const hostile = fixture.Hostile
	v := viewOf("en")
	v.URIR, v.Rows[0].URL, v.Rows[0].Href, v.Rows[0].MIME = hostile, hostile, hostile, hostile
	v.Asked, v.Pattern, v.CSV = asked{Has: hostile, Since: hostile, Status: hostile}, hostile, hostile
	fixture.Escapes(t, map[string]templ.Component{"addresses": addressesPage(v)})
}
