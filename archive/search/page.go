package search

import (
	"context"

	"github.com/blevesearch/bleve/v2/document"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/archive/search/language"
	"github.com/varve-archive/varve/archive/search/query"
)

// A maker is reused by one page builder after the other.
type maker struct {
	*history.Builder
	linkTerms linkTerms
}

// A pageBuilder makes the documents of one page. It implements [pageSink].
type pageBuilder struct {
	pageReader
	to        *update
	page      Page
	pace      *Step
	fields    *fields.Set
	linkTerms linkTerms
	parts     int // finished so far
	edits     history.EditList
	links     *field // of the newest version that shows the page, nil for none
}

func (b *pageBuilder) version(ctx context.Context, s *versionStep) error {
	if s.counts != nil {
		b.edits.Add(s.change.After, &s.Step, s.counts)
	}
	return b.pace.end(ctx)
}

// part implements [pageSink]. It writes the document of a part that isn't the last.
func (b *pageBuilder) part(ctx context.Context, _ Version) error {
	b.parts++
	return b.to.send(ctx, b.take(partDocID(b.page.Key, b.page.Signature, b.parts)))
}

// last returns the document of the last part, which completes the page.
func (b *pageBuilder) last() write {
	w := b.take(pageDocID(b.page.Key, b.page.Signature))
	if b.links != nil && len(b.links.terms) > 0 {
		w.doc.AddField(b.links)
	}
	return w
}

// take makes a document of the versions added since the last call.
func (b *pageBuilder) take(id string) write {
	p := b.Take()
	doc := document.NewDocument(id)
	text, heading, furniture := newField(fieldText, p.Len()), newField(fieldHeading, 8), newField(fieldFurniture, 8)
	for w := range p.Words() {
		text.put(w.Text, int(newOccurrence(w, len(p.Rows))))
		if w.Heading > 0 {
			heading.put(w.Text, w.Heading)
		}
		if w.Furniture > 0 {
			furniture.put(w.Text, w.Furniture)
		}
	}
	pairs := newField(fieldPairs, 64)
	for w := range p.Pairs() {
		pairs.put(w.Text, int(newOccurrence(w, len(p.Rows))))
	}
	names, named := newField(fieldName, 1), newField(fieldNamed, 8)
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Title != "" && (i == 0 || r.Title != p.Rows[i-1].Title) {
			names.add(nameTerm(r.Title))
		}
		if i == 0 || r.Fields != p.Rows[i-1].Fields {
			b.named(named, fields.Unpack(r.Fields))
		}
	}
	address := newField(fieldURL, 8)
	address.count(query.AddressWords(b.page.Key))
	for _, f := range []*field{text, pairs, titleField(p.Rows), names, address, heading, furniture, named} {
		if len(f.terms) > 0 {
			doc.AddField(f)
		}
	}
	if b.parts == 0 && len(p.Rows) <= history.MostFactRows {
		doc.AddField(newColumn(fieldFacts, history.PackFacts(b.page.Key, p.Rows)))
	}
	doc.AddField(newColumn(fieldHistory, p.Table))
	size := newField(fieldSize, 1)
	size.put(presentTerm, len(p.Table))
	doc.AddField(size)
	if packed := b.edits.Pack(&p); len(packed) > 0 {
		edited := newField(fieldEdited, 1)
		edited.put(presentTerm, 1)
		doc.AddField(edited)
		doc.AddField(newColumn(fieldEdits, packed))
		b.edits = history.EditList{}
	}
	return write{doc: doc, totals: totalsOf(p.Rows)}
}

// titleField returns the words of all titles. A frequency less one is twice (the most occurrences in one title less one), plus one if the
// rows' titles differ.
func titleField(rows []history.Row) *field {
	most := map[string]int{}
	several := 0
	for i := range rows {
		if i > 0 && rows[i].Title == rows[i-1].Title {
			continue
		}
		if i > 0 {
			several = 1
		}
		n := map[string]int{}
		for _, w := range Words(rows[i].Title) {
			w = term(w)
			n[w]++
			most[w] = max(most[w], n[w])
		}
	}
	f := newField(fieldTitle, len(most))
	for w, n := range most {
		f.put(w, 1+2*(n-1)+several)
	}
	return f
}

// A pageReader reads the versions of a page into a history.
type pageReader struct {
	*history.Builder
	key     string
	stop    *language.Lists
	lang    language.Set // languages of the newest version
	code    *string      // its ISO 639 code, nil before the first version
	changes int
}

// A pageSink takes what a pageReader reads.
type pageSink interface {
	// part is called before a version that begins another part of the history.
	part(ctx context.Context, next Version) error
	version(ctx context.Context, s *versionStep) error
	// link is called with the newest version that shows the page, if it has links.
	link(Text)
}

// A versionStep is what a version adds to a history.
type versionStep struct {
	history.Step
	of     Version
	change Change              // to it from the version before, unless that has the same text
	counts func(w string) bool // whether it counts if a word was deleted or added; nil if the change is no edit
}

// An UnreadableError says that a page's texts can't be read from the archive.
type UnreadableError struct{ Cause error }

func (e *UnreadableError) Error() string { return e.Cause.Error() }

func (e *UnreadableError) Unwrap() error { return e.Cause }

// read reads all versions, oldest first. The error is an [UnreadableError] if the page's texts can't be read.
func (r *pageReader) read(ctx context.Context, a Archive, to pageSink) error {
	versions, err := a.Versions(ctx, r.key)
	if err != nil {
		return &UnreadableError{err}
	}
	newest := newestShown(versions)
	var text Text
	for i, v := range versions {
		if r.Full() {
			if err := to.part(ctx, v); err != nil {
				return err
			}
		}
		switch {
		case v.Text == 0:
			text = Text{}
		case i == 0 || v.Text != versions[i-1].Text:
			if text, err = a.Text(ctx, r.key, v); err != nil {
				return &UnreadableError{err}
			}
		}
		if i == newest && text.Links != nil {
			to.link(text)
		}
		if err := to.version(ctx, r.step(v, text.Text)); err != nil {
			return err
		}
	}
	return nil
}

func (r *pageReader) step(v Version, text history.Text) *versionStep {
	s := &versionStep{Step: r.Add(v, text), of: v}
	older := r.lang
	if !s.Same() || r.code == nil {
		lang, code := r.stop.Detect(s.Newer(language.Sample))
		r.lang, r.code = lang, &code
	}
	if text.Lang == "" {
		s.SetLang(*r.code)
	}
	if s.Same() {
		return s
	}
	r.changes++
	s.change = changeTo(r.key, s.Rows[:], 1)
	if languages := older | r.lang; s.change.edit() {
		s.counts = func(w string) bool { return r.stop.Significant(w, languages) }
	}
	return s
}

// newestShown returns the newest version that shows the page, -1 if none does.
func newestShown(versions []Version) int {
	for i := len(versions) - 1; i >= 0; i-- {
		if v := &versions[i]; v.Text != 0 && !v.Missing && !v.Soft404 {
			return i
		}
	}
	return -1
}
