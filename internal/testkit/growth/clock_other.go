//go:build !linux

package growth

import "time"

var began = time.Now()

// worked returns how long the process has run.
func worked() time.Duration { return time.Since(began) }
