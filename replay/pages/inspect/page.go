package inspect

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// writePage writes the page: with status 400 if the input is invalid, else row by row.
func (s *Handler) writePage(w http.ResponseWriter, r *http.Request, in *inspection) error {
	v, err := s.view(r, in)
	if err != nil {
		return err
	}
	below := s.site.Base(r) + "/" + in.p.Coll + "/still/"
	if in.err != nil {
		return respond.RenderFraming(w, r, http.StatusBadRequest, inspectPage(v), below)
	}
	var failed error
	next := ""
	if in.tmpl != nil {
		v.Rest = func() string { return next }
		v.Rows = func(yield func(rowView) bool) {
			failed = s.each(r, in, func(row *row) bool {
				if row.note == isAhead {
					next = s.address(in, in.asked(map[string]string{"from": row.First.String()}))
					return false
				}
				return yield(in.shown(row, s.beginning(in, row.capture)))
			})
		}
	}
	err = respond.StreamFraming(w, r, inspectPage(v), below)
	return errors.Join(failed, err)
}

// shown is a row as the page shows it. It links to the page that was read, with the same parameters.
func (in *inspection) shown(r *row, leads *banner.CaptureLink) rowView {
	out := rowView{CaptureLink: *leads, First: r.First, Last: r.Last, Note: r.note, Say: r.say}
	if r.note != noNote {
		return out
	}
	if in.each != "" {
		out.Rows = in.shownRows(r)
		return out
	}
	for i := range in.fields {
		name := in.fields[i].Name
		out.Cells = append(out.Cells, cellView{Values: r.values[name], Changed: slices.Contains(r.changed, name)})
	}
	return out
}

// maxShown is the number of changed rows of a version that the page shows. Data have all.
const maxShown = 100

// shownRows are the rows of a version as the page shows them, compared with the version before.
func (in *inspection) shownRows(r *row) *rowsView {
	out := &rowsView{
		All: len(r.rows), More: r.cut, Added: countOf(r.changes, rowAdded), Removed: countOf(r.changes, rowRemoved),
		Changed: countOf(r.changes, rowChanged), Hidden: max(len(r.changes)-maxShown, 0),
	}
	for _, c := range r.changes[:min(len(r.changes), maxShown)] {
		line := listedView{Op: c.Op, Row: c.Row}
		for i := range in.fields {
			name := in.fields[i].Name
			cell := cellView{Values: c.Values[name]}
			if c.Op == rowChanged && !slices.Equal(c.Values[name], c.Was[name]) {
				cell.Changed, cell.Was = true, c.Was[name]
			}
			line.Cells = append(line.Cells, cell)
		}
		out.List = append(out.List, line)
	}
	return out
}

// view returns the page without its rows.
func (s *Handler) view(r *http.Request, in *inspection) (v pageView, err error) {
	uris := s.site.Local(in.p.Coll)
	c := in.capture
	v = pageView{
		Page: s.shared(r, in.p), Capture: banner.CaptureLink{Href: uris.Memento(c.Time, "", c.URL), Time: c.Time},
		Action: uris.Endpoint("inspect", ""), Template: in.text, From: in.params.Get("from"), To: in.params.Get("to"),
		Field: &in.field,
		Each:  in.each, Key: in.key,
		Chosen: s.shownChosen(in),
		CSV:    s.address(in, in.asData("csv")),
		JSON:   s.address(in, in.asData("json")),
	}
	if archive.IsHTML(c) {
		v.Frame = uris.Still(c.Time, c.URL)
	}
	if in.err != nil {
		v.Wrong = in.err.Error()
	}
	for i := range in.fields {
		v.Columns = append(v.Columns, in.fields[i].Name)
	}
	if len(in.fields) > 0 {
		each := ""
		if in.each != "" {
			each = "each: " + quoted(in.each) + "\n"
		}
		v.Crawl = "template:\n" + indented("  ", each) + "  fields:\n" + formatTemplate(in.fields, "    ")
		v.Rule = "fields:\n  - urls: [" + quoted(in.p.URIR) + "]\n" + indented("    ", each) + "    fields:\n" +
			formatTemplate(in.fields, "      ")
		v.Save = s.save(r, in.p.Coll, v.Rule)
	}
	v.Prev, v.Next = s.beside(in)
	v.Counts, err = s.counts(in)
	return v, err
}

