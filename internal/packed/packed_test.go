package packed

import (
	"encoding/binary"
	"math"
	"testing"
)

func TestReader(t *testing.T) {
	var b []byte
	numbers := []uint64{0, 1, 0x7f, 0x80, 300, math.MaxUint64}
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	r := Reader{Rest: append(b, "abc"...)}
	for _, want := range numbers {
		if got := r.Uint(); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	if got := string(r.Bytes(2)); got != "ab" || r.Failed || len(r.Bytes(0)) != 0 {
		t.Errorf("%q, failed %v", got, r.Failed)
	}
	if got := r.Bytes(2); got != nil || !r.Failed || r.Uint() != 0 || r.Bytes(1) != nil {
		t.Errorf("behind the end: %q, failed %v", got, r.Failed)
	}
}

func TestMistakes(t *testing.T) {
	for name, b := range map[string][]byte{
		"no number": nil, "cut off": {0x80}, "too large": {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
	} {
		if r := (Reader{Rest: b}); r.Uint() != 0 || !r.Failed || r.Rest != nil {
			t.Errorf("%s: failed %v, rest %x", name, r.Failed, r.Rest)
		}
	}
}
