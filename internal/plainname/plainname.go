// Package plainname checks the names of collections, crawls and sources. They are also names of folders and parts of addresses, so none
// leads out of a folder or has to be escaped.
package plainname

// Longest is how many bytes the names of crawls and sources may have.
const Longest = 64

// Is reports whether a name consists of lower-case letters, digits, "_", "." and "-", and begins with a letter or a digit.
func Is(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case (c == '_' || c == '.' || c == '-') && i > 0:
		default:
			return false
		}
	}
	return name != ""
}

// IsShort is [Is] for names of at most [Longest] bytes.
func IsShort(name string) bool { return len(name) <= Longest && Is(name) }
