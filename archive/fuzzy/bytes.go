package fuzzy

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/varve-archive/varve/cdx/surt"
)

// Bytes is a request body that keys have in base64: mostly a protocol buffers message, whose fields have numbers instead of names. So only
// values show which fields vary, and only one kind is certain: a field that held the time when its request was captured. A random value may
// be a nonce, or identify what is requested.
//
// Keys are in lower case, so the key of a capture tells its body only roughly: see [Likeness].
type Bytes struct {
	begin, code, rest string // the key: before the body, the body, and after it
	body              []byte
	frame             []bool       // by byte: it is a tag or a length
	times             []*timeField // at least one, if there is a key
	randoms           []*timeField // fields whose values look random
	timeAt            []*timeField // by byte
}

// A timeField is a part of a body that holds a time.
type timeField struct {
	from, to int
	form
}

// A form is a notation of times.
type form struct {
	read func([]byte) []time.Time // the times that it can mean; none if it has another form
	like func(a, b byte) bool     // whether two bytes can be at the same place of two times; nil allows any
}

const (
	bodyArg    = "__wb_post_data="
	maxBytes   = 3072 // of a body; keys have no more
	maxNesting = 20
	// maxReadings bounds the readings of a field in lower case that are tried. Four groups of base64 have up to 65,536; most have some
	// hundred.
	maxReadings = 10_000
	clockError  = 15 * time.Minute // difference of a page's clock from the crawler's
)

// Times are between 2000 and 2100, as Unix times in seconds.
const firstTime, lastTime = 946_684_800, 4_102_444_800

// BytesOf parses the body of a request with this key. It returns nil if no field can be a time.
func BytesOf(key string, body []byte) *Bytes {
	begin, code, found := strings.Cut(key, bodyArg)
	code, rest, _ := strings.Cut(code, "&")
	if !found || !surt.HasMethod(key) || len(body) > maxBytes || code != strings.ToLower(base64.StdEncoding.EncodeToString(body)) {
		return nil
	}
	b := bytesOf(body)
	if len(b.times) == 0 {
		return nil
	}
	b.begin, b.code, b.rest = begin+bodyArg, code, rest
	return b
}

// bytesOf parses a body without its key, which [Bytes.SameAs] doesn't need.
func bytesOf(body []byte) *Bytes {
	b := &Bytes{body: body, frame: make([]bool, len(body))}
	message, at := body, 0
	if n := len(body); n > 5 && body[0] <= 1 && int(binary.BigEndian.Uint32(body[1:])) == n-5 { // a gRPC-Web message has a frame
		message, at = body[5:], 5
		b.mark(0, at, true)
	}
	b.take(message, at, 0)
	b.timeAt = make([]*timeField, len(body))
	for _, f := range b.times {
		for i := f.from; i < f.to; i++ {
			b.timeAt[i] = f
		}
	}
	return b
}

// take notes the times in a message at a position of the body, if it is a message.
func (b *Bytes) take(message []byte, at, depth int) {
	times, randoms, from, end := len(b.times), len(b.randoms), at, at+len(message)
	for at < end {
		_, kind, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			break
		}
		n := protowire.ConsumeFieldValue(1, kind, message[tag:])
		if n < 0 {
			break
		}
		b.mark(at, at+tag, true)
		b.field(kind, message[tag:tag+n], at+tag, depth)
		message, at = message[tag+n:], at+tag+n
	}
	if at < end {
		b.times, b.randoms = b.times[:times], b.randoms[:randoms]
		b.mark(from, end, false)
	}
}

func (b *Bytes) mark(from, to int, frame bool) {
	for i := from; i < to; i++ {
		b.frame[i] = frame
	}
}

