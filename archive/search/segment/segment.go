package segment

import (
	"os"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/varve-archive/varve/internal/sentinel"
)

// idField is scorch's name for the field with the documents' IDs.
const idField = "_id"

// A content is the content of a file, in memory or mapped. It is safe for concurrent use.
type content struct {
	silent
	file   []byte
	dir    directory
	ids    table
	fields map[string]*dictionary
	names  []string // of fields
	codec  *codec
}

func readContent(file []byte, codec *codec) (c *content, err error) {
	c = &content{file: file, codec: codec, fields: map[string]*dictionary{}}
	if c.dir, err = readDirectory(file); err != nil {
		return nil, err
	}
	if c.ids, err = newTable(file, c.dir.ids, c.dir.documents); err != nil {
		return nil, err
	}
	for i := range c.dir.fields {
		f := &c.dir.fields[i]
		if c.fields[f.name], err = readDictionary(file, f, c.dir.documents); err != nil {
			return nil, err
		}
		c.names = append(c.names, f.name)
	}
	return c, nil
}

// Dictionary implements segment.Segment.
func (c *content) Dictionary(field string) (segment.TermDictionary, error) {
	if d := c.fields[field]; d != nil {
		return d, nil
	}
	return &dictionary{}, nil
}

// Count implements segment.Segment.
func (c *content) Count() uint64 { return c.dir.documents }

// Fields implements segment.Segment.
func (c *content) Fields() []string { return c.names }

const errNoDocument = sentinel.Error("segment: there is no such document")

// DocID implements segment.Segment.
func (c *content) DocID(doc uint64) ([]byte, error) {
	if doc >= c.dir.documents {
		return nil, errNoDocument
	}
	number := c.ids.at(int(doc))
	d := c.fields[idField]
	if d == nil || number >= d.terms {
		return nil, errDamaged
	}
	at := cursor{dictionary: d}
	at.block(int(number / dictionaryBlock))
	for at.number <= number {
		if !at.next() {
			return nil, errDamaged
		}
	}
	return at.term, nil
}

// DocNumbers implements segment.Segment.
func (c *content) DocNumbers(ids []string) (*roaring.Bitmap, error) {
	out := roaring.New()
	d := c.fields[idField]
	if d == nil {
		return out, nil
	}
	for _, id := range ids {
		e, ok, err := d.find([]byte(id))
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		l, err := d.list(e, nil)
		if err != nil {
			return nil, err
		}
		for it := l.iterator(); it.next(); {
			out.Add(it.now.doc)
		}
	}
	return out, nil
}

// VisitStoredFields implements segment.Segment. Only the ID of a document is stored; everything else is in columns.
func (c *content) VisitStoredFields(doc uint64, visit segment.StoredFieldValueVisitor) error {
	id, err := c.DocID(doc)
	if err == nil {
		visit(idField, 't', id, nil)
	}
	return err
}

// A segmentInMemory has not been written to a file yet.
type segmentInMemory struct{ *content }

// Size implements segment.Segment.
func (s segmentInMemory) Size() int { return len(s.file) }

// Persist implements segment.UnpersistedSegment.
func (s segmentInMemory) Persist(path string) error {
	return writeFile(path, func(f *os.File) error {
		_, err := f.Write(s.file)
		return err
	})
}

// AddRef implements segment.Segment.
func (s segmentInMemory) AddRef() {}

// DecRef implements segment.Segment.
func (s segmentInMemory) DecRef() error { return nil }

// Close implements segment.Segment.
func (s segmentInMemory) Close() error { return nil }

// sortedNames returns the distinct names of fields and columns.
func sortedNames(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
