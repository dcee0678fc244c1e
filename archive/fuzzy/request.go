package fuzzy

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx/surt"
)

// A Request is a request with a body, or one by GET without.
type Request struct {
	URIR, Method, Type string // Type is its Content-Type
	Body               []byte
}

// maxKeyed is how much of a body indexers read to make a key.
const maxKeyed = 16 << 10

// Key returns the index key of the request. It has the beginning of a long body only.
func (r *Request) Key() string {
	if r.Method == "" || r.Method == "GET" || r.Method == "HEAD" {
		return surt.Of(r.URIR)
	}
	return surt.OfRequest(r.URIR, r.Method, r.Body[:min(len(r.Body), maxKeyed)], r.Type)
}

// whole returns the key that the request would have if keys had no end.
func (r *Request) whole() string { return surt.OfWholeRequest(r.URIR, r.Method, r.Body, r.Type) }

// Long reports whether the key does not have all of the body: others may have the same key that ask for something else.
func (r *Request) Long() bool { return len(r.Body) > 0 && r.Key() != r.whole() }

// Bytes reports whether keys have the body as bytes, which tell less than fields with names.
func (r *Request) Bytes() bool { return strings.Contains(r.Key(), bodyArg) }

// plain returns the body without the base64 in which some pages send gRPC-Web.
func (r *Request) plain() []byte {
	if !strings.HasPrefix(strings.ToLower(r.Type), "application/grpc-web-text") {
		return r.Body
	}
	plain, err := base64.StdEncoding.DecodeString(string(r.Body))
	if err != nil {
		return r.Body
	}
	return plain
}

// Around returns where the keys of requests lie that may ask for the same although their keys differ: all that were sent to
// the same path.
func (r *Request) Around() Span {
	path, _, _ := strings.Cut(Of(r.Key()), "?")
	return Span{path + "?", path + "@", maxSent}
}

// A Comparison compares a request with those of captures, of which it needs the whole bodies.
type Comparison struct {
	request *Request
	address string // what counts in that
	meaning string
	bytes   *Bytes // nil if the body has fields with names
}

// Compare prepares a comparison with a request.
func Compare(r *Request) *Comparison {
	c := &Comparison{request: r, address: r.address(), meaning: Of(r.whole())}
	if r.Bytes() {
		c.bytes = bytesOf(r.plain())
	}
	return c
}

func (r *Request) address() string { return Of(surt.OfRequest(r.URIR, r.Method, nil, "")) }

// Exact reports whether another request is the same.
func (c *Comparison) Exact(other *Request) bool {
	return surt.Of(c.request.URIR) == surt.Of(other.URIR) && c.request.Method == other.Method && bytes.Equal(c.request.Body, other.Body)
}

// Alike reports whether the request of a capture differs only in values that vary.
func (c *Comparison) Alike(other *Request, captured time.Time) bool {
	if c.bytes == nil {
		return Of(other.whole()) == c.meaning
	}
	return c.address == other.address() && c.bytes.SameAs(other.plain(), captured)
}

// Random reports whether the request of a capture differs only in values that vary and in others that look random. It returns for
// each of the latter what it is there, "" if it is the same. They may be nonces or may name what is requested: only the answers
// to several requests can tell.
func (c *Comparison) Random(other *Request, captured time.Time) (values []string, only bool) {
	if c.bytes == nil || c.address != other.address() {
		return nil, false
	}
	return c.bytes.randomBut(other.plain(), captured)
}

// randomBut is [Bytes.SameAs] but for fields whose values look random in both bodies.
func (b *Bytes) randomBut(other []byte, captured time.Time) (values []string, only bool) {
	if len(other) != len(b.body) {
		return nil, false
	}
	same := slices.Clone(other)
	for _, f := range b.randoms {
		held, own := other[f.from:f.to], b.body[f.from:f.to]
		if !looksRandom(held) {
			return nil, false
		}
		value := ""
		if !bytes.Equal(held, own) {
			value = string(held)
		}
		values = append(values, value)
		copy(same[f.from:f.to], own)
	}
	return values, len(values) > 0 && b.SameAs(same, captured)
}
