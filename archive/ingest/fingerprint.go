package ingest

import (
	"context"
	"encoding/hex"
	"io"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/warc"
)

// headLen is the number of bytes at the beginning of a file that identify it. WARC files begin with a warcinfo record that has a unique
// identifier, so different files differ in their first kilobytes.
const headLen = 64 << 10

// fingerprint hashes the first n bytes of a file.
func (r *run) fingerprint(ctx context.Context, path string, n int64) (string, error) {
	sums, err := r.fingerprints(ctx, path, []int64{n})
	return strings.Join(sums, ""), err
}

// fingerprints hashes beginnings of a file, whose lengths are in ascending order and at most [headLen].
func (r *run) fingerprints(ctx context.Context, path string, lengths []int64) ([]string, error) {
	f, err := warc.Open(ctx, r.Storage, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.NewSectionReader(f, 0, min(lengths[len(lengths)-1], f.Size())))
	if err != nil {
		return nil, err
	}
	var sums []string
	h, done := xxh3.New(), 0
	for _, n := range lengths {
		end := min(int(n), len(head))
		_, _ = h.Write(head[done:end])
		sums, done = append(sums, sumOf(h)), end
	}
	return sums, nil
}

// A summing file computes the fingerprint of a file while it is read forwards.
type summing struct {
	warc.File
	from io.ReaderAt
	hash *xxh3.Hasher
	done int64 // bytes that were hashed
}

func newSumming(ctx context.Context, f warc.File) *summing {
	return &summing{File: f, from: warc.ReadFor(ctx, f), hash: xxh3.New()}
}

// ReadAt implements [io.ReaderAt], for one goroutine.
func (s *summing) ReadAt(p []byte, offset int64) (int, error) {
	n, err := s.from.ReadAt(p, offset)
	if end := offset + int64(n); offset <= s.done && end > s.done {
		_, _ = s.hash.Write(p[s.done-offset : n])
		s.done = end
	}
	return n, err
}

// sumBuffer is how much is read at once of what was not read before.
const sumBuffer = 1 << 20

// sum returns the fingerprint of the first n bytes of the file, of which no more were read. It reads what was not read.
func (s *summing) sum(ctx context.Context, n int64) (string, error) {
	var buf []byte
	for s.done < n {
		if buf == nil {
			buf = make([]byte, sumBuffer)
		}
		if err := ctx.Err(); err != nil {
			return "", err
		}
		before := s.done
		if _, err := s.ReadAt(buf[:min(int64(len(buf)), n-s.done)], s.done); s.done == before {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return "", err
		}
	}
	return sumOf(s.hash), nil
}

func sumOf(h *xxh3.Hasher) string {
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}
