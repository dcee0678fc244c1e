// Package segment is how the search lies on disk: a segment format for bleve's scorch, which keeps snapshots, merges and
// deletions. Its files take half of the room of scorch's own, and are written in a fifth of the time, because they have only
// what the search needs: columns, and for each term the documents that have it with a number for each. There are no
// positions, no norms, and no bitmap for each term.
//
// A file holds, all numbers as varints unless said otherwise:
//
//	columns   for each column its values in blocks, each compressed with zstd: of each document the length, and the bytes
//	fields    for each field the postings of its terms, and then its dictionary
//	directory where all these are; see directory.go
//	its place 8 bytes, then [magic]
//	checksum  CRC-32 of all this, 4 bytes; see [Verify]
//
// Places of things of which there are many stand in tables of 8 bytes each, and dictionaries and postings are read where they
// are in the file, which is mapped. Nothing that is read is trusted: a damaged file gives an error, or wrong answers, never a
// panic.
//
// Documents pass their terms as [Terms] and their columns as [Column]. Other fields are not understood.
package segment
