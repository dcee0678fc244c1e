package e2e

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/corpora"
)

// sampled is the number of pairs of versions to walk on a real site.
const sampled = 5

// TestStepsGoForwardAndBackOnRealSites walks the changes of real pages, in a sample of their versions.
func TestStepsGoForwardAndBackOnRealSites(t *testing.T) {
	corpora.SkipShort(t)
	t.Parallel() // it mostly waits
	for _, site := range []string{"backbone", "i18n", "lucene"} {
		t.Run(site, func(t *testing.T) {
			s := start(t, "serve", filepath.Join(corpora.Dir(t), site))
			g := browse(t, s)
			pairs := changesOf(t, s)
			steps, without := 0, 0
			for i := range sampled {
				pair := pairs[i*len(pairs)/sampled]
				t.Run(pair, func(t *testing.T) {
					n, lost := g.walk(t, pair)
					steps, without = steps+n, without+strings.Count(lost, "\n")
				})
			}
			t.Logf("of %d steps %d have no place in the page", steps, without)
			if steps < sampled || without*50 > steps { // what is inserted in tables of programs has none now and then
				t.Error("these are too few, or of more than one in fifty")
			}
			g.contained(t)
		})
	}
}

// changesOf lists the pairs of neighbouring versions of all pages.
func changesOf(t *testing.T, s *server) []string {
	t.Helper()
	var pairs []string
	list := s.get(t, "/web/cdx?url=example.org&matchType=domain&filter=mimetype:text/html&filter=statuscode:200&collapse=urlkey&fl=original")
	for uri := range strings.FieldsSeq(list.body) {
		var found struct {
			Ranges []struct {
				First, Last, Kind string
				Soft404           bool
			}
		}
		if err := json.Unmarshal([]byte(s.get(t, "/web/changes?level=text&url="+url.QueryEscape(uri)).body), &found); err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(found.Ranges); i++ {
			if a, b := found.Ranges[i-1], found.Ranges[i]; a.Kind == "page" && b.Kind == "page" {
				pairs = append(pairs, a.Last+"/"+b.First+"/"+uri)
			}
		}
	}
	if len(pairs) < sampled {
		t.Fatalf("%d pairs: %.200s", len(pairs), list.body)
	}
	t.Logf("%d pairs", len(pairs))
	return pairs
}
