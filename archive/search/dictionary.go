package search

import (
	index "github.com/blevesearch/bleve_index_api"
)

// A dictionary yields the terms of a field, in order. Next returns nil at the end; its result is valid until the next call.
type dictionary interface {
	Next() (*index.DictEntry, error)
	Close() error
}

// eachTerm calls f with the terms of a dictionary, in order, until f returns false, and closes it.
func eachTerm(dict dictionary, f func(*index.DictEntry) bool) error {
	defer dict.Close()
	for {
		e, err := dict.Next()
		if err != nil || e == nil || !f(e) {
			return err
		}
	}
}

// merged returns one dictionary over all shards. open opens the dictionary of one shard.
func (r reader) merged(open func(*snapshot) (dictionary, error)) (dictionary, error) {
	d := &dictionaries{}
	err := r.each(func(s *snapshot) error {
		dict, err := open(s)
		if err == nil {
			d.of = append(d.of, cursor{dictionary: dict, used: true})
		}
		return err
	})
	if err != nil {
		d.Close()
		return nil, err
	}
	if len(d.of) == 1 {
		return d.of[0].dictionary, nil
	}
	return d, nil
}

// terms calls f with the terms of a field that begin with prefix, in order, until f returns false.
func (r reader) terms(field string, prefix []byte, f func(*index.DictEntry) bool) error {
	dict, err := r.merged(func(s *snapshot) (dictionary, error) { return s.FieldDictPrefix(field, prefix) })
	if err != nil {
		return err
	}
	return eachTerm(dict, f)
}

// dictionaries merges the dictionaries of several shards. A term that several shards have comes once, with the sum of its counts.
type dictionaries struct {
	of    []cursor
	entry index.DictEntry
}

// A cursor is a dictionary with its current term.
type cursor struct {
	dictionary
	at   *index.DictEntry // nil at the end
	used bool             // the term has been returned; it is valid until the next call
}

// Next implements [dictionary].
func (d *dictionaries) Next() (*index.DictEntry, error) {
	found := false
	for i := range d.of {
		c := &d.of[i]
		if c.used {
			var err error
			if c.at, err = c.dictionary.Next(); err != nil {
				return nil, err
			}
			c.used = false
		}
		if c.at != nil && (!found || c.at.Term < d.entry.Term) {
			d.entry, found = index.DictEntry{Term: c.at.Term}, true
		}
	}
	if !found {
		return nil, nil
	}
	for i := range d.of {
		if c := &d.of[i]; c.at != nil && c.at.Term == d.entry.Term {
			d.entry.Count += c.at.Count
			c.used = true
		}
	}
	return &d.entry, nil
}

// Close implements [dictionary].
func (d *dictionaries) Close() error {
	for i := range d.of {
		_ = d.of[i].dictionary.Close()
	}
	return nil
}
