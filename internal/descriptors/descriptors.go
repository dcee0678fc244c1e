// Package descriptors divides the limit of open files and connections, so that caches of open files leave enough for others. A server
// without free descriptors can't accept connections or read files.
package descriptors

// defaultLimit is the limit where the system doesn't tell: the one that most systems set.
const defaultLimit = 1024

// Share returns how many descriptors a component may keep open that needs at most most and should take at most 1/parts of the process's
// limit. It is at least 8.
func Share(parts, most int) int {
	return max(8, min(most, Limit()/parts))
}
