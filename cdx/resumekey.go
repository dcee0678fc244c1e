package cdx

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// maxResumeKey is more than any key of an index needs.
const maxResumeKey = 100_000

// encodeResumeKey returns the position before the next row: time, offset, file name and key. It contains no row
// numbers, so it stays valid while captures come and go.
func encodeResumeKey(p Position) string {
	b := binary.AppendUvarint(nil, uint64(p.Time))
	b = binary.AppendVarint(b, p.Offset)
	b = binary.AppendUvarint(b, uint64(len(p.File)))
	b = append(append(b, p.File...), p.Key...)
	return base64.RawURLEncoding.EncodeToString(b)
}

func decodeResumeKey(s string) (Position, error) {
	bad := errors.New("resumeKey: want a key that an answer with showResumeKey=true ended in")
	if len(s) > maxResumeKey {
		return Position{}, bad
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return Position{}, bad
	}
	ts, n := binary.Uvarint(b)
	if n <= 0 || !Timestamp(ts).Valid() {
		return Position{}, bad
	}
	b = b[n:]
	offset, n := binary.Varint(b)
	if n <= 0 {
		return Position{}, bad
	}
	b = b[n:]
	size, n := binary.Uvarint(b)
	if n <= 0 || size >= uint64(len(b)-n) {
		return Position{}, bad
	}
	b = b[n:]
	return Position{Key: string(b[size:]), Time: Timestamp(ts), File: string(b[:size]), Offset: offset}, nil
}
