package change

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// An Address stands for what a page calls itself, by its canonical link or og:url: it is the hash of the path. Servers answer
// for a page with another one, and that says so here.
type Address uint32

const (
	// Unnamed is the address of a page that says none.
	Unnamed Address = iota
	// Front is that of a site's front page, in whatever language.
	Front
	named // all others are greater
)

const (
	// maxHead bounds how far into a page, in bytes, it is looked for.
	maxHead = 64 << 10
	// maxNamings bounds how many elements are looked at: what stands in scripts and in the text looks alike.
	maxNamings = 4
)

// addressOf returns what the page calls itself. What the page says first counts, the canonical link before og:url.
func addressOf(page []byte) Address {
	page = page[:min(len(page), maxHead)]
	for _, n := range selfNames {
		rest := page
		for range maxNamings {
			at := bytes.Index(rest, n.sign)
			if at < 0 {
				break
			}
			if url := n.valueAround(rest, at); url != nil {
				return addressOfURL(url)
			}
			rest = rest[at+len(n.sign):]
		}
	}
	return Unnamed
}

// A selfName is an element that says the page's address: the value of the attribute value, where one with sign stands in it.
type selfName struct{ sign, element, value []byte }

var selfNames = []selfName{
	{[]byte("canonical"), []byte("<link"), []byte("href=")},
	{[]byte("og:url"), []byte("<meta"), []byte("content=")},
}

// maxElement bounds how far from the sign its element begins and ends, in bytes.
const maxElement = 2048

// valueAround returns the value in the element that offset at of page stands in, in lower case, nil where it is another
// element.
func (n *selfName) valueAround(page []byte, at int) []byte {
	start := bytes.LastIndexByte(page[max(0, at-maxElement):at], '<')
	if start < 0 {
		return nil
	}
	element := page[max(0, at-maxElement)+start:]
	element = element[:min(len(element), 2*maxElement)]
	end := bytes.IndexByte(element, '>')
	if end < 0 {
		return nil
	}
	element = bytes.ToLower(element[:end])
	_, value, ok := bytes.Cut(element, n.value)
	if !ok || len(value) == 0 || !bytes.HasPrefix(element, n.element) {
		return nil
	}
	if quote := value[0]; quote == '"' || quote == '\'' {
		value, _, _ = bytes.Cut(value[1:], []byte{quote})
		return value
	}
	if end := bytes.IndexAny(value, " \t\r\n\f"); end >= 0 {
		value = value[:end]
	}
	return value
}

// addressOfURL hashes the path of an absolute URL in lower case: scheme, host and query come and go.
func addressOfURL(url []byte) Address {
	if i := bytes.Index(url, []byte("://")); i >= 0 {
		url = url[i+3:]
	} else if !bytes.HasPrefix(url, []byte("//")) {
		return Unnamed
	} else {
		url = url[2:]
	}
	if i := bytes.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	_, path, _ := bytes.Cut(url, []byte("/"))
	path = bytes.Trim(path, "/")
	if len(path) == 0 || isLanguage(path) {
		return Front
	}
	return max(Address(xxh3.Hash(path)), named)
}

// isLanguage reports whether a path is only the language that a site is read in, with a country or without: en, pt-br.
func isLanguage(path []byte) bool {
	letters := func(b []byte) bool { return len(b) == 2 && isLetter(b[0]) && isLetter(b[1]) }
	return letters(path) || len(path) == 5 && (path[2] == '-' || path[2] == '_') && letters(path[:2]) && letters(path[3:])
}
