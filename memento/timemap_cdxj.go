package memento

import (
	"io"
	"iter"

	"github.com/varve-archive/varve/cdx"
)

// WriteCDXJ writes a TimeMap as CDXJ in the manner of MemGator: header lines that begin with "!", then a line for
// each memento that begins with its datetime in fourteen digits. The lines are sorted, so the other pages go into the
// header. Errors are handled as in [WriteLink].
func WriteCDXJ(w io.Writer, captures iter.Seq2[*cdx.Capture, error], info *TimeMapInfo) error {
	o := newOut(w)
	o.cdxjHead(info)
	pages, err := info.otherPages()
	if err != nil {
		return o.finish(err)
	}
	if len(pages) > 0 {
		o.b = append(o.b, `!meta {"pages": `...)
		o.jsonPages(info, "cdxj", pages)
		o.b = append(o.b, "}\n"...)
	}
	m := newMementoURIs(info, appendJSONURI)
	err = info.eachMemento(captures, func(e entry, p position) bool {
		o.b = appendCDXJMemento(o.b, m, e, p)
		return o.flushFull()
	})
	return o.finish(err)
}

func (o *out) cdxjHead(info *TimeMapInfo) {
	o.b = append(o.b, `!context ["http://tools.ietf.org/html/rfc7089"]`+"\n!id {"...)
	o.jsonMember("uri", info.uriT("cdxj", info.page()))
	o.b = append(o.b, "}\n"+`!keys ["memento_datetime_YYYYMMDDhhmmss"]`+"\n!meta {"...)
	o.jsonMember("original_uri", info.Original)
	o.b = append(o.b, "}\n!meta {"...)
	o.jsonMember("timegate_uri", info.URIs.TimeGate(info.Original))
	o.b = append(o.b, "}\n!meta {"...)
	o.jsonTimeMaps(info)
	o.b = append(o.b, "}\n"...)
}

func appendCDXJMemento(b []byte, m *mementoURIs, e entry, p position) []byte {
	b = e.time.Append(b)
	b = append(b, ` {"uri": "`...)
	b = m.append(b, e)
	b = append(b, `", "rel": "`...)
	b = append(b, p.rels()...)
	b = append(b, `", "datetime": "`...)
	b = AppendDatetime(b, e.time)
	return append(b, "\"}\n"...)
}
