package banner

import (
	"time"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
)

const uriR = "http://www.epa.gov/acidrain/"

func uriM(ts cdx.Timestamp) string { return "/web/" + ts.String() + "/" + uriR }

func at(y int, m time.Month, d, h, mi int) cdx.Timestamp {
	return cdx.FromTime(time.Date(y, m, d, h, mi, 0, 0, time.UTC))
}

var assets = Assets{
	BannerScript: "/-/static/banner.js", PageStyle: "/-/static/page.css", PageScript: "/-/static/page.js",
	SliderScript: "/-/static/slider.js", VisualScript: "/-/static/visual.js",
	UploadScript: "/-/static/upload.js", InspectScript: "/-/static/inspect.js", CrawlScript: "/-/static/crawls.js",
}

// smallBanner is the banner of a capture in the middle of a short life.
func smallBanner(lang string) BannerView {
	now := at(2017, 2, 18, 11, 42)
	v := BannerView{
		Lang: lang, Assets: assets, Home: "/", URIR: uriR, Memento: "http://localhost:8080" + uriM(now), Time: now,
		Calendar: "/web/*/" + uriR, Diff: "/web/diff/20170120080000/20170218114200/" + uriR,
		Slider: "/web/diff?at=20170218114200&url=http%3A%2F%2Fwww.epa.gov%2Facidrain%2F", Open: "/web/",
		Search:  "/web/search?url=http%3A%2F%2Fwww.epa.gov%2Facidrain%2F&matchType=exact",
		Info:    "/web/20170218114200/info?url=http%3A%2F%2Fwww.epa.gov%2Facidrain%2F",
		Feed:    "/web/feed?url=http%3A%2F%2Fwww.epa.gov%2Facidrain%2F",
		Version: 2, Versions: 3, Capture: 2, Captures: 3,
		UnchangedFrom: at(2017, 1, 22, 9, 0), UnchangedTo: at(2017, 3, 1, 10, 0),
		PrevVersion: &VersionLink{uriM(at(2017, 1, 20, 8, 0)), at(2017, 1, 20, 8, 0), Ending{}, Delta{Added: 12, Deleted: 40, Known: true}},
		NextVersion: &VersionLink{uriM(at(2017, 3, 20, 7, 30)), at(2017, 3, 20, 7, 30), Ending{}, Delta{Added: 0, Deleted: 3, Known: true}},
		Prev:        &CaptureLink{uriM(at(2017, 1, 22, 9, 0)), at(2017, 1, 22, 9, 0)},
		Next:        &CaptureLink{uriM(at(2017, 3, 1, 10, 0)), at(2017, 3, 1, 10, 0)},
		Levels:      "/web/changes?url=http%3A%2F%2Fwww.epa.gov%2Facidrain%2F", GoTo: "/web/",
	}
	for _, ts := range []cdx.Timestamp{at(2017, 1, 22, 9, 0), now, at(2017, 3, 1, 10, 0)} {
		v.CaptureList = append(v.CaptureList, CaptureLink{uriM(ts), ts})
	}
	v.Timeline = NewTimeline(smallLife(), 7)
	return v
}

// smallLife is what smallBanner's timeline draws.
func smallLife() []Tick {
	return []Tick{
		{at(1997, 5, 1, 0, 0), KindPage, true, uriM(at(1997, 5, 1, 0, 0))},
		{at(2017, 1, 20, 8, 0), KindPage, false, ""},
		{at(2017, 1, 22, 9, 0), KindPage, true, uriM(at(2017, 1, 22, 9, 0))},
		{at(2017, 2, 18, 11, 42), KindPage, false, ""},
		{at(2017, 3, 20, 7, 30), KindPage, true, uriM(at(2017, 3, 20, 7, 30))},
		{at(2019, 3, 20, 7, 30), KindRedirect, true, uriM(at(2019, 3, 20, 7, 30))},
		{at(2025, 3, 20, 7, 30), KindMissing, false, ""},
	}
}

// fullBanner is the banner of a capture in a long, busy life, with every notice.
func fullBanner(lang string) BannerView {
	v := smallBanner(lang)
	v.Version, v.Versions, v.Capture, v.Captures = 14, 57, 3, 240
	v.CaptureList, v.Timeline = nil, NewTimeline(fullLife(), 1200)
	for ts, i := at(2017, 1, 20, 8, 0).Time(), 0; i < 100; ts, i = ts.Add(7*time.Hour), i+1 {
		c := cdx.FromTime(ts)
		v.CaptureList = append(v.CaptureList, CaptureLink{uriM(c), c})
	}
	v.CaptureList[3] = CaptureLink{uriM(v.Time), v.Time}
	v.Embeds = Embeds{Drift: -75 * 24 * time.Hour, Loaded: Kinds{Sheets: 3, Pictures: 28}, Missing: Kinds{Sheets: 2, Pictures: 7}}
	v.CameFrom = &Link{"/web/landing/20170218114100/http://www.epa.gov/acid/", "http://www.epa.gov/acid/"}
	v.Source = "web.archive.org"
	v.NoRuntime = true
	return v
}

// fullLife is what fullBanner's timeline draws.
func fullLife() []Tick {
	var life []Tick
	for ts, i := at(1997, 1, 4, 5, 6).Time(), 0; ts.Year() < 2026; i++ {
		c := cdx.FromTime(ts)
		kind := KindPage
		switch {
		case i%41 == 40:
			kind = KindRedirect
		case i%67 > 63:
			kind = KindMissing
		}
		life = append(life, Tick{c, kind, i%9 == 0, uriM(c)})
		ts = ts.Add(time.Duration(3+i%20) * 24 * time.Hour)
		if i == 200 {
			ts = ts.AddDate(3, 0, 0)
		}
	}
	return life
}

// endBanner is the banner of a page's only version, which is missing, with nothing before or after.
func endBanner(lang string) BannerView {
	v := smallBanner(lang)
	v.PrevVersion, v.NextVersion, v.Prev, v.Next, v.Diff = nil, nil, nil, nil, ""
	v.Version, v.Versions, v.Capture, v.Captures = 1, 1, 1, 1
	v.UnchangedFrom, v.UnchangedTo = v.Time, v.Time
	v.Kind, v.Landing = KindMissing, "/web/landing/20170218114200/"+uriR
	v.CaptureList, v.Timeline = v.CaptureList[1:2], NewTimeline(smallLife()[3:4], 1)
	return v
}

// fixtures are banners, by name.
func fixtures(lang string) map[string]templ.Component {
	return map[string]templ.Component{
		"banner": Banner(smallBanner(lang)), "banner-end": Banner(endBanner(lang)), "banner-full": Banner(fullBanner(lang)),
	}
}

var english = locale.For("en")
