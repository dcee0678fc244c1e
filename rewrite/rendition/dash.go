package rendition

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// DASH removes the representations that were not captured from a media presentation description (ISO 23009-1). base is
// its URI-R. What can't be read as XML in UTF-8 is returned unchanged.
func DASH(description []byte, base string, a Archive) []byte {
	b, err := url.Parse(base)
	if err != nil {
		return description
	}
	p := presentation{levels: []level{{base: b}}}
	d := xml.NewDecoder(bytes.NewReader(description))
	for {
		start := int(d.InputOffset())
		token, err := d.Token()
		if token == nil {
			break // the end, or what follows is not XML
		}
		if err != nil {
			return description
		}
		if p.take(token, start, int(d.InputOffset())); len(p.levels) > maxLevels {
			return description
		}
	}
	if len(p.levels) != 1 {
		return description
	}
	return keep(description, p.choices, begun(p.choices, a), func(_ string, best extent) extent { return best })
}

// maxLevels bounds how deep elements are nested. A presentation has some ten levels, and each level may make addresses longer.
const maxLevels = 64

// A level is an open element, with what the elements within it inherit.
type level struct {
	name  string
	start int
	base  *url.URL
	based bool // it has had a BaseURL of its own; more are alternatives

	adaptation     int // number of the set of representations
	id, bandwidth  string
	initialization string // template or URI of the initialization segment; "" if there is none
	media, number  string // the template of the segments, and the number of the first one
	segment        string // the first segment in the list
}

// A presentation collects the representations of a description.
type presentation struct {
	levels  []level
	sets    int
	choices []choice
}

func (p *presentation) take(token xml.Token, start, end int) {
	top := &p.levels[len(p.levels)-1]
	switch t := token.(type) {
	case xml.StartElement:
		p.open(t, start)
	case xml.CharData:
		if text := strings.TrimSpace(string(t)); top.name == "BaseURL" && text != "" {
			p.levels[len(p.levels)-2].setBase(text)
		}
	case xml.EndElement:
		if top.name == "Representation" {
			group := fmt.Sprint("set ", top.adaptation)
			p.choices = append(p.choices, choice{group, top.start, end, top.firstRequest()})
		}
		p.levels = p.levels[:len(p.levels)-1]
	}
}

// setBase takes the first BaseURL of an element (§5.6).
func (l *level) setBase(ref string) {
	if l.based {
		return
	}
	l.based = true
	if u, err := l.base.Parse(ref); err == nil {
		l.base = u
	}
}

// open begins an element: a copy of its parent, in which its own attributes win. The attributes of SegmentTemplate and
// the like belong to the parent, in whose representations they come first (§5.3.9).
func (p *presentation) open(t xml.StartElement, start int) {
	parent := &p.levels[len(p.levels)-1]
	attrs := map[string]string{}
	for _, a := range t.Attr {
		attrs[a.Name.Local] = a.Value
	}
	switch t.Name.Local {
	case "SegmentTemplate":
		inherit(&parent.initialization, attrs["initialization"])
		inherit(&parent.media, attrs["media"])
		inherit(&parent.number, attrs["startNumber"])
	}
	l := *parent
	l.name, l.start, l.based = t.Name.Local, start, false
	switch l.name {
	case "AdaptationSet":
		p.sets++
		l.adaptation = p.sets
	case "Representation":
		l.id, l.bandwidth = attrs["id"], attrs["bandwidth"]
	case "Initialization":
		p.eachLevel(func(owner *level) { inherit(&owner.initialization, attrs["sourceURL"]) })
	case "SegmentURL":
		p.eachLevel(func(owner *level) {
			if owner.segment == "" {
				owner.segment = attrs["media"]
			}
		})
	}
	p.levels = append(p.levels, l)
}

// eachLevel calls say with the element that a SegmentList or SegmentBase belongs to.
func (p *presentation) eachLevel(say func(*level)) {
	if n := len(p.levels); n > 1 {
		say(&p.levels[n-2])
	}
}

func inherit(to *string, value string) {
	if value != "" {
		*to = value
	}
}

// firstRequest returns the URI that a player requests first to play the representation, or "" if it is unknown.
func (l *level) firstRequest() string {
	for _, ref := range []string{l.initialization, l.segment, l.media} {
		if ref == "" {
			continue
		}
		if ref = l.fill(ref); strings.Contains(ref, "$") {
			return ""
		}
		return resolve(l.base, ref)
	}
	if l.base.Path == "" || strings.HasSuffix(l.base.Path, "/") { // a folder is not a video
		return ""
	}
	return resolve(l.base, "")
}

var placeholder = regexp.MustCompile(`\$(RepresentationID|Bandwidth|Number|)(?:%0(\d{1,2})d)?\$`)

// fill replaces the identifiers of a template (§5.3.9.4.4), except $Time$, which is unknown without the timeline.
func (l *level) fill(template string) string {
	return placeholder.ReplaceAllStringFunc(template, func(s string) string {
		m := placeholder.FindStringSubmatch(s)
		value := map[string]string{"RepresentationID": l.id, "Bandwidth": l.bandwidth, "Number": l.number, "": "$"}[m[1]]
		if m[1] == "Number" && value == "" {
			value = "1"
		}
		width, _ := strconv.Atoi(m[2]) // digits, if any
		return strings.Repeat("0", max(0, width-len(value))) + value
	})
}
