package edit

import (
	"bytes"
	"encoding/base64"
	"io"
	"slices"
	"strings"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// A change replaces document[at:end]: by the Resolver's answer for a reference followed by text (the fragment), or by
// text alone.
type change struct {
	at, end          int
	ref              int // index into refs; -1 for none
	text             Text
	speltEnd         int // end of the reference as it is written, which begins behind the text; 0 if its spelling isn't kept
	esc              Escape
	needsActive      bool // only if something of the document was pointed into the archive
	trailingSlashRef bool // the answer must end in "/", else nothing is replaced (import map prefixes)
	whole            bool // the answer is written with scheme and host, see [List.Wholly]
	coded            *coded
}

// empty reports whether a change leaves everything as it is.
func (d *change) empty() bool { return d.ref < 0 && d.at == d.end && d.text.at == d.text.end }

// coded is a text that the document contains in base64, with the changes in it.
type coded struct {
	text []byte
	list []change
}

type found struct {
	at, end  int // in List.arena
	use      uses.Use
	embedded bool
}

// A List collects the changes in one window. All texts are in one arena, so that a window costs two allocations instead
// of two per URI.
type List struct {
	changes  []change
	refs     []found
	arena    []byte
	late     func() []byte // markup for the change lateEdit, known once the references are resolved, or nil
	lateEdit int

	Active   bool // something was rewritten, here or in an earlier window
	Embedded bool // a browser loads what is noted now, see [uses.Ref]

	Origin string // of the page, if scripts need the spelling of its references (see package reference); else ""
	plain  int    // more than 0 where the spelling isn't kept

	Server string // the scheme and the host of the answers that are paths, for [List.Wholly]
	whole  int    // more than 0 where answers are written with both

	resolved []uses.Ref
	text     []byte // a decoded value
	out      []byte
}

// A Text is a text in the arena of a List.
type Text struct{ at, end int }

// A Mark is a state of a List to return to if the end of the window cuts off a token.
type Mark struct{ list, refs, arena int }

// Mark returns the present state.
func (e *List) Mark() Mark { return Mark{len(e.changes), len(e.refs), len(e.arena)} }

// Rollback drops everything added since a Mark.
func (e *List) Rollback(m Mark) {
	e.changes, e.refs, e.arena = e.changes[:m.list], e.refs[:m.refs], e.arena[:m.arena]
	if e.lateEdit >= m.list {
		e.late = nil
	}
}

// Reference records that document[at:end] is the reference ref, which browsers follow. It ignores references that can't be looked
// up.
func (e *List) Reference(at, end int, ref []byte, b *reference.Base, use uses.Use, esc Escape) {
	from := len(e.arena)
	arena, fragment, ok := b.Lead(e.arena, ref)
	e.note(from, arena, fragment, ok, change{at: at, end: end, esc: esc}, use)
	if ok && e.Origin != "" && e.plain == 0 && reference.IsSpellable(ref, b) {
		e.arena = append(e.arena, ref...)
		e.changes[len(e.changes)-1].speltEnd = len(e.arena)
	}
}

// Prefix records a reference that ends in "/" and stands for all URIs that begin with it (import maps). It stays unchanged if its
// replacement doesn't end in "/".
func (e *List) Prefix(at, end int, ref []byte, b *reference.Base, use uses.Use, esc Escape) {
	n := len(e.changes)
	if e.Reference(at, end, ref, b, use, esc); len(e.changes) > n {
		e.changes[n].trailingSlashRef = true
	}
}

// Plainly runs a scan of text that isn't read as markup, or that scripts don't read. The spelling of its references isn't kept.
func (e *List) Plainly(scan func()) {
	e.plain++
	scan()
	e.plain--
}

// Wholly runs a scan of text in which browsers understand no path, because what it is read from has no address, or one that they don't take
// apart as usual. Answers that are paths are written behind Server.
func (e *List) Wholly(scan func()) {
	e.whole++
	e.Plainly(scan)
	e.whole--
}

// Mention does the same as [List.Reference] for text that only looks like a URI: an invalid URI stays.
func (e *List) Mention(at, end int, ref []byte, b *reference.Base, use uses.Use, esc Escape) {
	from := len(e.arena)
	arena, fragment, ok := b.Resolve(e.arena, ref)
	e.note(from, arena, fragment, ok, change{at: at, end: end, esc: esc}, use)
}

// note records the result of resolving a reference; arena[from:] is its URI.
func (e *List) note(from int, arena, fragment []byte, ok bool, d change, use uses.Use) {
	if !ok {
		e.arena = e.arena[:from]
		return
	}
	e.refs = append(e.refs, found{from, len(arena), use, e.Embedded})
	to := len(arena)
	e.arena = append(arena, fragment...)
	d.ref, d.text, d.whole = len(e.refs)-1, Text{to, len(e.arena)}, e.whole > 0
	e.changes = append(e.changes, d)
}

// Attribute records that the attribute value, or part of one, src[at:end] is a reference.
func (e *List) Attribute(src []byte, at, end int, b *reference.Base, use uses.Use, esc Escape) {
	ref := src[at:end]
	if bytes.IndexByte(ref, '&') >= 0 {
		e.text = appendDecodedText(e.text[:0], ref)
		ref = e.text
	}
	if bytes.IndexByte(ref, 0) >= 0 { // browsers read U+FFFD, which they keep at the ends
		ref = bytes.ReplaceAll(ref, []byte{0}, []byte("\uFFFD"))
	}
	e.Reference(at, end, ref, b, use, esc)
}

// Insert inserts text at a place of the document.
func (e *List) Insert(at int, text string, esc Escape) { e.Replace(at, at, text, esc) }

// Replace replaces document[at:end] by text.
func (e *List) Replace(at, end int, text string, esc Escape) {
	e.changes = append(e.changes, change{at: at, end: end, ref: -1, text: e.Keep(text), esc: esc})
}

// Keep stores a text for use in several changes.
func (e *List) Keep(text string) Text {
	from := len(e.arena)
	e.arena = append(e.arena, text...)
	return Text{from, len(e.arena)}
}

// Reserve reserves a place for a change of document[at:end] that is decided later. The text stays as it is unless [List.Fill] is
// called.
func (e *List) Reserve(at, end int) (place int) {
	e.Insert(at, "", Verbatim)
	place = len(e.changes) - 1
	e.changes[place].end = end
	return place
}

// Reserved returns the part of the document that was reserved.
func (e *List) Reserved(place int) (at, end int) { return e.changes[place].at, e.changes[place].end }

// Fill replaces document[at:end] by text in a reserved place. The zero Text deletes it.
func (e *List) Fill(place, at, end int, text Text) {
	d := &e.changes[place]
	d.at, d.end, d.text = at, end, text
}

// ReplaceIfActive does the same as [List.Replace], but only if some URI of the document was rewritten.
func (e *List) ReplaceIfActive(at, end int, text string, esc Escape) {
	e.Replace(at, end, text, esc)
	e.changes[len(e.changes)-1].needsActive = true
}

// Recode lets scan find changes in text, which document[at:end] contains in base64. The changed text is written in base64 again.
func (e *List) Recode(at, end int, text []byte, scan func(text []byte)) {
	from := len(e.changes)
	scan(text)
	if inner := slices.Clone(e.changes[from:]); len(inner) > 0 {
		e.changes = append(e.changes[:from], change{at: at, end: end, ref: -1, coded: &coded{text, inner}})
	}
}

// Neutralise makes the attribute whose name begins at this place meaningless, as pywb does.
func (e *List) Neutralise(at int, esc Escape) {
	e.ReplaceIfActive(at, at, "_", esc)
}

// NeutraliseAnyway does the same as [List.Neutralise], even if nothing else in the document is rewritten.
func (e *List) NeutraliseAnyway(at int) { e.Insert(at, "_", Verbatim) }

// resolve asks the Resolver for all references of the window.
func (e *List) resolve(r uses.Resolver) []string {
	if len(e.refs) == 0 {
		return nil
	}
	uris := string(e.arena)
	e.resolved = e.resolved[:0]
	for _, s := range e.refs {
		e.resolved = append(e.resolved, uses.Ref{URI: uris[s.at:s.end], Use: s.use, Embedded: s.embedded})
	}
	answers := r(e.resolved)
	for _, a := range answers {
		e.Active = e.Active || a != ""
	}
	return answers
}

// flushSize is how much output is collected before it is written: few writes, little memory.
const flushSize = 64 << 10

// Reset forgets a document and keeps the memory for the next.
func (e *List) Reset() {
	e.Active, e.Origin, e.plain, e.Server, e.whole = false, "", 0, "", 0
	e.Rollback(Mark{})
	e.out = e.out[:0]
	clear(e.resolved[:cap(e.resolved)])
}

// Memory returns how large the largest buffer is.
func (e *List) Memory() int { return max(cap(e.arena), cap(e.out)) }

// Splice writes src with the changes made, and forgets them.
func (e *List) Splice(w io.Writer, src []byte, r uses.Resolver) error {
	answers := e.resolve(r)
	pos := 0
	for i := range e.changes {
		d := &e.changes[i]
		if !e.applies(d, answers) {
			continue
		}
		e.out = e.appendText(append(e.out, src[pos:d.at]...), d, answers)
		if e.late != nil && i == e.lateEdit {
			e.out = append(e.out, asciiMarkup(e.late())...)
		}
		pos = d.end
		if err := e.flush(w, flushSize); err != nil {
			return err
		}
	}
	e.Rollback(Mark{})
	if len(e.out)+len(src)-pos <= flushSize {
		e.out = append(e.out, src[pos:]...)
		return e.flush(w, 0)
	}
	if err := e.flush(w, 0); err != nil {
		return err
	}
	_, err := w.Write(src[pos:])
	return err
}

// applies reports whether a change is made, once the references are resolved.
func (e *List) applies(d *change, answers []string) bool {
	switch {
	case d.coded != nil:
		for i := range d.coded.list {
			if inner := &d.coded.list[i]; !inner.empty() && e.applies(inner, answers) {
				return true
			}
		}
		return false
	case d.ref >= 0:
		uri := answers[d.ref]
		return uri != "" && (!d.trailingSlashRef || uri[len(uri)-1] == '/')
	}
	return e.Active || !d.needsActive
}

func (e *List) appendText(dst []byte, d *change, answers []string) []byte {
	if d.coded != nil {
		return base64.StdEncoding.AppendEncode(dst, e.decoded(d.coded, answers))
	}
	if d.ref >= 0 {
		if d.speltEnd > 0 {
			e.text = reference.AppendSpelling(e.text[:0], e.arena[d.text.end:d.speltEnd], e.arena[d.text.at:d.text.end], answers[d.ref], e.Origin)
			dst = d.esc.append(dst, e.text)
		}
		if d.whole && strings.HasPrefix(answers[d.ref], "/") {
			dst = d.esc.AppendString(dst, e.Server)
		}
		dst = d.esc.AppendString(dst, answers[d.ref])
	}
	return d.esc.append(dst, e.arena[d.text.at:d.text.end])
}

// decoded returns a text with its edits applied.
func (e *List) decoded(c *coded, answers []string) []byte {
	var out []byte
	pos := 0
	for i := range c.list {
		if d := &c.list[i]; e.applies(d, answers) {
			out = e.appendText(append(out, c.text[pos:d.at]...), d, answers)
			pos = d.end
		}
	}
	return append(out, c.text[pos:]...)
}

// flush writes the collected output if it is more than keep.
func (e *List) flush(w io.Writer, keep int) error {
	if len(e.out) <= keep {
		return nil
	}
	_, err := w.Write(e.out)
	e.out = e.out[:0]
	return err
}

// Shift moves the changes made since m from the coordinates of a part, which begins at by, to those of the document, and escapes
// their texts for it.
func (e *List) Shift(m Mark, by int, outer Escape) {
	for i := m.list; i < len(e.changes); i++ {
		d := &e.changes[i]
		d.at, d.end, d.esc = d.at+by, d.end+by, d.esc.within(outer)
	}
}

// project does the same as [List.Shift] for a decoded part. pos has, for each of its bytes, the offset in the document.
func (e *List) project(m Mark, pos []int32, outer Escape) {
	for i := m.list; i < len(e.changes); i++ {
		d := &e.changes[i]
		d.at, d.end, d.esc = int(pos[d.at]), int(pos[d.end]), d.esc.within(outer)
	}
}
