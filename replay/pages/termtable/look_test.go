package termtable

import (
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

const uriR = fixture.URIR

var uriM, at = fixture.URIM, fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"termtable":       tablePage(fullTable(lang)),
		"termtable-wrong": tablePage(wrongTable(lang)),
	}
}

func fullTable(lang string) tableView {
	v := tableView{
		Page: fixture.Page(lang), Action: "/web/terms/table", Words: "/web/terms", Terms: []string{"mill", "acid rain", "<b>"}, Total: 20_000,
		Form: &layout.Form{Values: map[string]string{
			"terms": "mill\nacid rain\n<b>", "urls": uriR + "\nhttp://gone.example/", "at": "2014\n2016\n2018",
		}},
	}
	v.URIR = ""
	shown := &banner.CaptureLink{Href: uriM(at(2015, 6, 1, 0, 0)), Time: at(2015, 6, 1, 0, 0)}
	for i, r := range []tableRow{
		{Status: 200, Capture: shown, Counts: []int{2, 1, 0}},
		{Status: 404, Capture: shown},
		{Status: 200, Capture: shown, Counts: []int{0, 4, 1200}},
		{},
		{},
		{Status: 200, Capture: shown},
	} {
		if r.URIR = uriR; i > 2 {
			r.URIR = "http://gone.example/"
		}
		r.At = at(2014+2*(i%3), 12, 31, 23, 59)
		v.Rows = append(v.Rows, r)
	}
	return v
}

func wrongTable(lang string) tableView {
	v := fullTable(lang)
	v.Rows, v.Form.Wrong, v.Form.Say = nil, "at", `line 2: "x": want 1 to 14 digits of a datetime`
	return v
}
