//go:build !race

// Under the race detector these comparisons take ten times as long; scripts/test.sh runs them without.

package landing_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A truth is the known fate of one capture of a corpus.
type truth struct {
	URI      string
	Datetime string
	Status   int
	State    string // "moved" or "gone"
	Redirect string
	TextSHA  string `json:"text_sha"`
	TextLen  int    `json:"text_len"`
}

// minTold is the length from which a text says enough to be found again.
const minTold = 300

func truths(t *testing.T, dir string) (byURI map[string][]truth, homes map[string][]string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.truth.jsonl.gz"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	f, err := os.Open(found[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	byURI, homes = map[string][]truth{}, map[string][]string{}
	for d := json.NewDecoder(z); ; {
		var v truth
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		byURI[v.URI] = append(byURI[v.URI], v)
		if v.TextLen > minTold && !slices.Contains(homes[v.TextSHA], v.URI) {
			homes[v.TextSHA] = append(homes[v.TextSHA], v.URI)
		}
	}
	return byURI, homes
}

// The true new place of a removed page's text must be proposed and must rank high.
func TestLandingProposesWhereRemovedTextLivesOn(t *testing.T) {
	for _, dir := range replaytest.Corpora(t) {
		s, _ := replaytest.Serve(t, dir)
		h := s.Handler()
		byURI, homes := truths(t, dir)
		gone, first, third := 0, 0, 0
		for uri, captures := range byURI {
			var last truth
			slices.SortStableFunc(captures, func(a, b truth) int {
				if a.Datetime < b.Datetime {
					return -1
				}
				return 1
			})
			for _, v := range captures {
				if v.TextSHA == "" && last.TextLen > minTold && v.State == "gone" && len(homes[last.TextSHA]) > 1 {
					gone++
					l := replaytest.LandingOf(t, h, v.Datetime, uri)
					for i, a := range l.Alternatives[:min(3, len(l.Alternatives))] {
						if a.OriginalURI != uri && slices.Contains(homes[last.TextSHA], a.OriginalURI) {
							third++
							if i == 0 {
								first++
							}
							break
						}
					}
				}
				last = v
			}
		}
		if gone == 0 {
			continue
		}
		t.Logf("%s: %d removed, recall@1 %.3f, recall@3 %.3f", filepath.Base(dir), gone, float64(first)/float64(gone),
			float64(third)/float64(gone))
		if float64(third) < 0.9*float64(gone) {
			t.Error("too few are proposed")
		}
	}
}
