package search

import (
	"encoding/binary"
	"strings"

	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/cdx"
)

// A Change is the step of a page from one version to the next, at level text.
type Change struct {
	Key string // SURT of the page
	// Before is the last capture of the older version, 0 if there is none; After is the first capture of the newer version.
	Before, After cdx.Timestamp
	// First says that the newer version is the page's first. Gone says that the page's content disappeared: the newer version is a redirect or
	// a missing page, or has at most a tenth of the text. Came is the reverse of Gone. Such changes are rarely edits.
	First, Gone, Came bool
	// Minor says that only furniture or volatile blocks changed, so this is no change at level content.
	Minor bool
	// SoftBefore and SoftAfter say that the older or the newer version is a soft 404.
	SoftBefore, SoftAfter bool
	// NoTextBefore and NoTextAfter say that the older or the newer version has no text.
	NoTextBefore, NoTextAfter bool
	// Deleted and Added count the words by which the versions differ.
	Deleted, Added int
}

// edit reports whether the change is an edit of the page's own content.
func (c *Change) edit() bool { return !c.First && !c.Gone && !c.Came && !c.Minor }

// IDs of documents. The last part of a page's history has the page's ID. Earlier parts are written first and don't count without it, so an
// interrupted run leaves no incomplete page visible.
//
//	p SURT 0 signature            the last part (8 bytes)
//	q SURT 0 signature number     an earlier one (8 + 4 bytes)
const (
	pageID = 'p'
	partID = 'q'
)

func docPrefix(kind byte, key string) []byte {
	return append(append(append(make([]byte, 0, len(key)+14), kind), key...), 0)
}

func pageDocID(key string, signature uint64) string {
	return string(binary.BigEndian.AppendUint64(docPrefix(pageID, key), signature))
}

func partDocID(key string, signature uint64, number int) string {
	b := binary.BigEndian.AppendUint64(docPrefix(partID, key), signature)
	return string(binary.BigEndian.AppendUint32(b, uint32(number)))
}

// A docName is a parsed ID.
type docName struct {
	key       string
	signature uint64
	last      bool // the last part of the page
}

func parseDocID(id string) (n docName, ok bool) {
	end := strings.IndexByte(id, 0)
	if end < 2 || len(id) < end+9 || id[0] != pageID && id[0] != partID {
		return n, false
	}
	return docName{id[1:end], binary.BigEndian.Uint64([]byte(id[end+1 : end+9])), id[0] == pageID}, true
}

// The facts of a document are the rows of its page without their texts ([history.PackFacts]). They are a column of the index (doc values):
// reading ten thousands of them takes as long as unpacking some hundred histories. Pages whose history has several parts or very many
// versions have no facts; their histories are always read.
type facts struct {
	key  string
	rows []history.Row
}

// A factReader reads facts. It is not safe for concurrent use.
type factReader struct {
	reader
	buf   []byte
	names map[string]string // interned languages and media types
	rows  []history.Row
}

func (r reader) facts() *factReader {
	return &factReader{reader: r, names: map[string]string{}}
}

// of returns the facts of a document; ok is false if it has none. The rows are valid until the next call.
func (f *factReader) of(doc uint64) (out facts, ok bool, err error) {
	f.buf = f.buf[:0]
	err = f.column(fieldFacts, doc, func(b []byte) { f.buf = append(f.buf, b...) })
	if err != nil || len(f.buf) == 0 {
		return out, false, err
	}
	if out.key, f.rows, err = history.ParseFacts(f.buf, f.rows, f.name); err != nil {
		return out, false, err
	}
	out.rows = f.rows
	return out, true, nil
}

// name returns the interned string for some bytes.
func (f *factReader) name(b []byte) string {
	s, ok := f.names[string(b)]
	if !ok {
		s = string(b)
		f.names[s] = s
	}
	return s
}
