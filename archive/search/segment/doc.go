// Package segment stores the search on disk. It is a segment format for bleve's scorch, which manages snapshots, merges and deletions. Its
// files take half the room of scorch's own format and are written in a fifth of the time, because they hold only what the search needs:
// columns, and for each term its documents with one number each. There are no positions, norms, or bitmaps.
//
// A file has these parts; numbers are varints unless said otherwise:
//
//	columns   for each column its values in blocks, each compressed with zstd: of each document the length, and the bytes
//	fields    for each field the postings of its terms, and then its dictionary
//	directory where all these are; see directory.go
//	its place 8 bytes, then [magic]
//	checksum  CRC-32 of all this, 4 bytes; see [Verify]
//
// Where there are many offsets, they are in tables of 8 bytes each. Dictionaries and postings are read in place from the mapped file. The
// reader checks bounds everywhere: a damaged file leads to errors or wrong answers, never to a panic.
//
// Documents pass their terms as [Terms] and their columns as [Column]. Other kinds of fields are ignored.
package segment
