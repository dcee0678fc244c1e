package memento

// mementoURIs writes the URI-Ms of a TimeMap one after another. Most have the URI-R of the one
// before, which is then not encoded again.
type mementoURIs struct {
	appendURI func(b []byte, uri string) []byte // encodes as the format asks
	home      []byte                            // up to the datetime
	url       string
	encoded   []byte // url, as it stands in a URI-M
}

func newMementoURIs(info *TimeMapInfo, appendURI func([]byte, string) []byte) *mementoURIs {
	m := &mementoURIs{appendURI: appendURI, home: appendURI(nil, info.URIs.Home())}
	m.setURL(info.Original)
	return m
}

func (m *mementoURIs) setURL(url string) {
	m.url = url
	m.encoded = m.appendURI(m.encoded[:0], string(appendURIR(nil, url)))
}

func (m *mementoURIs) append(b []byte, e entry) []byte {
	if e.url != m.url {
		m.setURL(e.url)
	}
	b = append(b, m.home...)
	b = e.time.Append(b)
	b = append(b, '/')
	return append(b, m.encoded...)
}

// appendJSONURI appends a URI as the inside of a JSON string. Once it is fit for a header, only the
// backslash is left to escape.
func appendJSONURI(b []byte, uri string) []byte {
	start := len(b)
	b = AppendURI(b, uri)
	for i := start; i < len(b); i++ {
		if b[i] == '\\' {
			b = append(b, 0)
			copy(b[i+1:], b[i:])
			i++
		}
	}
	return b
}
