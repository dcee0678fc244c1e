//go:build !race

// Under the race detector these comparisons take ten times as long; scripts/test.sh runs them without.

package searches_test

import (
	"testing"

	"github.com/varve-archive/varve/replay/replaytest"
)

// Some texts are in no staging area, because their bodies were known when they came.
func TestWhatIndexingKeepsOfTheCorpora_long(t *testing.T) {
	dirs, minVersions := replaytest.Corpora(t), 1000
	if testing.Short() {
		dirs, minVersions = dirs[:1], 200
	}
	if versions, read := compareStaged(t, dirs); versions < minVersions || read*5 > versions {
		t.Errorf("%d of %d versions were read from their records", read, versions)
	}
}
