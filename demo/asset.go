package demo

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// An asset is a file of the site other than a page. make returns its bytes at a time, nil if it did not exist then.
type asset struct {
	path, mime string
	gzip       bool
	make       func(m *moment) ([]byte, error)
}

func assets() []asset {
	return []asset{
		{"/style.css", "text/css", true, func(m *moment) ([]byte, error) { return embedded("style-" + m.era() + ".css") }},
		{"/site.js", "application/javascript", false, script},
		{"/img/logo.png", "image/png", false, func(*moment) ([]byte, error) { return logo() }},
		{"/img/heron.svg", "image/svg+xml", false, since("2019", func(*moment) ([]byte, error) { return embedded("heron.svg") })},
		{"/img/waves.svg", "image/svg+xml", false, func(*moment) ([]byte, error) { return embedded("waves.svg") }},
		{"/img/level.png", "image/png", false, func(m *moment) ([]byte, error) { return levelChart(m.t.Year()) }},
		{"/img/flood-2011.png", "image/png", false, since("201103", func(*moment) ([]byte, error) { return floodChart() })},
		{"/media/ice.wav", "audio/wav", false, since("201903", func(*moment) ([]byte, error) { return iceSound(), nil })},
		{"/files/report-2016.pdf", "application/pdf", false, since("201611", func(*moment) ([]byte, error) { return report(), nil })},
		{"/data/level.json", "application/json", false, since("201903", levelData)},
	}
}

func embedded(name string) ([]byte, error) { return siteFiles.ReadFile("site/assets/" + name) }

func since(when string, make func(*moment) ([]byte, error)) func(*moment) ([]byte, error) {
	return func(m *moment) ([]byte, error) {
		if m.at < when {
			return nil, nil
		}
		return make(m)
	}
}

func script(m *moment) ([]byte, error) {
	if m.era() == "2008" {
		return nil, nil
	}
	return embedded("site-" + m.era() + ".js")
}

func levelData(m *moment) ([]byte, error) {
	year := m.t.Year()
	return json.Marshal(map[string]any{
		"station": "Riverbend", "river": "Aldern", "year": year, "level_cm": level(year, m.t.YearDay()),
		"chart": origin(m.at) + "/img/level.png",
	})
}

// get answers a request for the asset. It returns nil if the crawler had no link to it.
func (a *asset) get(m *moment) (*response, error) {
	body, err := a.make(m)
	if err != nil {
		return nil, fmt.Errorf("demo: %s: %w", a.path, err)
	}
	if body == nil {
		return nil, nil
	}
	return &response{status: http.StatusOK, mime: a.mime, body: body, gzip: a.gzip, static: true}, nil
}
