package search

import "github.com/varve-archive/varve/archive/search/history"

// The facts of a document are what is known of its page without its history ([history.PackFacts]). They are a column of the
// index (doc values), in which ten thousands of documents are read in the time in which some hundred histories are
// unpacked. Documents of pages whose history has several parts, or very many versions, have no facts; they are always
// read whole.
type facts struct {
	key  string
	rows []history.Row
}

// A factReader reads facts. Documents should be read in order. It is not safe for concurrent use.
type factReader struct {
	column columnReader
	buf    []byte
	names  map[string]string // of languages and media types, each once
	rows   []history.Row
}

func (r reader) facts() *factReader {
	return &factReader{column: columnReader{reader: r, name: fieldFacts}, names: map[string]string{}}
}

// of returns the facts of a document; ok is false if it has none. Its rows are valid until the next call.
func (f *factReader) of(doc uint64) (out facts, ok bool, err error) {
	f.buf = f.buf[:0]
	err = f.column.visit(doc, func(b []byte) { f.buf = append(f.buf, b...) })
	if err != nil || len(f.buf) == 0 {
		return out, false, err
	}
	if out.key, f.rows, err = history.ParseFacts(f.buf, f.rows, f.name); err != nil {
		return out, false, err
	}
	out.rows = f.rows
	return out, true, nil
}

// name returns the one copy of a text.
func (f *factReader) name(b []byte) string {
	s, ok := f.names[string(b)]
	if !ok {
		s = string(b)
		f.names[s] = s
	}
	return s
}
