package fuzzy

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/varve-archive/varve/cdx/surt"
)

const protobuf = "application/x-protobuf"

// A field appends a field of a message.
type field func([]byte) []byte

func varint(n protowire.Number, v uint64) field {
	return func(b []byte) []byte {
		return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), v)
	}
}

func text(n protowire.Number, s string) field {
	return func(b []byte) []byte {
		return protowire.AppendString(protowire.AppendTag(b, n, protowire.BytesType), s)
	}
}

func double(n protowire.Number, v float64) field {
	return func(b []byte) []byte {
		return protowire.AppendFixed64(protowire.AppendTag(b, n, protowire.Fixed64Type), math.Float64bits(v))
	}
}

func fixed(n protowire.Number, v uint32) field {
	return func(b []byte) []byte {
		return protowire.AppendFixed32(protowire.AppendTag(b, n, protowire.Fixed32Type), v)
	}
}

func message(fields ...field) []byte {
	var b []byte
	for _, f := range fields {
		b = f(b)
	}
	return b
}

func inside(n protowire.Number, fields ...field) field { return text(n, string(message(fields...))) }

func framed(message []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
}

func TestBytesDifferOnlyInWhenTheyWereSent(t *testing.T) {
	captured, asked := time.Date(2014, 9, 6, 10, 0, 0, 0, time.UTC), time.Date(2026, 1, 2, 11, 30, 0, 123e6, time.UTC)
	then, now := uint64(captured.UnixMilli()), uint64(asked.UnixMilli())
	tests := []struct {
		name string
		a, b []byte
		like Likeness
	}{
		{"milliseconds", message(varint(1, 7), varint(2, then)), message(varint(1, 7), varint(2, now)), Same},
		{"seconds", message(varint(2, then/1000), text(3, "x")), message(varint(2, now/1000), text(3, "x")), Same},
		{"microseconds", message(varint(1, then*1000)), message(varint(1, now*1000)), Same},
		{
			"in a message within", message(text(1, "q"), inside(2, inside(3, varint(1, then)))),
			message(text(1, "q"), inside(2, inside(3, varint(1, now)))), Same,
		},
		{
			"a number with a fraction", message(double(1, float64(then)/1000), varint(2, 5)),
			message(double(1, float64(now)/1000), varint(2, 5)), Same,
		},
		{"a number of fixed width", message(fixed(1, uint32(then/1000))), message(fixed(1, uint32(now/1000))), Same},
		{
			"text", message(text(1, captured.Format("2006-01-02T15:04:05.000Z")), text(2, "roses")),
			message(text(1, asked.Format("2006-01-02T15:04:05.000Z")), text(2, "roses")), Same,
		},
		{"gRPC-Web", framed(message(varint(1, 7), varint(2, then))), framed(message(varint(1, 7), varint(2, now))), Perhaps},
		{"two times", message(varint(1, then), varint(2, then+5), varint(3, 1)), message(varint(1, now), varint(2, now+70), varint(3, 1)), Same},
		{"what is asked for", message(varint(1, 7), varint(2, then)), message(varint(1, 8), varint(2, now)), Different},
		{"what is asked for, right behind", message(varint(2, then), varint(1, 1)), message(varint(2, now), varint(1, 2)), Different},
		{"words", message(text(1, "roses"), varint(2, then)), message(text(1, "Roses"), varint(2, now)), Different},
		{"a time of something else", message(varint(1, 7), varint(2, then-1e10)), message(varint(1, 7), varint(2, now)), Different},
		{
			"an identifier like a time", message(varint(1, 1_500_000_001), varint(2, then)),
			message(varint(1, 1_500_000_001), varint(2, now)), Same,
		},
		{"another one", message(varint(1, 1_500_000_002), varint(2, then)), message(varint(1, 1_500_000_001), varint(2, now)), Different},
		{
			"what the case of a letter leaves open", message(text(1, "qu"), varint(2, then)), message(text(1, "qu"), varint(2, now)), Perhaps,
		},
		{"a random value", message(text(1, "7a1f00c2"), varint(2, then)), message(text(1, "7a1f00c3"), varint(2, now)), Different},
		{"a field more", message(varint(2, then)), message(varint(2, now), varint(3, 1)), Different},
		{"no message", []byte("\xff\xff then"), []byte("\xff\xff now"), Different},
		{"nothing that varies", message(varint(1, 7)), message(varint(1, 8)), Different},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			key := func(body []byte) string { return surt.OfRequest("http://a.example/api?x=1", "POST", body, protobuf) }
			b := BytesOf(key(tt.b), tt.b)
			if b == nil {
				if tt.like != Different {
					t.Error("there is nothing that varies")
				}
				return
			}
			if like := b.Like(key(tt.a), captured); like != tt.like {
				t.Errorf("%v\n%q\n%q", like, key(tt.a), key(tt.b))
			}
			if same := b.SameAs(tt.a, captured); same != (tt.like != Different) {
				t.Errorf("with both bodies: %v", same)
			}
			if !b.SameAs(tt.b, asked) || b.Like(key(tt.b), asked) == Different {
				t.Error("it is not like itself")
			}
			if s := b.Span(); tt.like != Different && (key(tt.a) < s.From || key(tt.a) >= s.To) {
				t.Errorf("%q is not looked for from %q to %q", key(tt.a), s.From, s.To)
			}
		})
	}
}

