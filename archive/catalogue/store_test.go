package catalogue_test

import (
	"bufio"
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/varve-archive/varve/archive/catalogue"
)

func stored(t testing.TB, c *catalogue.Catalogue) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What is stored comes back entry by entry.
func TestACatalogueIsStored(t *testing.T) {
	for _, n := range []int{0, 1, 32, 33, 1000} {
		list := entries(n)
		c, err := read(stored(t, packed(list)))
		if err != nil || c.Len() != n {
			t.Fatalf("%d entries: %v %v", n, c, err)
		}
		for i, e := range c.All() {
			if !reflect.DeepEqual(*e, list[i]) {
				t.Errorf("entry %d of %d: %+v", i, n, e)
			}
		}
	}
}

// What is cut short, or whose numbers lead nowhere, is refused.
func TestADamagedCatalogueIsRefused(t *testing.T) {
	whole := stored(t, packed(entries(100)))
	for n := range whole {
		if c, err := read(whole[:n]); err == nil {
			t.Fatalf("cut at %d of %d bytes there are %d entries", n, len(whole), c.Len())
		}
	}
	for i := range whole { // what is read all the same can be walked
		for _, c := range []byte{0, 0x7f, 0xff} {
			if read, err := read(slices.Concat(whole[:i], []byte{c}, whole[i+1:])); err == nil {
				for range read.All() {
					continue
				}
			}
		}
	}
}

// read reads a catalogue that is stored in b.
func read(b []byte) (*catalogue.Catalogue, error) {
	return catalogue.Read(bufio.NewReader(bytes.NewReader(b)), int64(len(b)))
}

func FuzzRead(f *testing.F) {
	f.Add(stored(f, packed(entries(3))))
	f.Add([]byte("\xff\xff\xff\xff\x07"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := read(b)
		if err == nil && c.Len() > len(b) {
			t.Errorf("%d entries of %d bytes", c.Len(), len(b))
		}
	})
}
