package search

import (
	"bytes"
	"slices"
	"testing"

	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"
)

// The library keeps the memory in which it unpacks documents for the next visit. Two visits at a time must not get the same,
// whatever has been read before; so one visit is put into another.
func TestWhatIsReadSharesNoMemory(t *testing.T) {
	x, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	b := index.NewBatch()
	for _, letter := range []string{"a", "b"} {
		doc := document.NewDocument(pageDocID("org,example)/"+letter, 1))
		doc.AddField(stored(fieldHistory, bytes.Repeat([]byte(letter), 1000)))
		b.Update(doc)
	}
	if err := x.store.Batch(b); err != nil {
		t.Fatal(err)
	}
	err = x.view(func(r reader) error {
		for range 20 {
			for _, d := range []documents{
				{reader: r, field: fieldHistory},
				{reader: r, field: fieldHistory, wants: func(string) bool { return false }},
			} {
				for doc := range uint64(2) {
					for _, nameOnly := range []bool{false, true} {
						if _, _, err := d.read(doc, nameOnly); err != nil {
							return err
						}
					}
				}
			}
			var outer []byte
			err := r.Segments()[0].VisitDocument(0, func(name string, _ byte, value []byte, _ []uint64) bool {
				if inner, err := r.stored(1, fieldHistory); err != nil || len(inner) != 1000 {
					t.Errorf("the inner visit: %d bytes, %v", len(inner), err)
				}
				if name == fieldHistory {
					outer = slices.Clone(value)
				}
				return true
			})
			if len(outer) != 1000 || outer[0] != 'a' {
				t.Errorf("the outer visit found %d bytes %.3q…, want 1000 of a", len(outer), outer)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
