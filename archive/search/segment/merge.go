package segment

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// dropped is scorch's number for a document that isn't in the merged file.
const dropped = ^uint64(0)

// A merger merges files into one.
type merger struct {
	*writer
	of      []*content
	numbers [][]uint64 // the new number of each document, or [dropped]
	ids     []uint64
	pace    func(took time.Duration) error
	began   time.Time // of the current step
}

// merge writes the documents of several files to one, except those in drops.
func merge(
	of []*content, with *Config, drops []*roaring.Bitmap, path string, stop <-chan struct{},
) (numbers [][]uint64, size uint64, err error) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	go func() {
		select {
		case <-stop:
			end()
		case <-ctx.Done():
		}
	}()
	m := &merger{writer: &writer{codec: with.codec}, of: of, began: time.Now()}
	m.pace = func(took time.Duration) error { return errors.Join(with.Pace(ctx, took), ctx.Err()) }
	m.number(drops)
	err = writeFile(path, func(f *os.File) error {
		out := bufio.NewWriterSize(f, 1<<20)
		m.out = out
		return errors.Join(m.run(), out.Flush())
	})
	if ctx.Err() != nil {
		err = segment.ErrClosed
	}
	return m.numbers, m.at, err
}

// step ends a small step of work and lets others run.
func (m *merger) step() error {
	err := errors.Join(m.err, m.pace(time.Since(m.began)))
	m.began = time.Now()
	return err
}

// number numbers the remaining documents.
func (m *merger) number(drops []*roaring.Bitmap) {
	next := uint64(0)
	for i, c := range m.of {
		numbers := make([]uint64, c.Count())
		for doc := range numbers {
			if numbers[doc] = dropped; i >= len(drops) || drops[i] == nil || !drops[i].Contains(uint32(doc)) {
				numbers[doc] = next
				next++
			}
		}
		m.numbers = append(m.numbers, numbers)
	}
	m.ids, m.dir.documents = make([]uint64, next), next
}

func (m *merger) run() error {
	var fields, columns []string
	for _, c := range m.of {
		fields = append(fields, c.names...)
		for _, p := range c.dir.columns {
			columns = append(columns, p.name)
		}
	}
	fields, columns = sortedNames(fields), sortedNames(columns)
	for _, name := range columns {
		if err := m.column(name); err != nil {
			return err
		}
	}
	for _, name := range fields {
		if err := m.field(name); err != nil {
			return err
		}
	}
	return m.end(m.ids)
}

// Terms, or blocks of a column, in one step of a merge, which takes some milliseconds.
const (
	stepTerms  = 1 << 11
	stepBlocks = 1 << 6
)

// column merges a column.
func (m *merger) column(name string) error {
	out := m.writer.column(name)
	for i, c := range m.of {
		r, err := c.column(name)
		if err != nil {
			return err
		}
		if r == nil {
			r = &columnReader{}
		}
		if err := m.values(out, r, m.numbers[i]); err != nil {
			return err
		}
	}
	out.end()
	return nil
}

// values copies the values of a file. Blocks whose documents all remain are copied without decompressing them.
func (m *merger) values(out *columnWriter, r *columnReader, numbers []uint64) error {
	if r.blocks == 0 {
		for range left(numbers) {
			out.add(nil)
		}
	}
	for block := range r.blocks {
		if block%stepBlocks == stepBlocks-1 {
			if err := m.step(); err != nil {
				return err
			}
		}
		from, to := r.from(block), r.from(block+1)
		if from > to || to > uint64(len(numbers)) {
			return errDamaged
		}
		if left(numbers[from:to]) == int(to-from) {
			packed, err := r.packed(block)
			if err != nil {
				return err
			}
			out.flush()
			out.block(packed, out.next+to-from)
			continue
		}
		for doc := from; doc < to; doc++ {
			if numbers[doc] == dropped {
				continue
			}
			v, err := r.value(doc)
			if err != nil {
				return err
			}
			out.add(v)
		}
	}
	return nil
}

// left counts the documents that remain.
func left(numbers []uint64) (n int) {
	for _, to := range numbers {
		if to != dropped {
			n++
		}
	}
	return n
}

// field merges a field: its terms in order, each with the postings of all files.
func (m *merger) field(name string) error {
	var open []*source
	for i, c := range m.of {
		if d := c.fields[name]; d != nil {
			s := &source{cursor: cursor{dictionary: d}, numbers: m.numbers[i]}
			if s.next() {
				open = append(open, s)
			} else if err := s.rest.err(); err != nil {
				return err
			}
		}
	}
	out := m.writer.field(name)
	var list []posting
	var term []byte
	for n := 0; len(open) > 0; n++ {
		if n%stepTerms == stepTerms-1 {
			if err := m.step(); err != nil {
				return err
			}
		}
		term = append(term[:0], least(open)...)
		list = list[:0]
		for i := 0; i < len(open); {
			s := open[i]
			if !bytes.Equal(s.term, term) {
				i++
				continue
			}
			var err error
			if list, err = s.appendTo(list); err != nil {
				return err
			}
			if s.next() {
				i++
				continue
			}
			if err := s.rest.err(); err != nil {
				return err
			}
			open = slices.Delete(open, i, i+1)
		}
		if len(list) == 0 {
			continue
		}
		if name == idField {
			m.ids[list[0].doc] = out.place.terms
		}
		out.term(term, list)
	}
	out.end()
	return nil
}

// A source is a dictionary to be merged.
type source struct {
	cursor
	numbers []uint64
}

// appendTo appends the postings of the current term, without dropped documents.
func (s *source) appendTo(out []posting) ([]posting, error) {
	l, err := s.list(s.entry, nil)
	if err != nil {
		return nil, err
	}
	it := l.iterator()
	for it.next() {
		if to := s.numbers[it.now.doc]; to != dropped {
			out = append(out, posting{uint32(to), uint32(it.now.number)})
		}
	}
	return out, it.rest.err()
}

// least returns the first of the sources' current terms.
func least(open []*source) []byte {
	t := open[0].term
	for _, s := range open[1:] {
		if bytes.Compare(s.term, t) < 0 {
			t = s.term
		}
	}
	return t
}

// contentOf returns the content of a segment, or an error if it has another format.
func contentOf(s segment.Segment) (*content, error) {
	switch s := s.(type) {
	case *segmentInFile:
		return s.content, nil
	case segmentInMemory:
		return s.content, nil
	}
	return nil, fmt.Errorf("segment: a segment of type %T", s)
}
