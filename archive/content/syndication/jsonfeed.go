package syndication

import (
	"encoding/json"
	"html"
	"strings"
)

// jsonType is the media type of JSON Feed 1.1 (jsonfeed.org).
const jsonType = "application/feed+json"

func jsonPage(body []byte) ([]byte, error) {
	var feed struct {
		Title, Description string
		Items              []struct {
			Title, Summary string
			HTML           string `json:"content_html"`
			Text           string `json:"content_text"`
		}
	}
	if err := json.Unmarshal(body, &feed); err != nil {
		return nil, ErrNone
	}
	var r reader
	r.block("title", feed.Title)
	r.block("h1", feed.Title)
	r.block("p", feed.Description)
	for _, i := range feed.Items {
		said := visible(i.HTML)
		if plain := visible(html.EscapeString(i.Text)); len(strings.TrimSpace(plain)) > len(strings.TrimSpace(said)) {
			said = plain
		}
		if said == "" {
			said = i.Summary
		}
		r.block("h2", i.Title)
		r.block("p", said)
	}
	if r.out.Len() == 0 {
		return nil, ErrNone
	}
	return r.out.Bytes(), nil
}
