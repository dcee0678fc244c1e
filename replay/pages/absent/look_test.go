package absent

import (
	"net/http"
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/ways"
)

const (
	root    = "../../.." // the folder of the module
	uriR    = fixture.URIR
	hostile = fixture.Hostile
)

var uriM, at = fixture.URIM, fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, root, fixtures) }

func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"landing": landingPage(redirectView(lang)), "landing-404": landingPage(missingView(lang)), "landing-never": landingPage(neverView(lang)),
		"error": failurePage(errorView(lang)), "error-blocked": failurePage(blockedView(lang)),
	}
}

func blockedView(lang string) failureView {
	v := errorView(lang)
	v.Status, v.Detail, v.Others = http.StatusUnavailableForLegalReasons, "The town asked us not to show this page", nil
	return v
}

func errorView(lang string) failureView {
	return failureView{
		Page: fixture.Page(lang), Status: 503, Detail: `the file "a.warc.gz" that holds this capture can't be read`,
		Others: []banner.CaptureLink{
			{Href: uriM(at(2014, 3, 1, 8, 0)), Time: at(2014, 3, 1, 8, 0)},
			{Href: uriM(at(2016, 3, 1, 8, 0)), Time: at(2016, 3, 1, 8, 0)},
		},
		Calendar: "/web/*/" + uriR, Ways: waysOn(),
	}
}

func redirectView(lang string) landingView {
	target := "https://19january2017snapshot.epa.gov/acidrain_.html"
	now := at(2017, 5, 3, 9, 15)
	return landingView{
		Page: fixture.Page(lang), Case: landingRedirect, Time: now, Status: 301, Target: target, Site: "www.epa.gov", Calendar: "/web/*/" + uriR,
		TargetCard: &cardView{
			banner.CaptureLink{Href: "/web/20170503091800/" + target, Time: at(2017, 5, 3, 9, 18)},
			target, "Acid Rain | EPA’s Web Archive",
			"Acid rain is a broad term referring to a mixture of wet and dry deposition from the atmosphere containing higher than normal " +
				"amounts of nitric and sulfuric acids.", false,
		},
		Similarity: layout.Similarity{Value: 0.834, Known: true},
		Before: &cardView{
			fixture.Capture(at(2017, 1, 20, 8, 0)),
			uriR, "Acid Rain",
			"Acid rain is a serious environmental problem that affects large parts of the United States and Canada.", false,
		},
		After: &cardView{fixture.Capture(at(2021, 1, 20, 8, 0)), uriR, "", "", false},
		Chain: []hopView{
			{uriR, uriM(now), now, 301, false},
			{"http://www.epa.gov/acid", "/web/20170503091800/http://www.epa.gov/acid", at(2017, 5, 3, 9, 18), 302, false},
			{target, "", 0, 0, true},
		},
		Alternatives: []ways.Alternative{
			{
				CaptureLink: banner.CaptureLink{Href: "/web/20170601000000/http://www.epa.gov/rain", Time: at(2017, 6, 1, 0, 0)},
				URIR:        "http://www.epa.gov/rain", Title: "What is acid rain?",
				Similarity: layout.Similarity{Value: 0.91, Known: true}, Why: landing.WhySimilar,
			},
			{
				CaptureLink: banner.CaptureLink{Href: "/web/20170601000000/http://www.epa.gov/", Time: at(2017, 6, 1, 0, 0)},
				URIR:        "http://www.epa.gov/", Why: landing.WhyParent,
			},
		},
	}
}

func missingView(lang string) landingView {
	v := redirectView(lang)
	v.Case, v.Status, v.Target, v.TargetCard, v.Chain, v.After = landingMissing, 404, "", nil, nil, nil
	return v
}

func waysOn() []ways.Way {
	return []ways.Way{
		{Kind: ways.InCollection, Href: "/news/*/" + uriR, Text: "news"},
		{Kind: ways.Under, Href: "/web/*/http://www.epa.gov/*", Text: "http://www.epa.gov/*"},
		{Kind: ways.Search, Href: "/web/search?q=acid+rain", Text: "acid rain"},
		{Kind: ways.All, Href: "/web/*/*"},
	}
}

func neverView(lang string) landingView {
	return landingView{
		Page: fixture.Page(lang), Case: landingNever, Status: 404, Ways: waysOn(),
		Alternatives: redirectView(lang).Alternatives,
	}
}

func TestHostileTextStaysText(t *testing.T) {
	page := fixture.Page("en")
	page.URIR = hostile
	v := redirectView("en")
	v.Page, v.Target, v.Site = page, hostile, hostile
	v.TargetCard = &cardView{banner.CaptureLink{Href: hostile, Time: 20170101000000}, hostile, hostile, hostile, false}
	v.Chain[2].URIR, v.Chain[1].Href = hostile, hostile
	v.Alternatives[0] = ways.Alternative{
		CaptureLink: banner.CaptureLink{Href: hostile, Time: 20170101000000}, URIR: hostile, Title: hostile,
		Similarity: layout.Similarity{Value: 2, Known: true}, Why: landing.WhySpelling,
	}
	fixture.Escapes(t, map[string]templ.Component{
		"landing": landingPage(v), "error": failurePage(failureView{Page: page, Status: 404, Detail: hostile}),
	})
}
