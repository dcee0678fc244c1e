package main

import (
	"math"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cmd/varve/workspace"
)

func TestThresholds(t *testing.T) {
	for threshold, allowed := range map[float64]bool{0: true, 1: true, 0.5: true, -0.01: false, 1.01: false, math.NaN(): false} {
		w := &workspace.Workspace{Settings: workspace.Settings{Folder: workspace.Folder{Data: t.TempDir()}}}
		err := (&duplicatesCmd{Threshold: threshold}).Run(t.Context(), w)
		if refused := err != nil && strings.HasPrefix(err.Error(), "--threshold"); refused == allowed {
			t.Errorf("%v: %v", threshold, err)
		}
	}
}
