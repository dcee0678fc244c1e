// Package warc reads files of archived records: WARC 0.17 to 1.1 (ISO 28500) and ARC 1 and 2, uncompressed, compressed record by record
// with gzip or zstd, or inside a WACZ.
//
// [Scan] reads all records of a file in order, for indexing; a [Store] reads single records at an offset, for replay. From a record's
// block, [ParseHead], [Body] and [Decode] give the archived HTTP message, its body without transfer coding, and that body without content
// coding.
//
// Real files are full of broken records. Every reader here is lenient about form (line ends, missing fields, brackets, wrong encodings) and
// exact about position: what can't be read is a [*Damage] that names the file, the offset and the reason, and reading continues after it.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package warc
