package search

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/blevesearch/bleve/v2/document"

	"github.com/varve-archive/varve/search/history"
)

// A pageBuilder makes the documents of one page.
type pageBuilder struct {
	*history.Builder
	page    Page
	codec   *history.Codec
	stop    *stopWords
	parts   int // so far
	changes int
	edits   history.EditList
	lang    language // of the newest version
}

func (u *update) newPageBuilder(p Page) *pageBuilder {
	return &pageBuilder{Builder: history.NewBuilder(u.Sizes, u.Limits), page: p, codec: u.codec, stop: u.stop}
}

// add adds the next version.
func (b *pageBuilder) add(v Version, text Text) {
	step := b.Add(v, text)
	older := b.lang
	sample := step.Newer(languageSample)
	if b.lang = b.stop.languageOf(sample); text.Lang == "" {
		step.SetLang(b.stop.codeOf(sample))
	}
	if step.Same() {
		return
	}
	b.changes++
	if c := changeTo(b.page.Key, step.Rows[:], 1); c.edit() {
		b.edits.Add(c.After, &step, func(w string) bool { return b.stop.significant(w, older|b.lang) })
	}
}

// part returns the document of the part that is full.
func (b *pageBuilder) part() write {
	b.parts++
	return b.take(partDocID(b.page.Key, b.page.Signature, b.parts))
}

// last returns the document that completes the page.
func (b *pageBuilder) last() write { return b.take(pageDocID(b.page.Key, b.page.Signature)) }

// take makes a document of what has been added since the last.
func (b *pageBuilder) take(id string) write {
	p := b.Take()
	doc := document.NewDocument(id)
	text := newField(fieldText, p.Len())
	for w := range p.Words() {
		text.add(w.Text, int(newOccurrence(w)))
	}
	titles, names := newField(fieldTitle, 8), newField(fieldName, 1)
	for i := range p.Rows {
		if title := p.Rows[i].Title; title != "" && (i == 0 || title != p.Rows[i-1].Title) {
			names.add(nameTerm(title), 1)
			for _, w := range Words(title) {
				titles.add(term(w), 1)
			}
		}
	}
	address := newField(fieldURL, 8)
	for _, w := range urlWords(b.page.Key) {
		address.add(term(w), 1)
	}
	for _, f := range []*field{text, titles, names, address} {
		if len(f.tokens) > 0 {
			doc.AddField(f)
		}
	}
	doc.AddField(stored(fieldHistory, b.codec.Pack(p.Table)))
	if packed := b.edits.Packed(); len(packed) > 0 {
		f := newField(fieldEdits, 1)
		f.add(hasEdits, 1)
		f.value = b.codec.Pack(packed)
		doc.AddField(f)
		b.edits = history.EditList{}
	}
	return write{doc: doc, totals: totalsOf(p.Rows)}
}

// urlWords returns the words of an address, from its SURT. Whatever is no letter and no digit divides them.
func urlWords(key string) []string {
	if plain, err := url.PathUnescape(key); err == nil {
		key = plain
	}
	return Words(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return ' '
	}, key))
}
