package visible

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// An Address is the address that a page gives itself by its canonical link or og:url, as the hash of the path. Servers sometimes answer a
// request with another page; the address shows that.
type Address uint32

const (
	// Unnamed is the address of a page that names none.
	Unnamed Address = iota
	// Front is the address of a site's front page, in whatever language.
	Front
	Named // all others are greater
)

const (
	// maxHead bounds the part of a page that is searched for it, in bytes.
	maxHead = 32 << 10
	// maxNamings bounds the candidates that are checked, because scripts and text contain look-alikes.
	maxNamings = 4
)

// addressOf returns the address that a page gives itself: the first canonical link with an address, else the first such og:url.
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

// A selfName describes an element that names the page's address: it contains sign, and the address is in the attribute value.
type selfName struct{ sign, element, value []byte }

var selfNames = []selfName{
	{[]byte("canonical"), []byte("<link"), []byte("href=")},
	{[]byte("og:url"), []byte("<meta"), []byte("content=")},
}

// maxElement bounds the distance from sign to either end of the element, in bytes.
const maxElement = 2048

// valueAround returns, in lower case, the value in the element around offset at of page, or nil if that is a different
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
	value = bytes.TrimLeft(value, " \t\r\n\f") // HTML §13.2.5.35
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

// addressOfURL hashes the path of an absolute URL in lower case: scheme, host and query may vary.
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
	return max(Address(xxh3.Hash(path)), Named)
}

// isLanguage reports whether a path is only the language of a site, with or without a country: en, pt-br.
func isLanguage(path []byte) bool {
	letters := func(b []byte) bool { return len(b) == 2 && isLetter(b[0]) && isLetter(b[1]) }
	return letters(path) || len(path) == 5 && (path[2] == '-' || path[2] == '_') && letters(path[:2]) && letters(path[3:])
}

// forwards reports whether a page immediately redirects to another (HTML §4.2.5.3, meta refresh).
func forwards(page []byte) bool {
	page = bytes.ToLower(page[:min(len(page), maxHead)])
	refresh := selfName{element: []byte("<meta"), value: []byte("content=")}
	for range maxNamings {
		at := bytes.Index(page, []byte("http-equiv"))
		if at < 0 {
			return false
		}
		name := page[at+len("http-equiv"):]
		name = bytes.TrimLeft(name[:min(len(name), maxElement)], " \t\r\n\f=\"'")
		if bytes.HasPrefix(name, []byte("refresh")) && leadsOn(refresh.valueAround(page, at)) {
			return true
		}
		page = page[at+len("http-equiv"):]
	}
	return false
}

// maxForwarding bounds the text of a page that redirects, in bytes.
const maxForwarding = 1000

// maxForwards bounds the delay of an immediate redirect, in seconds.
const maxForwards = 5

// leadsOn reports whether the content of a refresh names another page and a short delay.
func leadsOn(content []byte) bool {
	seconds, url, _ := bytes.Cut(content, []byte("url"))
	n := 0
	for _, c := range bytes.TrimSpace(seconds) {
		if !IsDigit(c) {
			break
		}
		n = min(n*10+int(c-'0'), maxForwards+1)
	}
	return n <= maxForwards && len(bytes.Trim(url, " =\"'")) > 0
}
