package segment

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// magic is at the end of a file, before its checksum.
const magic = "varvelf1"

// A directory says where everything is in a file, as offsets in bytes.
type directory struct {
	documents uint64
	ids       uint64 // table with one number for each document: that of its ID among the terms of [idField]
	columns   []columnPlace
	fields    []fieldPlace
}

// A columnPlace says where a column is.
type columnPlace struct {
	name   string
	blocks uint64 // number of blocks
	table  uint64 // table: for each block its first document and its offset, and the same for the end
}

// A fieldPlace says where a field is. Its dictionary lies between its postings and the table of its blocks.
type fieldPlace struct {
	name       string
	terms      uint64
	postings   uint64
	dictionary uint64
	blocks     uint64 // table of the blocks' offsets, and of the end
}

func (d *directory) append(out []byte) []byte {
	for _, n := range []uint64{d.documents, d.ids, uint64(len(d.columns))} {
		out = binary.AppendUvarint(out, n)
	}
	for _, c := range d.columns {
		out = binary.AppendUvarint(binary.AppendUvarint(appendText(out, c.name), c.blocks), c.table)
	}
	out = binary.AppendUvarint(out, uint64(len(d.fields)))
	for _, f := range d.fields {
		out = appendText(out, f.name)
		for _, n := range []uint64{f.terms, f.postings, f.dictionary, f.blocks} {
			out = binary.AppendUvarint(out, n)
		}
	}
	return out
}

// readDirectory reads the directory of a file.
func readDirectory(file []byte) (out directory, err error) {
	end := len(file) - 8 - len(magic) - crc32.Size
	if end < 0 || string(file[end+8:end+8+len(magic)]) != magic {
		return out, errDamaged
	}
	b, err := between(file, binary.LittleEndian.Uint64(file[end:]), uint64(end))
	if err != nil {
		return out, err
	}
	d := decoderOf(b)
	out.documents, out.ids = d.Uint(), d.Uint()
	if out.documents > math.MaxUint32 {
		return out, errDamaged
	}
	for n := d.Uint(); n > 0 && !d.Failed; n-- {
		out.columns = append(out.columns, columnPlace{string(d.Text()), d.Uint(), d.Uint()})
	}
	for n := d.Uint(); n > 0 && !d.Failed; n-- {
		out.fields = append(out.fields, fieldPlace{string(d.Text()), d.Uint(), d.Uint(), d.Uint(), d.Uint()})
	}
	return out, d.err()
}
