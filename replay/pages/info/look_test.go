package info

import (
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/warc"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/internal/testkit/fixture"
)

const uriR = fixture.URIR

var uriM, at = fixture.URIM, fixture.At

func TestPagesLookAsTheyDid(t *testing.T) { fixture.Check(t, "../../..", fixtures) }

func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"info":         infoPage(infoView(lang)),
		"info-damaged": infoPage(damagedInfo(lang)),
	}
}

func infoView(lang string) pageView {
	now := at(2017, 2, 18, 11, 42)
	v := pageView{
		Page: fixture.Page(lang), Capture: fixture.Capture(now), Title: "Acid Rain", Status: 200, MIME: "text/html",
		Digest: "A2Y3TNTDQCLLDVABWTF6SLEA2UTN2QZM", Type: "response", Format: "WARC/1.1", File: "river-2017.warc.gz", Offset: 41_212,
		Length: 9_120, Checked: true,
		Record: warc.Fields{
			{Name: "WARC-Type", Value: "response"}, {Name: "WARC-Record-ID", Value: "<urn:uuid:7b6c4c5e-1b4e-4b36-9a53-0d6f0a4fdd21>"},
		},
		HTTP:    warc.Fields{{Name: "Content-Type", Value: "text/html; charset=<utf-8>"}},
		Writer:  warc.Fields{{Name: "software", Value: "varve"}},
		Embeds:  banner.Embeds{Loaded: banner.Kinds{Sheets: 1, Pictures: 2}, Missing: banner.Kinds{Pictures: 1}},
		LeftOut: 120, Unread: 7, Raw: "/web/20170218114200id_/" + uriR, Calendar: "/web/*/" + uriR,
		Inspect: "/web/inspect/20170218114200/" + uriR,
		WARC:    "/web/20170218114200/info?url=x&download=warc", WACZ: "/web/20170218114200/info?url=x&download=wacz",
		Cite: citation{"Acid Rain", uriR, "http://localhost:8080" + uriM(now), now, "http://localhost:8080/web/"}.cited(),
	}
	for days, name := range []string{"style.css", "map.png", "news.js"} {
		p := partView{URIR: uriR + name}
		if days < 2 {
			ts := at(2017, 2, 18-40*days, 11, 43)
			p.Capture, p.Apart = &banner.CaptureLink{Href: uriM(ts), Time: ts}, time.Duration(-40*days)*24*time.Hour
		}
		v.Parts = append(v.Parts, p)
	}
	return v
}

// damagedInfo is of a redirect in a record that is not whole.
func damagedInfo(lang string) pageView {
	v := infoView(lang)
	v.WARC, v.WACZ = "", ""
	v.Status, v.MIME, v.Title, v.Body, v.Parts, v.Embeds, v.LeftOut, v.Unread = 301, "", "", "river-2016.warc.gz", nil, banner.Embeds{}, 0, 0
	v.Damage = "river-2017.warc.gz offset 41212: record is cut off after 12 of 9120 bytes of its block"
	v.Wrong = []string{"block digest is sha1:A, not sha1:B"}
	v.Hops = []partView{{URIR: uriR + "new", Capture: &v.Capture}, {URIR: uriR + "newer"}}
	return v
}