// indented puts spaces before a line, if there is one.
func indented(spaces, line string) string {
	if line == "" {
		return ""
	}
	return spaces + line
}

// quoted writes an address as a text in YAML.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// asData returns the parameters of the same request for data: the form, without the chosen element.
func (in *inspection) asData(output string) map[string]string {
	return in.asked(map[string]string{"output": output})
}

// asked adds the form's values to the parameters of a link.
func (in *inspection) asked(other map[string]string) map[string]string {
	f := &in.field
	out := map[string]string{
		"element": "", "css": f.CSS, "xpath": f.XPath, "name": f.Name, "type": string(f.Type), "attribute": f.Attribute,
		"clean": strings.Join(f.Clean, "\n"), "template": in.text, "all": "", "each": in.each, "key": in.key,
	}
	if !in.hasField() {
		out["name"], out["type"], out["attribute"], out["clean"] = "", "", "", ""
	}
	if f.All {
		out["all"] = "1"
	}
	maps.Copy(out, other)
	return out
}

// shownChosen is what the field in the form finds on the page.
func (s *Handler) shownChosen(in *inspection) *chosenView {
	ch := in.chosen
	if ch == nil {
		return nil
	}
	out := &chosenView{Number: ch.number, Finds: ch.finds, More: ch.more, XPath: ch.xpath, Holds: ch.holds, Others: ch.others}
	if ch.list.Rows > 0 {
		out.ListRows = ch.list.Rows
		out.ReadRows = s.address(in, in.asked(map[string]string{"each": ch.list.Each, "css": ch.inRow, "xpath": ""}))
	}
	for i := len(ch.within) - 1; i >= 0; i-- {
		l := ch.within[i]
		out.Within = append(out.Within, banner.Link{Text: l.name, Href: s.address(in, map[string]string{
			"element": strconv.Itoa(l.number), "css": "", "xpath": "", "name": "", "type": "", "attribute": "", "clean": "", "all": "",
			"template": in.text,
		})})
	}
	return out
}

// beside returns the nearest pages before and after the version in the frame.
func (s *Handler) beside(in *inspection) (prev, next *banner.CaptureLink) {
	for i := range in.ranges {
		c := &in.tl.Captures[in.ranges[i].FirstIndex]
		if in.ranges[i].Kind != change.Page || !archive.IsHTML(c) {
			continue
		}
		if in.ranges[i].Last < in.capture.Time {
			prev = s.beginning(in, c)
		} else if c.Time > in.capture.Time && next == nil {
			next = s.beginning(in, c)
		}
	}
	return prev, next
}

// beginning links to a capture with the same parameters.
func (s *Handler) beginning(in *inspection, c *cdx.Capture) *banner.CaptureLink {
	return &banner.CaptureLink{Href: s.address(in, in.asked(map[string]string{"at": c.Time.String()})), Time: c.Time}
}

func (s *Handler) counts(in *inspection) (out []layout.LevelCount, err error) {
	for _, l := range []change.Level{change.LevelContent, change.LevelText, change.LevelAny} {
		ranges, err := in.tl.Ranges(l)
		if err != nil {
			return nil, err
		}
		c := layout.LevelCount{Level: shownLevels[l], Versions: len(ranges)}
		if l != in.level {
			c.Href = s.address(in, in.asked(map[string]string{"level": l.String()}))
		}
		out = append(out, c)
	}
	return out, nil
}

var shownLevels = map[change.Level]banner.Level{
	change.LevelContent: banner.LevelContent, change.LevelText: banner.LevelText, change.LevelAny: banner.LevelAny,
}
