package surt

import "strings"

// deviations maps the four characters of host names that IDNA2003 replaced or dropped and IDNA2008 keeps (UTS #46 calls
// them deviation characters).
var deviations = strings.NewReplacer("ß", "ss", "ς", "σ", "\u200c", "", "\u200d", "")

// IDNA2003 returns the key that a URI with this key had under the rules of 2003: "de,strasse)/" for
// "de,xn--strae-oqa)/". It reports whether the two keys differ.
//
// Clients with the old rules went to another host than today's clients do, and crawlers recorded it under the name they
// asked for. Different people may own the two names, so the keys stay apart. Look under this key only if there is
// nothing under the other.
func IDNA2003(key string) (string, bool) {
	host, rest, found := strings.Cut(key, ")")
	if !found || len(host) > maxIDN {
		return key, false
	}
	labels, changed := strings.Split(host, ","), false
	for i, label := range labels {
		if old, ok := oldLabel(label); ok {
			labels[i], changed = old, true
		}
	}
	if !changed {
		return key, false
	}
	return strings.Join(labels, ",") + ")" + rest, true
}

// URLKey returns the key for CDX lines of a capture of uri that is stored under key: the one that the field's canonicaliser computes. It is
// key itself, unless the host of uri is written in letters that IDNA2003 replaced or dropped. Captures of such a host are stored under its
// punycode ("de,xn--strae-oqa)/"), so that both spellings have one list, but lines have "de,strasse)/" for the spelling in letters and the
// stored key for punycode.
func URLKey(key, uri string) string {
	if isPlain(uri) {
		return key
	}
	u := splitURI(cleanURI(uri))
	if isPlain(u.authority) { // usually only the path has others
		return key
	}
	kept := string(appendAuthority(nil, u))
	rest, found := strings.CutPrefix(key, kept)
	if !found {
		return key
	}
	host, port := splitHostPort(u.authority)
	letters := string(appendUnescaped(nil, host))
	if u.authority = deviations.Replace(letters); u.authority == letters {
		return key
	}
	if port != "" {
		u.authority += ":" + port
	}
	listed := appendAuthority(nil, u)
	if len(listed) == 0 {
		return key
	}
	return string(append(listed, rest...))
}

// isPlain reports whether s is of ASCII characters other than the percent sign.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] == '%' {
			return false
		}
	}
	return true
}

// oldLabel returns a label of a key, perhaps followed by a port, as IDNA2003 has it.
func oldLabel(label string) (string, bool) {
	if !strings.HasPrefix(label, "xn--") && !strings.Contains(label, "%") {
		return "", false
	}
	name, port, hasPort := strings.Cut(label, ":")
	letters, _ := punycode.ToUnicode(string(appendUnescaped(nil, name))) // decodes the letters even if they break a rule
	replaced := deviations.Replace(letters)
	if replaced == letters {
		return "", false
	}
	old, err := punycode.ToASCII(replaced)
	if err != nil || !isPlainHost(old) {
		return "", false
	}
	if hasPort {
		old += ":" + port
	}
	return old, true
}
