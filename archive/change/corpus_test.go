package change

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/corpora"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// A truth is a capture and what really changed in it.
type truth struct {
	corpora.Truth
	marksOnly bool // no word differs from the page before, only quotation marks, dashes and the like
}

// A corpus is a site with its ground truth and the sketches of its texts, as an index would hold them.
type corpus struct {
	name     string
	uris     []string
	captures map[string][]truth // in time order
	texts    map[string]uint64  // by payload digest
	sketches map[uint64]*sketch.Sketch
	noise    map[string]uint64 // texts by URI-R and datetime, if captures got noise of their own
}

func (c *corpus) Sketch(id uint64) (*sketch.Sketch, error) { return c.sketches[id], nil }

func readCorpus(t testing.TB, truthFile string) *corpus {
	t.Helper()
	c := &corpus{
		name: filepath.Base(filepath.Dir(truthFile)), captures: map[string][]truth{},
		texts: map[string]uint64{}, sketches: map[uint64]*sketch.Sketch{},
	}
	var e visible.Extractor
	unmarked := map[string]string{} // texts without marks, by payload digest
	corpora.Each(t, truthFile, func(line corpora.Truth) {
		v := truth{Truth: line}
		if _, ok := c.captures[v.URI]; !ok {
			c.uris = append(c.uris, v.URI)
		}
		c.captures[v.URI] = append(c.captures[v.URI], v)
		if _, ok := c.texts[v.Digest]; ok || v.Record != "response" || v.MIME != "text/html" || v.Status >= 500 || v.Status/100 == 3 {
			return
		}
		body, contentType := corpora.Body(t, filepath.Join(filepath.Dir(truthFile), v.File), v.Offset, v.Rlen)
		text := e.Extract(body, contentType)
		s := sketch.Of(&text)
		c.sketches[s.ID] = &s
		c.texts[v.Digest] = s.ID
		unmarked[v.Digest] = strings.Join(strings.Fields(marks.Replace(text.String())), " ")
	})
	for _, v := range c.captures {
		slices.SortStableFunc(v, func(a, b truth) int { return strings.Compare(a.Datetime, b.Datetime) })
		findMarksOnly(v, unmarked)
	}
	return c
}

// marks takes out what the ground truth counts as changed text and what is no changed word at level content.
var marks = strings.NewReplacer("'", "", "’", "", "‘", "", `"`, "", "“", "", "”", "", "-", "", "–", "", "—", "", "...", "", "…", "",
	"«", "", "»", "", "¶", "")

// findMarksOnly finds captures of a page in which no word has changed, though the text has.
func findMarksOnly(captures []truth, unmarked map[string]string) {
	before, known := "", false
	for i := range captures {
		v := &captures[i]
		text, ok := unmarked[v.Digest]
		if !ok || v.TextSHA == "" {
			continue
		}
		v.marksOnly = known && v.TextChanged != nil && *v.TextChanged && text == before
		before, known = text, true
	}
}

// states returns what an index would answer for a URI-R.
func (c *corpus) states(uri string) []State {
	out := make([]State, 0, len(c.captures[uri]))
	for _, v := range c.captures[uri] {
		ts, _ := cdx.ParseTimestamp(v.Datetime)
		text, ok := c.noise[uri+" "+v.Datetime]
		if !ok {
			text = c.texts[v.Digest]
		}
		out = append(out, State{
			Time: ts, Status: v.Status, Digest: v.Digest, Redirect: v.Redirect, Text: text,
			Failed: v.Status >= 500 || v.Status == 429,
		})
	}
	return out
}

// site samples n URI-Rs with text evenly over the sorted list, as a server would.
func (c *corpus) site(n int) *site.Site {
	var some []string
	for _, u := range slices.Sorted(slices.Values(c.uris)) {
		if s := c.sample(u); len(s.Pages) >= 2 {
			some = append(some, u)
		}
	}
	var samples []site.Sample
	for i := range min(n, len(some)) {
		samples = append(samples, c.sample(some[i*len(some)/min(n, len(some))]))
	}
	missing := 0
	for _, u := range c.uris {
		if s := c.sample(u); len(s.Pages) == 0 && len(s.Missing) > 0 && missing < 10 {
			samples = append(samples, s)
			missing++
		}
	}
	return site.New(samples)
}

func (c *corpus) sample(uri string) site.Sample {
	var s site.Sample
	for _, st := range c.states(uri) {
		sketch := c.sketches[st.Text]
		switch {
		case sketch == nil:
		case st.Status == 200 && len(s.Pages) < 100:
			s.Pages = append(s.Pages, sketch)
		case st.Status == 404 && len(s.Missing) < 3:
			s.Missing = append(s.Missing, sketch)
		}
	}
	return s
}
