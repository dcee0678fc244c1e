package banner

import (
	"math"
	"time"

	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/rewrite/uses"
)

// Embeds describes the parts that a browser loads with a page, as known when its banner is rendered.
type Embeds struct {
	Drift           time.Duration // the largest difference in time between a part and the page: part minus page; 0 if it is not worth a word
	Loaded, Missing Kinds         // the parts in the document itself, and those of them that were never captured
}

// Kinds are numbers of parts by kind.
type Kinds struct{ Sheets, Scripts, Frames, Pictures, Others int }

// Add counts a part.
func (k *Kinds) Add(use uses.Use) {
	switch use {
	case uses.Style:
		k.Sheets++
	case uses.Script, uses.Module:
		k.Scripts++
	case uses.Iframe, uses.Frame:
		k.Frames++
	case uses.Image:
		k.Pictures++
	default:
		k.Others++
	}
}

// Total is the number of parts.
func (k Kinds) Total() int { return k.Sheets + k.Scripts + k.Frames + k.Pictures + k.Others }

// weight is the importance of the parts for a page: without a style sheet the whole page looks different, without a picture it doesn't.
func (k Kinds) weight() int { return 8*k.Sheets + 4*k.Frames + 2*k.Scripts + k.Pictures + k.Others }

// Damage is the share of a page that is missing, from 0 to 1, weighted by the kind of the parts.
func (e Embeds) Damage() float64 {
	if e.Missing.Total() == 0 {
		return 0
	}
	return float64(e.Missing.weight()) / float64(e.Loaded.weight())
}

// Percent returns a share in percent. It is 0 only for nothing and 100 only for everything.
func Percent(share float64) int {
	switch {
	case share <= 0:
		return 0
	case share >= 1:
		return 100
	}
	return min(99, max(1, int(math.Round(100*share))))
}

// missing says how many parts are missing, and of which kinds.
func (e Embeds) missing(t texts) string {
	of, n := t.Embeds, e.Missing
	kinds := t.List(t.Some(of.Sheets, n.Sheets), t.Some(of.Frames, n.Frames), t.Some(of.Scripts, n.Scripts), t.Some(of.Pictures, n.Pictures),
		t.Some(of.Others, n.Others))
	return locale.Fill(of.Missing, kinds, t.Number(n.Total()), t.Number(e.Loaded.Total()))
}

// InPercent writes a share of n percent.
func InPercent(t *locale.Language, n int) string { return locale.Fill(t.Percent, t.Number(n)) }

// Damaged says that n percent of a page are not archived.
func Damaged(t *locale.Language, n int) string { return locale.Fill(t.Visual.Damage, InPercent(t, n)) }
