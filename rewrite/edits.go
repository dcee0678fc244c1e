package rewrite

import (
	"bytes"
	"encoding/base64"
	"io"
	"slices"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// An edit replaces document[at:end]: by the Resolver's answer for a reference followed by text (the fragment), or by
// text alone.
type edit struct {
	at, end          int
	ref              int // index into refs; -1 for none
	textAt, textEnd  int // in edits.arena
	speltEnd         int // behind the text, up to here, the reference as it is written; 0 if that isn't kept
	esc              escape
	needsActive      bool // only if something of the document was pointed into the archive
	trailingSlashRef bool // the answer must end in "/", else nothing is replaced (import map prefixes)
	coded            *coded
}

// empty reports whether an edit leaves everything as it is.
func (d *edit) empty() bool { return d.ref < 0 && d.at == d.end && d.textAt == d.textEnd }

// coded is a text that the document has in base64, and the changes in it.
type coded struct {
	text []byte
	list []edit
}

type refSpan struct {
	at, end  int // in edits.arena
	use      uses.Use
	embedded bool
}

// edits collects the changes in one window. All texts are in one arena, so that a window costs two allocations instead
// of two per URI.
type edits struct {
	list     []edit
	refs     []refSpan
	arena    []byte
	late     func() []byte // markup for the edit lateEdit, known once the references are resolved, or nil
	lateEdit int

	active   bool // something was rewritten, here or in an earlier window
	embedded bool // a browser loads what is noted now, see [uses.Ref]

	origin string // of the page, which is told how its references were written (spelling.go); "" if it isn't
	plain  int    // more than 0 where that is not to be told

	resolved []uses.Ref
	text     []byte // a decoded value
	out      []byte
}

// A mark is a state of edits to return to if a token turns out to be cut off by the window's end.
type mark struct{ list, refs, arena int }

func (e *edits) mark() mark { return mark{len(e.list), len(e.refs), len(e.arena)} }

func (e *edits) rollback(m mark) {
	e.list, e.refs, e.arena = e.list[:m.list], e.refs[:m.refs], e.arena[:m.arena]
	if e.lateEdit >= m.list {
		e.late = nil
	}
}

// reference records that document[at:end] is the reference ref, which browsers follow. It drops what isn't to be looked
// up.
func (e *edits) reference(at, end int, ref []byte, b *reference.Base, use uses.Use, esc escape) {
	from := len(e.arena)
	arena, fragment, ok := b.Lead(e.arena, ref)
	e.note(from, arena, fragment, ok, edit{at: at, end: end, esc: esc}, use)
	if ok && e.origin != "" && e.plain == 0 && reference.IsSpellable(ref, b) {
		e.arena = append(e.arena, ref...)
		e.list[len(e.list)-1].speltEnd = len(e.arena)
	}
}

// mention does the same for data that only looks like a URI: what isn't one stays.
func (e *edits) mention(at, end int, ref []byte, b *reference.Base, use uses.Use, esc escape) {
	from := len(e.arena)
	arena, fragment, ok := b.Resolve(e.arena, ref)
	e.note(from, arena, fragment, ok, edit{at: at, end: end, esc: esc}, use)
}

// note records the result of resolving a reference, which is in the arena from from on.
func (e *edits) note(from int, arena, fragment []byte, ok bool, d edit, use uses.Use) {
	if !ok {
		e.arena = e.arena[:from]
		return
	}
	e.refs = append(e.refs, refSpan{from, len(arena), use, e.embedded})
	to := len(arena)
	e.arena = append(arena, fragment...)
	d.ref, d.textAt, d.textEnd = len(e.refs)-1, to, len(e.arena)
	e.list = append(e.list, d)
}

// attribute records that the attribute value, or part of one, src[at:end] is a reference.
func (e *edits) attribute(src []byte, at, end int, b *reference.Base, use uses.Use, esc escape) {
	ref := src[at:end]
	if bytes.IndexByte(ref, '&') >= 0 {
		e.text = appendText(e.text[:0], ref)
		ref = e.text
	}
	if bytes.IndexByte(ref, 0) >= 0 { // browsers read U+FFFD, which they keep at the ends
		ref = bytes.ReplaceAll(ref, []byte{0}, []byte("\uFFFD"))
	}
	e.reference(at, end, ref, b, use, esc)
}

// insert inserts text at a place of the document.
func (e *edits) insert(at int, text string, esc escape) { e.replace(at, at, text, esc) }

// replace replaces document[at:end] by text.
func (e *edits) replace(at, end int, text string, esc escape) {
	from := len(e.arena)
	e.arena = append(e.arena, text...)
	e.list = append(e.list, edit{at: at, end: end, ref: -1, textAt: from, textEnd: len(e.arena), esc: esc})
}

// replaceIfActive does the same, but only if something of the document was pointed into the archive.
func (e *edits) replaceIfActive(at, end int, text string, esc escape) {
	e.replace(at, end, text, esc)
	e.list[len(e.list)-1].needsActive = true
}

// recode lets scan find what to change in a text, which document[at:end] has in base64. What it makes of the text is written in
// base64 again.
func (e *edits) recode(at, end int, text []byte, scan func(text []byte)) {
	from := len(e.list)
	scan(text)
	if inner := slices.Clone(e.list[from:]); len(inner) > 0 {
		e.list = append(e.list[:from], edit{at: at, end: end, ref: -1, coded: &coded{text, inner}})
	}
}

// neutralise makes the attribute whose name begins at this place meaningless, as pywb does.
func (e *edits) neutralise(at int, esc escape) {
	e.replaceIfActive(at, at, "_", esc)
}

// silence does the same even if nothing else of the document is rewritten.
func (e *edits) silence(at int) { e.insert(at, "_", verbatim) }

// resolve asks the Resolver for all references of the window.
func (e *edits) resolve(r uses.Resolver) []string {
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
		e.active = e.active || a != ""
	}
	return answers
}

