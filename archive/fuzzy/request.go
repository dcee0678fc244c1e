package fuzzy

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx/surt"
)

// A Request is a request, with a body or without.
type Request struct {
	URIR, Method, Type string // Type is its Content-Type
	Body               []byte
}

// maxKeyed is the number of bytes of a body that indexers use for a key.
const maxKeyed = 16 << 10

// Key returns the index key of the request, which has only the beginning of a long body.
func (r *Request) Key() string {
	if r.Method == "" || r.Method == "GET" || r.Method == "HEAD" {
		return surt.Of(r.URIR)
	}
	return surt.OfRequest(r.URIR, r.Method, r.Body[:min(len(r.Body), maxKeyed)], r.Type)
}

// whole returns the key with the whole body.
func (r *Request) whole() string { return surt.OfWholeRequest(r.URIR, r.Method, r.Body, r.Type) }

// Long reports whether the key lacks a part of the body, so that different requests may have the same key.
func (r *Request) Long() bool { return len(r.Body) > 0 && r.Key() != r.whole() }

// Bytes reports whether keys have the body as bytes, which tell less than named fields.
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

// Around returns the range of keys of all requests to the same path, which may be the same request with other keys.
func (r *Request) Around() Span {
	path, _, _ := strings.Cut(Of(r.Key()), "?")
	return Span{path + "?", path + "@", maxSent}
}

// A Comparison compares a request with captured ones, including their whole bodies.
type Comparison struct {
	request *Request
	address string // the parts of the address that count
	meaning string
	bytes   *Bytes // nil if the body has named fields
}

// Compare prepares the comparison of a request with captured ones.
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

// Alike reports whether a captured request differs only in values that vary.
func (c *Comparison) Alike(other *Request, captured time.Time) bool {
	if c.bytes == nil {
		return Of(other.whole()) == c.meaning
	}
	return c.address == other.address() && c.bytes.SameAs(other.plain(), captured)
}

// Random reports whether a captured request differs only in values that vary and in values that look random. It returns each of the latter
// as captured, "" if it is equal. These may be nonces or identify what is requested: only the responses to several requests can tell.
func (c *Comparison) Random(other *Request, captured time.Time) (values []string, only bool) {
	if c.bytes == nil || c.address != other.address() {
		return nil, false
	}
	return c.bytes.randomBut(other.plain(), captured)
}

// randomBut is [Bytes.SameAs] but ignores fields that look random in both bodies.
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
