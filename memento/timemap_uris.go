package memento

import "strings"

// mementoURIs writes the URI-Ms of a TimeMap one after another. Most have the same URI-R as the one before, which it
// then does not encode again.
type mementoURIs struct {
	appendURI func(b []byte, uri string) []byte // encodes for the format
	home      []byte                            // the part before the datetime
	url       string
	encoded   []byte // url in the encoding of the format
}

func newMementoURIs(info *TimeMapInfo, appendURI func([]byte, string) []byte) *mementoURIs {
	return &mementoURIs{appendURI: appendURI, home: appendURI(nil, info.URIs.Home())}
}

func (m *mementoURIs) append(b []byte, e entry) []byte {
	if e.url != m.url {
		m.url = e.url
		m.encoded = m.appendURI(m.encoded[:0], string(appendURIR(nil, e.url)))
	}
	b = append(b, m.home...)
	b = e.time.Append(b)
	b = append(b, '/')
	return append(b, m.encoded...)
}

// appendJSONURI appends a URI as the inside of a JSON string. Only the backslash needs escaping besides what [AppendURI] encodes.
func appendJSONURI(b []byte, uri string) []byte {
	return AppendURI(b, strings.ReplaceAll(uri, `\`, `\\`))
}
