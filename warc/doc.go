// Package warc reads stores of archived records: WARC 0.17 to 1.1 (ISO 28500) and ARC 1 and 2 files, plain,
// compressed record by record with gzip or zstd, or inside a WACZ.
//
// [Scan] walks every record of a file in order, as an index needs it; a [Store] reads single records at an
// offset, as replay needs it. [ParseHead], [Body] and [Decode] then lead from a record's block to the archived
// HTTP message, its body without transfer coding, and that body without content coding.
//
// Real stores are full of broken records. Every reader here is lenient about form (line ends, missing fields,
// brackets, wrong encodings) and exact about place: what can't be read is a [*Damage] that names the file, the
// offset and the reason, and reading goes on behind it.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package warc
