//go:build !linux

package chromium

// Memory returns 0: it isn't known here.
func (p *Process) Memory() int64 { return 0 }
