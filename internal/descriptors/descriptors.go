// Package descriptors tells how many files and connections a process may have open, so that what keeps some of them leaves
// the rest to others. A server that has none left accepts no connection any more, and reads no file.
package descriptors

// unknown is the limit where the system doesn't tell: the one that most systems set.
const unknown = 1024

// Share returns how many descriptors may be kept by something that needs at most most and should take at most one in
// parts of what the process may open. It is at least 8.
func Share(parts, most int) int {
	return max(8, min(most, Limit()/parts))
}
