package warc

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strings"
)

// A Digest is what a WARC-Block-Digest or WARC-Payload-Digest says (ISO 28500 §5.8, §5.9). Digests can be compared by ==.
type Digest struct {
	Algorithm string // "md5", "sha1", "sha256" or "sha512"
	Sum       string // the bytes of the sum
}

var hashes = map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New}

// ParseDigest reads "algorithm:value" with the value in base 16, 32 or 64, or a bare base32 SHA-1 as CDX files have it.
func ParseDigest(s string) (Digest, error) {
	name, value, labelled := strings.Cut(strings.TrimSpace(s), ":")
	if !labelled {
		name, value = "sha1", name
	}
	algorithm := strings.ReplaceAll(strings.ToLower(name), "-", "")
	newHash := hashes[algorithm]
	if newHash == nil {
		return Digest{}, fmt.Errorf("digest %.80q: unknown algorithm", s)
	}
	sum, ok := decodeSum(value, newHash().Size())
	if !ok {
		return Digest{}, fmt.Errorf("digest %.200q: value is no %s in base 16, 32 or 64", s, algorithm)
	}
	return Digest{algorithm, sum}, nil
}

// decodeSum decodes a sum of size bytes in whichever base gives that many.
func decodeSum(value string, size int) (string, bool) {
	bare := strings.TrimRight(value, "=")
	decoders := [...]func() ([]byte, error){
		func() ([]byte, error) { return hex.DecodeString(value) },
		func() ([]byte, error) {
			return base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(bare))
		},
		func() ([]byte, error) { return base64.RawStdEncoding.DecodeString(bare) },
		func() ([]byte, error) { return base64.RawURLEncoding.DecodeString(bare) },
	}
	for _, decode := range decoders {
		if sum, err := decode(); err == nil && len(sum) == size {
			return string(sum), true
		}
	}
	return "", false
}

// DigestOf returns what a hash of that algorithm has summed up.
func DigestOf(algorithm string, h hash.Hash) Digest {
	return Digest{algorithm, string(h.Sum(nil))}
}

// String returns the digest as index lines have it: SHA-1 as bare base32, others as "algorithm:value" in base 16.
func (d Digest) String() string {
	if d.Algorithm == "sha1" {
		return base32.StdEncoding.EncodeToString([]byte(d.Sum))
	}
	return d.Algorithm + ":" + hex.EncodeToString([]byte(d.Sum))
}

// NewHash returns a hash of the digest's algorithm.
func (d Digest) NewHash() hash.Hash { return hashes[d.Algorithm]() }

// A Checked body is read as [Body] gives it, while what is read is compared with a payload digest.
type Checked struct {
	body   io.Reader
	stored *tee
	plain  hash.Hash // over the body without transfer coding; nil if there is none to undo
	want   Digest
}

// Check returns the body of a message like [Body], to be compared with d as it is read.
func (d Digest) Check(m Message, r LineReader) *Checked {
	c := &Checked{stored: &tee{r, d.NewHash()}, want: d}
	c.body = c.stored
	if m.Header.Has("Transfer-Encoding") {
		c.body = Body(m, c.stored)
		c.plain = d.NewHash()
	}
	return c
}

// Read reads on in the body.
func (c *Checked) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	if c.plain != nil {
		c.plain.Write(p[:n])
	}
	return n, err
}

// Fits reads what is left of the body and reports whether the digest is that of the body as it is stored, or of the body
// without its transfer coding: writers differ in what they take for the payload.
func (c *Checked) Fits() (bool, error) {
	if _, err := io.Copy(io.Discard, c); err != nil && err != io.ErrUnexpectedEOF {
		return false, err
	}
	if _, err := io.Copy(io.Discard, onlyReader{c.stored}); err != nil {
		return false, err
	}
	if DigestOf(c.want.Algorithm, c.stored.hash) == c.want {
		return true, nil
	}
	return c.plain != nil && DigestOf(c.want.Algorithm, c.plain) == c.want, nil
}

// A tee hashes what is read through it.
type tee struct {
	LineReader
	hash hash.Hash
}

// Read reads and hashes.
func (t *tee) Read(p []byte) (int, error) {
	n, err := t.LineReader.Read(p)
	t.hash.Write(p[:n])
	return n, err
}

// ReadSlice reads and hashes.
func (t *tee) ReadSlice(delim byte) ([]byte, error) {
	p, err := t.LineReader.ReadSlice(delim)
	t.hash.Write(p)
	return p, err
}

// An onlyReader hides whatever else a reader can do.
type onlyReader struct{ io.Reader }
