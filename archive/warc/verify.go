package warc

import (
	"context"
	"fmt"
	"io"

	"github.com/varve-archive/varve/cdx"
)

// Verify reads the record at a location to its end as [Record.Verify] does. The error may also be that of [Store.Record].
func (s *Store) Verify(ctx context.Context, loc cdx.Location) (findings []string, err error) {
	rec, err := s.Record(ctx, loc)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	return rec.Verify()
}

// Verify reads a record to its end and checks the digests in its head. Nothing of its block may have been read. findings say, each in half
// a sentence, which digests don't match or can't be checked; such a record can still be replayed. The error is the *[Damage] of the record.
func (rec *Record) Verify() (findings []string, err error) {
	findings, err = rec.checkDigests()
	if _, damage := rec.Finish(); damage != nil {
		return findings, damage
	}
	return findings, err
}

// checkDigests compares the block and its payload with the record's digests in one pass.
func (rec *Record) checkDigests() (findings []string, err error) {
	note := func(format string, args ...any) { findings = append(findings, fmt.Sprintf(format, args...)) }
	block, hasBlock := rec.digest("WARC-Block-Digest", note)
	payload, hasPayload := rec.digest("WARC-Payload-Digest", note)
	var r LineReader = rec.Block
	var all *tee
	if hasBlock {
		all = &tee{r, block.NewHash()}
		r = all
	}
	if hasPayload && rec.Type != "revisit" { // the payload digest of a revisit belongs to another record's payload
		fits, err := rec.payloadFits(payload, r)
		if err != nil {
			return findings, err
		}
		if !fits {
			note("payload digest %s fits neither the stored body nor the one without transfer coding", payload)
		}
	}
	if _, err := io.Copy(io.Discard, onlyReader{r}); err == nil && hasBlock && DigestOf(block.Algorithm, all.hash) != block {
		note("block digest is %s, not %s", DigestOf(block.Algorithm, all.hash), block)
	}
	return findings, nil // Finish reports what can't be read
}

func (rec *Record) digest(field string, note func(string, ...any)) (Digest, bool) {
	value := rec.Header.Get(field)
	if value == "" {
		return Digest{}, false
	}
	d, err := ParseDigest(value)
	if err != nil {
		note("%s: %v", field, err)
	}
	return d, err == nil
}

func (rec *Record) payloadFits(d Digest, r LineReader) (bool, error) {
	var m Message
	if rec.HTTP() {
		var err error
		if m, err = ParseHead(r); err != nil {
			return false, err
		}
	}
	return d.Check(m, r).Fits()
}
