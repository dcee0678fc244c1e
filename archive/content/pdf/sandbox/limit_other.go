//go:build !linux

package sandbox

// limitProcess does nothing on systems without a known limit of Go's memory; there watchMemory is the only limit.
func limitProcess(_, _ uint64) error { return nil }
