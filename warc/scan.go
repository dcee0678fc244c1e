package warc

import (
	"context"
	"errors"
	"io"
	"iter"
)

// Scan reads every record of an opened WARC or ARC file, compressed by record or not, in order from the offset from on,
// 0 being the start. name is the file's path or name; damage is reported with its base name.
//
// Damage doesn't end it: a *[Damage] is handed out in place of a record, or after the record that turned out to be
// damaged, and reading goes on at the next record that can be read. Other errors (the disk's, the context's) do end it, as
// does [ErrNotRecordCompressed] for the file's first record.
//
// The record, its header and its block are used again for the next one; strings taken from it stay valid, but keep
// the record's whole head in memory: clone them to keep them for long.
func Scan(ctx context.Context, f File, name string, from int64) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		r := newReader()
		r.reset(ctx, f, Base(name), new(zstdDecoders))
		defer r.release()
		r.in.seek(from)
		for {
			rec, err := r.next()
			if err == io.EOF {
				return
			}
			if err == nil {
				if !yield(rec, nil) {
					return
				}
				_, err = rec.Finish()
			}
			if err != nil && (!yield(nil, err) || !r.recover(err)) {
				return
			}
		}
	}
}

// recover goes to the next record that can be read after err has been handed out. False means that there is no going on.
func (r *reader) recover(err error) bool {
	var damage *Damage
	if !errors.As(err, &damage) || r.in.cursor.err != nil {
		return false
	}
	if errors.Is(err, ErrNotRecordCompressed) && damage.Offset == 0 {
		return false
	}
	resume := r.rec.resume
	if r.like == nothing { // nothing could be read yet: the name has a say, the bytes the last word
		return r.seekRecord(resume, packingByName(r.name)) || r.seekRecord(resume, nothing)
	}
	return r.seekRecord(resume, r.like)
}