// A key tells only as much of a body as is in it, and nothing if it is another body's.
func TestBytesOfOtherKeys(t *testing.T) {
	now := time.Date(2014, 9, 6, 10, 0, 0, 0, time.UTC)
	body := message(varint(2, uint64(now.UnixMilli())))
	long := append(message(text(1, strings.Repeat("x", 3072))), body...)
	for name, b := range map[string]*Bytes{
		"a GET":        BytesOf(surt.Of("http://a.example/?__wb_post_data=x"), body),
		"another body": BytesOf(surt.OfRequest("http://a.example/", "POST", []byte("x"), protobuf), body),
		"JSON":         BytesOf(surt.OfRequest("http://a.example/", "POST", []byte(`{"a":1}`), "application/json"), body),
		"a long body":  BytesOf(surt.OfRequest("http://a.example/", "POST", long, protobuf), long),
	} {
		if b != nil {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// Whatever the bytes are, a body is like no other that differs in a value that is no time.
func FuzzBytesOf(f *testing.F) {
	now := time.Date(2014, 9, 6, 10, 0, 0, 0, time.UTC)
	f.Add(message(varint(1, 7), varint(2, uint64(now.UnixMilli()))), 1)
	f.Add(message(inside(2, text(1, now.Format(time.RFC3339)), double(3, float64(now.Unix())))), 9)
	f.Add(framed(message(fixed(1, uint32(now.Unix())))), 0)
	f.Fuzz(func(t *testing.T, body []byte, at int) {
		key := surt.OfRequest("http://a.example/", "POST", body, protobuf)
		b := BytesOf(key, body)
		if b == nil {
			return
		}
		if !b.SameAs(body, now) || b.Like(key, now) == Different {
			t.Errorf("%q is not like itself", body)
		}
		if at < 0 || at >= len(body) {
			return
		}
		if b.timeAt[at] != nil || b.frame[at] {
			return
		}
		other := bytes.Clone(body)
		other[at] ^= 1
		if k := surt.OfRequest("http://a.example/", "POST", other, protobuf); k != key && b.Like(k, now) == Same || b.SameAs(other, now) {
			t.Errorf("%q is like %q", other, body)
		}
	})
}

// Programs make identifiers of random bytes: as UUIDs, as numbers in base 16, or as 16 bytes.
func TestWhatLooksRandom(t *testing.T) {
	hex := strings.Repeat("0123456789abcdef", 4)
	message := varint(1, 300)(text(2, "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5")(nil))
	for value, want := range map[string]bool{
		"f81d4fae-7dec-11d0-a765-00a0c91e6bf6": true, "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6": true, "f81d4fae-7dec-11d0-a765-00a0c91e6bf": false,
		hex[:32]: true, hex[:40]: true, hex: true, hex[:31]: false, hex[:33]: false, "g" + hex[:31]: false,
		"\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4\xf3\xf2\xf1\xf0": true,
		"\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4\xf3\xf2\xf1":     false,
		"sixteen letters!": false, string(message): false,
	} {
		if got := looksRandom([]byte(value)); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
	if len(message) != 16 {
		t.Errorf("the message has %d bytes", len(message))
	}
}
