package change

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/corpora"

	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// nearDuplicate is the Jaccard coefficient from which on two texts are near-duplicates (Broder 1997).
const nearDuplicate = 0.75

// A shingled text has all its shingles, to check what is estimated from 128 of them.
type shingled struct {
	id       uint64
	hash     sketch.MinHash
	bands    []uint32
	shingles []uint64 // sorted, each once
}

// exactTexts reads every distinct text of a corpus.
func exactTexts(t *testing.T, truthFile string) []shingled {
	t.Helper()
	var out []shingled
	var e visible.Extractor
	bodies, seen := map[string]bool{}, map[uint64]bool{}
	corpora.Each(t, truthFile, func(v corpora.Truth) {
		if v.Record != "response" || v.MIME != "text/html" || v.Status != 200 || bodies[v.Digest] {
			return
		}
		bodies[v.Digest] = true
		body, contentType := corpora.Body(t, filepath.Join(filepath.Dir(truthFile), v.File), v.Offset, v.Rlen)
		text := e.Extract(body, contentType)
		s := sketch.Of(&text)
		if seen[s.ID] || s.MinHash.Empty() {
			return
		}
		seen[s.ID] = true
		out = append(out, shingled{s.ID, s.MinHash, s.MinHash.Bands(), sketch.Shingles(&text)})
	})
	return out
}

// sizesDiffer reports whether two texts are too unlike in length to be near-duplicates.
func (a *shingled) sizesDiffer(b *shingled) bool {
	x, y := float64(len(a.shingles)), float64(len(b.shingles))
	return min(x, y) < nearDuplicate*max(x, y)
}

// Checks what is estimated, and found by bands, against comparing all texts with all, shingle by shingle.
func TestNearDuplicatesAreFoundAsByComparingAllWithAll(t *testing.T) {
	corpora.SkipShort(t)
	for _, file := range corpora.TruthFiles(t) {
		texts := exactTexts(t, file)
		var s, clear score
		var errors []float64
		for i := range texts {
			for j := range i {
				a, b := &texts[i], &texts[j]
				exact := 0.0
				if !a.sizesDiffer(b) {
					exact = sketch.Jaccard(a.shingles, b.shingles)
				}
				estimate := a.hash.Jaccard(&b.hash)
				want, got := exact >= nearDuplicate, estimate >= nearDuplicate && shareBand(a.bands, b.bands)
				s.add(want, got, "")
				if math.Abs(exact-nearDuplicate) > 0.1 {
					clear.add(want, got, "")
				}
				if exact > 0 {
					errors = append(errors, math.Abs(exact-estimate))
				}
			}
		}
		name := filepath.Base(filepath.Dir(file))
		t.Logf("%s: %d texts, near-duplicates: %s", name, len(texts), &s)
		t.Logf("%s: more than 0.1 off the threshold: %s", name, &clear)
		slices.Sort(errors)
		mean := 0.0
		for _, e := range errors {
			mean += e / float64(len(errors))
		}
		worst := errors[len(errors)-1]
		t.Logf("%s: MinHash against exact Jaccard over %d pairs of like length: mean error %.4f, 99 %% below %.3f, worst %.3f", name,
			len(errors), mean, errors[len(errors)*99/100], worst)
		if mean > 0.03 || worst > 0.25 {
			t.Error("the estimates are too far off")
		}
		if s.recall() < 0.9 || s.precision() < 0.9 || clear.recall() < 0.99 || clear.precision() < 0.99 {
			t.Error("too few are found, or too many")
		}
	}
}

// elsewhere is the number of wrong targets with which each move is compared.
const elsewhere = 30

// Similarity must tell a page's new address from other pages of the site, to which a redirect could lead as well.
func TestSimilarityTellsMovedFromElsewhere(t *testing.T) {
	corpora.SkipShort(t)
	var moved, other []float64
	for _, file := range corpora.TruthFiles(t) {
		c := readCorpus(t, file)
		rnd := rand.New(rand.NewPCG(1, 2))
		for _, p := range append(c.moves(), c.relocations()...) {
			moved = append(moved, sketch.Similarity(p[0], p[1]))
			for range elsewhere {
				u := c.uris[rnd.IntN(len(c.uris))]
				s := c.nearest(u, "")
				if s != nil && s.ID != p[1].ID && s.CoreSize >= minLandingText && !c.sameHistory(u, p[0], p[1]) {
					other = append(other, sketch.Similarity(p[0], s))
				}
			}
		}
	}
	auc, best := curve(moved, other)
	t.Logf("%d moved, %d elsewhere: AUC %.4f; at the best threshold, %.2f: precision %.3f, recall %.3f", len(moved), len(other), auc,
		best.at, best.precision, best.recall)
	if auc < 0.98 || best.precision < 0.9 || best.recall < 0.9 {
		t.Error("moved pages can't be told from others")
	}
}

// relocations returns, for each removed page whose text lives on, its last text and the last text at its new address.
func (c *corpus) relocations() (pairs [][2]*sketch.Sketch) {
	homes := map[string][]string{}
	for _, u := range c.uris {
		for _, v := range c.captures[u] {
			if v.TextLen > minLandingText && !slices.Contains(homes[v.TextSHA], u) {
				homes[v.TextSHA] = append(homes[v.TextSHA], u)
			}
		}
	}
	c.ends(func(last, end truth) {
		for _, u := range homes[last.TextSHA] {
			i := slices.IndexFunc(c.captures[u], func(v truth) bool { return v.Datetime >= end.Datetime && v.TextSHA != "" })
			if i >= 0 && u != end.URI && end.Status/100 != 3 {
				pairs = append(pairs, [2]*sketch.Sketch{c.sketches[c.texts[last.Digest]], c.sketches[c.texts[c.captures[u][i].Digest]]})
				return
			}
		}
	})
	return pairs
}

// sameHistory reports whether a URI-R ever had one of two texts.
func (c *corpus) sameHistory(uri string, a, b *sketch.Sketch) bool {
	return slices.ContainsFunc(c.captures[uri], func(v truth) bool {
		id := c.texts[v.Digest]
		return id == a.ID || id == b.ID
	})
}

// A threshold is a similarity and how well it separates the two kinds of pairs.
type threshold struct{ at, precision, recall float64 }

// curve returns the area under the ROC curve, ties counted half, and the threshold with the best F1.
func curve(moved, other []float64) (auc float64, best threshold) {
	for _, m := range moved {
		for _, o := range other {
			switch {
			case m > o:
				auc++
			case m == o:
				auc += 0.5
			}
		}
	}
	auc /= float64(len(moved)) * float64(len(other))
	f1 := 0.0
	for i := 1; i < 100; i++ {
		at := float64(i) / 100
		tp, fp := countFrom(moved, at), countFrom(other, at)
		p, r := tp/max(1, tp+fp), tp/float64(len(moved))
		if f := 2 * p * r / max(1e-9, p+r); f > f1 {
			f1, best = f, threshold{at, p, r}
		}
	}
	return auc, best
}

func countFrom(values []float64, at float64) (n float64) {
	for _, v := range values {
		if v >= at {
			n++
		}
	}
	return n
}
