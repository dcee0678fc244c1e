package office

import (
	"archive/zip"
	"cmp"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

// membersOf returns the members of a file by their names, and by these in lower case: parts whose names differ in case alone are the same
// (ISO/IEC 29500-2 §6.2.2.3). Some programs write backslashes.
func membersOf(z *zip.Reader) map[string]*zip.File {
	members := map[string]*zip.File{}
	for _, change := range []func(string) string{func(name string) string { return name }, strings.ToLower} {
		for _, f := range z.File {
			if name := change(strings.ReplaceAll(f.Name, `\`, "/")); members[name] == nil {
				members[name] = f
			}
		}
	}
	return members
}

func (r *reader) member(name string) *zip.File {
	return cmp.Or(r.members[name], r.members[strings.ToLower(name)])
}

// A relation says by which ID a part names another one, and what that is for it (ISO/IEC 29500-2 §6.5).
type relation struct{ id, kind, part string }

// relations returns the relations of a part, of the file itself if it is "". Without any, parts are known by their usual names.
func (r *reader) relations(part string) []relation {
	dir, name := path.Split(part)
	var out []relation
	r.walk(path.Join(dir, "_rels", name+".rels"), func(t token) bool {
		if target, err := url.PathUnescape(t.attr("Target")); err == nil && t.kind == start && t.name == "Relationship" {
			if !strings.HasPrefix(target, "/") {
				target = path.Join("/", dir, target)
			}
			out = append(out, relation{t.attr("Id"), path.Base(t.attr("Type")), strings.TrimPrefix(path.Clean(target), "/")})
		}
		return len(out) < maxMembers
	})
	return out
}

// main returns the part with which a reader begins.
func (r *reader) main() string {
	parts := []string{"xl/workbook.xml", "word/document.xml", "word/document2.xml", "ppt/presentation.xml"}
	for _, to := range r.relations("") {
		if to.kind == "officeDocument" {
			parts = slices.Insert(parts, 0, to.part)
		}
	}
	for _, part := range parts {
		if r.member(part) != nil {
			return part
		}
	}
	return ""
}

// root returns the name of the element around a part.
func (r *reader) root(part string) (name string) {
	r.walk(part, func(t token) bool {
		name = t.name
		return t.kind != start
	})
	return name
}

// listed returns the parts that a part lists in elements of a name, in their order, each with the name it has there. Where their relations
// are not known, they are those whose own names are a prefix, a number, and .xml, in the order of numbers.
func (r *reader) listed(part, element, prefix string) (parts, names []string) {
	to := map[string]string{}
	for _, n := range r.relations(part) {
		to[n.id] = n.part
	}
	r.walk(part, func(t token) bool {
		if t.kind == start && t.name == element {
			parts, names = append(parts, to[t.relation()]), append(names, t.attr("name"))
		}
		return len(parts) < maxMembers
	})
	if !slices.ContainsFunc(parts, func(p string) bool { return r.member(p) != nil }) {
		parts = r.numbered(prefix)
	}
	return parts, names
}

// numbered returns the members whose names are a prefix, a number, and .xml, in the order of numbers.
func (r *reader) numbered(prefix string) []string {
	var out []string
	number := func(name string) int {
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, prefix), ".xml"))
		if err != nil || n < 0 {
			return -1
		}
		return n
	}
	for name := range r.members {
		if strings.HasPrefix(name, prefix) && path.Ext(name) == ".xml" && number(name) >= 0 {
			out = append(out, name)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(number(a), number(b)), strings.Compare(a, b)) })
	return out
}

// slides reads a presentation: each slide, with its diagrams, charts and notes.
func (r *reader) slides(presentation string) {
	slides, _ := r.listed(presentation, "sldId", "ppt/slides/slide")
	for _, slide := range slides {
		r.paragraphs(slide)
		r.related(slide, "diagramData", "chart", "notesSlide")
	}
}

// related reads the parts of some kinds that a part names, kind by kind, each once in a file.
func (r *reader) related(part string, kinds ...string) {
	to := r.relations(part)
	for _, kind := range kinds {
		known := false
		for _, n := range to {
			if n.kind != kind || r.read[n.part] {
				continue
			}
			r.read[n.part], known = true, true
			switch kind {
			case "chart":
				r.chart(n.part)
			case "aFChunk": // which some programs write instead of paragraphs
				r.chunk(n.part)
			default:
				r.paragraphs(n.part)
			}
			if kind == "drawing" {
				r.related(n.part, "diagramData", "chart")
			}
		}
		if !known && strings.HasSuffix(kind, "notes") {
			r.paragraphs(path.Join(path.Dir(part), kind+".xml"))
		}
	}
}

// chart reads the titles in a chart, and what its axes and its legend say.
func (r *reader) chart(part string) {
	r.paragraphs(part)
	said, inText := map[string]bool{}, false
	var b strings.Builder
	r.walk(part, func(t token) bool {
		switch {
		case t.name == "strCache":
			inText = t.kind == start
		case t.kind == text && inText:
			b.WriteString(t.text)
		case t.name == "v" && t.kind == end:
			if s := b.String(); !said[s] { // each series has the names of the same categories
				said[s] = true
				r.block("p", s)
			}
			b.Reset()
		}
		return !r.full()
	})
}
