package searches

import (
	"context"
	"time"
)

// BuildAll builds the searches of all collections, and returns when they are looked at again; 0 for not before something changes.
func (s *Searches) BuildAll(ctx context.Context) time.Duration { return s.buildAll(ctx) }
