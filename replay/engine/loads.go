package engine

import (
	"time"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/rewrite/uses"
)

// loads are the parts that the document of a page makes a browser load, each once, with the number of captured ones.
type loads struct {
	seen            map[string]bool
	loaded, missing banner.Kinds
}

func (l *loads) note(ref uses.Ref, captured bool) {
	if !ref.Embedded || l.seen[ref.URI] || len(l.seen) == maxParts {
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[ref.URI] = true
	l.loaded.Add(ref.Use)
	if !captured {
		l.missing.Add(ref.Use)
	}
}

// embeds returns the facts about the parts for the banner.
func (l *loads) embeds(drift time.Duration) banner.Embeds {
	return banner.Embeds{Drift: drift, Loaded: l.loaded, Missing: l.missing}
}
