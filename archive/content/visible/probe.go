package visible

import "strings"

// isProbe reports whether text is an invisible sample by which scripts measure fonts: a run of the widest and the narrowest letters, or the
// alphabet.
func isProbe(text []byte) bool {
	const shortest, longest = 7, 80
	if len(text) < shortest || len(text) > longest {
		return false
	}
	switch text[0] {
	case 'm', 'w', 'M', 'W':
		return text[0] == text[1] && strings.Trim(string(text), "mwlifMWLI&01O") == ""
	case 'B':
		return string(text) == "BESbswy"
	case 'g':
		return string(text) == "giItT1WQy@!-/#"
	case 'a', 'A':
		return strings.HasPrefix(strings.ToLower(string(text)), "abcdefghijklmnopqrstuvwxyz") && strings.IndexByte(string(text), ' ') < 0
	}
	return false
}
