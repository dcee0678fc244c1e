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

// A Digest is a parsed WARC-Block-Digest or WARC-Payload-Digest (ISO 28500 §5.8, §5.9). Digests can be compared with
// ==.
type Digest struct {
	Algorithm string // "md5", "sha1", "sha256" or "sha512"
	Sum       string // the bytes of the sum
}

// newHashOf returns what makes a hash of an algorithm, nil for an unknown one.
func newHashOf(algorithm string) func() hash.Hash {
	switch algorithm {
	case "md5":
		return md5.New
	case "sha1":
		return sha1.New
	case "sha256":
		return sha256.New
	case "sha512":
		return sha512.New
	}
	return nil
}

// ParseDigest reads "algorithm:value" with the value in base 16, 32 or 64, or a bare base32 SHA-1 as in CDX files.
func ParseDigest(s string) (Digest, error) {
	name, value, labelled := strings.Cut(strings.TrimSpace(s), ":")
	if !labelled {
		name, value = "sha1", name
	}
	algorithm := strings.ReplaceAll(strings.ToLower(name), "-", "")
	newHash := newHashOf(algorithm)
	if newHash == nil {
		return Digest{}, fmt.Errorf("digest %.80q: unknown algorithm", s)
	}
	sum, ok := decodeSum(value, newHash().Size())
	if !ok {
		return Digest{}, fmt.Errorf("digest %.200q: value is no %s in base 16, 32 or 64", s, algorithm)
	}
	return Digest{algorithm, sum}, nil
}

// decodeSum decodes a sum in the base that yields size bytes.
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

// DigestOf returns the digest that h, a hash of that algorithm, has computed.
func DigestOf(algorithm string, h hash.Hash) Digest {
	return Digest{algorithm, string(h.Sum(nil))}
}

// String returns the digest as index lines write it: SHA-1 as bare base32, others as "algorithm:value" in base 16.
func (d Digest) String() string {
	if d.Algorithm == "sha1" {
		return base32.StdEncoding.EncodeToString([]byte(d.Sum))
	}
	return d.Algorithm + ":" + hex.EncodeToString([]byte(d.Sum))
}

// NewHash returns a hash of the digest's algorithm.
func (d Digest) NewHash() hash.Hash { return newHashOf(d.Algorithm)() }

// A Checked reads a body like [Body] and hashes it, to compare it with a payload digest.
type Checked struct {
	body   io.Reader
	stored *tee
	plain  hash.Hash // of the body without transfer coding; nil if there is none to undo
	sha1   hash.Hash // of the same, if the digest is of another algorithm
	want   Digest
}

// Check returns a reader of the message's body, whose [Checked.Fits] compares the body with d.
func (d Digest) Check(m Message, r LineReader) *Checked {
	c := &Checked{stored: &tee{r, d.NewHash()}, want: d}
	c.body = c.stored
	if m.Header.Has("Transfer-Encoding") {
		c.body = Body(m, c.stored)
		c.plain = d.NewHash()
	}
	if d.Algorithm != defaultAlgorithm {
		c.sha1 = sha1.New()
	}
	return c
}

// defaultAlgorithm is the most frequent algorithm, and the one of digests without a label in index lines.
const defaultAlgorithm = "sha1"

// Read reads the next bytes of the body.
func (c *Checked) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	if c.plain != nil {
		c.plain.Write(p[:n])
	}
	if c.sha1 != nil {
		c.sha1.Write(p[:n])
	}
	return n, err
}

// Payload returns the SHA-1 of the body without its transfer coding, after [Checked.Fits] has read it. differs says that the record's
// digest is another one: of the body as stored, or with another algorithm.
func (c *Checked) Payload() (d Digest, differs bool) {
	switch {
	case c.sha1 != nil:
		d = DigestOf(defaultAlgorithm, c.sha1)
	case c.plain != nil:
		d = DigestOf(defaultAlgorithm, c.plain)
	default:
		return c.want, false
	}
	return d, d != c.want
}

// Fits reads the rest of the body and reports whether the digest is that of the body as stored or of the body without its transfer coding.
// Both are accepted, because writers disagree about what the payload is.
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

// A tee hashes everything that is read through it. It implements [LineReader].
type tee struct {
	LineReader
	hash hash.Hash
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.LineReader.Read(p)
	t.hash.Write(p[:n])
	return n, err
}

func (t *tee) ReadSlice(delim byte) ([]byte, error) {
	p, err := t.LineReader.ReadSlice(delim)
	t.hash.Write(p)
	return p, err
}

// An onlyReader hides every method of a reader but Read.
type onlyReader struct{ io.Reader }