// outSize is how much output is collected before it is written: few writes, little memory.
const outSize = 64 << 10

// splice writes src with the edits applied, and forgets them.
func (e *edits) splice(w io.Writer, src []byte, r uses.Resolver) error {
	answers := e.resolve(r)
	pos := 0
	for i := range e.list {
		d := &e.list[i]
		if !e.applies(d, answers) {
			continue
		}
		e.out = e.appendText(append(e.out, src[pos:d.at]...), d, answers)
		if e.late != nil && i == e.lateEdit {
			e.out = append(e.out, asciiMarkup(e.late())...)
		}
		pos = d.end
		if err := e.flush(w, outSize); err != nil {
			return err
		}
	}
	e.rollback(mark{})
	if len(e.out)+len(src)-pos <= outSize {
		e.out = append(e.out, src[pos:]...)
		return e.flush(w, 0)
	}
	if err := e.flush(w, 0); err != nil {
		return err
	}
	_, err := w.Write(src[pos:])
	return err
}

// applies reports whether an edit is made, once the references are resolved.
func (e *edits) applies(d *edit, answers []string) bool {
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
	return e.active || !d.needsActive
}

// appendText appends what an edit puts in its place.
func (e *edits) appendText(dst []byte, d *edit, answers []string) []byte {
	if d.coded != nil {
		return base64.StdEncoding.AppendEncode(dst, e.decoded(d.coded, answers))
	}
	if d.ref >= 0 {
		if d.speltEnd > 0 {
			e.text = reference.AppendSpelling(e.text[:0], e.arena[d.textEnd:d.speltEnd], e.arena[d.textAt:d.textEnd], answers[d.ref], e.origin)
			dst = d.esc.append(dst, e.text)
		}
		dst = d.esc.appendString(dst, answers[d.ref])
	}
	return d.esc.append(dst, e.arena[d.textAt:d.textEnd])
}

// decoded returns a text with its edits applied.
func (e *edits) decoded(c *coded, answers []string) []byte {
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
func (e *edits) flush(w io.Writer, keep int) error {
	if len(e.out) <= keep {
		return nil
	}
	_, err := w.Write(e.out)
	e.out = e.out[:0]
	return err
}

// shift moves the edits made since m from the coordinates of a part, which begins at by, to those of the whole, and
// escapes their texts for it.
func (e *edits) shift(m mark, by int, outer escape) {
	for i := m.list; i < len(e.list); i++ {
		d := &e.list[i]
		d.at, d.end, d.esc = d.at+by, d.end+by, d.esc.within(outer)
	}
}

// project does what shift does for a part that was decoded: pos has the place in the whole from which each of its bytes
// came.
func (e *edits) project(m mark, pos []int32, outer escape) {
	for i := m.list; i < len(e.list); i++ {
		d := &e.list[i]
		d.at, d.end, d.esc = int(pos[d.at]), int(pos[d.end]), d.esc.within(outer)
	}
}
