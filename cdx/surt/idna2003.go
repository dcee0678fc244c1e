package surt

import "strings"

// deviations maps the four characters of host names that IDNA2003 replaced or dropped and that IDNA2008 keeps
// (UTS #46 calls them deviation characters).
var deviations = strings.NewReplacer("ß", "ss", "ς", "σ", "\u200c", "", "\u200d", "")

// IDNA2003 returns the key that key would be if its host were encoded by the rules of 2003: "de,strasse)/" for
// "de,xn--strae-oqa)/". It reports whether that is another key.
//
// Clients that kept the old rules went to the one host where those of today go to the other, and crawlers recorded it
// under the name they asked for. Both names can be registered, by different people. So the keys stay apart, and this
// one is worth a look only where there is nothing under key.
func IDNA2003(key string) (string, bool) {
	host, rest, found := strings.Cut(key, ")")
	if !found {
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

// oldLabel returns a label of a key, perhaps with a port behind it, as IDNA2003 has it.
func oldLabel(label string) (string, bool) {
	if !strings.HasPrefix(label, "xn--") && !strings.Contains(label, "%") {
		return "", false
	}
	name, port, hasPort := strings.Cut(label, ":")
	letters, _ := punycode.ToUnicode(string(appendUnescaped(nil, name))) // has the letters even where they break a rule
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
