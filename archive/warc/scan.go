package warc

import (
	"context"
	"errors"
	"io"
	"iter"
	"math"
)

// Scan reads every record of an opened WARC or ARC file in order, starting at the offset from; 0 is the start of the
// file. name is the file's path or name; damage is reported with its base name.
//
// Damage doesn't end the iteration: Scan yields a *[Damage] in place of a record, or after the record that turned out
// to be damaged, and continues with the next record that can be read. Other errors (of the disk, of the context) do end
// it, and so does [ErrNotRecordCompressed] for the first record.
//
// The next iteration reuses the record, its header and its block. Strings taken from it stay valid, but keep the
// record's whole head in memory: clone those you keep for long.
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

// recover goes to the next readable record after err has been yielded. It returns false if the iteration must end.
func (r *reader) recover(err error) bool {
	var damage *Damage
	if !errors.As(err, &damage) || r.in.cursor.err != nil {
		return false
	}
	if errors.Is(err, ErrNotRecordCompressed) && damage.Offset == 0 {
		return false
	}
	resume := r.rec.resume
	if r.lastPacking == nothing { // nothing was readable yet: try the packing that the name suggests, then any
		return r.seekRecord(resume, math.MaxInt64, packingByName(r.name)) || r.seekRecord(resume, math.MaxInt64, nothing)
	}
	return r.seekRecord(resume, math.MaxInt64, r.lastPacking)
}