var forms = map[protowire.Type]form{
	protowire.VarintType:  {varintTimes, func(a, b byte) bool { return a>>7 == b>>7 }},
	protowire.Fixed32Type: {read: fixedTimes},
	protowire.Fixed64Type: {read: fixedTimes},
	protowire.BytesType:   {textTimes, func(a, b byte) bool { return a == b || isDigit(a) && isDigit(b) }},
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// field notes a field that can be a time, or the times in a field that is a message.
func (b *Bytes) field(kind protowire.Type, value []byte, at, depth int) {
	how, known := forms[kind]
	if !known {
		return
	}
	if kind == protowire.BytesType {
		inside, n := protowire.ConsumeBytes(value)
		b.mark(at, at+n-len(inside), true)
		value, at = inside, at+n-len(inside)
	}
	if len(how.read(value)) > 0 {
		b.times = append(b.times, &timeField{at, at + len(value), how})
	} else if kind == protowire.BytesType && looksRandom(value) {
		b.randoms = append(b.randoms, &timeField{from: at, to: at + len(value)})
	} else if kind == protowire.BytesType && depth < maxNesting {
		b.take(value, at, depth+1)
	}
}

// near reports whether one of the times is near that of a capture.
func near(times []time.Time, captured time.Time) bool {
	return slices.ContainsFunc(times, func(t time.Time) bool { return t.Sub(captured).Abs() <= clockError })
}

// numberTimes returns the times that a number can mean, as seconds, milliseconds, microseconds or nanoseconds since 1970.
func numberTimes(n float64) (out []time.Time) {
	for unit := 1.0; unit <= 1e9; unit *= 1000 {
		if s := n / unit; s >= firstTime && s < lastTime {
			whole, part := math.Modf(s)
			out = append(out, time.Unix(int64(whole), int64(part*1e9)))
		}
	}
	return out
}

func varintTimes(b []byte) []time.Time {
	v, n := protowire.ConsumeVarint(b)
	if n != len(b) {
		return nil
	}
	return numberTimes(float64(v))
}

func fixedTimes(b []byte) []time.Time {
	if len(b) == 4 {
		return numberTimes(float64(binary.LittleEndian.Uint32(b)))
	}
	v := binary.LittleEndian.Uint64(b)
	return append(numberTimes(float64(v)), numberTimes(math.Float64frombits(v))...)
}

// randomText matches UUIDs and long numbers in base 16, which programs generate from random bytes.
var randomText = regexp.MustCompile(`^(?i:` +
	`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$`)

// looksRandom reports whether a value may be random: such a text, or 16 bytes that are neither text nor a message.
func looksRandom(value []byte) bool {
	return randomText.Match(value) || len(value) == 16 && !utf8.Valid(value) && !isMessage(value)
}

func isMessage(b []byte) bool {
	for len(b) > 0 {
		_, _, n := protowire.ConsumeField(b)
		if n < 0 {
			return false
		}
		b = b[n:]
	}
	return true
}

func textTimes(b []byte) []time.Time {
	if t, err := time.Parse(time.RFC3339Nano, string(b)); err == nil {
		return []time.Time{t}
	}
	return nil
}

// Span returns the range of the keys of bodies that may be equal except for times.
func (b *Bytes) Span() Span {
	same := b.begin + b.code[:b.times[0].from/3*4]
	return Span{same, same + "\xff", maxSent}
}

// A Likeness says whether two bodies differ only in the times of their requests.
type Likeness int

// A letter of base64 in lower case has two meanings. If a time shares a group of letters with another value, the key of a capture doesn't
// determine that value: then the bodies are Perhaps the same.
const (
	Different Likeness = iota
	Perhaps
	Same
)

// SameAs reports whether the body of a capture differs from this one only in fields that held the time of that capture.
func (b *Bytes) SameAs(other []byte, captured time.Time) bool {
	if len(other) != len(b.body) {
		return false
	}
	for i, c := range other {
		if b.timeAt[i] == nil && c != b.body[i] {
			return false
		}
	}
	for _, f := range b.times {
		held := other[f.from:f.to]
		if !bytes.Equal(held, b.body[f.from:f.to]) && !near(f.read(held), captured) {
			return false
		}
	}
	return true
}

// Like is [Bytes.SameAs] for a capture of which only the key is known.
func (b *Bytes) Like(key string, captured time.Time) Likeness {
	code, found := strings.CutPrefix(key, b.begin)
	code, rest, _ := strings.Cut(code, "&")
	if !found || rest != b.rest || len(code) != len(b.code) {
		return Different
	}
	groups := make([][][]byte, len(code)/4)
	like := Same
	for g := range groups {
		var sure bool
		if groups[g], sure = b.readings(code[4*g:4*g+4], 3*g); groups[g] == nil {
			return Different
		}
		if !sure {
			like = Perhaps
		}
	}
	for _, f := range b.times {
		from, to := f.from/3*4, (f.to+2)/3*4
		if code[from:to] != b.code[from:to] && !f.fits(groups, captured) {
			return Different
		}
	}
	return like
}

// readings returns the bytes that four letters of base64 in lower case can mean, if they equal the body at a position except for times; nil
// if they can't. sure says that they can't mean anything else.
func (b *Bytes) readings(letters string, at int) (out [][]byte, sure bool) {
	own := b.body[at:min(at+3, len(b.body))]
	if !slices.ContainsFunc(b.timeAt[at:at+len(own)], func(f *timeField) bool { return f != nil }) {
		if letters != b.code[at/3*4:at/3*4+4] {
			return nil, true
		}
		return [][]byte{own}, true
	}
	sure = true
	for capitals := range 16 {
		read, err := base64.StdEncoding.DecodeString(capitalized(letters, capitals))
		if err != nil || len(read) != len(own) || !b.possible(read, at) {
			continue
		}
		same := true
		for i := range read {
			same = same && (b.timeAt[at+i] != nil || read[i] == own[i])
		}
		if sure = sure && same; same {
			out = append(out, read)
		}
	}
	return out, sure
}

// possible reports whether bytes can be at a position of another body of the same kind: bytes of the frame are equal, and times have the
// same form.
func (b *Bytes) possible(read []byte, at int) bool {
	for i, c := range read {
		own, f := b.body[at+i], b.timeAt[at+i]
		if b.frame[at+i] && c != own || f != nil && f.like != nil && !f.like(own, c) {
			return false
		}
	}
	return true
}

// capitalized returns four letters in which those given by the bits of capitals are upper case; "" if one of these isn't a letter.
func capitalized(letters string, capitals int) string {
	text := []byte(letters)
	for i, c := range text {
		if capitals>>i&1 == 0 {
			continue
		}
		if c < 'a' || c > 'z' {
			return ""
		}
		text[i] = c - 'a' + 'A'
	}
	return string(text)
}

// fits reports whether the field holds the time of a capture, in one of the readings of its groups.
func (f *timeField) fits(groups [][][]byte, captured time.Time) bool {
	first, tried := f.from/3, 0
	var try func(read []byte, g int) bool
	try = func(read []byte, g int) bool {
		if tried > maxReadings {
			return false
		}
		if 3*first+len(read) >= f.to {
			tried++
			return near(f.read(read[f.from-3*first:f.to-3*first]), captured)
		}
		return slices.ContainsFunc(groups[g], func(r []byte) bool { return try(append(read[:len(read):len(read)], r...), g+1) })
	}
	return try(nil, first)
}
