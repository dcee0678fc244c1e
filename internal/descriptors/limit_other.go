//go:build !unix

package descriptors

// Limit returns how many descriptors this process may have open.
func Limit() int { return defaultLimit }
