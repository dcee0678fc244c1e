package model_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/visual/model"
)

func weightsFile(t testing.TB) []byte {
	t.Helper()
	file, err := os.ReadFile("weights.bin")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// sealed gives a file the checksum that fits it.
func sealed(file []byte) []byte {
	body := file[:len(file)-4]
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.ChecksumIEEE(body))
}

func TestDamagedWeightsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	good := weightsFile(t)
	changed := func(change func(file []byte) []byte) []byte { return change(bytes.Clone(good)) }
	replaced := func(old, with string) []byte {
		return changed(func(file []byte) []byte { return sealed(bytes.Replace(file, []byte(old), []byte(with), 1)) })
	}
	const count = len("varve-visual-2\n") // where the number of tensors stands
	first := bytes.Index(good, []byte("head.bias")) + len("head.bias")
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":     {nil, `0 bytes that do not begin with "varve-visual-2\n"`},
		"other":     {bytes.Repeat([]byte("x"), 99), `99 bytes that do not begin with`},
		"one bit":   {changed(func(f []byte) []byte { f[500] ^= 1; return f }), "the checksum is"},
		"half":      {good[:len(good)/2], "the checksum is"},
		"cut":       {sealed(good[:len(good)/2]), "the file ends within tensor"},
		"more":      {sealed(append(bytes.Clone(good[:len(good)-4]), "more    "...)), "4 bytes behind the last tensor"},
		"many":      {changed(func(f []byte) []byte { copy(f[count:], "\xff\xff\xff\xff"); return sealed(f) }), "the file ends within tensor"},
		"too large": {changed(func(f []byte) []byte { copy(f[first:], "\xff\xff\xff\xff"); return sealed(f) }), `the file ends within tensor`},
		"unknown":   {replaced("\thead.bias", "\thead.bios"), `tensor "head.bias" is missing`},
		"twice":     {replaced("steps.1.point.bias", "steps.0.point.bias"), `tensor "steps.0.point.bias" is there twice`},
		"length":    {replaced("steps.0.depth.bias", "steps.0.point.bios"), `is not part of the model`},
		"no number": {changed(func(f []byte) []byte {
			binary.LittleEndian.PutUint32(f[first+4:], math.Float32bits(float32(math.NaN())))
			return sealed(f)
		}), `number 0 of tensor "head.bias" is NaN`},
	} {
		if _, err := model.Parse(c.file); err == nil || !strings.HasPrefix(err.Error(), "model: weights: ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := model.Parse(good); err != nil {
		t.Errorf("the file as it is: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	good := weightsFile(f)
	f.Add(good)
	f.Add(good[:200])
	f.Add([]byte("varve-visual-2\n\x01\x00\x00\x00\x04head\x01\x00\x00\x00\x00\x00\x00\x00    "))
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, tried := range [][]byte{file, sealed(append(bytes.Clone(file), "    "...))} {
			m, err := model.Parse(tried)
			if (m == nil) == (err == nil) {
				t.Fatalf("model %v, error %v", m != nil, err)
			}
			if m != nil {
				if _, err := m.Vector(draws(1, 60, 60), nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
