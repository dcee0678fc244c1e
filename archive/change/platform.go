package change

import (
	"bytes"
	_ "embed"
	"strings"
)

// consentNames are the ids and classes of containers in which consent platforms ask, in lower case.
var consentNames = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(consentList) {
		names[name] = true
	}
	return names
}()

//go:embed consent.txt
var consentList string

// ofConsent reports whether a class or id attribute is one of a consent platform. A number at the end of a name is that of a message.
func ofConsent(names []byte) bool {
	for name := range bytes.FieldsSeq(names) {
		name = bytes.TrimRight(name, "0123456789")
		if len(name) <= maxCachedName && consentNames[string(bytes.ToLower(bytes.TrimRight(name, "_-")))] {
			return true
		}
	}
	return false
}
