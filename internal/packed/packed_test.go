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

func TestSignedNumbersAndTexts(t *testing.T) {
	var b []byte
	numbers := []int64{0, -1, 1, 63, -64, 64, math.MaxInt64, math.MinInt64}
	for _, n := range numbers {
		b = binary.AppendVarint(b, n)
	}
	r := Reader{Rest: AppendText(AppendText(b, ""), "été")}
	for _, want := range numbers {
		if got := r.Int(); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	if a, b := string(r.Text()), string(r.Text()); a != "" || b != "été" || r.Failed || len(r.Rest) > 0 {
		t.Errorf("%q %q, failed %v", a, b, r.Failed)
	}
	if n := r.Int(); n != 0 || !r.Failed {
		t.Errorf("behind the end: %d, failed %v", n, r.Failed)
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

func TestFixedNumbers(t *testing.T) {
	le := binary.LittleEndian
	b := le.AppendUint64(le.AppendUint32(le.AppendUint16([]byte{7}, 300), 70_000), math.MaxUint64)
	r := Reader{Rest: append(b, 2, 'a', 'b')}
	if a, b, c, d := r.Byte(), r.Fixed16(), r.Fixed32(), r.Fixed64(); a != 7 || b != 300 || c != 70_000 || d != math.MaxUint64 {
		t.Errorf("%d %d %d %d", a, b, c, d)
	}
	if n := r.Count(1); n != 2 || r.Failed {
		t.Errorf("%d things, failed %v", n, r.Failed)
	}
	if r.Fixed16(); r.Byte() != 0 || !r.Failed || r.Fixed16() != 0 || r.Fixed32() != 0 || r.Fixed64() != 0 {
		t.Error("something was read behind the end")
	}
	for name, r := range map[string]Reader{"more things than there is room for": {Rest: []byte{2, 0, 0, 0}}, "none": {}} {
		if r.Count(2) != 0 || !r.Failed {
			t.Error(name)
		}
	}
	if r := (Reader{Rest: binary.AppendUvarint(nil, 1<<32)}); r.Uint32() != 0 || !r.Failed {
		t.Error("a number of 33 bits has 32")
	}
}
