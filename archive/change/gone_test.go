package change

import (
	"os"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
)

// gone are sentences of pages that are not there, with their languages.
func gone(t *testing.T) (all [][2]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/gone.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		language, sentence, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all = append(all, [2]string{language, sentence})
	}
	return all
}

func TestParagraphsThatSayThatNothingIsThere(t *testing.T) {
	t.Parallel()
	for _, g := range gone(t) {
		t.Run(g[0]+" "+g[1], func(t *testing.T) {
			s := shelf{}
			pages := history(s, rules("", ""), pageOf("Harbour", menu1, "<p>"+g[1], ""), rules("", ""))
			got, err := Ranges(LevelContent, pages, s, nil)
			if err != nil || len(got) != 3 || !got[1].Soft404 {
				t.Errorf("%q %v", lines(got), err)
			}
		})
	}
}

func TestShortPagesAreThere(t *testing.T) {
	t.Parallel()
	for name, html := range map[string]string{
		"forty words": `<p>The key of the boat house was not found in the grass, and the page of the log book that was torn out is not
			there either. Whoever finds one of them brings it to the desk, where the keeper of the harbour waits with a reward of ten crowns.`,
		"forty words that say so of a page": `<p>The page of the log book that was torn out in May could not be found, although the keeper
			has looked for it in every drawer. Whoever has seen it rings the bell twice, or leaves a letter at the desk of the harbour office.`,
		"a few words":       `<p>Closed until spring. Call the keeper at the harbour if you need a boat.`,
		"another domain":    `<p>We moved to a domain of our own. The shop opens on Monday with boats for sale.`,
		"a thing of nobody": `<p>Nobody has found the anchor.`,
	} {
		t.Run(name, func(t *testing.T) {
			s := shelf{}
			got, err := Ranges(LevelContent, history(s, pageOf("Harbour", menu1, html, "")), s, nil)
			if err != nil || len(got) != 1 || got[0].Kind != Page {
				t.Errorf("%q %v", lines(got), err)
			}
		})
	}
}

func TestOneShortTextAtManyAddressesIsNoPage(t *testing.T) {
	t.Parallel()
	short := sketchOf(pageOf("Harbour", "", "<p>Nothing to see for now, friends.", ""))
	for pages, want := range map[int]Kind{7: Page, 8: Missing} {
		var samples []site.Sample
		for range pages {
			samples = append(samples, site.Sample{Pages: []*sketch.Sketch{short, short}})
		}
		s := shelf{short.ID: short}
		got, err := Ranges(LevelContent, []State{{Time: 1, Status: 200, Text: short.ID}}, s, site.New(samples))
		if err != nil || len(got) != 1 || got[0].Kind != want {
			t.Errorf("%d pages: %q %v", pages, lines(got), err)
		}
	}
}
