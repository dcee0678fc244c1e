package memento

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// URIs names the resources of one collection. Base is the public address of the archive, such as "https://archive.example/varve", with or
// without a path and a final slash; if it is empty, the URIs are paths from the root of the origin. Coll is the name of the collection.
//
// A URI-R is appended byte for byte, so that the archive receives the same URI-R again. Only a fragment is left out, because clients don't
// send one, and no capture is found by it; and a percent sign that begins no escape becomes one, because HTTP servers refuse it in a path
// and both spellings have one SURT. [AppendURI] encodes a URI for use in a header.
type URIs struct {
	Base, Coll string
}

// Home returns the address of the collection's page.
func (u URIs) Home() string { return string(u.appendHome(nil)) }

// TimeGate returns the URI-G of a URI-R.
func (u URIs) TimeGate(uriR string) string { return u.join("", uriR) }

// Memento returns the URI-M of a capture. mod is a modifier with its underscore, such as "id_", or empty.
func (u URIs) Memento(ts cdx.Timestamp, mod, uriR string) string {
	b := make([]byte, 0, len(u.Base)+len(u.Coll)+len(mod)+len(uriR)+18)
	return string(u.AppendMemento(b, ts, mod, uriR))
}

// OrNull returns the URI-M of a capture, nil without one, which is null in JSON.
func (u URIs) OrNull(c *cdx.Capture) *string {
	if c == nil {
		return nil
	}
	uriM := u.Memento(c.Time, "", c.URL)
	return &uriM
}

// AppendMemento appends what [URIs.Memento] returns.
func (u URIs) AppendMemento(b []byte, ts cdx.Timestamp, mod, uriR string) []byte {
	b = u.appendHome(b)
	b = ts.Append(b)
	b = append(b, mod...)
	b = append(b, '/')
	return appendURIR(b, uriR)
}

// TimeMap returns the URI-T of a URI-R in a format (link, json, cdxj or html). Pages count from 1; the first page has
// the URI-T of the whole TimeMap.
func (u URIs) TimeMap(format string, page int, uriR string) string {
	if page <= 1 {
		return u.join("timemap/"+format+"/", uriR)
	}
	return u.join("timemap/"+format+"/"+strconv.Itoa(page)+"/", uriR)
}

// Calendar returns the address of the calendar of a URI-R.
func (u URIs) Calendar(uriR string) string { return u.join("*/", uriR) }

// CalendarAt returns the address of the calendar at a year or a day: the first digits of a datetime, four or eight.
func (u URIs) CalendarAt(when, uriR string) string { return u.join(when+"*/", uriR) }

// Changes returns the address of the validity ranges of a URI-R.
func (u URIs) Changes(uriR string) string { return u.join("changes/", uriR) }

// Diff returns the address of the diff between the captures at a and b.
func (u URIs) Diff(a, b cdx.Timestamp, uriR string) string {
	return u.join("diff/"+a.String()+"/"+b.String()+"/", uriR)
}

// SlidingDiff returns the address of the diff over all versions.
func (u URIs) SlidingDiff(uriR string) string { return u.join("diff/", uriR) }

// Animate returns the address of the animated change between the captures at a and b.
func (u URIs) Animate(a, b cdx.Timestamp, uriR string) string {
	return u.join("animate/"+a.String()+"/"+b.String()+"/", uriR)
}

// Landing returns the address of the landing page of a redirect or missing capture.
func (u URIs) Landing(ts cdx.Timestamp, uriR string) string {
	return u.join("landing/"+ts.String()+"/", uriR)
}

// Similar returns the address of the list of captures with similar content.
func (u URIs) Similar(ts cdx.Timestamp, uriR string) string {
	return u.join("similar/"+ts.String()+"/", uriR)
}

// Info returns the address of the page that says where the capture at ts is from.
func (u URIs) Info(ts cdx.Timestamp, uriR string) string {
	return u.Home() + ts.String() + "/info?url=" + url.QueryEscape(uriR)
}

// Inspect returns the address of the page for selecting an element of the page captured at ts.
func (u URIs) Inspect(ts cdx.Timestamp, uriR string) string {
	return u.join("inspect/"+ts.String()+"/", uriR)
}

// Still returns the address of the page captured at ts without active parts, for selecting elements.
func (u URIs) Still(ts cdx.Timestamp, uriR string) string {
	return u.join("still/"+ts.String()+"/", uriR)
}

// Thumbnail returns the address of a small picture of the version valid at ts.
func (u URIs) Thumbnail(ts cdx.Timestamp, uriR string) string {
	return u.join("thumb/"+ts.String()+"/", uriR)
}

// Picture returns the address of the whole picture of the version valid at ts.
func (u URIs) Picture(ts cdx.Timestamp, uriR string) string {
	return u.Endpoint("thumb", url.Values{"url": {uriR}, "at": {ts.String()}, "size": {"full"}}.Encode())
}

// Visual returns the address of the comparison of two captures as pictures.
func (u URIs) Visual(a, b cdx.Timestamp, uriR string) string {
	return u.Endpoint("visual", url.Values{"url": {uriR}, "from": {a.String()}, "to": {b.String()}}.Encode())
}

// Download returns the address of the record at ts as WARC ("warc"), or of its page with all parts as WACZ ("wacz").
func (u URIs) Download(format string, ts cdx.Timestamp, uriR string) string {
	return u.Info(ts, uriR) + "&download=" + format
}

// Endpoint returns the address of an endpoint with parameters, such as "cdx" or "search". query is encoded and may be
// empty.
func (u URIs) Endpoint(name, query string) string {
	s := u.Home() + name
	if query != "" {
		s += "?" + query
	}
	return s
}

func (u URIs) join(fixed, uriR string) string {
	b := make([]byte, 0, len(u.Base)+len(u.Coll)+len(fixed)+len(uriR)+2)
	return string(appendURIR(append(u.appendHome(b), fixed...), uriR))
}

func (u URIs) appendHome(b []byte) []byte {
	b = append(b, strings.TrimSuffix(u.Base, "/")...)
	b = append(b, '/')
	b = append(b, u.Coll...)
	return append(b, '/')
}

func appendURIR(b []byte, uriR string) []byte {
	uriR, _, _ = strings.Cut(uriR, "#")
	for path, _, _ := strings.Cut(uriR, "?"); ; {
		i := strings.IndexByte(path, '%')
		if i < 0 {
			return append(b, uriR...)
		}
		b = append(b, path[:i+1]...)
		if path, uriR = path[i+1:], uriR[i+1:]; len(path) < 2 || !isHex(path[0]) || !isHex(path[1]) {
			b = append(b, "25"...)
		}
	}
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
