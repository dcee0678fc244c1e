package memento

import (
	"io"
	"iter"

	"github.com/varve-archive/varve/cdx"
)

// WriteLink writes a TimeMap in link format (RFC 7089 §5): original, timegate and self, the mementos, and the other
// pages with rel="timemap", from and until (§5.1.1). If the sequence fails, WriteLink writes what it has read and
// returns the error, so that the TimeMap looks cut off rather than complete.
func WriteLink(w io.Writer, captures iter.Seq2[*cdx.Capture, error], info *TimeMapInfo) error {
	o := newOut(w)
	o.linkHead(info)
	m := newMementoURIs(info, AppendURI)
	err := info.eachMemento(captures, func(e entry, p position) bool {
		o.b = appendLinkMemento(o.b, m, e, p)
		return o.flushFull()
	})
	if err != nil {
		return o.finish(err)
	}
	pages, err := info.otherPages()
	for _, p := range pages {
		o.b = append(o.b, ",\n"...)
		o.b = AppendLink(o.b, &Link{
			URI: info.uriT("link", p.Page), Rels: []string{"timemap"}, Type: LinkFormat, From: p.From, Until: p.Until,
		})
		o.flushFull()
	}
	return o.finish(err) // without a line break, because some clients read links line by line and expect a quote at the end
}

func (o *out) linkHead(info *TimeMapInfo) {
	head := [...]Link{
		{URI: info.Original, Rels: []string{"original"}},
		{URI: info.URIs.TimeGate(info.Original), Rels: []string{"timegate"}},
		{
			URI: info.uriT("link", info.page()), Rels: []string{"self"}, Type: LinkFormat,
			From: info.From, Until: info.Until,
		},
	}
	for i := range head {
		if i > 0 {
			o.b = append(o.b, ",\n"...)
		}
		o.b = AppendLink(o.b, &head[i])
	}
}

// appendLinkMemento appends the link of one memento, with a comma before it.
func appendLinkMemento(b []byte, m *mementoURIs, e entry, p position) []byte {
	b = append(b, ",\n<"...)
	b = m.append(b, e)
	b = append(b, `>; rel="`...)
	b = append(b, p.rels()...)
	b = append(b, `"; datetime="`...)
	b = AppendDatetime(b, e.time)
	return append(b, '"')
}
