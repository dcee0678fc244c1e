package memento

import (
	"io"
	"iter"
	"strconv"

	"github.com/varve-archive/varve/cdx"
)

// WriteJSON writes a TimeMap in JSON with the names that aggregators use (http://mementoweb.org/guide/timemap-json):
// original_uri, self, timegate_uri, timemap_uri, mementos with list, first and last, and, if there are several pages,
// pages with prev, next and list. Each memento has its version if info.Version is set. Errors are handled as in
// [WriteLink]; the JSON is then incomplete.
func WriteJSON(w io.Writer, captures iter.Seq2[*cdx.Capture, error], info *TimeMapInfo) error {
	o := newOut(w)
	o.b = append(o.b, "{\n  "...)
	o.jsonHead(info, "json", ",\n  ")
	o.b = append(o.b, ",\n  \"mementos\": {\n    \"list\": ["...)
	first, last, err := o.jsonList(captures, info)
	if err != nil {
		return o.finish(err)
	}
	o.b = append(o.b, "\n    ]"...)
	o.jsonEnds(info, first, last)
	o.b = append(o.b, "\n  }"...)
	pages, err := info.otherPages()
	if len(pages) > 0 {
		o.b = append(o.b, ",\n  \"pages\": "...)
		o.jsonPages(info, "json", pages)
	}
	if err != nil {
		return o.finish(err)
	}
	o.b = append(o.b, "\n}\n"...)
	return o.finish(nil)
}

// jsonHead writes the members for the URI-R and its other resources.
func (o *out) jsonHead(info *TimeMapInfo, format, separator string) {
	o.jsonMember("original_uri", info.Original)
	o.b = append(o.b, separator...)
	o.jsonMember("self", info.uriT(format, info.page()))
	o.b = append(o.b, separator...)
	o.jsonMember("timegate_uri", info.URIs.TimeGate(info.Original))
	o.b = append(o.b, separator...)
	o.jsonTimeMaps(info)
}

func (o *out) jsonTimeMaps(info *TimeMapInfo) {
	o.b = append(o.b, `"timemap_uri": {`...)
	for i, format := range [...]string{"link", "json", "cdxj"} {
		if i > 0 {
			o.b = append(o.b, ", "...)
		}
		o.jsonMember(format+"_format", info.uriT(format, info.page()))
	}
	o.b = append(o.b, '}')
}

func (o *out) jsonMember(name, uri string) {
	o.b = append(o.b, '"')
	o.b = append(o.b, name...)
	o.b = append(o.b, `": "`...)
	o.b = appendJSONURI(o.b, uri)
	o.b = append(o.b, '"')
}

// jsonList writes the mementos of this page. It returns the first and the last one as JSON.
func (o *out) jsonList(captures iter.Seq2[*cdx.Capture, error], info *TimeMapInfo) (first, last []byte, err error) {
	m := newMementoURIs(info, appendJSONURI)
	err = info.eachMemento(captures, func(e entry, _ position) bool {
		if first != nil {
			o.b = append(o.b, ',')
		}
		o.b = append(o.b, "\n      "...)
		start := len(o.b)
		o.b = appendJSONMemento(o.b, m, e, info.Version)
		last = append(last[:0], o.b[start:]...)
		if first == nil {
			first = append([]byte(nil), last...)
		}
		return o.flushFull()
	})
	return first, last, err
}

func appendJSONMemento(b []byte, m *mementoURIs, e entry, version func(cdx.Timestamp) int) []byte {
	b = append(b, `{"datetime": "`...)
	b = appendISO(b, e.time)
	b = append(b, `", "uri": "`...)
	b = append(m.append(b, e), '"')
	if version != nil {
		b = append(b, `, "version": `...)
		b = strconv.AppendInt(b, int64(version(e.time)), 10)
	}
	return append(b, '}')
}

// jsonEnds writes the first and last memento of the URI-R, or those of the page if info lacks them.
func (o *out) jsonEnds(info *TimeMapInfo, first, last []byte) {
	m := newMementoURIs(info, appendJSONURI)
	if info.First != nil {
		first = appendJSONMemento(nil, m, entry{info.First.Time, info.First.URL}, info.Version)
	}
	if info.Last != nil {
		last = appendJSONMemento(nil, m, entry{info.Last.Time, info.Last.URL}, info.Version)
	}
	if first == nil || last == nil {
		return
	}
	o.b = append(o.b, ",\n    \"first\": "...)
	o.b = append(o.b, first...)
	o.b = append(o.b, ",\n    \"last\": "...)
	o.b = append(o.b, last...)
}

// jsonPages writes the previous page, the next page, and the list of all other pages.
func (o *out) jsonPages(info *TimeMapInfo, format string, pages []PageRange) {
	o.b = append(o.b, '{')
	for _, p := range pages {
		switch p.Page {
		case info.page() - 1:
			o.b = append(o.b, `"prev": `...)
		case info.page() + 1:
			o.b = append(o.b, `"next": `...)
		default:
			continue
		}
		o.jsonPage(info, format, p)
		o.b = append(o.b, ", "...)
	}
	o.b = append(o.b, `"list": [`...)
	for i, p := range pages {
		if i > 0 {
			o.b = append(o.b, ", "...)
		}
		o.jsonPage(info, format, p)
		o.flushFull()
	}
	o.b = append(o.b, "]}"...)
}

func (o *out) jsonPage(info *TimeMapInfo, format string, p PageRange) {
	o.b = append(o.b, '{')
	o.jsonMember("uri", info.uriT(format, p.Page))
	o.b = append(o.b, `, "from": "`...)
	o.b = appendISO(o.b, p.From)
	o.b = append(o.b, `", "until": "`...)
	o.b = appendISO(o.b, p.Until)
	o.b = append(o.b, `"}`...)
}
