package replay

import "github.com/varve-archive/varve/banner"

// building says how far the index is, nil where it is in step.
func (of *searchOf) building() *banner.Progress {
	done, total := of.progress.Done.Load(), of.progress.Pages.Load()
	if !of.progress.Running.Load() || done >= total {
		return nil
	}
	return &banner.Progress{Done: int(done), Total: int(total)}
}
