package sketch

import (
	"encoding/binary"
	"testing"

	"github.com/varve-archive/varve/internal/packed"

	"github.com/varve-archive/varve/archive/content/hashing"
)

// older returns the stored form of a sketch as format 1 has it: without what a block says beside what it is.
func older(s *Sketch) []byte {
	plain := *s
	plain.Blocks = nil
	data := plain.AppendBinary(nil)
	r := reader{Reader: packed.Reader{Rest: data}}
	var head Sketch
	_, _, _ = r.head(&head)
	le := binary.LittleEndian
	out := []byte{firstVersion, hashing.Bit(s.NotFound)}
	out = le.AppendUint64(le.AppendUint64(out, s.ID), s.Core)
	for _, n := range []int{len(s.Title), s.Size, s.CoreSize, s.Words, len(s.Blocks), len(s.Terms)} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	out = append(out, s.Title...)
	for _, v := range s.MinHash {
		out = le.AppendUint16(out, v)
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		out = append(out, byte(b.Region)|hashing.Bit(b.Digits)*flagDigits|hashing.Bit(b.Stamp)*flagStamp|b.Plain<<plainShift)
		out = le.AppendUint64(out, b.Hash)
		if b.Digits {
			out = le.AppendUint32(out, b.Mask)
		}
		out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(b.Fields)), uint64(b.Size))
		out = le.AppendUint32(binary.AppendUvarint(out, 0), b.Slot) // each as if it were new, which reads the same
	}
	return append(out, r.Rest[:len(r.Rest)-1]...) // the terms, without the number of pictures
}

func TestOlderSketchesAreRead(t *testing.T) {
	now := sketchOf("<title>Rules</title><ul class=nav><li>Home</ul><h1>Rules</h1><p>All boats – 14 of them – leave by noon.<p>© 2021 Harbour")
	was, err := Parse(older(now))
	if err != nil || !was.Older || was.ID != now.ID || len(was.Blocks) != len(now.Blocks) || len(was.Terms) != len(now.Terms) {
		t.Fatalf("%v: %+v", err, was)
	}
	for i := range was.Blocks {
		if was.Blocks[i].Hash != now.Blocks[i].Hash || was.Blocks[i].Fields != now.Blocks[i].Fields {
			t.Errorf("block %d: %+v, want %+v", i, was.Blocks[i], now.Blocks[i])
		}
	}
}
