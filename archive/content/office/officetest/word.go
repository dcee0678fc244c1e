package officetest

import (
	"encoding/binary"
	"unicode/utf16"
)

const (
	sector   = 512
	least    = 4096 // shorter streams would lie elsewhere
	endChain = 0xFFFFFFFE
	free     = 0xFFFFFFFF
)

// Word returns a document of Word 97 with a text: in pieces of one byte a character for latin, and of two for wide, which follows it. After
// the document itself come footnotes, headers, macros, comments and endnotes.
func Word(latin, wide string, after ...string) []byte {
	const textAt = 1024
	doc := make([]byte, textAt, least)
	units := utf16.Encode([]rune(wide))
	binary.LittleEndian.PutUint32(doc[0x4C:], uint32(len(latin)+len(units)))
	for i, text := range after {
		more := utf16.Encode([]rune(text))
		binary.LittleEndian.PutUint32(doc[0x50+4*i:], uint32(len(more)))
		units = append(units, more...)
	}
	chars := len(latin) + len(units)
	binary.LittleEndian.PutUint16(doc, 0xA5EC)
	binary.LittleEndian.PutUint16(doc[0x0A:], 0x0200)
	doc = append(doc, latin...)
	wideAt := len(doc)
	for _, u := range units {
		doc = binary.LittleEndian.AppendUint16(doc, u)
	}
	pieces := binary.LittleEndian.AppendUint32(nil, 0)
	pieces = binary.LittleEndian.AppendUint32(pieces, uint32(len(latin)))
	pieces = binary.LittleEndian.AppendUint32(pieces, uint32(chars))
	for _, at := range []uint32{textAt*2 | 1<<30, uint32(wideAt)} {
		pieces = append(binary.LittleEndian.AppendUint32(append(pieces, 0, 0), at), 0, 0)
	}
	clx := binary.LittleEndian.AppendUint32([]byte{2}, uint32(len(pieces)))
	clx = append(clx, pieces...)
	binary.LittleEndian.PutUint32(doc[0x01A2:], 0)
	binary.LittleEndian.PutUint32(doc[0x01A6:], uint32(len(clx)))
	return Compound([]string{"WordDocument", "1Table"}, padded(doc), padded(clx))
}

func padded(b []byte) []byte {
	return append(b, make([]byte, max(least-len(b), (sector-len(b)%sector)%sector))...)
}

// Compound returns a compound file of streams whose lengths are multiples of 512 bytes, and at least 4096.
func Compound(names []string, streams ...[]byte) []byte {
	head := make([]byte, sector)
	copy(head, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
	put16, put32 := binary.LittleEndian.PutUint16, binary.LittleEndian.PutUint32
	put16(head[24:], 0x3E)
	put16(head[26:], 3)
	put16(head[28:], 0xFFFE)
	put16(head[30:], 9) // sectors of 512 bytes
	put16(head[32:], 6)
	put32(head[44:], 1) // sectors of the table
	put32(head[48:], 1) // the directory's first
	put32(head[56:], least)
	put32(head[60:], endChain)
	put32(head[68:], endChain)
	for i := range 109 {
		put32(head[76+4*i:], free)
	}
	put32(head[76:], 0)
	table := make([]byte, sector)
	for i := range sector / 4 {
		put32(table[4*i:], free)
	}
	put32(table, 0xFFFFFFFD)
	put32(table[4:], endChain)
	directory := entry("Root Entry", 5, 1, endChain, 0)
	var content []byte
	next := 2
	for i, s := range streams {
		right := uint32(free)
		if i+1 < len(streams) {
			right = uint32(i + 2)
		}
		e := entry(names[i], 2, free, uint32(next), len(s))
		put32(e[72:], right)
		directory = append(directory, e...)
		for range len(s)/sector - 1 {
			put32(table[4*next:], uint32(next+1))
			next++
		}
		put32(table[4*next:], endChain)
		next++
		content = append(content, s...)
	}
	directory = append(directory, make([]byte, sector-len(directory))...)
	return append(append(append(head, table...), directory...), content...)
}

// entry returns an entry of the directory.
func entry(name string, kind byte, child, start uint32, size int) []byte {
	e := make([]byte, 128)
	for i, u := range utf16.Encode([]rune(name)) {
		binary.LittleEndian.PutUint16(e[2*i:], u)
	}
	binary.LittleEndian.PutUint16(e[64:], uint16(2*len(name)+2))
	e[66], e[67] = kind, 1
	for at, v := range map[int]uint32{68: free, 72: free, 76: child, 116: start, 120: uint32(size)} {
		binary.LittleEndian.PutUint32(e[at:], v)
	}
	return e
}
