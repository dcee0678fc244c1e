package write

import (
	"bufio"
	"crypto/sha1"
	"errors"
	"io"

	"github.com/varve-archive/varve/archive/warc"
)

// algorithm is the hash of all digests, SHA-1, which WARC writers commonly use to identify payloads.
const algorithm = "sha1"

// measured has the sizes and digests of a message.
type measured struct {
	head       warc.Message
	size       int64 // of the message, in bytes
	bodySize   int64 // of the body without transfer coding
	block      warc.Digest
	headDigest warc.Digest // of the message's head alone
	payload    warc.Digest
}

func measure(message io.ReadSeeker) (m measured, err error) {
	if _, err := message.Seek(0, io.SeekStart); err != nil {
		return m, err
	}
	block, payload := sha1.New(), sha1.New()
	counted := &counter{w: block}
	r := bufio.NewReaderSize(io.TeeReader(message, counted), 16<<10)
	if m.head, err = warc.ParseHead(r); err != nil {
		return m, err
	}
	if m.bodySize, err = io.Copy(payload, warc.Body(m.head, r)); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return m, err // a body that ends within its coding is accepted
	}
	if _, err := io.Copy(io.Discard, r); err != nil { // trailers, and data after the message
		return m, err
	}
	m.size, m.block, m.payload = counted.n, warc.DigestOf(algorithm, block), warc.DigestOf(algorithm, payload)
	m.headDigest, err = digestOfStart(message, int64(m.head.Size))
	return m, err
}

// digestOfStart returns the digest of the first n bytes of a message.
func digestOfStart(message io.ReadSeeker, n int64) (warc.Digest, error) {
	hash := sha1.New()
	if _, err := message.Seek(0, io.SeekStart); err != nil {
		return warc.Digest{}, err
	}
	_, err := io.CopyN(hash, message, n)
	return warc.DigestOf(algorithm, hash), err
}

// labelled returns a digest with its label, as in records (ISO 28500 §5.8).
func labelled(d warc.Digest) string { return d.Algorithm + ":" + d.String() }

// A counter counts what is written through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
